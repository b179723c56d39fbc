import assert from "node:assert/strict";
import test from "node:test";
import { setMode } from "../../domain/brand/manage.ts";
import { Failure } from "../../domain/failure.ts";
import { insertPaidCall, readPaidCall } from "../../domain/health/paid-call-rows.ts";
import { startLookup } from "../../domain/health/request.ts";
import { sandboxClearinghouse } from "../../providers/sandbox/clearinghouse.ts";
import { birthDate, signIn } from "../harness/account-page.ts";
import { callerOf } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { errorsOf, richard } from "../harness/health-lookup.ts";
import { interrupted } from "../harness/interrupted.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";
import { recordStatements } from "../harness/statement-log.ts";

const usual = sandboxClearinghouse();
const calls: string[] = [];
/** What happens while the discovery is under way. */
let meanwhile = async () => {};
const it = await sandbox({
  vendors: {
    clearinghouse: {
      ...usual,
      async discover(question) {
        calls.push("discover");
        await meanwhile();
        return await usual.discover(question);
      },
      async check(question) {
        calls.push(`check ${question.payer.id}`);
        return await usual.check(question);
      },
    },
  },
});
const caller = await callerOf(it);

test.beforeEach(() => {
  calls.length = 0;
  meanwhile = async () => {};
});

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

test("a lookup locks the person before the 1-Click, as a withdrawal does, so that they cannot deadlock", async () => {
  const { identityUuid } = await shared("+12125550010");
  const statements: string[] = [];
  await recordStatements(statements, () => startLookup(it.deps, caller, { identityUuid }));
  const person = statements.findIndex((text) => /from "person".*for key share/.test(text));
  const oneClick = statements.findIndex((text) => /from "one_click".*for update/.test(text));
  assert.ok(person >= 0 && person < oneClick, statements.join("\n"));
});

test("a lookup that the person has erased gets no more steps", async () => {
  const { identityUuid, stop } = await shared("+12125550010");
  const lookup = await startLookup(it.deps, caller, { identityUuid });
  // The lookup's own step may run at the same time, so these have other names.
  assert.notEqual(await insertPaidCall(it.deps, lookup, "before"), null);
  await stop();
  assert.equal(await insertPaidCall(it.deps, lookup, "after"), null);
  assert.equal(await readPaidCall(it.deps, lookup, "before"), null);
  assert.deepEqual(await it.store.db.selectFrom("health_call").selectAll().execute(), []);
});

test("a brand that is stopped while its lookup runs has no further payer asked", async () => {
  const change = (mode: "stopped" | "active") => setMode(it.admin, { brandUuid: caller.brand.uuid, mode });
  const checked = async () => {
    calls.length = 0;
    const { uuid } = await startLookup(it.deps, caller, richard);
    await it.runJobs();
    await change("active");
    return uuid;
  };
  await checked();
  assert.deepEqual(calls, ["discover", "check 60054", "check 87726"], "the brand is not stopped");
  meanwhile = () => change("stopped");
  const uuid = await checked();
  assert.deepEqual(calls, ["discover"]);
  const { body } = await it.api.readHealthLookup({ params: { healthDataUuid: uuid } });
  assert.deepEqual(errorsOf(body), ["The eligibility check was interrupted and will not be repeated"]);
});

test("a brand with 1,000 lookups without a result gets 429", async () => {
  const { rows } = await it.store.pool.query("select * from health_lookup limit 1");
  const columns = Object.keys(rows[0]).filter((column) => !["uuid", "state", "environment"].includes(column));
  const copy = async (environment: string, count: number) =>
    await it.store.pool.query(
      `insert into health_lookup (uuid, state, environment, ${columns.join()})
       select gen_random_uuid(), 'pending', $1, ${columns.join()} from health_lookup, generate_series(1, $2)
        where uuid = $3`,
      [environment, count, rows[0].uuid],
    );
  await copy("production", 1_000);
  const { identityUuid } = await shared("+12125550010");
  await startLookup(it.deps, caller, { identityUuid });
  await copy("sandbox", 1_000);
  assert.equal((await refusal(it.api.createHealthLookup({ body: { identityUuid } }))).status, 429);
});
