import { readFileSync } from "node:fs";
import type { Bench } from "./bench.ts";
import { startContestant } from "./contestant.ts";
import { makeKeys, startLoad, underLoad } from "./load-racer.ts";
import { startServer } from "./server.ts";

const requests = 1_000_000;

/** Memory of the process after a million `POST /1-click/verifications`, each for a known phone. Linux only. */
export async function benchResident(bench: Bench): Promise<void> {
  const server = await startServer();
  const load = await startLoad();
  const ours = await startContestant<string>("ours.ts", [await server.database("ours")], "measured");
  const racer = underLoad(load, { url: ours.ready, flow: "post", keys: await makeKeys(ours.ready) });
  let sent = 0;
  while (sent < requests) {
    const began = performance.now();
    const { perSecond } = await racer.lap();
    sent += (perSecond * (performance.now() - began)) / 1_000;
  }
  const resident = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${ours.pid}/status`, "utf8"))?.[1];
  bench.row({
    what: "our process after a million requests, MB resident",
    figure: Number(resident) / 1_024,
    limit: 220,
    aim: 160,
  });
  for (const one of [load, ours]) await one.stop();
  await server.stop();
}
