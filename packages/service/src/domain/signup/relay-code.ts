import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { isAcceptedCode } from "../one-time-code.ts";
import { tryCode } from "../verification/try-code.ts";
import { identifiersOf } from "./entity.ts";
import type { OneClick } from "./store.ts";

/**
 * Checks the code that the person typed and the brand relays. Returns if the code is correct or was already accepted;
 * otherwise throws.
 */
export async function relayCode(
  deps: Deps,
  caller: Caller,
  oneClick: OneClick,
  code: string | undefined,
): Promise<void> {
  // Leave out the verification method, because these errors mean that nothing is proven.
  const { identifiers } = identifiersOf(oneClick.facts, oneClick.phoneMethod);
  if (code === undefined) throw fail("OCE009", { identifiers });
  const uuid = oneClick.verificationUuid;
  if (uuid === null) throw fail("OCE015", {});
  const digits = code.replace("-", "");
  const tried = await tryCode(deps, caller, { uuid, code: digits, phone: oneClick.facts.phone });
  if (tried.kind === "right") return;
  if (tried.kind === "wrong") throw fail("OCE008", { identifiers });
  if (tried.status === "failed") throw fail("OCE018", { identifiers });
  if (tried.status === "verified" && (await isAcceptedCode(deps, { uuid, code: digits }))) return;
  throw fail("OCE008", { identifiers });
}
