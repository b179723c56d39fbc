import { type Bench, median } from "./bench.ts";
import { findPgbench, runPgbench } from "./signup-limit.ts";
import type { Run as Load, Ran } from "./signup-load.ts";
import { arrange, captureScripts, type Method, send } from "./signup-requests.ts";
import { helper, openEmbedded, startService } from "./signup-service.ts";

const rounds = 7;
const roundSeconds = 2;
/** Some code is compiled only after thousands of requests. */
const warmupSeconds = 8;
const pacedSeconds = 4;
const pacedLaps = 3;
const connections = 32;

/**
 * `POST /v2/1-click` and `GET`, compared with the limit L = 1 / (1/H + 1/D) of a bare server (H) and a bare database
 * (D).
 */
export async function benchSignup(bench: Bench): Promise<void> {
  const embedded = await openEmbedded();
  const scripts = await captureScripts(embedded);
  const service = await startService(embedded);
  const requests = await arrange(service.origin);
  const load = helper("signup-load.ts", "load");
  const bare = await openBare(service.origin, requests);
  const drive =
    (origin: string) =>
    (method: Method, more: Partial<Load> = {}) =>
      load.ask<Ran>({ origin, requests: requests[method], connections, seconds: roundSeconds, ...more } satisfies Load);
  const contest: Contest = {
    ours: drive(service.origin),
    bare: drive(bare.origin),
    cpu: () => ({ node: service.cpu(), database: embedded.cpu(), bare: bare.cpu() }),
    async database(method) {
      if (pgbench === null) return Number.NaN;
      return await runPgbench(pgbench, embedded.database, scripts[method], {
        seconds: roundSeconds,
        place: "measured",
      });
    },
  };
  const pgbench = findPgbench();
  if (pgbench === null) process.stdout.write("pgbench is not installed, so nothing is compared with the limit\n");
  const rate = await compare(bench, contest, "POST");
  for (const all of [false, true]) {
    service.useAllCores(all);
    await comparePaced(bench, contest, { perSecond: rate / 2, where: all ? "all cores" : "one core" });
  }
  service.useAllCores(false);
  await compare(bench, contest, "GET");
  load.stop();
  bare.stop();
  await service.stop();
  await embedded.close();
}

type Drive = (method: Method, more?: Partial<Load>) => Promise<Ran>;
type Contest = {
  ours: Drive;
  bare: Drive;
  /** Transactions per second. */
  database(method: Method): Promise<number>;
  /** Microseconds of CPU time used so far. */
  cpu(): { node: number; database: number; bare: number };
};

/** Runs the three contestants in turn, each for the same time. */
async function compare(bench: Bench, contest: Contest, method: Method): Promise<number> {
  for (const drive of [contest.ours, contest.bare]) await drive(method, { seconds: warmupSeconds });
  const taken: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = contest.cpu();
    const ours = await contest.ours(method);
    const between = contest.cpu();
    const bare = await contest.bare(method);
    const after = contest.cpu();
    const [h, d] = [bare.answered / bare.seconds, await contest.database(method)];
    taken.push({
      rate: ours.answered / ours.seconds,
      h,
      d,
      l: 1 / (1 / h + 1 / d),
      node: (between.node - before.node) / ours.answered,
      database: (between.database - before.database) / ours.answered,
      bare: (after.bare - between.bare) / bare.answered,
      p50: ours.p50Ms,
      p99: ours.p99Ms,
    });
    const failed = ours.failed + bare.failed;
    if (failed > 0) throw new Error(`${failed} requests failed`);
  }
  tell(bench, method, taken);
  return median(taken.map(({ rate }) => rate));
}

/** What a method may cost, as a multiple of the CPU of a bare request. */
const costs = { POST: { limit: 10, aim: 7 }, GET: { limit: 4.5, aim: 3 } };

type Round = Record<"rate" | "h" | "d" | "l" | "node" | "database" | "bare" | "p50" | "p99", number>;

function tell(bench: Bench, method: Method, taken: Round[]): void {
  const middle = (name: keyof Round) => median(taken.map((round) => round[name]));
  const told = (["rate", "h", "d", "l", "node", "database", "bare", "p50", "p99"] as const)
    .map((name) => `${name} ${middle(name).toFixed(["p50", "p99"].includes(name) ? 1 : 0)}`)
    .join(", ");
  const ratio = median(taken.map(({ rate, l }) => rate / l));
  process.stdout.write(`${method}: ${told}; ${ratio.toFixed(2)} of L\n`);
  if (!Number.isNaN(ratio)) bench.row({ what: `${method} 1-Click, of the limit L`, figure: ratio });
  const cost = median(taken.map(({ node, bare }) => node / bare));
  bench.row({ what: `node's CPU of a ${method}, in bare requests`, figure: cost, ...costs[method] });
  bench.row({ what: `PostgreSQL's CPU of a ${method}, µs`, figure: middle("database") });
}

async function comparePaced(bench: Bench, { ours }: Contest, pace: { perSecond: number; where: string }) {
  const { perSecond, where } = pace;
  const laps: Ran[] = [];
  for (let lap = 0; lap < pacedLaps; lap += 1) laps.push(await ours("POST", { perSecond, seconds: pacedSeconds }));
  if (laps.some(({ failed }) => failed > 0)) throw new Error("requests failed");
  const [p50, p99] = [median(laps.map(({ p50Ms }) => p50Ms)), median(laps.map(({ p99Ms }) => p99Ms))];
  process.stdout.write(
    `POST at ${perSecond.toFixed(0)}/s, ${where}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms\n`,
  );
  bench.row({
    what: `p99 of a POST at half of the highest load, ms; the service has ${where}`,
    figure: p99,
    limit: where === "one core" ? 20 : 25,
    aim: 12,
  });
}

/** A server that sends the same answers as the service, without doing its work. */
async function openBare(origin: string, requests: Awaited<ReturnType<typeof arrange>>) {
  const [[post], [get]] = [requests.POST, requests.GET];
  if (post === undefined || get === undefined) throw new Error("there is no request to send");
  const keys = [...new Set(requests.POST.map(({ key }) => key))];
  const answers = { POST: await send(origin, post), GET: await send(origin, get) };
  const bare = helper("signup-bare.ts", "measured");
  const { port } = await bare.ask<{ port: number }>({ keys, answers });
  return { ...bare, origin: `http://127.0.0.1:${port}` };
}
