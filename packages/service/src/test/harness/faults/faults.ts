/**
 * Makes chosen provider calls and database statements fail by their number, either before they are done or after, so
 * that only the answer is lost.
 */
import { once } from "node:events";
import type { Pool, PoolClient } from "pg";
import type { Deps } from "../../../domain/deps.ts";
import { Together } from "../../../store/statements/together.ts";
import type { Sandbox } from "../sandbox.ts";
import { sentStatements } from "../sent-statements.ts";

export type FaultKind = "statement" | "provider";
export type Fault = { kind: FaultKind; number: number; when: "before" | "after" };
export type Faults = {
  /** Starts to count. The calls and statements that the faults name fail. */
  arm(faults: readonly Fault[]): void;
  /** Stops counting. Returns the count of each kind, and what failed. */
  disarm(): { counts: Record<FaultKind, number>; struck: string[] };
};

/**
 * Statements that are not counted because they are not part of a journey. The request log is written in the background,
 * a trip ends leases itself, and a connection discards its plans on its own.
 */
const besides =
  /request_log|last_used_at|union all\s+select uuid, brand_uuid, person_uuid|phone_index from person|where "leased_until" > |discard plans/;

type Query = (...asked: unknown[]) => unknown;
/**
 * The stream below a pooled connection. Destroying it breaks the connection for both sides, as a failing router does.
 */
type Wired = { connection: { stream: { readonly closed: boolean; destroy(): void } }; query: Query };

export function openFaults({ pools, deps }: Pick<Sandbox, "pools" | "deps">): Faults {
  let faults: readonly Fault[] = [];
  let isArmed = false;
  let struck: string[] = [];
  let counts: Record<FaultKind, number> = { statement: 0, provider: 0 };
  /** Counts one call or statement. Returns when it must fail, or null if it must not. */
  const meet = (kind: FaultKind, what: string): Fault["when"] | null => {
    if (!isArmed) return null;
    counts[kind] += 1;
    const fault = faults.find((one) => one.kind === kind && one.number === counts[kind]);
    if (fault === undefined) return null;
    struck.push(what.slice(0, 160));
    return fault.when;
  };
  for (const pool of pools) breakStatements(pool, (text) => (besides.test(text) ? null : meet("statement", text)));
  breakProviders(deps, (name) => meet("provider", name));
  return {
    arm(next) {
      [faults, isArmed, struck, counts] = [next, true, [], { statement: 0, provider: 0 }];
    },
    disarm() {
      isArmed = false;
      return { counts, struck };
    },
  };
}

type Meet = (what: string) => Fault["when"] | null;

/** Passes each statement of each pooled connection to `meet`. */
function breakStatements(pool: Pool, meet: Meet): void {
  const known = new WeakSet<object>();
  const connect = pool.connect.bind(pool);
  const wired = (client: PoolClient): PoolClient => {
    if (known.has(client)) return client;
    known.add(client);
    const below = client as unknown as Wired;
    const query = below.query.bind(client);
    const breakOff = async () => {
      const { stream } = below.connection;
      // The event would not come again for a connection that an earlier fault broke.
      if (!stream.closed) {
        // The driver may report the break as an error before the end.
        const gone = once(client, "end").catch(() => {});
        stream.destroy();
        await gone;
      }
      return new Error("Connection terminated unexpectedly");
    };
    below.query = (...asked) => {
      const [sent] = asked;
      // Statements that are sent together fail together, since a connection breaks before or after their one write.
      const whens = sentStatements(sent).map(({ text }) => meet(text));
      const when = whens.find((one) => one !== null) ?? null;
      const callback = asked.at(-1);
      // Queries with a callback come from the pool itself. A fault after such a query is skipped.
      if (when === null || (when === "after" && typeof callback === "function")) return query(...asked);
      if (when === "before") {
        below.connection.stream.destroy();
        return query(...asked);
      }
      if (sent instanceof Together) {
        loseAnswers(sent, breakOff);
        return query(sent);
      }
      return Promise.resolve(query(...asked)).then(async () => {
        throw await breakOff();
      });
    };
    return client;
  };
  const replaced = (callback?: (error: unknown, client: PoolClient, done: unknown) => void) => {
    if (callback === undefined) return connect().then(wired);
    return connect((error, client, done) =>
      callback(error, client === undefined ? (client as never) : wired(client), done),
    );
  };
  pool.connect = replaced as typeof pool.connect;
}

/** Runs the statements, and then breaks the connection before anyone gets their answers. */
function loseAnswers(sent: Together, breakOff: () => Promise<Error>): void {
  const rejects = sent.statements.map((statement) => {
    const { reject } = statement;
    Object.assign(statement, { resolve() {}, reject() {} });
    return reject;
  });
  sent.callback = () =>
    void breakOff().then((error) => {
      for (const reject of rejects) reject(error);
    });
}

/** The ports that call an outside provider, and their methods. */
const asking = {
  identity: ["lookUp"],
  risk: ["score"],
  sms: ["send"],
  carrier: ["eligible", "begin", "finish"],
  clearinghouse: ["discover", "check"],
  outbound: ["post"],
} as const;

function breakProviders(deps: Deps, meet: Meet): void {
  for (const [port, names] of Object.entries(asking)) {
    const adapter = deps.vendors[port as keyof typeof asking] as unknown as Record<string, (asked: unknown) => unknown>;
    for (const name of names) {
      const usual = adapter[name]?.bind(adapter);
      adapter[name] = async (asked) => {
        const when = meet(`${port}.${name}`);
        if (when === "before") throw new Error("the vendor does not answer");
        const answer = await usual?.(asked);
        if (when === "after") throw new Error("the vendor's answer was lost");
        return answer;
      };
    }
  }
}
