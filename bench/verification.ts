import type { Bench } from "./bench.ts";
import { startContestant } from "./contestant.ts";
import { makeKeys, startLoad, underLoad } from "./load-racer.ts";
import { type Racer, race } from "./race.ts";
import { startServer } from "./server.ts";
import { fillBetterAuth, fillOurs } from "./verification-fill.ts";

const pending = 200_000;
const [few, many] = [10_000, 1_000_000];
const ratioMax = 1.3;

/**
 * Compares create, deliver and verify with better-auth's send and verify. Each runs in one process on one database
 * server.
 */
export async function benchVerification(bench: Bench): Promise<void> {
  const server = await startServer();
  const urls = {
    ours: await server.database("ours"),
    peer: await server.database("peer"),
    same: await server.database("same"),
  };
  const load = await startLoad();
  const ours = await startContestant<string>("ours.ts", [urls.ours], "measured");
  const peer = await startContestant<string>("peers/better-auth.mjs", [urls.peer], "measured");
  const same = await startContestant<string>("peers/better-auth.mjs", [urls.same, "same-work"], "measured");
  const racers: Record<string, Racer> = {
    ours: underLoad(load, { url: ours.ready, flow: "verification", keys: await makeKeys(ours.ready) }),
    "better-auth": underLoad(load, { url: peer.ready, flow: "betterAuth" }),
    "better-auth, same work": underLoad(load, { url: same.ready, flow: "betterAuth" }),
  };
  const compare = async (where: string, goals: { plain: number; same: number }) => {
    const laps = await race(racers);
    const to = (peer: string) => (laps.ours?.perSecond ?? 0) / (laps[peer]?.perSecond ?? 0);
    bench.row({
      what: `verification flows/s compared with better-auth's (${where})`,
      figure: to("better-auth"),
      goal: goals.plain,
      aim: 2,
    });
    bench.row({
      what: `the same, when it also counts requests, encrypts phones and hashes codes (${where})`,
      figure: to("better-auth, same work"),
      goal: goals.same,
      aim: 3,
    });
  };
  await compare("nothing pending", { plain: 1.4, same: 2.2 });
  await Promise.all([
    fillOurs(urls.ours, pending),
    fillBetterAuth(urls.peer, pending),
    fillBetterAuth(urls.same, pending),
  ]);
  await compare(`${pending} codes pending`, { plain: 1.3, same: 2 });
  for (const one of [load, ours, peer, same]) await one.stop();
  await server.stop();
}

/** Our flow with few pending verifications, compared with many. */
export async function benchPending(bench: Bench): Promise<void> {
  const server = await startServer();
  const load = await startLoad();
  const racers: Record<string, Racer> = {};
  const running = [load];
  for (const count of [few, many]) {
    const url = await server.database(`pending_${count}`);
    const ours = await startContestant<string>("ours.ts", [url], "measured");
    running.push(ours);
    await fillOurs(url, count);
    racers[count] = underLoad(load, { url: ours.ready, flow: "verification", keys: await makeKeys(ours.ready) });
  }
  const laps = await race(racers);
  const ratio = (laps[few]?.perSecond ?? 0) / (laps[many]?.perSecond ?? 0);
  bench.row({
    what: `verification flows/s with ${few} pending, times those with ${many}`,
    figure: ratio,
    limit: ratioMax,
  });
  for (const one of running) await one.stop();
  await server.stop();
}
