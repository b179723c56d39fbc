import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import { isUnanswered } from "./outage.ts";

/** What runs this often gets a plan of its own on each connection; of so many texts it is counted. */
const runsMin = 20;
const textsMax = 1_000;
/** Plans of one connection: some ten kilobytes each. */
const plansMax = 100;

/**
 * Plans are made for tables as large as they are just then: for almost empty ones, to read all of them. So they are made
 * anew once a connection has run twice as many statements as then, and after so many in any case.
 */
const plannedFirst = 32;
const plansLifeMax = 2_000;
type Planned = { ran: number; until: number };

/** As good as never, milliseconds: the driver's own word for none is that of the pool. */
const neverMs = 2 ** 31 - 1;
/** Who asks the server not to end long statements waits for them. */
const isPatience = /^set (local )?statement_timeout = 0/;

/**
 * The pool as Kysely uses it. What runs often is sent by a name, so that PostgreSQL plans it once for a connection. One
 * that did not answer a statement in the pool's time would never answer another, and is thrown away.
 */
export function preparing(pool: pg.Pool): PostgresPool {
  const nameOf = openNames();
  const planned = new WeakMap<pg.PoolClient, Planned>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const plans = planned.get(client) ?? { ran: 0, until: plannedFirst };
      planned.set(client, plans);
      if (plans.ran >= plans.until) {
        await discardPlans(client);
        plans.until = plans.ran + Math.min(plans.ran, plansLifeMax);
      }
      let silence: unknown = null;
      let isPatient = false;
      const query: unknown = async (text: string, values: readonly unknown[]) => {
        if (silence !== null) throw silence;
        plans.ran += 1;
        isPatient ||= isPatience.test(text);
        const waits = isPatient ? { query_timeout: neverMs } : {};
        try {
          return await client.query({ name: nameOf(text), text, values: [...values], ...waits });
        } catch (error) {
          if (isUnanswered(error)) silence = error;
          throw error;
        }
      };
      // Kysely's other form of it is for cursors, which nobody here opens.
      return {
        query: query as PostgresPoolClient["query"],
        release: (destroy) => client.release(destroy === true || silence !== null),
      };
    },
  };
}

/** A connection that cannot do this is none. */
async function discardPlans(client: pg.PoolClient): Promise<void> {
  try {
    await client.query("discard plans");
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Names by text, first come, first served: what is said often is said early. */
function openNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const runs = new Map<string, number>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= plansMax || !canBePrepared(text)) return known;
    const ran = (runs.get(text) ?? 0) + 1;
    if (ran < runsMin) {
      if (ran > 1 || runs.size < textsMax) runs.set(text, ran);
      return undefined;
    }
    runs.delete(text);
    const name = `often_${names.size}`;
    names.set(text, name);
    return name;
  };
}

/** Not where all columns are asked for: a plan breaks when a version beside this one adds a column. Nor `begin` and its like. */
function canBePrepared(text: string): boolean {
  return text.includes("$1") && !text.includes("*");
}
