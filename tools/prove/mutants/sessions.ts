import type { Weakened } from "./mutant.ts";

const domain = "packages/service/src/domain";
const hour = "session: a session key expires after 60";
const ended = "session-frame: a session token expires one hour";
const oneProof = "session-frame: only one of several sessions on";
const fivePhones = "session-frame: a session can text at most";
const unproven = "session-frame: an unproven session cannot continue and";
const refusedByCarrier = "session-frame: if the carrier refuses, the person";
const named = "session: a session accepts a verified verification";
const account = "account-sign-in: a session expires after 15 minutes";

/** Mutants of SDK session keys and of the sessions of pages, people and members. */
export const sessions: Weakened[] = [
  {
    area: "sessions",
    file: `${domain}/session/make.ts`,
    mutants: [
      { from: "sdkSessionLifeMs = hourMs", to: "sdkSessionLifeMs = hourMs + 60_000", tests: [hour] },
      {
        from: `if (!integrations[settings.integrationType].makesSessions) throw fail("SKE001", {});`,
        to: "",
        tests: ["session: only SDK brands"],
      },
      { from: `!approvals.has("barePhone")`, to: "false", tests: ["session: a phone without a verification needs"] },
      {
        from: "if (wrong.length > 0) {",
        to: "if (wrong.length > 2) {",
        tests: ["session: impossible values are rejected at once"],
      },
      { from: "{ verificationUuid, phone })", to: "{ verificationUuid, phone: undefined })", tests: [named] },
    ],
  },
  {
    area: "sessions",
    file: `${domain}/session/make.ts`,
    mutants: [
      {
        from: `if (keyHash.toString("base64url") !== frame) throw refuse(401, "INVALID_SESSION_KEY");`,
        to: "",
        tests: ["session-frame: a session key opens a session"],
      },
    ],
  },
  {
    area: "sessions",
    file: `${domain}/session/session.ts`,
    mutants: [
      {
        from: "origins: allowedOrigins.length === 0 && deps.policy.openFraming ? null : allowedOrigins",
        to: "origins: null",
        tests: ["session-frame: a sandbox session can be framed"],
      },
    ],
  },
  {
    area: "sessions",
    file: `${domain}/session/prove-phone.ts`,
    mutants: [
      { from: "phonesMax = 5", to: "phonesMax = 6", tests: [fivePhones] },
      {
        from: "siteHost(origin) === claimed",
        to: "claimed !== undefined",
        tests: ["session-frame: a text contains the embedding page's"],
      },
      {
        from: "claimed === otpHost(settings) ? claimed : undefined",
        to: "claimed",
        tests: ["names-approval: names the page around the SDK's frame only"],
      },
    ],
  },
  {
    area: "sessions",
    file: `${domain}/session/continue-proven.ts`,
    mutants: [
      { from: "      await lockVerifications(trx, [verificationUuid]);\n", to: "", tests: [oneProof] },
      { from: "await checkUnused(trx, verificationUuid);", to: "", tests: [oneProof] },
      {
        from: `if (!caller.brand.approvals.has("barePhone")) throw refuse(403, "The brand is not approved for barePhone.");`,
        to: "",
        tests: ["session-frame: a phone without a verification gets"],
      },
      {
        from: "(isByDevice && returned?.toLowerCase() !== proof.verificationUuid)",
        to: "false",
        tests: ["session-frame: a session cannot continue with a proof"],
      },
    ],
  },
  {
    area: "sessions",
    file: `${domain}/verification/device.ts`,
    mutants: [
      {
        from: "secrets.inWallet !== true || isOnWallet(deps, input.referrer)",
        to: "true",
        tests: ["session-frame: a page of another site, or a browser"],
      },
    ],
  },
  {
    area: "sessions",
    file: `${domain}/session/session-rows.ts`,
    mutants: [
      {
        from: "key_hash: tokenHash(input.sessionKey)",
        to: "key_hash: Buffer.from(input.sessionKey)",
        tests: ["session: a session key opens one session,"],
      },
      {
        from: '.where("environment", "=", deps.environment)\n    .where("opened_at", "is", null)',
        to: '.where("opened_at", "is", null)',
        tests: ["session: a session key of another environment"],
      },
      { from: '\n    .where("opened_at", "is", null)', to: "", tests: ["session: a session key opens one session,"] },
      { from: '\n    .where("expires_at", ">", now)', to: "", tests: [hour] },
      { from: '"expires_at", ">", now', to: '"expires_at", ">=", now', tests: [hour] },
      {
        from: '.where("session.environment", "=", deps.environment)\n    .where("expires_at", ">", deps.clock.now())',
        to: '.where("session.environment", "=", deps.environment)',
        tests: [ended],
      },
      {
        from: '.where("session.environment", "=", deps.environment)\n    .where("expires_at", ">", deps.clock.now())',
        to: '.where("session.environment", "=", deps.environment)\n    .where("expires_at", ">=", deps.clock.now())',
        tests: [ended],
      },
      {
        from: '.where("session.environment", "=", deps.environment)\n',
        to: "",
        tests: ["session-frame: a session token of another environment"],
      },
      { from: "sql<number>`phones_used + 1`", to: "sql<number>`phones_used`", tests: [fivePhones] },
      { from: '"phones_used", "<", max', to: '"phones_used", "<=", max', tests: [fivePhones] },
      { from: "return counted.numUpdatedRows > 0n;", to: "return true;", tests: [fivePhones] },
    ],
  },
  {
    area: "sessions",
    file: `${domain}/signup/phone-proof.ts`,
    mutants: [
      // One mutant per test, because a mutant is killed by the first test that fails.
      ...[named, refusedByCarrier, "signup: a pending, failed or expired verification"].map((one) => ({
        from: `secrets.phone === undefined || statusAt(row, now) !== "verified"`,
        to: "secrets.phone === undefined",
        tests: [one],
      })),
      { from: "await checkUnused(deps.db, proof.verificationUuid);", to: "", tests: [oneProof] },
      {
        from: "phone !== undefined && phone !== proof.phone",
        to: "false",
        tests: ["signup: a phone sent with a verification"],
      },
      {
        from: `if (state === "declined") throw fail("OCE021", {});`,
        to: `if (state === "declined") return;`,
        tests: ["signup-ends: after a person declines on a"],
      },
      {
        from: `if (state !== null) throw fail("ERR001", {}, "The person has not decided yet.");`,
        to: "",
        tests: ["signup-ends: after a person declines on a"],
      },
    ],
  },
  {
    area: "sessions",
    file: `${domain}/signup/start.ts`,
    mutants: [
      {
        from: `if (earlier !== null && earlier.facts.phone !== proof.phone) {`,
        to: "if (earlier !== null && earlier.facts.phone === undefined) {",
        tests: ["signup-life: an identityUuid with another phone"],
      },
    ],
  },
  {
    area: "sessions",
    file: `${domain}/signup/page/advance.ts`,
    mutants: [
      {
        from: "if (!(await isPhoneProven(deps, oneClick)))",
        to: "if (false)",
        tests: [unproven],
        survives: "the session of a page can be opened only with a proof",
      },
    ],
  },
  {
    area: "sessions",
    file: `${domain}/signup/page/page.ts`,
    mutants: [
      {
        from: "{ page_session_hash: tokenHash(by.session) }",
        to: "{ page_hash: tokenHash(by.session) }",
        tests: ["page: after the phone is verified, the"],
      },
      {
        from: `if (target === null || name === null) return null;`,
        to: `if (name === null) return null;\n  if (target === null) return wanted;`,
        tests: ["page: does not redirect to a URL"],
      },
    ],
  },
  {
    area: "sessions",
    file: `${domain}/signup/one-click-rows.ts`,
    mutants: [
      {
        from: '.where(({ and }) => and(by))\n    .where("environment", "=", environment)',
        to: ".where(({ and }) => and(by))",
        tests: ["page: a page's URL and session do"],
        survives: "the row is looked up again with its environment",
      },
    ],
  },
  {
    area: "sessions",
    file: `${domain}/account/session.ts`,
    mutants: [
      {
        from: "if (session.usedAt <= now - usedAtStepMs)",
        to: "if (session.usedAt > now)",
        tests: [account],
      },
    ],
  },
  {
    area: "sessions",
    file: `${domain}/account/account-session-rows.ts`,
    mutants: [
      {
        from: '\n    .where("used_at", ">", usedAfter)\n    .executeTakeFirst()',
        to: "\n    .executeTakeFirst()",
        tests: [account],
      },
      {
        from: '\n    .where("account_session.environment", "=", deps.environment)',
        to: "",
        tests: ["account-sign-in: a sign-in or session of another"],
      },
    ],
  },
];
