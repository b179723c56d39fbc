import type { Bench } from "./bench.ts";
import { type Contestant, startContestant } from "./contestant.ts";
import { type Racer, race } from "./race.ts";
import { startServer } from "./server.ts";

const deliveries = Number(process.env.BENCH_DELIVERIES ?? 20_000);
const endpoints = 100;

/** Queues deliveries to these URLs in turn, and then sends them until at most `stopsWhen` are left. */
export type DispatchAsk = { urls: readonly string[]; deliveries: number; stopsWhen: number };
type Dispatched = { startedAt: number; endedAt: number };
/**
 * What a receiver got since the last call: the number of requests, and when 99% of them had arrived (Unix
 * milliseconds).
 */
type Seen = { count: number; p99At: number };
type Receiver = Contestant & { ready: { url: string; deafUrl: string } };

/** Deliveries to receivers on this machine, compared with a queue that only posts the same bytes. */
export async function benchWebhooks(bench: Bench): Promise<void> {
  const server = await startServer();
  const receiver: Receiver = await startContestant("webhooks-receiver.ts", [], "measuring");
  const racers: Record<string, Racer> = {};
  const running: Contestant[] = [receiver];
  for (const [name, file, ...how] of [
    ["ours", "webhooks-ours.ts"],
    ["graphile-worker", "peers/graphile-worker.mjs"],
    ["graphile-worker, same work", "peers/graphile-worker.mjs", "same-work"],
  ] as const) {
    const database = await server.database(`webhooks_${running.length}`);
    const dispatcher = await startContestant(file, [database, ...how], "measured");
    running.push(dispatcher);
    racers[name] = { lap: () => dispatchAll(dispatcher, receiver) };
  }
  const laps = await race(racers);
  const to = (peer: string) => (laps.ours?.perSecond ?? 0) / (laps[peer]?.perSecond ?? 0);
  bench.row({
    what: "webhook deliveries/s compared with graphile-worker's with undici",
    figure: to("graphile-worker"),
    goal: 0.8,
    aim: 1,
  });
  bench.row({
    what: "the same, when it also signs each body and records each attempt",
    figure: to("graphile-worker, same work"),
    goal: 2,
    aim: 3,
  });
  for (const one of running) await one.stop();
  await server.stop();
}

async function dispatchAll(dispatcher: Contestant, receiver: Receiver) {
  const urls = Array.from({ length: endpoints }, (_, at) => `${receiver.ready.url}/${at}`);
  const ask: DispatchAsk = { urls, deliveries, stopsWhen: 0 };
  const { startedAt, endedAt } = await dispatcher.ask<Dispatched>(ask);
  const seen = await receiver.ask<Seen>({});
  if (seen.count !== deliveries) throw new Error(`${seen.count} of ${deliveries} arrived`);
  return { perSecond: (deliveries / (endedAt - startedAt)) * 1_000, p99Ms: seen.p99At - startedAt };
}

/** All receivers answer, compared with one receiver that accepts requests and never answers. */
export async function benchDeadReceiver(bench: Bench): Promise<void> {
  const server = await startServer();
  const receiver: Receiver = await startContestant("webhooks-receiver.ts", [], "measuring");
  const dispatcher = await startContestant("webhooks-ours.ts", [await server.database("webhooks_dead")], "measured");
  const others = Array.from({ length: endpoints - 1 }, (_, at) => `${receiver.ready.url}/${at}`);
  const withOne = (url: string, stopsWhen: number): Racer => ({
    async lap() {
      const ask: DispatchAsk = { urls: [...others, url], deliveries, stopsWhen };
      const { startedAt, endedAt } = await dispatcher.ask<Dispatched>(ask);
      const seen = await receiver.ask<Seen>({});
      return { perSecond: (seen.count / (endedAt - startedAt)) * 1_000, p99Ms: seen.p99At - startedAt };
    },
  });
  const laps = await race({
    "all answer": withOne(`${receiver.ready.url}/last`, 0),
    "one is dead": withOne(receiver.ready.deafUrl, deliveries / endpoints),
  });
  const figure = (laps["one is dead"]?.p99Ms ?? Number.NaN) / (laps["all answer"]?.p99Ms ?? Number.NaN);
  bench.row({
    what: "p99 of deliveries with one dead receiver of 100, divided by the p99 without",
    figure,
    limit: 1.1,
  });
  for (const one of [receiver, dispatcher]) await one.stop();
  await server.stop();
}
