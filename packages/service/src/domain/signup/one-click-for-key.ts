import { isUuid } from "@countersign/contract/primitives";
import type { Deps } from "../deps.ts";
import { journeys } from "../journey.ts";
import type { StoredOneClick } from "./one-click.ts";
import { findOneClick } from "./one-click-rows.ts";

/**
 * As `findOneClick`, for calls with the brand's API key. Null also for what only the tokens of an OpenID client may
 * read: the person agreed to its scopes, and a key has none.
 */
export async function findOneClickForKey(
  deps: Deps,
  caller: { brand: { uuid: string } },
  uuid: string,
): Promise<StoredOneClick | null> {
  const found = isUuid(uuid) ? await findOneClick(deps, deps.db, caller, uuid) : null;
  return found === null || journeys[found.journey].readWith === "apiKey" ? found : null;
}
