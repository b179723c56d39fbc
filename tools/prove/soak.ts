/**
 * `node tools/prove/soak.ts [--minutes n]`: sends mixed load to one real process for an hour. The heap must not grow,
 * judged by a line through each window's minimum, and the queue must be empty at the end. Reports memory and open
 * files. Exits with 1 if a check fails.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { hourMs, minuteMs } from "@countersign/contract/time";
import { callsTo, eventReceiver, openLoad } from "../../packages/service/src/test/harness/load.ts";
import { root, say, start } from "./process.ts";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "60" } } });
const minutes = Number(values.minutes);
/** The first part of the run is a warm-up, in which code is compiled and caches fill. */
const warmUpShare = 0.25;
const sampleMs = 1_000;
/**
 * Samples per window. Only the smallest heap of a window counts, because the heap varies between garbage collections.
 */
const samplesOfWindow = 20;
const requestsOfBurst = 8;
const burstEveryMs = 250;
const slopeMaxMbPerHour = 1;
const drainMs = 90_000;
const demoKey = "sk_sandbox_demo_api";
const token = "soak-reads-metrics";
const megabyte = 1024 * 1024;

type Sample = { at: number; heap: number; external: number; rss: number; files: number; due: number };
const variables = { METRICS_TOKEN: token, MASTER_KEY: "9".repeat(64), NODE_OPTIONS: "--max-semi-space-size=4" };
const service = await start(root, variables);
const receiver = await eventReceiver();
const { demo } = service.ready;
const call = callsTo(service.apiUrl, demoKey);
const hook = await call(`/sandbox/brands/${demo?.brands[0]?.uuid}/webhooks`, { body: { url: receiver.url } });
if (hook.status !== 201) throw new Error(`no webhook: ${hook.status}`);

/** Reads the process's own metrics. */
async function sample(): Promise<Sample> {
  const headers = { authorization: `Bearer ${token}` };
  const text = await (await fetch(`${service.apiUrl}/metrics`, { headers })).text();
  const figure = (name: string) =>
    Number(new RegExp(`^${name}(?:\\{environment="sandbox"\\})? (\\S+)$`, "m").exec(text)?.[1]);
  return {
    at: performance.now(),
    heap: figure("nodejs_heap_size_used_bytes"),
    external: figure("nodejs_external_memory_bytes"),
    rss: figure("process_resident_memory_bytes"),
    files: figure("process_open_fds"),
    due: figure("jobs_due"),
  };
}

/** Fits a line through points by least squares. Returns its slope and the slope's standard error. */
function slopeOf(points: readonly { x: number; y: number }[]): { slope: number; error: number } {
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const [x, y] = [mean(points.map((point) => point.x)), mean(points.map((point) => point.y))];
  const spread = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  const slope = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / spread;
  const rest = points.reduce((sum, point) => sum + (point.y - y - slope * (point.x - x)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / Math.max(1, points.length - 2) / spread) };
}

/** The smallest heap of each window: x in hours, y in megabytes. */
function leastOf(samples: readonly Sample[]): { x: number; y: number }[] {
  const windows = Math.floor(samples.length / samplesOfWindow);
  return Array.from({ length: windows }, (_, index) => {
    const window = samples.slice(index * samplesOfWindow, (index + 1) * samplesOfWindow);
    const least = window.reduce((low, one) => (one.heap < low.heap ? one : low));
    return { x: least.at / hourMs, y: least.heap / megabyte };
  });
}

// Use one load for the whole run, so that people and lookups are always new and no limit on texts is reached.
const load = openLoad(call);
async function use(until: number): Promise<void> {
  while (performance.now() < until) {
    const began = performance.now();
    await load.run(requestsOfBurst);
    await sleep(Math.max(0, burstEveryMs - (performance.now() - began)));
  }
}

async function watch(until: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (performance.now() < until) {
    samples.push(await sample());
    await sleep(sampleMs);
  }
  return samples;
}

const began = performance.now();
const end = began + minutes * minuteMs;
const [samples] = await Promise.all([watch(end), use(end)]);
const warm = samples.filter(({ at }) => at - began > minutes * minuteMs * warmUpShare);
const [first, last] = [warm[0], warm.at(-1)];
if (first === undefined || last === undefined) throw new Error("the run was too short for a result");
const { slope, error } = slopeOf(leastOf(warm));

let drained = false;
for (const from = performance.now(); !drained && performance.now() - from < drainMs; await sleep(sampleMs))
  drained = (await sample()).due === 0;
await Promise.race([receiver.all(load.lookups), sleep(drainMs, undefined, { ref: false })]);
const undelivered = [...load.lookups].filter((uuid) => !receiver.arrived.has(uuid)).length;
await service.stop();
receiver.close();

const mb = (bytes: number) => (bytes / megabyte).toFixed(1);
say(
  "| Minutes | Requests | Failed | Heap, MB/h | Heap, MB | External, MB | RSS, MB | Open files | Most due | Drained | Lookups without an event |",
);
say("|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|--:|");
say(
  `| ${minutes} | ${load.answered.toLocaleString("en")} | ${load.failed.length} | ${slope.toFixed(2)} ± ${error.toFixed(2)} | ` +
    `${mb(first.heap)} → ${mb(last.heap)} | ${mb(first.external)} → ${mb(last.external)} | ${mb(first.rss)} → ${mb(last.rss)} | ${first.files} → ${last.files} | ` +
    `${Math.max(...samples.map(({ due }) => due))} | ${drained ? "yes" : "no"} | ${undelivered} |`,
);
// Subtract two standard errors, so that noise does not fail the run.
for (const line of new Set(load.failed.slice(0, 10))) say(line);
const isRight = load.failed.length === 0 && drained && undelivered === 0 && slope - 2 * error <= slopeMaxMbPerHour;
process.exit(isRight ? 0 : 1);
