/** Reports of two cells: the same figures as one database with all rows, and each line once on its pages. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import { readAnalytics } from "../../domain/reporting/analytics.ts";
import { searchLog } from "../../domain/reporting/log.ts";
import { cutFrom } from "../../domain/reporting/pages.ts";
import { listLedger } from "../../domain/reporting/usage.ts";
import { type Database, openDatabase } from "../../store/database.ts";
import { cloneDatabase } from "../harness/database-template.ts";
import { sandbox, testStart } from "../harness/sandbox.ts";

const it = await sandbox();
const { uuid: brand } = await it.brand();
const copies = await Promise.all([cloneDatabase(), cloneDatabase(), cloneDatabase()]);
const stores = copies.map(({ url }) => openDatabase({ connectionString: url }, () => {}));
after(async () => {
  for (const store of stores) await store.close();
  for (const copy of copies) await copy.drop();
});
const [whole = assert.fail(), first = assert.fail(), second = assert.fail()] = stores.map(({ db }) => db);
const { environment, home, vault, clock } = it.deps;
const shared = { environment, home, vault, clock };
const one = { ...shared, cells: [{ number: 0, db: whole }] };
const two = { ...shared, cells: [first, second].map((db, at) => ({ number: at * 9, db })) };

type Call = { at: number; latency: number; status?: number; route?: string };
async function addCalls(dbs: readonly Database[], calls: readonly Call[]): Promise<void> {
  const rows = calls.map(({ at, latency, status = 200, route = "/v2/1-click" }) => ({
    ...{ environment, at, request_id: "r", brand_uuid: brand, method: "POST", route, status, latency_ms: latency },
  }));
  for (const db of dbs) await db.insertInto("request_log").values(rows).execute();
}

const minuteMs = 60_000;
const hour = { from: testStart - 60 * minuteMs, to: testStart };

test("two cells have the figures of one database, and percentiles are PostgreSQL's", async () => {
  const calls = Array.from({ length: 400 }, (_, n) => ({
    at: hour.from + ((n * 7) % 60) * minuteMs,
    latency: (n * n) % 173,
    status: [200, 201, 400, 404, 500][n % 5] ?? 200,
  }));
  await addCalls([whole], calls);
  // Uneven parts, so that no average of percentiles would be right.
  await addCalls([first], calls.slice(0, 30));
  await addCalls([second], calls.slice(30));
  const range = { ...hour, bucket: "minute" as const };
  const [expected, found] = [await readAnalytics(one, brand, range), await readAnalytics(two, brand, range)];
  assert.deepEqual(found, expected);
  assert.equal(found.calls.all, 400);
  const { rows } = await sql<typeof found.calls>`
    select percentile_disc(0.5) within group (order by latency_ms) as p50,
           percentile_disc(0.95) within group (order by latency_ms) as p95,
           percentile_disc(0.99) within group (order by latency_ms) as p99 from request_log`.execute(whole);
  const { p50, p95, p99 } = found.calls;
  assert.deepEqual([{ p50, p95, p99 }], rows);
});

test("the ledger's pages have each line once", async () => {
  const entry = (n: number) => ({
    ...{ environment, at: hour.from + n, kind: "k", brand_uuid: brand, person_uuid: null, detail: "{}" },
    subject_uuid: it.deps.random.uuid(),
    cause_uuid: it.deps.random.uuid(),
  });
  for (const [at, db] of [first, second].entries()) {
    const rows = Array.from({ length: 40 }, (_, n) => entry(2 * n + at));
    await db.insertInto("ledger_entry").values(rows).execute();
  }
  const newest = await listLedger(two, { brandUuid: brand });
  const rest = await listLedger(two, { brandUuid: brand, older: cutFrom(newest.older) });
  const lines = [...newest.data, ...rest.data];
  assert.deepEqual([newest.data.length, newest.hasOlder, rest.data.length, rest.hasOlder], [50, true, 30, false]);
  assert.deepEqual(
    lines.map(({ at }) => at - hour.from),
    Array.from({ length: 80 }, (_, n) => 79 - n),
  );
});

test("pages of two cells show each line once in both directions, while lines arrive late in either", async () => {
  for (const db of [first, second]) await db.deleteFrom("request_log").execute();
  const add = (db: Database, at: number) => addCalls([db], [{ at: hour.from + at, latency: 1, route: `/${at}` }]);
  for (let at = 0; at < 130; at += 1) await add(at % 3 === 0 ? first : second, at);
  const routes = (page: Awaited<ReturnType<typeof searchLog>>) => page.data.map(({ route }) => Number(route.slice(1)));
  const ask = (cut: { older?: string; newer?: string }) =>
    searchLog(two, {
      brandUuid: brand,
      filter: {},
      ...(cut.older === undefined ? {} : { older: cutFrom(cut.older) }),
      ...(cut.newer === undefined ? {} : { newer: cutFrom(cut.newer) }),
    });
  let page = await ask({});
  const start = page.cursors.newer;
  const down = routes(page);
  await add(first, 200);
  await add(second, 201);
  // Stored last, with an earlier end time than the lines already shown.
  await addCalls([first], [{ at: hour.from + 5, latency: 1, route: "/205" }]);
  while (page.hasOlder) {
    page = await ask({ older: page.cursors.older });
    down.push(...routes(page));
  }
  assert.deepEqual(
    down,
    Array.from({ length: 130 }, (_, n) => 129 - n),
  );
  const live = await ask({ newer: start });
  assert.deepEqual(routes(live).toSorted(), [200, 201, 205]);
  const up: number[] = [];
  for (let next = page; next.hasNewer; ) {
    next = await ask({ newer: next.cursors.newer });
    up.unshift(...routes(next));
  }
  assert.deepEqual(
    [...up, ...routes(page)].toSorted((a, b) => a - b),
    [...down, 200, 201, 205].toSorted((a, b) => a - b),
  );
});
