/** The hosts of a database: which one can be used, and connections to it. */
import type { Socket } from "node:net";
import pg from "pg";

/** One URL per host. `any`: every host that answers can be used. */
export type Hosts = { urls: readonly string[]; accepts: "any" | "read-write" | "read-only" };

/** How long a host may take to accept a connection or to answer a query, in milliseconds. */
export const hostAnswerMs = 2_000;

/** No host can be used now. */
export class NoHost extends Error {
  override name = "NoHost";
  /** PostgreSQL's code for a connection that cannot be opened. */
  readonly code = "08001";
  constructor({ accepts }: Hosts, refusals: readonly string[]) {
    const wanted = { any: "answers", "read-write": "accepts writes", "read-only": "is a standby" };
    super(`no host ${wanted[accepts]} (${refusals.join("; ")})`);
  }
}

/** A connection that waits for an answer for at most `answerMs`. */
export async function openHost(url: string, answerMs: number): Promise<pg.Client> {
  const timeouts = { connectionTimeoutMillis: answerMs, query_timeout: answerMs };
  const client = new pg.Client({ connectionString: url, ...timeouts, application_name: "countersign hosts" });
  client.on("error", () => {});
  try {
    return await client.connect();
  } catch (error) {
    cut(client);
    throw error;
  }
}

export async function sessionFits(client: pg.Client, accepts: Hosts["accepts"]): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>("show transaction_read_only");
  return accepts === "any" || (rows[0]?.transaction_read_only === "on") === (accepts === "read-only");
}

/** Why a host that answers cannot be used. */
export const unusableReason = ({ accepts }: Pick<Hosts, "accepts">) =>
  accepts === "read-only" ? "it accepts writes" : "it is read-only";

/** Why a host cannot be used; null if it can. */
export async function whyUnusable(
  url: string,
  accepts: Hosts["accepts"],
  answerMs = hostAnswerMs,
): Promise<string | null> {
  let host = "";
  const refused = (why: string) => `${host}: ${why}`;
  let client: pg.Client | null = null;
  try {
    // The driver reads certificates here, so a missing file throws.
    const named = new pg.Client({ connectionString: url });
    host = `${named.host}:${named.port}`;
    client = await openHost(url, answerMs);
    const fits = await sessionFits(client, accepts);
    void client.end().catch(() => {});
    return fits ? null : refused(unusableReason({ accepts }));
  } catch (error) {
    if (client !== null) cut(client);
    return refused(error instanceof Error ? error.message : "no answer");
  }
}

/** The URL of the first usable host that answers. A dead host does not delay the others. */
export async function findHost(hosts: Hosts): Promise<string> {
  const refusals: string[] = [];
  const ask = async (url: string) => {
    const refusal = await whyUnusable(url, hosts.accepts);
    if (refusal === null) return url;
    refusals.push(refusal);
    throw new NoHost(hosts, refusals);
  };
  return await Promise.any(hosts.urls.map(ask)).catch(() => {
    throw new NoHost(hosts, refusals);
  });
}

/** The driver's types leave out the socket of a connection. */
type WithSocket = { connection: { stream: Socket } };
const socketOf = (client: pg.Client): Socket => (client as unknown as WithSocket).connection.stream;

/** Closes a connection without the termination message, which a dead host would never confirm. Its statements fail. */
export function cut(client: pg.Client): void {
  socketOf(client).destroy();
}
