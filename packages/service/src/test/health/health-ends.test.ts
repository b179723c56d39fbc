import assert from "node:assert/strict";
import test from "node:test";
import { Failure } from "../../domain/failure.ts";
import { startLookup } from "../../domain/health/request.ts";
import { insertStep, readStep } from "../../domain/health/step-rows.ts";
import { sandboxClearinghouse } from "../../providers/sandbox/clearinghouse.ts";
import { birthDate, signIn } from "../harness/account-page.ts";
import { callerOf } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { interrupted } from "../harness/interrupted.ts";
import { sandbox } from "../harness/sandbox.ts";

const usual = sandboxClearinghouse();
const calls: string[] = [];
const it = await sandbox({
  clearinghouse: {
    ...usual,
    async discover(question) {
      calls.push("discover");
      return await usual.discover(question);
    },
  },
});
const caller = await callerOf(it);

/** Someone who shared their details with the brand, and can stop that on their own page. */
async function shared(phone: string) {
  const { body } = await it.api.createOneClick({ body: { phone } });
  const page = await signIn(it, phone);
  await page.proveAccount({ body: { birthDate } });
  const brandUuid = caller.brand.uuid;
  return {
    identityUuid: body.uuid,
    stop: () => page.stopSharing({ params: { uuid: brandUuid }, body: { consent: agreed("stop") } }),
  };
}

test("a lookup that starts while the person stops sharing is refused, and no payer is asked", async () => {
  const { identityUuid, stop } = await shared("+12125550010");
  const starting = startLookup(interrupted(it.deps, stop), caller, { identityUuid });
  await assert.rejects(starting, (error) => error instanceof Failure && error.data?.errorCode === "OCE015");
  await it.runJobs();
  assert.deepEqual(calls, []);
  assert.deepEqual(await it.store.db.selectFrom("health_lookup").selectAll().execute(), []);
});

test("a lookup that the person has erased gets no more steps", async () => {
  const { identityUuid, stop } = await shared("+12125550010");
  const lookup = await startLookup(it.deps, caller, { identityUuid });
  // The lookup's own step may run at the same time, so these have other names.
  assert.notEqual(await insertStep(it.deps, lookup, "before"), null);
  await stop();
  assert.equal(await insertStep(it.deps, lookup, "after"), null);
  assert.equal(await readStep(it.deps, lookup, "before"), null);
  assert.deepEqual(await it.store.db.selectFrom("health_step").selectAll().execute(), []);
});
