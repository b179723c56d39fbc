import type { Trx } from "../../store/database.ts";
import type { Deps } from "../deps.ts";
import type { OneClickFacts, StoredOneClick } from "./one-click.ts";
import { findOneClick, lockOneClick, saveFacts } from "./one-click-rows.ts";

type ByBrand = { brand: { uuid: string } };

/**
 * Changes the facts of a 1-Click under its lock, so that two changes at once both count. Returns the changed 1-Click.
 * Null if it was erased, or has another state than the given one.
 */
export async function changeFacts(
  deps: Deps,
  trx: Trx,
  { caller, oneClick: { uuid, state } }: { caller: ByBrand; oneClick: Pick<StoredOneClick, "uuid" | "state"> },
  change: (facts: OneClickFacts) => OneClickFacts,
): Promise<StoredOneClick | null> {
  await lockOneClick(trx, uuid);
  const now = await findOneClick(deps, trx, caller, uuid);
  if (now === null || now.state !== state) return null;
  const facts = change(now.facts);
  await saveFacts(deps, trx, { ...now, facts });
  return { ...now, facts };
}
