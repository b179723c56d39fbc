import { Database, type KeyedTrx } from "../../store/database.ts";
import type { Sandbox } from "./sandbox.ts";

/** Runs a function before each transaction, to simulate a concurrent change. */
class LateKeyed extends Database<"keyed"> {
  readonly #meanwhile: () => Promise<unknown>;

  constructor({ store }: Pick<Sandbox, "store">, meanwhile: () => Promise<unknown>) {
    super(store.prepared, "keyed");
    this.#meanwhile = meanwhile;
  }

  override async inTransaction<Answer>(body: (trx: KeyedTrx) => Promise<Answer>): Promise<Answer> {
    await this.#meanwhile();
    return await super.inTransaction(body);
  }
}

/** The database of keyed rows, before each of whose transactions something else happens. */
export function lateKeyed(it: Pick<Sandbox, "store">, meanwhile: () => Promise<unknown>) {
  const late = new LateKeyed(it, meanwhile);
  return { keyed: { of: () => late, formerly: () => null, every: () => [late] } };
}
