import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { journeysMax } from "@countersign/contract/dashboard-journeys";
import { dayMs } from "@countersign/contract/time";
import { findBrand } from "../packages/service/src/domain/brand/brand-rows.ts";
import { readAnalytics } from "../packages/service/src/domain/reporting/analytics.ts";
import { listJourneys, openJourney } from "../packages/service/src/domain/reporting/journey.ts";
import { countLog, searchLog } from "../packages/service/src/domain/reporting/log.ts";
import { demoBrands } from "../packages/service/src/providers/sandbox/demo.ts";
import { systemClock } from "../packages/service/src/providers/system.ts";
import { claim } from "../packages/service/src/store/queue.ts";
import { prepareTemplate, useServer } from "../packages/service/src/test/harness/database-template.ts";
import { type Sandbox, sandbox, testStart } from "../packages/service/src/test/harness/sandbox.ts";
import { startTestServer } from "../tools/test-server.ts";
import { type Bench, median } from "./bench.ts";
import { fill, sequentialScans } from "./scale-fill.ts";
import { quantile } from "./timed.ts";

const small = 10_000;
/** `ROWS=10000000` compares with the longest history. It needs 40 GB and about half an hour. */
const large = Number(process.env.ROWS ?? 1_000_000);
const warmups = 50;
/**
 * Calls per block, and number of blocks. The p99 is the median of the p99s of all blocks, so that a single pause of the
 * machine does not decide the result.
 */
const blockSize = 200;
const blocks = 9;
const samples = blockSize * blocks;
const ratioMax = 1.3;
/** PostgreSQL updates its scan statistics with a delay. */
const statisticsMs = 1_500;
const primary = "+12125550010";
const brandUuid = demoBrands[0]?.uuid ?? "";

// This process makes the calls and runs both services. It collects garbage between calls, so that collections do not
// affect the results.
setFlagsFromString("--expose-gc");
const clearHeap: () => void = runInNewContext("gc");
const clearedEvery = 20;

type Action = { run(it: Sandbox): Promise<() => Promise<unknown>> };
const reported = ({ deps }: Sandbox) => ({ ...deps, cells: [{ number: 0, db: deps.db }] });
const verificationOf = async (it: Sandbox) =>
  (await it.api.createVerification({ body: { channel: "sms", phone: primary } })).body.uuid;
const delivered = async (it: Sandbox) => {
  const uuid = await verificationOf(it);
  await it.api.deliverVerification({ params: { uuid } });
  return uuid;
};

/** `run` prepares a call without measuring it, and returns the call to measure. */
const actions: Record<string, Action["run"]> = {
  "POST 1-Click": async (it) => () => it.api.createOneClick({ body: { phone: primary } }),
  "GET 1-Click": async (it) => {
    const { uuid } = (await it.api.createOneClick({ body: { phone: primary } })).body;
    return () => it.api.readOneClick({ params: { uuid } });
  },
  "POST verification": async (it) => () => verificationOf(it),
  deliver: async (it) => {
    const uuid = await verificationOf(it);
    return () => it.api.deliverVerification({ params: { uuid } });
  },
  verify: async (it) => {
    const uuid = await delivered(it);
    return () => it.api.submitVerificationCode({ params: { uuid }, body: { code: "111111" } });
  },
  "log page": async (it) => () => searchLog(reported(it), { brandUuid, filter: {} }),
  "log of a filter that few lines match": async (it) => () =>
    searchLog(reported(it), { brandUuid, filter: { route: "/none" } }),
  "log of failed calls": async (it) => () => searchLog(reported(it), { brandUuid, filter: { status: "refused" } }),
  "log of an hour": async (it) => () => searchLog(reported(it), { brandUuid, filter: { range: "hour" } }),
  "histogram of the log": async (it) => () => countLog(reported(it), { brandUuid, filter: {} }),
  "newest journeys": async (it) => () => listJourneys(reported(it), { brandUuid, max: journeysMax }),
  journey: async (it) => {
    const { uuid } = (await it.api.createOneClick({ body: { phone: primary } })).body;
    return () => openJourney(reported(it), brandUuid, uuid);
  },
  "worker's claim": async (it) => {
    await delivered(it);
    return () => claim(it.store.db, "sandbox", { now: testStart, realNow: systemClock.now() });
  },
  "analytics of a day": async (it) => () =>
    readAnalytics(reported(it), brandUuid, { from: testStart - dayMs, to: testStart, bucket: "hour" }),
};

/** Calls both databases alternately, so that noise affects both, and then counts full table scans. */
async function compare(bench: Bench, name: string, stores: [Sandbox, Sandbox]): Promise<void> {
  const taken: [number[], number[]] = [[], []];
  const make = actions[name];
  if (make === undefined) return;
  const before = await sequentialScans(stores[1]);
  for (let turn = 0; turn < warmups + samples; turn += 1) {
    // Alternate the order, so that neither database always runs second.
    if (turn % clearedEvery === 0) clearHeap();
    for (const at of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const action = await make(stores[at]);
      const began = performance.now();
      await action();
      if (turn >= warmups) taken[at].push(performance.now() - began);
    }
  }
  await sleep(statisticsMs);
  const after = await sequentialScans(stores[1]);
  const scanned = Object.keys(after).filter((table) => (after[table] ?? 0) > (before[table] ?? 0));
  const figure = (at: 0 | 1, share: number) =>
    median(
      Array.from({ length: blocks }, (_, block) =>
        quantile(taken[at].slice(block * blockSize, (block + 1) * blockSize), share),
      ),
    );
  const [half, halfLarge, p99, p99Large] = [figure(0, 0.5), figure(1, 0.5), figure(0, 0.99), figure(1, 0.99)];
  const times = `${half.toFixed(1)} → ${halfLarge.toFixed(1)} ms, p99 ${p99.toFixed(1)} → ${p99Large.toFixed(1)} ms`;
  process.stdout.write(`${name}: ${times}; scanned: ${scanned.length === 0 ? "none" : scanned.join(", ")}\n`);
  bench.row({
    what: `${name}: median in ${large} rows compared with ${small}`,
    figure: halfLarge / half,
    limit: ratioMax,
  });
  bench.row({ what: `${name}: p99 in ${large} rows compared with ${small}`, figure: p99Large / p99, limit: ratioMax });
  bench.row({ what: `${name}: big tables read from end to end`, figure: scanned.length, limit: 0 });
}

/** Frequent operations with 10⁴ rows of each kind, compared with 10⁶. */
export async function benchScale(bench: Bench): Promise<void> {
  const server = await startTestServer();
  useServer(server.url);
  await prepareTemplate();
  const stores: [Sandbox, Sandbox] = [
    await sandbox({}, { ROLES: "api,wallet,dashboard" }),
    await sandbox({}, { ROLES: "api,wallet,dashboard" }),
  ];
  for (const [at, count] of [small, large].entries()) {
    const it = stores[at];
    if (it === undefined || (await findBrand(it.store.home, "sandbox", brandUuid)) === null)
      throw new Error("no brand");
    const began = performance.now();
    await fill(it, count, { brandUuid, now: testStart });
    process.stdout.write(`${count} of each in ${Math.round((performance.now() - began) / 1_000)} s\n`);
  }
  for (const name of Object.keys(actions)) await compare(bench, name, stores);
  // The test harness stops servers when a test ends. This is not a test, so stop the server here.
  await server.stop();
}
