/** The serving processes. If one ends, another one takes its number. */
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
  type Started,
} from "./channel.ts";
import { NoneStarted } from "./none-started.ts";
import { drainMs, type Grace } from "./stop.ts";

/** Wait before the next start after a process ended before it was ready. It doubles with each such end. */
const pauseMs = 500;
const pauseMsMax = 30_000;
/** How often a process is started if none was ever ready. */
const firstTriesMax = 3;
/** Exit codes after which another try would end in the same way: wrong usage, port in use, wrong configuration. */
const finalCodes = [64, 75, 78];
/** A replaced process still answers for this long and closes each connection after its response. Then it drains. */
const replacedDelayMs = 1_000;
/** No request takes longer. */
const replacedDrainMs = 35_000;
/** Beyond the grace of a stop, a process that still runs is killed. */
const killMs = 2_500;
/** How long `/metrics` waits for a process that hangs. */
const figuresMs = 2_000;

type Child = {
  number: number;
  worker: Worker;
  ask: Ask<AskedOfServing>;
  isReady: boolean;
  /** Null if the process ended before it was ready. */
  started: Promise<Started | null>;
  /** Its exit code, null after a signal. */
  ended: Promise<number | null>;
  ending: Promise<void> | null;
};
type About = {
  count: number;
  log: Log;
  stopDelayMs: number;
  database: Pick<Assignment, "databaseUrl" | "databasePool">;
};

export class Children {
  readonly #about: About;
  /** All processes that run, also those that start or stop. */
  readonly #all = new Set<Child>();
  /** The process of each number. A replaced process has lost its number. */
  readonly #current = new Map<number, Child>();
  readonly #first = Promise.withResolvers<Started>();
  #wereReady = false;
  #isStopping = false;
  #replacing: Promise<void> = Promise.resolve();
  /** Counts of the processes that ended. */
  #counts: Figures = [];

  constructor(about: About) {
    this.#about = about;
  }

  /** Starts all processes, and resolves when all are ready. Rejects with `NoneStarted`. */
  async start(): Promise<Started> {
    // Each process accepts connections itself. If this process passed them on, one that it passes to a dying process
    // would never be answered.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    // JSON has no NaN, which metrics need.
    cluster.setupPrimary({ serialization: "advanced" });
    for (let number = 1; number <= this.#about.count; number += 1) this.#fill(number, 1);
    return await this.#first.promise;
  }

  /** Replaces one process after the other. The old one stops when the new one is ready. */
  replace(): void {
    this.#replacing = this.#replacing.then(async () => {
      const { log } = this.#about;
      for (const number of this.#current.keys())
        if (!(await this.#replaceOne(number))) {
          if (!this.#isStopping) log.error("replacement did not start: the old processes stay", { number });
          return;
        }
      log.info("all processes replaced");
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#announce();
    const grace = { delayMs: this.#about.stopDelayMs, drainMs };
    const kill = setTimeout(
      () => {
        for (const { worker } of this.#all) worker.process.kill("SIGKILL");
      },
      grace.delayMs + drainMs + killMs,
    );
    await Promise.all([...this.#all].map((child) => this.#end(child, grace)));
    clearTimeout(kill);
  }

  get #ready(): Child[] {
    return [...this.#current.values()].filter(({ isReady }) => isReady);
  }

  /** After the start, the others answer in place of a process that ended, so the machine stays ready. */
  get #areReady(): boolean {
    return !this.#isStopping && (this.#wereReady || this.#ready.length === this.#about.count);
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
    const assignment = { ...this.#about.database, number, offersLink, areReady: this.#areReady };
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

  /** Keeps a process with this number. `tries` counts its starts since one was ready. */
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
    const { log } = this.#about;
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

  /** False if the new process ended before it was ready. */
  async #replaceOne(number: number): Promise<boolean> {
    if (this.#isStopping) return false;
    const next = this.#launch(number);
    if ((await next.started) === null || this.#isStopping) return false;
    const old = this.#current.get(number);
    this.#current.set(number, next);
    void this.#keep(next, 1);
    const delayMs = Math.max(replacedDelayMs, this.#about.stopDelayMs);
    if (old !== undefined) await this.#end(old, { delayMs, drainMs: replacedDrainMs });
    return true;
  }

  /** Stops a process, and keeps its counts. A process that is not ready has no requests, and ends at once. */
  async #end(child: Child, grace: Grace): Promise<void> {
    child.ending ??= (async () => {
      if (!child.isReady) child.worker.process.kill("SIGKILL");
      else {
        const last = await Promise.race([child.ask("stop", grace), child.ended.then(() => [])]);
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

  /** Waits for the answers of all ready processes that still run. */
  async #tell(ask: (child: Child) => Promise<void> | false): Promise<void> {
    const ready = [...this.#all].filter(({ isReady }) => isReady);
    await Promise.all(ready.map((child) => Promise.race([ask(child), child.ended])));
  }

  async #metrics(): Promise<string> {
    const none = sleep(figuresMs, [], { ref: false });
    const figures = await Promise.all(
      this.#ready.map((child) => Promise.race([child.ask("figures"), child.ended.then(() => []), none])),
    );
    return await textOfAll([this.#counts, ...figures]);
  }
}
