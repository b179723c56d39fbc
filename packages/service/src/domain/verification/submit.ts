import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { attemptsData } from "./states.ts";
import { findVerification, type Verification } from "./store.ts";
import { tryCode } from "./try-code.ts";

/** Submits the code that the person typed. */
export async function submitCode(
  deps: Deps,
  caller: Caller,
  what: { uuid: string; code: string },
): Promise<Verification> {
  const before = await findVerification(deps, deps.db, caller, what.uuid);
  // Use the row's own spelling of the uuid: encryption and hashes are bound to it.
  const tried = await tryCode(deps, caller, { uuid: before.row.uuid, code: what.code, phone: before.secrets.phone });
  if (tried.kind === "right") return { ...before, row: tried.row };
  if (tried.kind === "wrong") {
    throw fail("OCV001", { attemptsRemaining: tried.attemptsRemaining, expiresAt: before.row.expires_at });
  }
  const { row } = await findVerification(deps, deps.db, caller, what.uuid);
  if (tried.status === "expired") throw fail("OCV007", { ...attemptsData(row), attemptsRemaining: 0 });
  if (tried.status === "failed") throw fail("OCV002", { ...attemptsData(row), attemptsRemaining: 0 });
  // A verification that already succeeded accepts no more codes, and a verification by device has no code.
  throw fail("OCV001", attemptsData(row));
}
