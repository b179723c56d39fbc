import type { Weakened } from "./mutant.ts";

const domain = "packages/service/src/domain/signup";
const fourth = "signup-challenges: the fourth distinct wrong value";
const spread = "signup-challenges: ten distinct wrong values across all brands";
const parallel = "signup-challenges: of 50 parallel distinct wrong birth dates";
const window = "signup-challenges: after 30 minutes, to the millisecond";
const names = "signup-challenges: a first name is counted like the others";

/** Mutants of the limits on attempts at birth dates, SSN digits and first names. */
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
    ],
  },
];
