/** Preloaded into the service by `budget.ts`. Counts work, and samples on which stage the main thread spends its time. */
import crypto from "node:crypto";
import { type Profiler, Session } from "node:inspector/promises";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import { resolve } from "node:path";
import { promiseHooks } from "node:v8";
import { knownCode } from "./flows.ts";
import { type StageTimes, stageTimes } from "./stages.ts";

/** `counting` counts promises, too, which makes everything slower. */
export type HookAsk = { start: "plain" | "profile" | "counting" } | { stop: true };
export type HookTold = {
  /** Microseconds of CPU: of the main thread, and of the whole process with its collector and compiler threads. */
  mainUs: number;
  allUs: number;
  statements: number;
  writes: number;
  promises: number;
  /** How often each statement ran. */
  texts: Record<string, number>;
  /** Shares of the sampled time, without idle time. Null without a profile. */
  stages: StageTimes | null;
};

// The codes of new verifications are drawn with `randomInt`, and the bench submits them.
const { randomInt } = crypto;
Reflect.set(crypto, "randomInt", (below: number) => (below === 1_000_000 ? Number(knownCode) : randomInt(below)));
syncBuiltinESMExports();

const counts = { statements: 0, writes: 0, promises: 0 };
const texts = new Map<string, number>();
/** The statements of a call of the driver's `query`, which takes a text, an object with a text, or several statements. */
const textsIn = (sent: unknown): string[] => {
  if (typeof sent !== "object" || sent === null) return [String(sent)];
  if ("statements" in sent && Array.isArray(sent.statements)) return sent.statements.map(({ text }) => String(text));
  return ["text" in sent ? String(sent.text) : ""];
};
const countStatements = (sent: unknown) => {
  const sentTexts = textsIn(sent);
  counts.statements += sentTexts.length;
  for (const text of sentTexts) texts.set(text, (texts.get(text) ?? 0) + 1);
};
const watch = (target: object, name: string, note: (first: unknown) => void) => {
  const original: unknown = Reflect.get(target, name);
  if (typeof original !== "function") return;
  Reflect.set(target, name, function (this: unknown, ...args: unknown[]) {
    note(args[0]);
    return Reflect.apply(original, this, args);
  });
};
// The service of another checkout loads its own driver.
const [, cli = ""] = process.argv;
const pg: { Client: { prototype: object } } = createRequire(resolve(cli))("pg");
watch(pg.Client.prototype, "query", countStatements);
watch(Socket.prototype, "_writeGeneric", () => {
  counts.writes += 1;
});

const sampleUs = 200;
const session = new Session();
session.connect();
let mode: "plain" | "profile" | "counting" = "plain";
let began = { main: process.threadCpuUsage(), all: process.cpuUsage() };
let stopPromises: unknown;

async function start(how: typeof mode): Promise<void> {
  mode = how;
  if (mode === "profile") {
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: sampleUs });
    await session.post("Profiler.start");
  }
  Object.assign(counts, { statements: 0, writes: 0, promises: 0 });
  texts.clear();
  if (mode === "counting")
    stopPromises = promiseHooks.onInit(() => {
      counts.promises += 1;
    });
  began = { main: process.threadCpuUsage(), all: process.cpuUsage() };
}

async function stop(): Promise<HookTold> {
  const [main, all] = [process.threadCpuUsage(began.main), process.cpuUsage(began.all)];
  if (typeof stopPromises === "function") stopPromises();
  stopPromises = undefined;
  const counted = { ...counts };
  let profile: Profiler.Profile | null = null;
  if (mode === "profile") ({ profile } = await session.post("Profiler.stop"));
  return {
    mainUs: main.user + main.system,
    allUs: all.user + all.system,
    ...counted,
    texts: Object.fromEntries(texts),
    stages: profile === null ? null : stageTimes(profile),
  };
}

process.on("message", (ask: HookAsk) => {
  const done = "start" in ask ? start(ask.start) : stop();
  done.then(
    (told) => process.send?.(told ?? {}),
    (error: unknown) => {
      throw error;
    },
  );
});
// A service that fails to start must end.
process.channel?.unref();
