import type { Deps } from "../../domain/deps.ts";

/** The dependencies, with a function that runs before the first transaction. */
export function interrupted(deps: Deps, happens: () => Promise<unknown>): Deps {
  let isFirst = true;
  const db: Deps["db"] = new Proxy(deps.db, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (name !== "inTransaction") return typeof member === "function" ? member.bind(target) : member;
      return async (work: Parameters<typeof target.inTransaction>[0]) => {
        if (isFirst) {
          isFirst = false;
          await happens();
        }
        return await target.inTransaction(work);
      };
    },
  });
  return { ...deps, db };
}
