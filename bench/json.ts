import type { Bench } from "./bench.ts";
import { startContestant } from "./contestant.ts";
import { makeKeys, startLoad, underLoad } from "./load-racer.ts";
import { race } from "./race.ts";
import { startServer } from "./server.ts";

/**
 * A POST with a key and a few values that inserts a row. Ours is `POST /1-click/verifications`, which does the least of
 * all our calls: it asks no vendor and releases nothing. It still seals its row.
 */
export async function benchJson(bench: Bench): Promise<void> {
  const server = await startServer();
  const load = await startLoad();
  const ours = await startContestant<string>("ours.ts", [await server.database("json_ours")], "measured");
  const peer = await startContestant<string>("peers/feathers.mjs", [await server.database("json_peer")], "measured");
  const same = await startContestant<string>(
    "peers/feathers.mjs",
    [await server.database("json_same"), "same-work"],
    "measured",
  );
  const laps = await race({
    ours: underLoad(load, { url: ours.ready, flow: "post", keys: await makeKeys(ours.ready) }),
    feathers: underLoad(load, { url: peer.ready, flow: "feathersPost" }),
    "feathers, same work": underLoad(load, { url: same.ready, flow: "feathersPost" }),
  });
  const ratio = (what: "perSecond" | "p99Ms", to = "feathers") =>
    (laps.ours?.[what] ?? 0) / (laps[to]?.[what] ?? Number.NaN);
  bench.row({
    what: "authenticated POST with an insert, requests/s compared with FeathersJS's",
    figure: ratio("perSecond"),
    goal: 1.4,
    aim: 2,
  });
  bench.row({ what: "its p99 compared with FeathersJS's", figure: ratio("p99Ms"), limit: 0.9, aim: 0.5 });
  bench.row({
    what: "requests/s compared with FeathersJS when it also encrypts the phone and logs the request",
    figure: ratio("perSecond", "feathers, same work"),
    goal: 2.6,
    aim: 3.5,
  });
  for (const one of [load, ours, peer, same]) await one.stop();
  await server.stop();
}
