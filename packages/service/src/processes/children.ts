/** The serving processes. If one ends, another one replaces it with the same number. */
import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { countsOf, type Figures, textOfAll } from "../http/metrics.ts";
import type { Log } from "../log.ts";
import {
  type Ask,
  type AskedOfMain,
  type AskedOfServing,
  type Assignment,
  openChannel,
  type StartedProcess,
} from "./channel.ts";
import { NoneStarted } from "./none-started.ts";
import { drainMs, type Grace } from "./stop.ts";

/** Wait before a restart if a process ended before it was ready, in milliseconds. It doubles each time. */
const pauseMs = 500;
const pauseMsMax = 30_000;
/** How often a process is started if none has ever become ready. */
const firstTriesMax = 3;
/** Exit codes after which a retry would fail too: wrong usage, port in use, wrong configuration. */
const finalCodes = [64, 75, 78];
/** How long a replaced process still answers, closing each connection after its response. Then it drains. */
const replacedDelayMs = 1_000;
/** How long a replaced process waits for its last requests. No request takes longer. */
const replacedDrainMs = 35_000;
/** A process that still runs this long after the grace period of a stop is killed. */
const killMs = 2_500;
/** How long `/metrics` and messages to all processes wait for a process that hangs. */
const answerMs = 2_000;

type Child = {
  number: number;
  worker: Worker;
  ask: Ask<AskedOfServing>;
  isReady: boolean;
  /** Null if the process ended before it was ready. */
  started: Promise<StartedProcess | null>;
  /** Its exit code, null after a signal. */
  ended: Promise<number | null>;
  ending: Promise<void> | null;
};
type ChildrenOptions = {
  count: number;
  log: Log;
  stopDelayMs: number;
  database: Pick<Assignment, "databaseUrl" | "databasePool">;
};

export class Children {
  readonly #options: ChildrenOptions;
  /** All running processes, including those that are starting or stopping. */
  readonly #all = new Set<Child>();
  /** The current process of each number. A replaced process no longer has one. */
  readonly #current = new Map<number, Child>();
  readonly #first = Promise.withResolvers<StartedProcess>();
  #wereReady = false;
  #isStopping = false;
  #replacing: Promise<void> = Promise.resolve();
  /** The counters and histograms of ended processes. */
  #counts: Figures = [];

  constructor(options: ChildrenOptions) {
    this.#options = options;
  }

  /** Starts all processes, and resolves when all are ready. Rejects with `NoneStarted`. */
  async start(): Promise<StartedProcess> {
    // Each process accepts connections itself. If this process distributed them, one that it gave to a dying process
    // would never be answered.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    // The JSON serialization cannot send NaN, which metrics use.
    cluster.setupPrimary({ serialization: "advanced" });
    for (let number = 1; number <= this.#options.count; number += 1) this.#fill(number, 1);
    return await this.#first.promise;
  }

  /** Replaces the processes one by one. An old process stops when the new one is ready. */
  replace(): void {
    const { log } = this.#options;
    this.#replacing = this.#replacing
      .then(async () => {
        for (const number of this.#current.keys())
          if (!(await this.#replaceOne(number))) {
            if (!this.#isStopping) log.error("replacement did not start; the old processes keep running", { number });
            return;
          }
        log.info("all processes replaced");
      })
      .catch((error: unknown) => log.error("replacement failed", { error: String(error) }));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const grace = { delayMs: this.#options.stopDelayMs, drainMs };
    const kill = setTimeout(
      () => {
        for (const { worker } of this.#all) worker.process.kill("SIGKILL");
      },
      grace.delayMs + drainMs + killMs,
    );
    await this.#announce();
    await Promise.all([...this.#all].map((child) => this.#end(child, grace)));
    clearTimeout(kill);
  }

  get #ready(): Child[] {
    return [...this.#current.values()].filter(({ isReady }) => isReady);
  }

  /** Whether the service is ready. After the start it stays ready, because the others answer while one is replaced. */
  get #areReady(): boolean {
    return !this.#isStopping && (this.#wereReady || this.#ready.length === this.#options.count);
  }

  #launch(number: number): Child {
    const worker = cluster.fork();
    const ended = new Promise<number | null>((resolve) => void worker.once("exit", (code) => resolve(code)));
    const ask = openChannel<AskedOfServing, AskedOfMain>(
      {
        send: (message) => void worker.send(message, () => {}),
        onMessage: (listener) => void worker.on("message", listener),
      },
      {
        metrics: () => this.#metrics(),
        clockMoved: () => this.#tell(({ worker: one, ask }) => one !== worker && ask("readClock")),
      },
    );
    const offersLink = number === 1 && !this.#wereReady;
    const assignment = { ...this.#options.database, number, offersLink, areReady: this.#areReady };
    const report = ask("begin", assignment).catch(() => null);
    const started = Promise.race([report, ended.then(() => null)]);
    const child: Child = { number, worker, ask, isReady: false, started, ended, ending: null };
    this.#all.add(child);
    void started.then((one) => {
      child.isReady = one !== null;
    });
    void ended.then(() => {
      child.isReady = false;
      this.#all.delete(child);
    });
    return child;
  }

  /** Starts a process for this number and replaces it when it ends. `tries`: starts since one was last ready. */
  #fill(number: number, tries: number): void {
    const child = this.#launch(number);
    this.#current.set(number, child);
    void this.#keep(child, tries);
  }

  async #keep(child: Child, tries: number): Promise<void> {
    const { number } = child;
    const isCurrent = () => !this.#isStopping && this.#current.get(number) === child;
    const started = await child.started;
    if (started !== null) await this.#announce();
    const code = await child.ended;
    if (!isCurrent()) return;
    const { log } = this.#options;
    log.error("process ended", { number, code, wasReady: started !== null });
    await this.#announce();
    if (started !== null) return this.#fill(number, 1);
    if (!this.#wereReady && (tries >= firstTriesMax || finalCodes.includes(code ?? 0))) {
      this.#first.reject(new NoneStarted(code ?? 1));
      return;
    }
    await sleep(Math.min(pauseMs * 2 ** (tries - 1), pauseMsMax));
    if (isCurrent()) this.#fill(number, tries + 1);
  }

  /** Returns false if the new process ended before it was ready. */
  async #replaceOne(number: number): Promise<boolean> {
    if (this.#isStopping) return false;
    const next = this.#launch(number);
    if ((await next.started) === null || this.#isStopping) return false;
    const old = this.#current.get(number);
    this.#current.set(number, next);
    void this.#keep(next, 1);
    const delayMs = Math.max(replacedDelayMs, this.#options.stopDelayMs);
    if (old !== undefined) await this.#end(old, { delayMs, drainMs: replacedDrainMs });
    return true;
  }

  /** Stops a process and keeps its counts. A process that is not ready has no requests, so it ends at once. */
  async #end(child: Child, grace: Grace): Promise<void> {
    child.ending ??= (async () => {
      if (!child.isReady) child.worker.process.kill("SIGKILL");
      else {
        const last = await Promise.race([child.ask("stop", grace).catch(() => []), child.ended.then(() => [])]);
        this.#counts = await countsOf([this.#counts, last]);
      }
      await child.ended;
    })();
    await child.ending;
  }

  /** Tells every process whether all are ready. */
  async #announce(): Promise<void> {
    const areReady = this.#areReady;
    await this.#tell(({ ask }) => ask("allReady", areReady));
    if (!areReady || this.#wereReady) return;
    this.#wereReady = true;
    const started = await this.#current.get(1)?.started;
    if (started) this.#first.resolve(started);
  }

  /** Asks all ready processes. Stops waiting for a process that ends or does not answer in time. */
  async #tell(ask: (child: Child) => Promise<void> | false): Promise<void> {
    const ready = [...this.#all].filter(({ isReady }) => isReady);
    const timeout = sleep(answerMs, undefined, { ref: false });
    await Promise.all(ready.map((child) => Promise.race([ask(child), child.ended, timeout])));
  }

  async #metrics(): Promise<string> {
    const timeout = sleep(answerMs, [], { ref: false });
    const figures = await Promise.all(
      this.#ready.map((child) => Promise.race([child.ask("figures"), child.ended.then(() => []), timeout])),
    );
    return await textOfAll([this.#counts, ...figures]);
  }
}
