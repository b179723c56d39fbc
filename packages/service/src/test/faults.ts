/** The Nth call to a provider, or the Nth statement of the database, fails: before it is done, or after, its answer lost. */
import { once } from "node:events";
import type { PoolClient } from "pg";
import type { Deps } from "../domain/deps.ts";
import type { Sandbox } from "./harness.ts";

export type FaultKind = "statement" | "provider";
export type Fault = { kind: FaultKind; number: number; when: "before" | "after" };
export type Faults = {
  /** From now on everything is counted, and the one that a fault names fails; null only counts. */
  arm(fault: Fault | null): void;
  /** Ends it; how many there were of each kind, and what failed, if anything. */
  disarm(): { counts: Record<FaultKind, number>; struck: string | null };
};

/**
 * Lines about requests are written behind their backs, some time or other: they are no part of any journey. Nor is the end
 * of leases, which a trip brings about itself, or that a connection makes its plans anew.
 */
const besides =
  /request_log|last_used_at|union all\s+select uuid, brand_uuid, person_uuid|phone_index from person|where "leased_until" > |discard plans/;

type Query = (...asked: unknown[]) => unknown;
/** What is below a pooled connection: destroyed, it is gone for both sides, as by a router that fails. */
type Wired = { connection: { stream: { destroy(): void } }; query: Query };

export function openFaults({ store, deps }: Pick<Sandbox, "store" | "deps">): Faults {
  let fault: Fault | null = null;
  let isArmed = false;
  let struck: string | null = null;
  let counts: Record<FaultKind, number> = { statement: 0, provider: 0 };
  /** Counts one; says when it is to fail, if it is. */
  const meet = (kind: FaultKind, what: string): Fault["when"] | null => {
    if (!isArmed) return null;
    counts[kind] += 1;
    if (fault?.kind !== kind || fault.number !== counts[kind]) return null;
    struck = what.slice(0, 160);
    return fault.when;
  };
  breakStatements(store, (text) => (besides.test(text) ? null : meet("statement", text)));
  breakProviders(deps, (name) => meet("provider", name));
  return {
    arm(next) {
      [fault, isArmed, struck, counts] = [next, true, null, { statement: 0, provider: 0 }];
    },
    disarm() {
      isArmed = false;
      return { counts, struck };
    },
  };
}

type Meet = (what: string) => Fault["when"] | null;

/** Every connection that the pool hands out answers to `meet` from then on. */
function breakStatements({ pool }: Sandbox["store"], meet: Meet): void {
  const known = new WeakSet<object>();
  const connect = pool.connect.bind(pool);
  const wired = (client: PoolClient): PoolClient => {
    if (known.has(client)) return client;
    known.add(client);
    const below = client as unknown as Wired;
    const query = below.query.bind(client);
    below.query = (...asked) => {
      const when = meet(textOf(asked[0]));
      const callback = asked.at(-1);
      // What a pool asks by itself has a callback: its connection is gone before.
      if (when === null || (when === "after" && typeof callback === "function")) return query(...asked);
      if (when === "before") {
        below.connection.stream.destroy();
        return query(...asked);
      }
      return Promise.resolve(query(...asked)).then(async () => {
        const gone = once(client, "end");
        below.connection.stream.destroy();
        await gone;
        throw new Error("Connection terminated unexpectedly");
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

/** The driver takes a text, or an object with one. */
function textOf(asked: unknown): string {
  return typeof asked === "object" && asked !== null && "text" in asked ? String(asked.text) : String(asked);
}

/** Ports that ask somebody outside. */
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
    const adapter = deps[port as keyof typeof asking] as unknown as Record<string, (asked: unknown) => unknown>;
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
