/** The service itself in the console: vendors, what was erased and what is due, and the master keys. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { DueLine, MasterKeyLine, SweepLine } from "@countersign/contract/console-retention";
import type { VendorLine } from "@countersign/contract/console-vendors";
import { composeAdapters } from "../../compose/adapters.ts";
import type { Phone } from "../../domain/ports.ts";
import { saveSweepRuns } from "../../domain/retention/sweep-result-rows.ts";
import { noNotes } from "../../providers/vendor.ts";
import { retireMasterKey } from "../../store/master-key-rows.ts";
import { both } from "../harness/both-environments.ts";
import { signedInStaff } from "../harness/console-staff.ts";

const it = await both({ OPERATOR_PORT: "4003", RISK_SOURCE_URL: "", TWILIO_ACCOUNT_SID: "" });
const operator = await signedInStaff(it, "operator", "passkey");

const vendors = async () =>
  (await operator.call("GET", "/api/console/vendors")).body as unknown as { vendors: VendorLine[] };
const vendorOf = async (purpose: string) =>
  (await vendors()).vendors.find((one) => one.purpose === purpose) ?? assert.fail(purpose);
const retention = async () =>
  (await operator.call("GET", "/api/console/retention")).body as unknown as {
    sweeps: SweepLine[];
    due: DueLine[];
    masterKeys: MasterKeyLine[];
  };

test("the answers of an adapter count as hits or misses", async () => {
  const answers: boolean[] = [];
  const notes = { ...noNotes, answered: ({ isHit }: { isHit: boolean }) => void answers.push(isHit) };
  const adapters = composeAdapters({ ...it, config: it.config } as never, { ...it.time.tools, notes }, {} as never);
  const to = "+16502530001" as Phone;
  const sent = { id: it.deps.random.uuid(), to, body: "123456 x", mayBeSent: false, deadlineMs: 1_000 };
  await adapters.sms.send(sent);
  it.gateway.break("400", { times: 1 });
  await adapters.sms.send({ ...sent, id: it.deps.random.uuid() });
  assert.deepEqual(answers, [true, false]);
  await adapters.close();
});

test("lists each configured adapter before its first call, and what is not configured", async () => {
  const texts = await vendorOf("texts");
  assert.deepEqual(
    [texts.vendor, texts.breaker, texts.calls, texts.p95Ms, texts.hitShare],
    ["sms_gateway", "closed", 0, null, null],
  );
  assert.equal((await vendorOf("identity")).vendor, "identity_source");
  assert.equal((await vendorOf("insurance")).vendor, null);
});

test("has percentiles, the hit rate, the newest failed calls and the breaker of each adapter", async () => {
  const { vendors: notes } = it.metrics;
  for (let count = 1; count <= 100; count += 1)
    notes.called({ vendor: "identity_source", operation: "ask", outcome: "2xx", at: count, durationMs: count });
  notes.called({ vendor: "identity_source", operation: "ask", outcome: "timeout", at: 500, durationMs: 10_000 });
  notes.called({ vendor: "identity_source", operation: "ask", outcome: "breaker open", at: 501, durationMs: 0 });
  for (const isHit of [true, true, true, false]) notes.answered({ vendor: "identity_source", isHit });
  notes.breakerTurned({ vendor: "identity_source", state: "open" });
  const { purpose: _, vendor: __, ...figures } = await vendorOf("identity");
  assert.deepEqual(figures, {
    breaker: "open",
    calls: 102,
    p50Ms: 51,
    p95Ms: 96,
    hitShare: 0.75,
    outcomes: [
      { outcome: "2xx", count: 100 },
      { outcome: "timeout", count: 1 },
      { outcome: "breaker open", count: 1 },
    ],
    errors: [{ at: 500, operation: "ask", outcome: "timeout" }],
  });
  assert.match(await it.metrics.registry.metrics(), /vendor_answers_total\{vendor="identity_source",answer="hit"\} 3/);
});

test("says what each sweep erased and when, and which sweep fails now", async () => {
  await saveSweepRuns(it.deps, [
    { sweep: "sessions", erased: 2 },
    { sweep: "oneClicks", erased: 0 },
    { sweep: "lookups", erased: null },
  ]);
  await saveSweepRuns(it.deps, [{ sweep: "sessions", erased: 3 }]);
  const ofSandbox = async () => {
    const { sweeps } = await retention();
    return sweeps
      .filter(({ environment }) => environment === "sandbox")
      .map(({ sweep, erased, failures, isFailing }) => [sweep, erased, failures, isFailing]);
  };
  assert.deepEqual(await ofSandbox(), [
    ["lookups", 0, 1, true],
    ["sessions", 5, 0, false],
  ]);
  // Any process exports what the process that swept has stored.
  const failing = async () => (await it.metrics.registry.metrics()).match(/^sweeps_failing\{.*$/gm);
  assert.deepEqual(await failing(), ['sweeps_failing{environment="sandbox",sweep="lookups"} 1']);
  it.accountClock.setOffset(3 * 60_000);
  assert.deepEqual((await ofSandbox())[0], ["lookups", 0, 1, false]);
  assert.equal(await failing(), null);
  it.accountClock.setOffset(0);
});

test("says what is due now and next, by table", async () => {
  await it.api.createVerification({ body: { channel: "sms", phone: "+13035550171" } });
  const line = async () =>
    (await retention()).due.find(({ environment, table }) => environment === "sandbox" && table === "verification") ??
    assert.fail("no line");
  const before = await line();
  assert.equal(before.due, 0);
  assert.ok(before.soon >= 1);
  assert.ok(before.nextAt !== null && before.nextAt > it.deps.clock.now());
  await it.store.db.updateTable("verification").set({ kept_until: 1 }).execute();
  const after = await line();
  assert.deepEqual([after.due, after.soon, after.nextAt], [before.soon, 0, null]);
});

test("shows how far a rotation of the master key is, and the status points to it", async () => {
  const status = async () => (await operator.call("GET", "/api/console/status")).body.isRotating;
  const [current] = (await retention()).masterKeys;
  assert.ok(current !== undefined && current.wraps > 0 && current.retiredAt === null);
  assert.equal(await status(), false);
  await it.store.pool.query(
    "update data_key set master_key_id = 'former' where uuid = (select uuid from data_key where wrapped is not null limit 1)",
  );
  await retireMasterKey(it.store.db, "former", 5);
  const keys = (await retention()).masterKeys;
  assert.deepEqual(
    keys
      .map(({ id, retiredAt, emptiedAt, wraps }) => [id, retiredAt, emptiedAt, wraps])
      .find(([id]) => id === "former"),
    ["former", 5, null, 1],
  );
  assert.equal(await status(), true);
});
