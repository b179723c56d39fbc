import { randomInt } from "node:crypto";
import pg from "pg";
import type { Connection } from "./database.ts";
import { cut, findHost, sessionFits } from "./failover/hosts.ts";
import { lockProcess } from "./live-processes.ts";

const channel = "countersign";
const reconnectMs = 500;
/** How often the connection is checked, and how long an answer may take. */
const usualBeatMs = 5_000;
/** How long the server may take to close the connection. */
const usualEndMs = 2_000;
const processNumberMax = 2 ** 31;

/** Notifies other processes that data which they may have cached has changed. */
export type Signals = {
  /** Whether notifications from other processes arrive now. While this is false, nothing may be cached. */
  connected(): boolean;
  /** Calls the listener on every notification, and whenever notifications may have been missed. */
  onChange(listener: () => void): void;
  /** Notifies the listeners of this process at once. Its own notification would arrive a moment later. */
  changed(): void;
  /** This process's number, locked while it is connected. Other processes use the lock to see that it is alive. */
  processNumber: number;
  close(): Promise<void>;
};

/** `masterKeyId`: the master key that this process wraps keys with, locked like its number. */
type SignalsOptions = { beatMs?: number; endMs?: number; masterKeyId?: string };

/** The statement that notifies all processes. Run it in the transaction of the change. */
export const announceChange = `select pg_notify('${channel}', '')`;

/**
 * Listens on a dedicated connection, and reconnects when it breaks. A router may silently drop an idle connection, and
 * a revoked key would then stay valid in the cache. Regular queries therefore check the connection.
 */
export async function openSignals(
  connection: Connection,
  onError: (error: Error) => void,
  { beatMs = usualBeatMs, endMs = usualEndMs, masterKeyId }: SignalsOptions = {},
): Promise<Signals> {
  const hosts = "hosts" in connection ? connection.hosts : undefined;
  const processNumber = randomInt(1, processNumberMax);
  const listeners: (() => void)[] = [];
  const tell = () => {
    for (const listener of listeners) listener();
  };
  let connected = false;
  let closed = false;
  /** The newest connection, from the moment it begins to open. */
  let client: pg.Client | null = null;
  let reconnectTimer: NodeJS.Timeout | undefined;

  const onLost = (error: Error) => {
    if (connected) onError(error);
    connected = false;
    tell();
    if (!closed && reconnectTimer === undefined) {
      reconnectTimer = setTimeout(() => {
        reconnectTimer = undefined;
        connect().catch(onLost);
      }, reconnectMs);
      reconnectTimer.unref();
    }
  };
  const connect = async () => {
    const timeouts = { connectionTimeoutMillis: usualBeatMs, query_timeout: beatMs };
    const target = hosts === undefined ? connection : { connectionString: await findHost(hosts) };
    if (closed) return;
    const next = new pg.Client({ ...target, ...timeouts, application_name: "countersign signals" });
    client = next;
    // A replaced connection can still emit events while the next one is listening.
    let isOver = false;
    let beat: NodeJS.Timeout | undefined;
    const end = (error: Error) => {
      if (isOver) return;
      isOver = true;
      clearInterval(beat);
      next.end().catch(() => {});
      onLost(error);
    };
    next.on("notification", tell);
    next.on("error", end);
    next.on("end", () => end(new Error("the connection for signals ended")));
    try {
      await next.connect();
      await next.query(lockProcess({ number: processNumber, masterKeyId }));
      await next.query(`listen ${channel}`);
    } catch (error) {
      // Close a connection that gets no answer: a pooler allows only a few. The next attempt opens a new one.
      isOver = true;
      next.end().catch(() => {});
      throw error;
    }
    const check = async () => {
      if (!(await sessionFits(next, hosts?.accepts ?? "any"))) throw new Error("the server is read-only now");
    };
    beat = setInterval(() => void check().catch(end), beatMs);
    beat.unref();
    connected = true;
    tell();
  };
  await connect();
  return {
    connected: () => connected,
    onChange: (listener) => void listeners.push(listener),
    changed: tell,
    processNumber,
    async close() {
      closed = true;
      clearTimeout(reconnectTimer);
      if (client === null) return;
      const isListening = connected;
      connected = false;
      // The driver never settles an attempt to connect that is ended. If the socket is cut, the attempt fails.
      if (!isListening) return cut(client);
      // Nor does it settle the end of a connection that has gone silent.
      const ending = setTimeout(cut, endMs, client);
      await client.end();
      clearTimeout(ending);
    },
  };
}
