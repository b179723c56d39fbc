// alone: sets STORES for the process
/** Every test person completes every journey and gets data, a refusal, or no match. */
process.env.STORES ??= "apart";

import assert from "node:assert/strict";
import test from "node:test";
import type { ChallengeInput } from "@countersign/contract/errors";
import { challengeAnswers, type SandboxPerson, sandboxCode, sandboxPeople } from "../../providers/sandbox/people.ts";
import { type End, type Given, sdkBarePhone, type Target, type Walk, walks } from "../harness/client-journeys.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const target: Target = { inject: it.inject, wallet: it.wallet, codeTo: async () => sandboxCode };
const settings = { redirectUrl: "https://brand.example/back", riskSignals: true };
const every: Record<string, Walk> = {
  ...walks,
  sdkBarePhone: { integrationType: "sdk", serviceProves: false, go: sdkBarePhone },
};

/** Returns the correct value of one input, in the form of a request body. */
function right(person: SandboxPerson, input: ChallengeInput): Given {
  const { "fullName.firstName": firstName, birthDate, ssn4 } = challengeAnswers(person);
  const forms: Record<ChallengeInput, Given> = {
    "fullName.firstName": { fullName: { firstName } },
    birthDate: { birthDate },
    ssn4: { ssn4 },
  };
  return forms[input];
}

/**
 * A person whom no source knows gets OCE013. In v1 it is no match, except on trusted requests or if an input is needed
 * first.
 */
function expectedEnd(walk: Walk, { risk, unknown, needs }: SandboxPerson): string {
  if (unknown) return walk.integrationType === "v1" && walk !== every.v1Trusted && !needs ? "noMatch" : "OCE013";
  return risk === "mediumHigh" || risk === "high" ? "OCE017" : "data";
}

function said(end: End): string {
  return end.kind === "refused" ? String(end.errorCode) : end.kind;
}

for (const [name, walk] of Object.entries(every)) {
  test(`${name}: every test person gets the expected result with each of the accepted inputs`, async () => {
    const { apiKey } = await it.brand({ ...settings, ...walk.settings, integrationType: walk.integrationType });
    for (const person of sandboxPeople) {
      const { phone, needs = [] } = person;
      // Run once per accepted input, because any one of them is enough.
      for (const preferred of needs.length === 0 ? [undefined] : needs) {
        const answer = (asked: readonly ChallengeInput[]) => {
          const input = asked.find((one) => one === preferred) ?? asked[0];
          return input === undefined ? {} : right(person, input);
        };
        const end = await walk.go({ target, apiKey, phone, answer });
        assert.equal(said(end), expectedEnd(walk, person), `${phone} with ${preferred ?? "nothing"}`);
        if (end.kind === "data") assert.equal(end.entity.identifiers.phone, phone);
      }
    }
  });
}
