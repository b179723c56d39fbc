/**
 * Watches every statement of a test's service. Home and the cells may be different databases, so no statement and no
 * transaction may use tables of both.
 */
import type pg from "pg";
import { type Holder, holderOf } from "../../store/holders.ts";

/** A table after a word that introduces one. */
const tables = /\b(?:from|join|into|update)\s+"?([a-z_]+)"?/gi;
const literals = /'[^']*'/g;

/** Who holds the tables of a statement. Tables that each database has, such as `job`, count for neither. */
export function holdersIn(text: string): Set<Holder> {
  const holders = new Set<Holder>();
  for (const [, table = ""] of text.replaceAll(literals, "''").matchAll(tables)) {
    const holder = holderOf(table.toLowerCase());
    if (holder !== null) holders.add(holder);
  }
  return holders;
}

type Transaction = { holders: Set<Holder>; texts: string[] };

/** Returns what broke the rule so far: the statements of each transaction that used both. */
export function watchStores(pool: pg.Pool): { broken: string[] } {
  const broken: string[] = [];
  pool.on("connect", (client) => {
    let open: Transaction | null = null;
    const query = client.query.bind(client);
    const watched = (asked: unknown, ...rest: unknown[]) => {
      // The service asks with an object; tests that look into the database ask with a text.
      const text = typeof asked === "object" && asked !== null && "text" in asked ? String(asked.text) : null;
      if (text === "begin") open = { holders: new Set(), texts: [] };
      else if (text === "commit" || text === "rollback") open = null;
      else if (text !== null) {
        const holders = open?.holders ?? new Set<Holder>();
        for (const holder of holdersIn(text)) holders.add(holder);
        open?.texts.push(text);
        if (holders.size > 1) broken.push((open?.texts ?? [text]).join(";\n"));
      }
      return Reflect.apply(query, client, [asked, ...rest]);
    };
    Object.assign(client, { query: watched });
  });
  return { broken };
}
