import type { Weakened } from "./mutant.ts";

const domain = "packages/service/src/domain/signup";
const fourth = "signup-challenges: the fourth distinct wrong value";
const spread = "signup-challenges: ten distinct wrong values across all brands";
const manyBrands = "signup-challenges: of 50 parallel guesses over many brands";
const parallel = "signup-challenges: of 50 parallel distinct wrong birth dates";
const window = "signup-challenges: after 30 minutes, to the millisecond";
const names = "signup-challenges: a first name is counted like the others";
const rightIsFree = "signup-challenges: a right value does not stay counted";

/** Attempts at birth dates, SSN digits and first names. */
export const challenges: Weakened[] = [
  {
    area: "challenges",
    file: `${domain}/challenges.ts`,
    mutants: [
      { from: "challengeAttemptsMax = 3", to: "challengeAttemptsMax = 4", tests: [fourth] },
      { from: "challengeWindowMs = 30 *", to: "challengeWindowMs = 29 *", tests: [window] },
      { from: "challengeAttemptsAllBrandsMax = 10", to: "challengeAttemptsAllBrandsMax = 11", tests: [spread] },
      { from: "challengeAllBrandsWindowMs = 24 *", to: "challengeAllBrandsWindowMs = 23 *", tests: [spread] },
      { from: "firstName?.trim().toLowerCase()", to: "firstName?.trim()", tests: [names] },
      { from: "firstName?.trim().toLowerCase()", to: "firstName?.toLowerCase()", tests: [names] },
      { from: "    await lockPhone(trx, index);\n", to: "", tests: [parallel] },
      {
        from: "one.brand_uuid === about.brandUuid && ",
        to: "",
        tests: ["signup-challenges: another brand has its own count"],
      },
      { from: "one.at > now - challengeWindowMs", to: "one.at >= now - challengeWindowMs", tests: [window] },
      {
        from: '.where("at", ">", now - challengeAllBrandsWindowMs)',
        to: '.where("at", ">=", now - challengeAllBrandsWindowMs)',
        tests: [spread],
      },
      { from: ".length >= challengeAttemptsMax", to: ".length > challengeAttemptsMax", tests: [fourth] },
      { from: "spread + fresh.length > challengeAttemptsAllBrandsMax", to: "false", tests: [spread] },
      { from: "spread + fresh.length >", to: "spread + fresh.length >=", tests: [spread] },
      { from: "spread + fresh.length >", to: "spread >", tests: [spread] },
      { from: "if (exceeded.length > 0) return exceeded.map((one) => one.input);", to: "", tests: [fourth] },
      {
        from: "ours.filter((old) => old.input === one.input).length",
        to: "ours.length",
        tests: ["signup-challenges: each input has its own three"],
      },
      {
        from: "old.input === one.input && ",
        to: "",
        tests: ["signup-challenges: each input has its own three"],
        survives: "the hash is of the input too: another input's is never equal",
      },
      {
        from: '.where("environment", "=", deps.environment)\n      .where("phone_index", "=", index)',
        to: '.where("phone_index", "=", index)',
        tests: [fourth],
        survives: "the index of a phone is made with the environment: no other environment has it",
      },
      {
        from: ".doUpdateSet({ at: now })",
        to: ".doNothing()",
        tests: ["signup-challenges: tried again in a later window"],
      },
      {
        from: `\`\${deps.environment}|\${about.phone}|\${one.input}\``,
        to: `\`\${deps.environment}|\${about.phone}|\${about.brandUuid}|\${one.input}\``,
        tests: ["signup-challenges: the same wrong value at many brands"],
      },
      {
        from: `\`\${deps.environment}|\${about.phone}|\${one.input}\``,
        to: `\`\${deps.environment}|\${one.input}\``,
        tests: ["signup-challenges: one value of two phones"],
      },
      {
        from: '\n    .where("brand_uuid", "=", about.brandUuid)',
        to: "",
        tests: ["signup-challenges: a value that a source cannot judge"],
      },
      {
        from: '\n      .where("at", "<=", old)',
        to: "",
        tests: ["signup-challenge-settings: a sweep of attempts"],
      },
    ],
  },
  {
    area: "challenges",
    file: `${domain}/source.ts`,
    mutants: [
      {
        from: "const exceeded = await countChallenges(deps, whose, compared);",
        to: "const exceeded: ChallengeInput[] = [];",
        tests: [fourth],
      },
      {
        from: `  const exceeded = await countChallenges(deps, whose, compared);
  if (exceeded.length > 0) return { kind: "exceeded", inputs: exceeded };
  const answer: SourceAnswer = await deps.identity.lookUp({
    phone: about.phone,
    inputs: about.inputs,
    compare: compared.map((one) => one.input),
    narrow: narrow.map((one) => one.input),
    deadlineMs: sourceDeadlineMs,
  });`,
        to: `  const answer: SourceAnswer = await deps.identity.lookUp({
    phone: about.phone,
    inputs: about.inputs,
    compare: compared.map((one) => one.input),
    narrow: narrow.map((one) => one.input),
    deadlineMs: sourceDeadlineMs,
  });
  const exceeded = await countChallenges(deps, whose, compared);
  if (exceeded.length > 0) return { kind: "exceeded", inputs: exceeded };`,
        tests: [parallel, manyBrands],
      },
      { from: `if (exceeded.length > 0) return { kind: "exceeded", inputs: exceeded };`, to: "", tests: [fourth] },
      {
        from: "compared.filter((one) => !refuted.includes(one.input))",
        to: "compared",
        tests: [fourth],
      },
      { from: "compared.filter((one) => !refuted.includes(one.input))", to: "[]", tests: [rightIsFree] },
      {
        from: "compare: compared.map((one) => one.input)",
        to: "compare: []",
        tests: ['signup-challenges: is "BirthDate mismatch."'],
      },
      {
        from: `if (answer.kind === "mismatch" || answer.kind === "exceeded") return answer;`,
        to: "",
        tests: ["signup-challenge-settings: a wrong value is told before a missing one"],
      },
      {
        from: `one.when === "always" && `,
        to: "false && ",
        tests: ["signup-challenge-settings: of what a brand always asks for"],
      },
    ],
  },
  {
    area: "challenges",
    file: "packages/service/src/domain/account/prove.ts",
    mutants: [
      {
        from: "const exceeded = await countChallenges(deps, whose, given);",
        to: "const exceeded: ChallengeInput[] = [];",
        tests: ["account-sign-in: values are hidden until"],
      },
      {
        from: "given.filter((one) => !refuted.includes(one.input))",
        to: "given",
        tests: ["account-sign-in: values are hidden until"],
      },
      {
        from: `if (answer.kind === "mismatch") throw fail("OCE012", {}, mismatchMessage(answer.inputs));`,
        to: "",
        tests: ["account-sign-in: values are hidden until"],
      },
      {
        from: `if (answer.kind === "needs") throw fail("OCE012", {}, "That alone does not single out one person.");`,
        to: "",
        tests: ["account-sign-in: what does not single out one person"],
      },
      {
        from: `if (answer.kind === "unknown") throw fail("OCE013", {});`,
        to: "",
        tests: ["account-deletion: whom no source knows"],
      },
    ],
  },
];
