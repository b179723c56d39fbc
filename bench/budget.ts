import { createRequire } from "node:module";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Bench, median } from "./bench.ts";
import type { HookAsk, HookTold } from "./budget-hooks.ts";
import { startContestant } from "./contestant.ts";
import { bind } from "./cores.ts";
import { knownCode } from "./flows.ts";
import type { Asked } from "./signup-load.ts";
import { arrange, send } from "./signup-requests.ts";
import { type Embedded, helper, openEmbedded, type Service, startService } from "./signup-service.ts";

const { Client } = createRequire(new URL("./peers/package.json", import.meta.url))("undici");

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
/** Some code is compiled only after thousands of requests. */
const warmups = 3;
const clients = 32;
/** Requests of a kind per round. */
const perRound = Number(process.env.BENCH_REQUESTS ?? 1_500);
/** After this time the log and the counters of the last requests are written, in milliseconds. */
const quietMs = 350;
const textsMax = 25;
const functionsMax = Number(process.env.BENCH_FUNCTIONS ?? 0);

const kinds = ["POST", "GET", "begin", "deliver", "code", "POST with webhook"] as const;
type Kind = (typeof kinds)[number];
type Side = {
  name: string;
  embedded: Embedded;
  service: Service;
  db: pg.Client;
  next: Record<Kind, () => Promise<Asked[]>>;
};
type Measured = HookTold & { databaseUs: number; rows: number; requests: number };

/**
 * What six requests cost, by stage: `BENCH_AGAINST=<checkout>` measures the service of another checkout in turn, so
 * that the difference does not depend on the machine's load. `BENCH_NODE=<file>` runs ours with another Node.
 */
export async function benchBudget(bench: Bench): Promise<void> {
  bind(process.pid, "load");
  const receiver = await startContestant<{ url: string }>("webhooks-receiver.ts", [], "measuring");
  const here = resolve(import.meta.dirname, "..");
  const against = process.env.BENCH_AGAINST;
  const ours = { now: { root: here, node: process.env.BENCH_NODE ?? process.execPath } };
  const both = { before: { root: resolve(against ?? here), node: process.execPath }, ...ours };
  const sides: Side[] = [];
  for (const [name, from] of Object.entries(against === undefined ? ours : both))
    sides.push(await openSide(name, from, receiver.ready.url));
  const bare = await measureBare(sides[0]);
  const only = process.env.BENCH_KINDS?.split(",");
  for (const kind of kinds.filter((one) => only === undefined || only.includes(one))) {
    const taken = await measureKind(sides, kind);
    for (const { name } of sides) print(kind, name, taken[name] ?? [], bare);
    const [before, now] = [taken.before, taken.now].map((all = []) => plainOf(all));
    if (now === undefined) continue;
    bench.row({ what: `node's CPU of ${kind}, in bare requests`, figure: now / bare });
    if (before !== undefined && against !== undefined)
      bench.row({ what: `node's CPU of ${kind}, µs: now / before`, figure: now / before });
  }
  for (const { service, embedded, db } of sides) {
    await db.end();
    await service.stop();
    await embedded.close();
  }
  await receiver.stop();
}

const plainOf = (all: readonly Measured[]) =>
  median(all.filter(({ stages, promises }) => stages === null && promises === 0).map(({ allUs }) => allUs));

async function measureKind(sides: readonly Side[], kind: Kind): Promise<Record<string, Measured[]>> {
  const taken: Record<string, Measured[]> = {};
  const modes = [...Array.from({ length: rounds }, () => "plain" as const), "profile", "profile", "counting"] as const;
  for (const side of sides) for (let lap = 0; lap < warmups; lap += 1) await measure(side, kind, "plain");
  for (const mode of modes)
    for (const side of sides) {
      taken[side.name] ??= [];
      taken[side.name]?.push(await measure(side, kind, mode));
    }
  return taken;
}

/** Per request: CPU, statements, socket writes, rows. */
async function measure(side: Side, kind: Kind, mode: "plain" | "profile" | "counting"): Promise<Measured> {
  const requests = await side.next[kind]();
  await sleep(quietMs);
  const [rows, database] = [await rowsOf(side.db), side.embedded.cpu()];
  await side.service.ask<HookAsk, object>({ start: mode });
  await sendAll(side.service.origin, requests);
  if (kind !== "GET") await sleep(quietMs);
  const told = await side.service.ask<HookAsk, HookTold>({ stop: true });
  const databaseUs = side.embedded.cpu() - database;
  await sleep(quietMs);
  const per = (sum: number) => sum / requests.length;
  const { mainUs, allUs, statements, writes, promises, texts, stages } = told;
  return {
    requests: requests.length,
    texts,
    mainUs: per(mainUs),
    allUs: per(allUs),
    statements: per(statements),
    writes: per(writes),
    promises: per(promises),
    stages,
    databaseUs: per(databaseUs),
    rows: per((await rowsOf(side.db)) - rows),
  };
}

function print(kind: Kind, name: string, all: readonly Measured[], bare: number): void {
  const plain = all.filter(({ stages, promises }) => stages === null && promises === 0);
  const middle = (pick: (one: Measured) => number) => median(plain.map(pick));
  const [main, whole] = [middle((one) => one.mainUs), middle((one) => one.allUs)];
  const promises = Math.max(...all.map((one) => one.promises));
  process.stdout.write(
    `${kind} (${name}): ${whole.toFixed(0)} µs = ${(whole / bare).toFixed(1)} bare requests of ${bare.toFixed(0)} µs; main thread ${main.toFixed(0)}, ` +
      `PostgreSQL ${middle((one) => one.databaseUs).toFixed(0)} µs; ${middle((one) => one.statements).toFixed(1)} statements, ` +
      `${middle((one) => one.rows).toFixed(1)} rows, ${middle((one) => one.writes).toFixed(1)} writes, ${promises.toFixed(0)} promises\n`,
  );
  const profiles = all.flatMap(({ stages }) => stages ?? []);
  const mean = (pick: (one: (typeof profiles)[number]) => Record<string, number>) => {
    const names = new Set(profiles.flatMap((one) => Object.keys(pick(one))));
    const shares = [...names].map((of) => {
      const sum = profiles.map((one) => pick(one)[of] ?? 0).reduce((total, one) => total + one, 0);
      return [of, (sum / profiles.length) * main] as const;
    });
    return shares.sort(([, a], [, b]) => b - a);
  };
  const line = mean(({ shares }) => shares).map(([stage, us]) => `${stage} ${us.toFixed(0)}`);
  process.stdout.write(`  ${line.join(", ")}, helper threads ${(whole - main).toFixed(0)}\n`);
  if (functionsMax > 0) printTexts(all.at(-1));
  for (const [of, us] of mean(({ functions }) => functions).slice(0, functionsMax))
    process.stdout.write(`    ${us.toFixed(1).padStart(6)} ${of}\n`);
}

/** The statements of a request, the most frequent first. */
function printTexts(one: Measured | undefined): void {
  for (const [text, count] of Object.entries(one?.texts ?? {})
    .sort(([, a], [, b]) => b - a)
    .slice(0, textsMax))
    process.stdout.write(
      `    ${(count / (one?.requests ?? 1)).toFixed(2)} ${text.replace(/\s+/g, " ").slice(0, 110)}\n`,
    );
}

async function openSide(name: string, from: { root: string; node: string }, receiver: string): Promise<Side> {
  const embedded = await openEmbedded();
  const service = await startService(embedded, "budget-hooks.ts", from);
  const { origin } = service;
  const { POST, GET } = await arrange(origin);
  const withWebhook = await arrange(origin, { webhook: receiver });
  const db = new pg.Client({ ...embedded.database });
  await db.connect();
  const keys = [...new Set(POST.map(({ key }) => key))];
  const keyAt = (at: number) => keys[at % keys.length] ?? "";
  const cycle = (from: readonly Asked[]) =>
    Array.from({ length: Math.ceil(perRound / from.length) }, () => from)
      .flat()
      .slice(0, perRound);
  const path = "/v2/1-click/verifications";
  let phones = 0;
  const begins = (): Asked[] =>
    Array.from({ length: perRound }, (_, at) => {
      phones += 1;
      const phone = `+1${areaCodes[phones % areaCodes.length]}${2_000_000 + ((phones * 104_729) % 8_000_000)}`;
      return { method: "POST", path, key: keyAt(at), body: JSON.stringify({ channel: "sms", phone }) };
    });
  const begun = async (): Promise<{ key: string; uuid: string }[]> => {
    const asked = begins();
    const answers = await sendAll(origin, asked);
    return answers.map((text, at) => ({ key: asked[at]?.key ?? "", uuid: JSON.parse(text).uuid }));
  };
  const deliver = ({ key, uuid }: { key: string; uuid: string }): Asked => ({
    method: "POST",
    path: `${path}/${uuid}/deliver`,
    key,
    body: "{}",
  });
  return {
    name,
    embedded,
    service,
    db,
    next: {
      POST: async () => cycle(POST),
      GET: async () => cycle(GET),
      "POST with webhook": async () => cycle(withWebhook.POST),
      begin: async () => begins(),
      deliver: async () => (await begun()).map(deliver),
      code: async () => {
        const all = await begun();
        await sendAll(origin, all.map(deliver));
        const body = JSON.stringify({ code: knownCode });
        return all.map(({ key, uuid }) => ({ method: "POST", path: `${path}/${uuid}/verify`, key, body }));
      },
    },
  };
}

const areaCodes = [212, 213, 312, 404, 415, 512, 602, 617, 702, 808];

/** Sends each request once. Returns the answers. */
async function sendAll(origin: string, requests: readonly Asked[]): Promise<string[]> {
  const answers: string[] = [];
  let next = 0;
  const run = async () => {
    const client = new Client(origin, { pipelining: 1 });
    for (let at = next++; ; at = next++) {
      const request = requests[at];
      if (request === undefined) break;
      const { method, path, key, body } = request;
      const headers = { authorization: key, ...(body === undefined ? {} : { "content-type": "application/json" }) };
      const response = await client.request({ method, path, headers, body });
      const text: string = await response.body.text();
      if (response.statusCode >= 300)
        throw new Error(`${method} ${path}: ${response.statusCode} ${JSON.stringify(response.headers)} ${text}`);
      answers[at] = text;
    }
    await client.close();
  };
  await Promise.all(Array.from({ length: clients }, run));
  return answers;
}

/** Microseconds of CPU of a request to a server that does none of the work. */
async function measureBare(side: Side | undefined): Promise<number> {
  if (side === undefined) return Number.NaN;
  const requests = await side.next.POST();
  const [get] = await side.next.GET();
  const [post] = requests;
  if (post === undefined || get === undefined) return Number.NaN;
  const keys = [...new Set(requests.map(({ key }) => key))];
  const { origin } = side.service;
  const answers = { POST: await send(origin, post), GET: await send(origin, get) };
  const bare = helper("signup-bare.ts", "measured");
  const { port } = await bare.ask<{ port: number }>({ keys, answers });
  const taken: number[] = [];
  for (let round = -3; round < rounds; round += 1) {
    const before = bare.cpu();
    for (let lap = 0; lap < 3; lap += 1) await sendAll(`http://127.0.0.1:${port}`, requests);
    if (round >= 0) taken.push((bare.cpu() - before) / (3 * requests.length));
  }
  bare.stop();
  return median(taken);
}

/** Rows inserted, updated and deleted since the start. */
async function rowsOf(db: pg.Client): Promise<number> {
  const { rows } = await db.query(
    "select sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 as count from pg_stat_user_tables",
  );
  return rows[0]?.count ?? 0;
}
