import type { Weakened } from "./mutant.ts";

const domain = "packages/service/src/domain";
const countDown = "verification: the third wrong code fails the";
const onTime = "verification: accepted at 4:59.999";
const guesses = "verification-races: of 200 parallel wrong codes";
const lastGuess = "verification-races: compares only one of 20 parallel guesses";
const capped = "caps: a phone allows fifteen wrong codes";
const accepted = "caps: after the right code, wrong codes count";
const cappedTogether = "caps: of forty parallel wrong codes";
const takenBack = "caps: a text that is refused by the limit";
const mailed = "dashboard-account: only three of two hundred parallel guesses";
const mailNobody = "dashboard-account: an unknown email address gets";
const mailLate = "dashboard-account: a code expires after ten minutes";

/** Mutants of one-time codes: creating, counting, comparing and consuming them. */
export const codes: Weakened[] = [
  {
    area: "codes",
    file: `${domain}/one-time-code.ts`,
    mutants: [
      { from: "codeAttemptsMax = 3", to: "codeAttemptsMax = 4", tests: [countDown] },
      { from: "codeLifeMs = 5 *", to: "codeLifeMs = 6 *", tests: [onTime] },
      { from: "mailCodeLifeMs = 10 *", to: "mailCodeLifeMs = 11 *", tests: [mailLate] },
      {
        from: `"delivered"] as const`,
        to: `"delivered", "failed"] as const`,
        tests: ["verification-states: rejected, then correctCode: OCV002 failed"],
      },
      {
        from: 'toString(): string {\n    return "***"',
        to: "toString(): string {\n    return this.#digits",
        tests: ["text-words: printing a code"],
      },
      {
        from: 'toJSON(): string {\n    return "***"',
        to: "toJSON(): string {\n    return this.#digits",
        tests: ["text-words: printing a code"],
      },
      {
        from: "attempts_used: sql<number>`attempts_used + 1`,",
        to: "attempts_used: sql<number>`attempts_used`,",
        tests: [countDown],
      },
      {
        from: '.where("status", "in", openVerificationStates)\n    .where("attempts_used"',
        to: '.where("attempts_used"',
        tests: ["verification: a second verify after a success"],
      },
      {
        from: 'openVerificationStates)\n    .where("attempts_used", "<", codeAttemptsMax)',
        to: 'openVerificationStates)\n    .where("attempts_used", "<=", codeAttemptsMax)',
        tests: [countDown],
      },
      {
        from: 'openVerificationStates)\n    .where("attempts_used", "<", codeAttemptsMax)',
        to: "openVerificationStates)",
        tests: [guesses],
      },
      {
        from: '.where(({ eb, fn }) => eb("uuid", "=", fn.any(uuids)))',
        to: "",
        tests: ["verification: a code is wrong in another"],
        survives: "each attempt takes the code of its own uuid",
      },
      {
        from: 'codeAttemptsMax)\n    .where("expires_at", ">", now),',
        to: "codeAttemptsMax),",
        tests: [onTime],
      },
      {
        from: 'codeAttemptsMax)\n    .where("expires_at", ">", now),',
        to: 'codeAttemptsMax)\n    .where("expires_at", ">=", now),',
        tests: [onTime],
      },
      {
        from: "timingSafeEqual(deps.vault.keyedHash(uuid, typed), hash)",
        to: "deps.vault.keyedHash(uuid, typed).length === hash.length",
        tests: [countDown],
      },
      {
        from: '.whereRef("verification.uuid", "=", "attempt.uuid")',
        to: "",
        tests: ["verification: a code is wrong in another"],
      },
      {
        from: 'status: sql<"verified">`case when ',
        to: 'status: sql<"verified">`case when true or ',
        tests: [countDown],
      },
      {
        from: "hash !== null && compareCode(deps, input.uuid, input.code, hash)",
        to: "hash !== null",
        tests: ["journey-v2-0: the right code returns the identity"],
      },
      {
        from: '\n    .where("status", "=", "verified")',
        to: "",
        tests: ["journey-v2-0: after three wrong codes, even the"],
        survives: "every caller has checked that the verification is verified, and it stays verified",
      },
      {
        from: '.updateTable("sign_in")\n    .set({ attempts_used: sql<number>`attempts_used + 1` })',
        to: '.updateTable("sign_in")\n    .set({ attempts_used: sql<number>`attempts_used` })',
        tests: [mailNobody],
      },
      {
        from: 'null)\n    .where("attempts_used", "<", codeAttemptsMax)',
        to: 'null)\n    .where("attempts_used", "<=", codeAttemptsMax)',
        tests: [mailNobody],
      },
      {
        from: '.where("used_at", "is", null)\n    .where("attempts_used"',
        to: '.where("attempts_used"',
        tests: [mailLate],
      },
      {
        from: '.where("expires_at", ">", now)\n    .where("code_hmac", "is not", null)\n    .returning(["code_hmac", "attempts_used", "member_uuid"])',
        to: '.where("code_hmac", "is not", null)\n    .returning(["code_hmac", "attempts_used", "member_uuid"])',
        tests: [mailLate],
      },
      {
        from: '">", now)\n    .where("code_hmac", "is not", null)\n    .returning(["code_hmac", "attempts_used", "member_uuid"])',
        to: '">=", now)\n    .where("code_hmac", "is not", null)\n    .returning(["code_hmac", "attempts_used", "member_uuid"])',
        tests: [mailLate],
      },
      {
        from: '.where("used_at", "is", null)\n    .where("code_hmac", "=", hash)',
        to: '.where("code_hmac", "=", hash)',
        tests: [mailed],
      },
      {
        from: 'null)\n    .where("code_hmac", "=", hash)',
        to: "null)",
        tests: [mailed],
        survives: "a sign-in has the same code until it ends, and that code was compared",
      },
    ],
  },
  {
    area: "codes",
    file: "packages/service/src/store/vault.ts",
    mutants: [
      {
        from: "hmac(codeKey, scope, value)",
        to: 'hmac(codeKey, "", value)',
        tests: ["verification-texts: the same code has a different"],
      },
      {
        from: "hmac(codeKey, scope, value)",
        to: "hmac(Buffer.alloc(32), scope, value)",
        tests: ["verification: each service hashes codes with its"],
      },
    ],
  },
  {
    area: "codes",
    file: `${domain}/verification/try-code.ts`,
    mutants: [
      {
        from: "  const attempt = { ...code, code: digitsIn(code.code), by, phoneCounter };",
        to: `  const peek = await deps.db.selectFrom("verification").select("code_hmac").where("uuid", "=", code.uuid).executeTakeFirst();
  if (peek?.code_hmac && !compareCode(deps, code.uuid, digitsIn(code.code), peek.code_hmac)) {
    const { row } = await findVerificationUnbound(deps, code.uuid);
    return { kind: "wrong", row };
  }
  const attempt = { ...code, code: digitsIn(code.code), by, phoneCounter };`,
        tests: [guesses],
      },
      {
        from: "canBeKnown && compareCode(deps, attempt.uuid, attempt.code, code.hash)",
        to: "canBeKnown",
        tests: [countDown],
      },
      {
        from: "code.personUuid !== null && wasShown",
        to: "wasShown",
        tests: ["account-sign-in-answers: a code is accepted only after"],
      },
      {
        from: "by.brand === null ? null : phoneCounterOf",
        to: "phoneCounterOf",
        tests: ["account-sign-in-limits: a stranger's wrong sign-in codes do"],
      },
      {
        from: 'if (tried === "capped") throw tooManyGuesses(deps);',
        to: 'if (tried === "capped") return { kind: "wrong", row: (await findVerificationUnbound(deps, code.uuid)).row };',
        tests: [capped],
      },
      {
        from: 'if (wrongBefore !== null && wrongBefore >= deps.policy.caps.wrongCodesOfPhone.max)\n      return { attempt, row, verdict: "capped" };',
        to: "",
        tests: [capped],
      },
      {
        from: "code.personUuid !== null && wasShown(deps, attempt, row)",
        to: "code.personUuid !== null",
        tests: ["caps: a code is not compared before its first text"],
      },
      {
        from: "guessedBrand !== null && isBrandOverLimit(deps, guessedBrand)",
        to: "false",
        tests: ["caps: the wrong codes of a brand are limited per"],
      },
      {
        from: "wrongBefore >= deps.policy.caps.wrongCodesOfPhone.max",
        to: "wrongBefore > deps.policy.caps.wrongCodesOfPhone.max",
        tests: [capped],
      },
      {
        from: "usedOf(counter) >= deps.policy.caps.wrongCodesOfPhone.max",
        to: "usedOf(counter) > deps.policy.caps.wrongCodesOfPhone.max",
        tests: [accepted],
      },
      { from: "if (!isAccepted) await countUses(trx, [counter]);", to: "", tests: [accepted] },
      { from: "wrong.flatMap(({ attempt: { phoneCounter } }) => phoneCounter ?? []),", to: "[],", tests: [capped] },
      {
        from: "return isAccepted ? {",
        to: "return true ? {",
        tests: ["journey-v1: the url with the code redirects"],
      },
      {
        from: 'if (tried.kind === "wrong") return fail("OCV001", data);',
        to: "",
        tests: ["page: counts wrong codes, and rejects any"],
      },
      {
        from: 'tried.filter(({ verdict }) => verdict === "wrong");',
        to: 'tried.filter(({ verdict }) => verdict !== "capped");',
        tests: [capped],
      },
      { from: "lockUses(trx, counters),", to: "lockUses(trx, []),", tests: [cappedTogether] },
      {
        from: 'else if (one.verdict === "wrong") results.push({ kind: "wrong", row: one.row });',
        to: "",
        tests: [countDown],
      },
    ],
  },
  {
    area: "codes",
    file: `${domain}/verification/verification-rows.ts`,
    mutants: [
      {
        from: '.orderBy("verification.uuid")\n    .forNoKeyUpdate(),\n);\n\n/** Which',
        to: '.orderBy("verification.uuid"),\n);\n\n/** Which',
        tests: [lastGuess],
      },
    ],
  },
  {
    area: "codes",
    file: `${domain}/verification/limits/caps.ts`,
    mutants: [{ from: "used > cap.max", to: "used >= cap.max", tests: ["caps: one phone gets at most five"] }],
  },
  {
    area: "codes",
    file: `${domain}/verification/limits/use-count-rows.ts`,
    mutants: [
      {
        from: '"use_count.used", "<", columns.max',
        to: '"use_count.used", "<=", columns.max',
        tests: ["dashboard-webhooks: a test event is signed"],
      },
      {
        from: '\n    .whereRef("use_count.key", "=", "locked.key")',
        to: "",
        tests: [takenBack],
      },
      { from: "greatest(use_count.used - ", to: "greatest(use_count.used + 1 - ", tests: [takenBack] },
    ],
  },
  {
    area: "codes",
    file: `${domain}/account/sign-in.ts`,
    mutants: [
      {
        from: "row.brand_uuid !== null || row.environment !== deps.environment",
        to: "row.environment !== deps.environment",
        tests: ["account-sign-in: a brand's verification cannot be used"],
      },
      {
        from: "row.brand_uuid !== null || row.environment !== deps.environment",
        to: "row.brand_uuid !== null",
        tests: ["account-sign-in: a sign-in or session of another"],
      },
      {
        from: "await countTextRequest(deps, input.from);\n  const uuid",
        to: "const uuid",
        tests: ["account-sign-in-limits: an IP address gets twenty sign-in"],
      },
      {
        from: "await countTextRequest(deps, input.from);\n  await deps.db",
        to: "await deps.db",
        tests: ["account-sign-in-limits: a resend counts"],
      },
    ],
  },
  {
    area: "codes",
    file: `${domain}/account/text-sign-in.ts`,
    mutants: [
      {
        from: "if (!(error instanceof Failure)) throw error;",
        to: "throw error;",
        tests: ["account-sign-in-limits: sign-in texts to a phone are"],
      },
      {
        from: "if (texts.includes(messageUuid)) return false;",
        to: "",
        tests: ["account-sign-in-answers: a sign-in job that runs a"],
      },
    ],
  },
  {
    area: "codes",
    file: `${domain}/person-rows.ts`,
    mutants: [
      {
        from: "for key share of person`.execute(trx);\n  return rows.length > 0;",
        to: "for key share of person`.execute(trx);\n  return true;",
        tests: ["account-sign-in-answers: a person without any remaining data"],
      },
    ],
  },
  {
    area: "codes",
    file: `${domain}/member/sign-in.ts`,
    mutants: [
      {
        from: "!compareCode(deps, typed.uuid, typed.code, hash) || ",
        to: "",
        tests: [mailed],
      },
    ],
  },
];
