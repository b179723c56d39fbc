import type { CompiledQuery, KyselyPlugin } from "kysely";
import type { Deps } from "../../domain/deps.ts";

/**
 * The dependencies, with a function that runs once: before the first transaction, or before the first statement outside
 * a transaction that matches `statement`.
 */
export function interrupted(deps: Deps, happens: () => Promise<unknown>, statement?: RegExp): Deps {
  let isFirst = true;
  const once = async () => {
    if (!isFirst) return;
    isFirst = false;
    await happens();
  };
  const db: Deps["db"] = new Proxy(deps.db, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (name === "inTransaction" && statement === undefined)
        return async (work: Parameters<typeof target.inTransaction>[0]) => {
          await once();
          return await target.inTransaction(work);
        };
      if (name === "executeQuery" && statement !== undefined)
        return async (query: CompiledQuery) => {
          if (statement.test(query.sql)) await once();
          return await target.executeQuery(query);
        };
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return { ...deps, db };
}

/** The dependencies, with a function that runs once: after the first read of a table outside a transaction. */
export function afterRead(deps: Deps, table: string, happens: () => Promise<unknown>): Deps {
  let isFirst = true;
  const waits: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (isFirst) {
        isFirst = false;
        await happens();
      }
      return result;
    },
  };
  const db: Deps["db"] = new Proxy(deps.db, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (name === "selectFrom")
        return (from: Parameters<typeof target.selectFrom>[0]) =>
          (from === table ? target.withPlugin(waits) : target).selectFrom(from);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return { ...deps, db };
}
