// rest: the short form of a proof with a long form
/** People, brands, receivers and time act in random order. The service must answer as a small model predicts. */
import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { demoBrands } from "../../providers/sandbox/demo.ts";
import { sandboxCodes } from "../../providers/sandbox/phones.ts";
import { systemRandom } from "../../providers/system.ts";
import { openidBrand } from "../harness/openid.ts";
import { demoKey, sandbox } from "../harness/sandbox.ts";
import { isLong, seed, tell } from "../harness/seeded-run.ts";
import { actions, drawn, settle } from "../harness/simulation/actions.ts";
import type { Simulation, Step } from "../harness/simulation/context.ts";
import { newPerson, type World } from "../harness/simulation/model.ts";

const runs = Number(process.env.RUNS ?? (isLong ? 10_000 : 6));
/** Short runs test little for the cost of their setup and final checks. */
const stepsMin = 25;
const stepsMax = 50;
const peopleMax = 2;
const codes = sandboxCodes(systemRandom);
let newestCode = "";
let world: World | null = null;

/** Jobs run only when a step advances time, so that the model knows when they run. */
const it = await sandbox(
  {
    vendors: {
      sms: {
        from: "Countersign",
        route: "test",
        keepsTexts: true,
        async send({ to }) {
          const isLost = world?.people.some(({ phone, losesTexts }) => phone === to && losesTexts) === true;
          return isLost ? { kind: "rejected", reason: "lost" } : { kind: "delivered" };
        },
      },
      outbound: {
        judge: () => null,
        post: async () => ({ kind: "answered", status: world?.receiverFails === true ? 500 : 204, durationMs: 1 }),
      },
    },
    codes: {
      make(phone) {
        newestCode = codes.make(phone);
        return newestCode;
      },
    },
  },
  { ROLES: "api,wallet,dashboard" },
);
const health = { health: { enabled: true } };
/** The only brand with trusted calls, which an operator must approve. */
const demoV1 = demoBrands.find(({ integrationType }) => integrationType === "v1") ?? assert.fail();
const brands: Simulation["brands"] = {
  api: await it.brand(health),
  hosted: await it.brand({ integrationType: "hosted", redirectUrl: "http://localhost:4001/demo/landing" }),
  semiHosted: await it.brand({ integrationType: "semiHosted" }),
  sdk: await it.brand({ integrationType: "sdk" }),
  v1: await it.brand({ integrationType: "v1", redirectUrl: "https://brand.example/", v1: { sendsSmsItself: true } }),
  openid: await openidBrand(it),
  v1Hosted: { uuid: demoV1.uuid, apiKey: demoV1.apiKey, api: it.as(demoV1.apiKey) },
};
const made = await it.inject({
  method: "POST",
  url: `/sandbox/brands/${brands.api.uuid}/webhooks`,
  headers: { authorization: demoKey },
  payload: { url: "https://brand.example/hook" },
});
assert.equal(made.status, 201);
const hook = String((made.body as { uuid: string }).uuid);

let people = 0;
function nextPhone(): string {
  people += 1;
  return `+1415${2_000_000 + people}`;
}

let steps = 0;
async function run(sequence: Step[]): Promise<void> {
  const newPeople = Array.from({ length: peopleMax }, () => newPerson(nextPhone()));
  world = {
    people: newPeople,
    verifications: [],
    oneClicks: [],
    grants: [],
    lookups: [],
    issued: [],
    answers: [],
    receiverFails: false,
  };
  const simulation: Simulation = { it, brands, world, hook, newestCode: () => newestCode };
  for (const step of sequence) {
    await actions[step.action]?.(simulation, step);
    steps += 1;
  }
  await settle(simulation);
}

const small = fc.integer({ min: 0, max: 3 });
const step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom(...drawn),
  who: small,
  which: small,
  what: small,
});

test(`in ${runs} runs of up to ${stepsMax} random steps, the service answers as the model predicts`, async (t) => {
  const sequences = fc.array(step, { minLength: stepsMin, maxLength: stepsMax, size: "max" });
  // A failure reports the seed and the path. The long form also finds the shortest sequence of steps that fails.
  await fc.assert(fc.asyncProperty(sequences, run), { numRuns: runs, seed, endOnFailure: !isLong });
  t.diagnostic(`${runs} runs, ${steps} steps`);
  tell({ suite: "simulation against a model", what: "steps", tried: steps, lost: 0 });
});
