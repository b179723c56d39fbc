import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { cut, type Hosts, NoHost, openHost, sessionFits, whyUnusable } from "./hosts.ts";

/** How often the chosen host is checked. */
const checkMs = 1_000;
/** Wait before a refused host is asked again. */
const againMs = 100;

/**
 * Knows which host can be used. It checks that host every second, because a machine that loses its power or network
 * does not close its connections. If the host fails, it asks all hosts until one can be used.
 */
export class HostWatch {
  readonly #hosts: Hosts;
  readonly #answerMs: number;
  readonly #onLost: (url: string) => void;
  #current: string | null = null;
  /** Resolves when a host is found, or when every host was refused once. */
  #firstRound: Promise<void>;
  /** Why each host was refused last. */
  readonly #refusals = new Map<string, string>();
  #pauseEnd = new AbortController();
  #isClosed = false;

  /** `onLost` is called with the URL of a host that may no longer be used. */
  constructor(hosts: Hosts, answerMs: number, onLost: (url: string) => void) {
    this.#hosts = hosts;
    this.#answerMs = answerMs;
    this.#onLost = onLost;
    this.#firstRound = this.#search();
  }

  /** The URL of the usable host. Throws at once if there is none. */
  async find(): Promise<string> {
    if (this.#current === null) await this.#firstRound;
    if (this.#current === null) throw new NoHost(this.#hosts, [...this.#refusals.values()]);
    return this.#current;
  }

  /** Checks the current host now. */
  check(): void {
    this.#pauseEnd.abort();
  }

  close(): void {
    this.#isClosed = true;
    this.check();
  }

  /** Asks all hosts concurrently, so a dead one does not delay the others. `lost` has just been refused. */
  #search(lost?: string): Promise<void> {
    const round = Promise.withResolvers<void>();
    let isOver = false;
    const unasked = new Set(this.#hosts.urls.filter((url) => url !== lost));
    if (unasked.size === 0) round.resolve();
    const ask = async (url: string) => {
      while (!isOver && !this.#isClosed) {
        const refusal = await whyUnusable(url, this.#hosts.accepts, this.#answerMs);
        if (isOver || this.#isClosed) break;
        if (refusal === null) {
          isOver = true;
          this.#current = url;
          void this.#watch(url);
        } else this.#refusals.set(url, refusal);
        unasked.delete(url);
        if (isOver || unasked.size === 0) round.resolve();
        if (!isOver) await sleep(againMs, undefined, { ref: false });
      }
      round.resolve();
    };
    for (const url of this.#hosts.urls) void ask(url);
    return round.promise;
  }

  /** Checks a host over one connection until it fails. */
  async #watch(url: string): Promise<void> {
    let client: pg.Client | null = null;
    while (!this.#isClosed) {
      client ??= await this.#open(url);
      const fits = client !== null && (await sessionFits(client, this.#hosts.accepts).catch(() => false));
      if (!fits) {
        if (client !== null) cut(client);
        client = null;
        // A busy server can miss one answer, so check again with a new connection.
        const refusal = await whyUnusable(url, this.#hosts.accepts, this.#answerMs);
        if (refusal !== null && !this.#isClosed) {
          this.#refusals.set(url, refusal);
          this.#current = null;
          this.#firstRound = this.#search(url);
          this.#onLost(url);
          return;
        }
      }
      await this.#pause();
    }
    if (client !== null) cut(client);
  }

  async #open(url: string): Promise<pg.Client | null> {
    const client = await openHost(url, this.#answerMs).catch(() => null);
    client?.once("end", () => this.check());
    return client;
  }

  async #pause(): Promise<void> {
    if (!this.#isClosed && !this.#pauseEnd.signal.aborted)
      await sleep(checkMs, undefined, { ref: false, signal: this.#pauseEnd.signal }).catch(() => undefined);
    this.#pauseEnd = new AbortController();
  }
}
