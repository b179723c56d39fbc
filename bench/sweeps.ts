import { setTimeout as sleep } from "node:timers/promises";
import { dayMs, minuteMs } from "@countersign/contract/time";
import pg from "pg";
import { request } from "undici";
import type { Bench } from "./bench.ts";
import { median } from "./bench.ts";
import { startContestant } from "./contestant.ts";
import type { LoadAsk } from "./load.ts";
import { makeKeys, startLoad } from "./load-racer.ts";
import type { Lap } from "./race.ts";
import { startServer } from "./server.ts";
import { fillOurs } from "./verification-fill.ts";

/** `MINUTES=60` runs the long form. */
const minutes = Number(process.env.MINUTES ?? 2);
const clients = 16;
const lapMs = 10_000;
const sampledMs = 2_000;
/** How long expired data may remain in the database. */
const lateMaxMs = minuteMs;
const demoKey = "sk_sandbox_demo_api";

/**
 * Verification flows at the highest rate of one process, while equally many older verifications expire. The sweeps must
 * keep up.
 */
export async function benchSweeps(bench: Bench): Promise<void> {
  const server = await startServer();
  const url = await server.database("ours");
  const load = await startLoad();
  const ours = await startContestant<string>("ours.ts", [url], "measured");
  const keys = await makeKeys(ours.ready);
  const ask: LoadAsk = { url: ours.ready, flow: "verification", keys, clients, lapMs };
  await load.ask<Lap>(ask);
  const calm = await load.ask<Lap>(ask);

  const everyMs = 1_000 / calm.perSecond;
  const from = Date.now() + dayMs;
  await fillOurs(url, Math.ceil((minutes * minuteMs) / everyMs), `${from} + (n * ${everyMs})::bigint`);
  await request(`${ours.ready}/sandbox/clock`, {
    method: "POST",
    headers: { authorization: demoKey, "content-type": "application/json" },
    body: JSON.stringify({ now: from }),
  });
  const offset = from - Date.now();

  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const read = async (text: string): Promise<number> => {
    const { rows } = await client.query<{ figure: string | null }>(text);
    return Number(rows[0]?.figure ?? 0);
  };
  const until = Date.now() + minutes * minuteMs;
  let latestMs = 0;
  const watch = async () => {
    while (Date.now() < until) {
      const now = Date.now() + offset;
      const overdue = `select ${now} - min(kept_until) as figure from verification where kept_until <= ${now}`;
      latestMs = Math.max(latestMs, await read(overdue));
      await sleep(sampledMs);
    }
  };
  const laps: Lap[] = [];
  const use = async () => {
    while (Date.now() < until) laps.push(await load.ask<Lap>(ask));
  };
  await Promise.all([watch(), use()]);
  const erased = await read("select count(*) as figure from verification_past");
  await client.end();

  const rate = median(laps.map(({ perSecond }) => perSecond));
  process.stdout.write(
    `${minutes} min: ${rate.toFixed(0)} flows/s (${calm.perSecond.toFixed(0)} before), ${erased} erased\n`,
  );
  bench.row({
    what: `seconds until expired data is erased, at most, in ${minutes} min`,
    figure: latestMs / 1_000,
    limit: lateMaxMs / 1_000,
  });
  bench.row({ what: "verifications erased per verification created", figure: erased / (minutes * 60 * rate) });
  bench.row({ what: "verification flows/s while as many expire, of those without", figure: rate / calm.perSecond });
  for (const one of [load, ours]) await one.stop();
  await server.stop();
}
