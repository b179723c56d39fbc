import type { MemberRole } from "@countersign/contract/member";
import { createCustomer, type Ledger } from "../brand/manage.ts";
import { refuse } from "../failure.ts";
import type { AccountDeps } from "./deps.ts";
import { findByEmail, insertMember } from "./member.ts";

/** Creates an account with its first owner, for the operator. The owner's email address counts as proven. */
export async function openAccount(
  deps: AccountDeps,
  ledger: Ledger,
  what: { name: string; email: string },
): Promise<{ uuid: string }> {
  if ((await findByEmail(deps, deps.db, { email: what.email, joined: true })) !== null) throw taken();
  const uuid = await createCustomer(ledger, { name: what.name });
  await addMember(deps, { customerUuid: uuid, email: what.email, role: "owner" });
  return { uuid };
}

/** Adds a member for the operator, for example if an account has lost its last owner. */
export async function addMember(
  deps: AccountDeps,
  what: { customerUuid: string; email: string; role: MemberRole; name?: string },
): Promise<{ uuid: string }> {
  const uuid = await deps.db.inTransaction((trx) => insertMember(deps, trx, { name: "", ...what, joined: true }));
  if (uuid === null) throw taken();
  return { uuid };
}

/** Owners of a new sandbox. Existing members stay as they are. */
export async function seedOwners(
  deps: AccountDeps,
  customers: readonly { uuid: string; email: string }[],
): Promise<void> {
  for (const { uuid, email } of customers) {
    if ((await findByEmail(deps, deps.db, { email, joined: true })) !== null) continue;
    await addMember(deps, { customerUuid: uuid, email, role: "owner", name: "Demo owner" });
  }
}

function taken(): Error {
  return refuse(409, "This e-mail address is a member of an account already.");
}
