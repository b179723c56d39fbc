import type { Weakened } from "./mutant.ts";

const domain = "packages/service/src/domain/signup";
const fourth = "signup-challenges: after three wrong values, a fourth";
const spread = "signup-challenges: ten distinct wrong values across all brands";
const parallel = "signup-challenges: only 3 of 50 concurrent wrong";
const window = "signup-challenges: the right value is accepted again";
const names = "signup-challenges: wrong first names use attempts too,";

/** Mutants of the limits on attempts at birth dates, SSN digits and first names. */
export const challenges: Weakened[] = [
  {
    area: "challenges",
    file: "packages/contract/src/errors.ts",
    mutants: [
      { from: "firstName?.trim().toLowerCase()", to: "firstName?.trim()", tests: [names] },
      { from: "firstName?.trim().toLowerCase()", to: "firstName?.toLowerCase()", tests: [names] },
    ],
  },
  {
    area: "challenges",
    file: `${domain}/challenges.ts`,
    mutants: [
      { from: "challengeAttemptsMax = 3", to: "challengeAttemptsMax = 4", tests: [fourth] },
      { from: "challengeWindowMs = 30 *", to: "challengeWindowMs = 29 *", tests: [window] },
      { from: "challengeAttemptsAllBrandsMax = 10", to: "challengeAttemptsAllBrandsMax = 11", tests: [spread] },
      {
        from: "challengeAllBrandsWindowMs = dayMs",
        to: "challengeAllBrandsWindowMs = (23 * dayMs) / 24",
        tests: [spread],
      },
      { from: "    await lockAttempts(trx, of);\n", to: "", tests: [parallel] },
      {
        from: "one.brand_uuid === brandUuid && ",
        to: "",
        tests: ["signup-challenges: another brand has its own attempts,"],
      },
      { from: "one.at > now - challengeWindowMs", to: "one.at >= now - challengeWindowMs", tests: [window] },
      { from: ".length >= challengeAttemptsMax", to: ".length > challengeAttemptsMax", tests: [fourth] },
      { from: "spread + fresh.length > challengeAttemptsAllBrandsMax", to: "false", tests: [spread] },
      { from: "spread + fresh.length >", to: "spread + fresh.length >=", tests: [spread] },
      { from: "spread + fresh.length >", to: "spread >", tests: [spread] },
      { from: "if (exceeded.length > 0) return exceeded.map(({ input }) => input);", to: "", tests: [fourth] },
      {
        from: "ours.filter((old) => old.input === input).length",
        to: "ours.length",
        tests: ["signup-challenges: each input has its own three"],
      },
      {
        from: "old.input === input && ",
        to: "",
        tests: ["signup-challenges: each input has its own three"],
        survives: "the hash includes the input's name, so two inputs never have the same hash",
      },
      {
        from: "hashValues(deps, phone, given);\n  const of",
        to: "hashValues(deps, phone, given.map((one) => ({ ...one, value: brandUuid + one.value })));\n  const of",
        tests: ["signup-challenges: the same wrong value at several"],
      },
      {
        from: `\${phone}|\${one.input}`,
        to: `\${one.input}`,
        tests: ["signup-challenges: the same value has different hashes"],
      },
      {
        from: "const exceeded = hashed.length === 0 ? [] : await count(deps, of, { brandUuid, phone, hashed });",
        to: "const exceeded: ChallengeInput[] = [];",
        tests: [fourth],
      },
    ],
  },
  {
    area: "challenges",
    file: `${domain}/challenge-attempt-rows.ts`,
    mutants: [
      {
        from: '.where("at", ">", since)\n    .execute();',
        to: '.where("at", ">=", since)\n    .execute();',
        tests: [spread],
      },
      {
        from: '"value_hmac", "at"])\n    .where("environment", "=", of.environment)',
        to: '"value_hmac", "at"])',
        tests: [fourth],
        survives: "the index of a phone includes the environment, so no other environment has it",
      },
      {
        from: '.doUpdateSet(({ ref }) => ({ at: ref("excluded.at") }))',
        to: ".doNothing()",
        tests: ["signup-challenges: a wrong value repeated in a"],
      },
      {
        from: '\n    .where("brand_uuid", "=", brandUuid)',
        to: "",
        tests: ["signup-challenges: a value that no source can"],
      },
    ],
  },
];
