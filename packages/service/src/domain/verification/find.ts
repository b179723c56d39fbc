import type { Reader } from "../../store/database.ts";
import { batched } from "../../store/statements/batch.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import type { Verification } from "./verification.ts";
import { openVerification, readVerifications } from "./verification-rows.ts";

/** The brand's own verification. Throws the same OCV005 for unknown, foreign and expired ones. */
export async function findVerification(
  deps: Deps,
  reader: Reader,
  { brand }: Caller,
  uuid: string,
): Promise<Verification> {
  const id = uuid.toLowerCase();
  // Reads inside a transaction use its connection and are not batched.
  const row = reader === deps.db ? await readTogether(deps, id) : (await readVerifications(reader, [id]))[0];
  const isTheirs = row?.brand_uuid === brand.uuid && row.environment === deps.environment;
  const found = isTheirs && row.kept_until > deps.clock.now() ? openVerification(deps, row) : null;
  if (found === null) throw fail("OCV005", {});
  return found;
}

/**
 * As `findVerification`, for calls with the brand's API key. One of OpenID is unknown to them. So is one that began on our
 * page until `isAgreed`: the brand would learn what somebody has only typed, or the phone of somebody whose carrier
 * recognized them before they left.
 */
export async function findVerificationForKey(
  deps: Deps,
  caller: Caller,
  uuid: string,
  isAgreed: (verification: Verification) => Promise<boolean> = async () => false,
): Promise<Verification> {
  const found = await findVerification(deps, deps.db, caller, uuid);
  const { inWallet, forTokens } = found.secrets;
  if (forTokens === true || (inWallet === true && !(await isAgreed(found)))) throw fail("OCV005", {});
  return found;
}

/** Finds the verification of a device or a link. The caller acts for the person, so no brand is checked. */
export async function findVerificationUnbound(deps: Deps, uuid: string): Promise<Verification> {
  const found = await findVerificationIfKept(deps, uuid);
  if (found === null) throw fail("OCV005", {});
  return found;
}

/** Like `findVerificationUnbound`. Null if it was deleted, such as after the number got a new holder. */
export async function findVerificationIfKept(deps: Deps, uuid: string): Promise<Verification | null> {
  const row = await readTogether(deps, uuid.toLowerCase());
  return row === undefined ? null : openVerification(deps, row);
}

const readTogether = batched(async (deps: Deps, uuids: readonly string[]) => {
  const rows = await readVerifications(deps.db, uuids);
  return uuids.map((uuid) => rows.find((row) => row.uuid === uuid));
});
