import { randomInt } from "node:crypto";
import pg from "pg";
import type { Connection } from "./database.ts";
import { lockHolder } from "./holders.ts";

const channel = "countersign";
const reconnectMs = 500;
/** How often the connection is tried, and how long an answer may take. */
const usualBeatMs = 5_000;
const holderMax = 2 ** 31;

/** What one process tells the others: something that they may have cached has changed. */
export type Signals = {
  /** Whether word from other processes would reach us now; while it would not, nothing may be cached. */
  connected(): boolean;
  /** Called on every word, and when words may have been missed. */
  onChange(listener: () => void): void;
  /** Word to this process alone, which would otherwise hear of its own change a moment later. */
  changed(): void;
  /** This process's number, by which others see that it lives: locked while it is connected. */
  holder: number;
  close(): Promise<void>;
};

/** The statement that tells all processes; run it in the transaction of the change. */
export const announceChange = `select pg_notify('${channel}', '')`;

/**
 * Listens on a connection of its own and connects again when that breaks. It is idle most of the time, and a router may
 * forget it without a word: a revoked key would then be honoured for ever, so it is asked for a sign of life.
 */
export async function openSignals(
  connection: Connection,
  onError: (error: Error) => void,
  { beatMs = usualBeatMs }: { beatMs?: number } = {},
): Promise<Signals> {
  const holder = randomInt(1, holderMax);
  const listeners: (() => void)[] = [];
  const tell = () => {
    for (const listener of listeners) listener();
  };
  let connected = false;
  let closed = false;
  let client: pg.Client | null = null;
  let again: NodeJS.Timeout | undefined;

  const lost = (error: Error) => {
    if (connected) onError(error);
    connected = false;
    tell();
    if (!closed && again === undefined) {
      again = setTimeout(() => {
        again = undefined;
        connect().catch(lost);
      }, reconnectMs);
      again.unref();
    }
  };
  const connect = async () => {
    const waits = { connectionTimeoutMillis: usualBeatMs, query_timeout: beatMs };
    const fresh = new pg.Client({ ...connection, ...waits, application_name: "countersign signals" });
    // One that was given up may still say so, when the next one listens already.
    let isOver = false;
    let beat: NodeJS.Timeout | undefined;
    const end = (error: Error) => {
      if (isOver) return;
      isOver = true;
      clearInterval(beat);
      fresh.end().catch(() => {});
      lost(error);
    };
    fresh.on("notification", tell);
    fresh.on("error", end);
    fresh.on("end", () => end(new Error("the connection for signals ended")));
    try {
      await fresh.connect();
      await fresh.query(lockHolder, [holder]);
      await fresh.query(`listen ${channel}`);
    } catch (error) {
      // Whoever is not answered lets go of the connection: another is tried, and a pooler has only so many.
      isOver = true;
      fresh.end().catch(() => {});
      throw error;
    }
    beat = setInterval(() => void fresh.query("select 1").catch(end), beatMs);
    beat.unref();
    client = fresh;
    connected = true;
    tell();
  };
  await connect();
  return {
    connected: () => connected,
    onChange: (listener) => void listeners.push(listener),
    changed: tell,
    holder,
    async close() {
      closed = true;
      clearTimeout(again);
      connected = false;
      await client?.end();
    },
  };
}
