import type { Bench } from "./bench.ts";
import { startContestant } from "./contestant.ts";
import { makeKeys, startLoad, underLoad } from "./load-racer.ts";
import { race } from "./race.ts";
import { startServer } from "./server.ts";

/**
 * A POST with a key and a few values that inserts a row. Our endpoint is `POST /1-click/verifications`, which does the
 * least of all our calls: it asks no vendor and releases nothing. It still seals its row and schedules its erasure.
 */
export async function benchJson(bench: Bench): Promise<void> {
  const server = await startServer();
  const load = await startLoad();
  const ours = await startContestant<string>("ours.ts", [await server.database("json_ours")], "measured");
  const peer = await startContestant<string>("peers/feathers.mjs", [await server.database("json_peer")], "measured");
  const laps = await race({
    ours: underLoad(load, { url: ours.ready, flow: "post", keys: await makeKeys(ours.ready) }),
    feathers: underLoad(load, { url: peer.ready, flow: "feathersPost" }),
  });
  const ratio = (what: "perSecond" | "p99Ms") => (laps.ours?.[what] ?? 0) / (laps.feathers?.[what] ?? Number.NaN);
  bench.row({
    what: "authenticated POST with an insert, requests/s compared with FeathersJS's",
    figure: ratio("perSecond"),
    goal: 2,
  });
  bench.row({ what: "its p99 compared with FeathersJS's", figure: ratio("p99Ms"), limit: 0.5 });
  for (const one of [load, ours, peer]) await one.stop();
  await server.stop();
}
