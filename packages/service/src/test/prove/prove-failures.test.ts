/** Statements and provider calls fail, one or two in a journey. Nothing may be half done, and a retry must succeed. */
import assert from "node:assert/strict";
import test from "node:test";
import { releaseClaims } from "../../store/queue.ts";
import { type Fault, type FaultKind, openFaults } from "../harness/faults/faults.ts";
import { faultyJourneys } from "../harness/faults/faulty-journeys.ts";
import { openTrip } from "../harness/faults/retrying-client.ts";
import { sandbox, stillClock } from "../harness/sandbox.ts";
import { chance, isLong, seeded, tell } from "../harness/seeded-run.ts";

/** This sandbox runs no worker. Jobs run only where a journey runs them, so the Nth statement is always the same. */
const clock = stillClock();
const it = await sandbox({ clock }, { ROLES: "api,wallet,dashboard" });
const faults = openFaults(it);
/** Points of each journey and kind that the short form tries. */
const sampled = 1;
const pick = chance();
/** `SHARD=2/3` tries every third failure, from the second one. Three processes with one `SEED` try all of them. */
const [shard = 1, shards = 1] = (process.env.SHARD ?? "1/1").split("/").map(Number);
assert.ok(shard >= 1 && shard <= shards, "SHARD is like 2/3");
const inShard = (_: unknown, index: number) => index % shards === shard - 1;
/** Long enough for a job that failed once to be retried. */
const calmMs = 2 * 60_000;

/** Queries that must return no rows, whatever failed. */
const broken: Record<string, string> = {
  "released without audit entry": `select uuid from one_click o where state = 'released' and not exists
    (select from audit a where a.one_click_uuid = o.uuid and a.action = 'oneClick.released')`,
  "released without consent": `select uuid from one_click o where state = 'released' and not exists
    (select from consent c where c.one_click_uuid = o.uuid and c.action = 'share')`,
  "audited as released but not released": `select a.id from audit a join one_click o on o.uuid = a.one_click_uuid
    where a.action = 'oneClick.released' and o.state <> 'released'`,
  "declined without audit entry": `select uuid from one_click o where state = 'declined' and not exists
    (select from audit a where a.one_click_uuid = o.uuid and a.action = 'oneClick.declined')`,
  "attempts out of range":
    "select uuid from verification where attempts_used not between 0 and 3 or deliveries not between 0 and 3",
  "verified without audit entry": `select uuid from verification v where status = 'verified' and person_uuid is not null
    and not exists (select from audit a where a.verification_uuid = v.uuid)`,
  "a text without a job": `select m.uuid from message m where status = 'queued' and not exists
    (select from job j where j.name = 'verification.sendText' and j.subject = m.uuid::text)`,
  "a lookup without a job": `select l.uuid from health_lookup l where state in ('pending', 'processing') and not exists
    (select from job j where j.name = 'health.run' and j.subject = l.uuid::text)`,
  "a delivery without a job": `select d.uuid from webhook_delivery d where status = 'pending' and not exists
    (select from job j where j.name = 'webhook.deliver' and j.subject = d.uuid::text)`,
  "a final lookup without a webhook event": `select l.uuid from health_lookup l
    where state in ('succeeded', 'partial', 'failed') and not exists
    (select from webhook_delivery d where d.subject_uuid = l.uuid)`,
  "a job that failed for good": "select id from job where failed_at is not null",
};

async function assertSound(): Promise<void> {
  // Release claims as the end of their leases does. A claim whose answer was lost would block its job.
  await releaseClaims(it.store.db);
  await it.advance(calmMs);
  const left = "select name from job where leased_until > 0 or due_at <= $1";
  assert.deepEqual((await it.store.pool.query(left, [it.deps.clock.now()])).rows, []);
  for (const [what, query] of Object.entries(broken))
    assert.deepEqual((await it.store.pool.query(query)).rows, [], what);
}

/** Runs one journey with these faults. `struck` has only the faults that the journey reached. */
async function run(name: string, planned: readonly Fault[]): Promise<ReturnType<typeof faults.disarm>> {
  const journey = faultyJourneys[name] ?? assert.fail(name);
  const keyed = planned.every(({ number }) => number % 2 === 0);
  faults.arm(planned);
  try {
    await journey(openTrip(it, { keyed, losesAnswers: planned.some(({ when }) => when === "after") }));
    const done = faults.disarm();
    await assertSound();
    return done;
  } catch (error) {
    const { struck } = faults.disarm();
    throw new Error(
      `${JSON.stringify(planned)} at ${struck.join("; ")}: ${error instanceof assert.AssertionError ? error.message : (error as Error).stack}`,
    );
  }
}

function* pointsOf(counts: Record<FaultKind, number>): Generator<Fault> {
  for (const kind of ["statement", "provider"] as const)
    for (const when of ["before", "after"] as const) {
      const all = Array.from({ length: counts[kind] }, (_, index) => index + 1);
      const some = isLong ? all.filter(inShard) : all.filter(() => pick() < sampled / all.length);
      for (const number of some) yield { kind, number, when };
    }
}

/**
 * Pairs of failing statements: for each first one, the next two, which undo or repeat its work, and a later one. The
 * short form picks one pair.
 */
function pairsOf(statements: number): [Fault, Fault][] {
  const at = (number: number, when: Fault["when"]): Fault => ({ kind: "statement", number, when });
  const pairs: [Fault, Fault][] = [];
  for (let number = 1; number <= statements; number += 1)
    for (const second of [number + 1, number + 2, number + 3 + Math.floor(pick() * statements)])
      for (const one of ["before", "after"] as const)
        for (const other of ["before", "after"] as const) pairs.push([at(number, one), at(second, other)]);
  const from = Math.floor(pick() * pairs.length);
  return isLong ? pairs.filter(inShard) : pairs.slice(from, from + 1);
}

const hook = "http://127.0.0.1:2/hook";
test.before(async () => {
  const { status } = await it.inject({
    method: "POST",
    url: "/sandbox/brands/b0000000-0000-4000-8000-000000000001/webhooks",
    payload: { url: hook },
    headers: { authorization: "sk_sandbox_demo_api" },
  });
  assert.equal(status, 201);
});

test("a page returns 503 while the database fails, instead of saying that its link has expired", async () => {
  const asked = { method: "GET" as const, url: "/request/4fJq2Lx9Zt0Wm7Kc3Vb8Nd?code=000000" };
  let number = 1;
  for (; ; number += 1) {
    faults.arm([{ kind: "statement", number, when: "before" }]);
    const { statusCode } = await it.wallet.inject(asked);
    if (faults.disarm().struck.length === 0) break;
    assert.equal(statusCode, 503);
  }
  assert.ok(number > 1);
});

/** `JOURNEYS="health v1"` runs only these journeys. */
const { JOURNEYS } = process.env;
const names = Object.keys(faultyJourneys);
const chosen = JOURNEYS?.split(" ") ?? names;
assert.ok(
  chosen.every((name) => names.includes(name)),
  `JOURNEYS are ${names.join(", ")}`,
);
for (const name of chosen) {
  test(`${name}: after any single failure, a retry completes all of the work`, async (t) => {
    await seeded(async () => {
      const { counts } = await run(name, []);
      const lost: string[] = [];
      let tried = 0;
      for (const fault of pointsOf(counts)) {
        await run(name, [fault]).catch((error: Error) => lost.push(error.message));
        tried += 1;
      }
      t.diagnostic(`${name}: ${counts.statement} statements, ${counts.provider} calls to providers; ${tried} failures`);
      tell({ suite: "the Nth failure", what: name, tried, lost: lost.length });
      assert.deepEqual(lost, []);
    });
  });

  test(`${name}: after two failures, a retry completes all of the work`, async (t) => {
    await seeded(async () => {
      const { counts } = await run(name, []);
      const lost: string[] = [];
      let tried = 0;
      for (const pair of pairsOf(counts.statement)) {
        await run(name, pair).catch((error: Error) => lost.push(error.message));
        tried += 1;
      }
      t.diagnostic(`${name}: ${tried} pairs of failures`);
      tell({ suite: "the Nth and the Mth failure", what: name, tried, lost: lost.length });
      assert.deepEqual(lost, []);
    });
  });
}

/** Queries that must return no rows once everything has expired and was swept. */
const expired: Record<string, string> = {
  "an idempotent response": "select uuid from idempotent_answer",
  "a verification": "select uuid from verification",
  "a text": "select uuid from message",
  "a 1-Click": "select uuid from one_click where sealed is not null",
  "a lookup": "select uuid from health_lookup where sealed is not null or sealed_result is not null",
  "a payer's response": "select name from health_call",
  "a session": "select uuid from session union all select uuid from account_session",
};

test("after any single failure of a sweep, the next sweep erases everything that has expired", async () => {
  const { store, sweeper } = it;
  clock.setOffset(clock.offsetMs() + 25 * 60 * 60_000);
  let tried = 0;
  for (let number = 1; ; number += 1) {
    faults.arm([{ kind: "statement", number, when: number % 2 === 0 ? "before" : "after" }]);
    await sweeper.sweep();
    if (faults.disarm().struck.length === 0) break;
    tried += 1;
  }
  assert.ok(tried > 10, String(tried));
  await sweeper.sweep();
  for (const [what, query] of Object.entries(expired)) assert.deepEqual((await store.pool.query(query)).rows, [], what);
});
