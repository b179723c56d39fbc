import type { MemberRole } from "@countersign/contract/member";
import type { HomeReader, HomeTrx } from "../../store/database.ts";
import { operatorOn, recordChange } from "../audit/account-audit-rows.ts";
import { lockCustomer } from "../brand/customer-rows.ts";
import { type AdminDeps, createCustomer } from "../brand/manage.ts";
import type { AccountDeps } from "../deps.ts";
import { invalid, refuse } from "../failure.ts";
import {
  countMembers,
  findByEmail,
  findMember,
  insertMember,
  type Member,
  membersMax,
  type NewMember,
} from "./member-rows.ts";

/** Creates an account with its first owner, for the operator. The owner's email address counts as proven. */
export async function openAccount(
  deps: AccountDeps,
  admin: AdminDeps,
  input: { name: string; email: string },
): Promise<{ uuid: string }> {
  if ((await findByEmail(deps, deps.home, { email: input.email, joined: true })) !== null) throw alreadyMember();
  const uuid = await createCustomer(admin, { name: input.name }, async (trx, customerUuid) => {
    await recordChange(deps, trx, operatorOn(deps, customerUuid), { action: "customer.created" });
    await addProven(deps, trx, { customerUuid, email: input.email, role: "owner" });
  });
  return { uuid };
}

type AddedMember = { customerUuid: string; email: string; role: MemberRole; name?: string };
/** Adds a member for the operator, for example if an account has lost its last owner. */
export async function addMember(deps: AccountDeps, input: AddedMember): Promise<{ uuid: string }> {
  return { uuid: await deps.home.inTransaction((trx) => addProven(deps, trx, input)) };
}

/** Adds a member whose email address counts as proven, and records it. */
async function addProven(deps: AccountDeps, trx: HomeTrx, input: AddedMember): Promise<string> {
  const uuid = await createMember(deps, trx, { name: "", ...input, joined: true });
  if (uuid === null) throw alreadyMember();
  const entry = { action: "member.added" as const, subject: input.role, aboutMember: uuid };
  await recordChange(deps, trx, operatorOn(deps, input.customerUuid), entry);
  return uuid;
}

/** Owners of a new sandbox. Existing members stay as they are. Processes that start together may add the same owner. */
export async function seedOwners(
  deps: AccountDeps,
  customers: readonly { uuid: string; email: string }[],
): Promise<void> {
  for (const { uuid, email } of customers) {
    if ((await findByEmail(deps, deps.home, { email, joined: true })) !== null) continue;
    const owner = { customerUuid: uuid, email, role: "owner" as const, name: "Demo owner", joined: true };
    await deps.home.inTransaction((trx) => createMember(deps, trx, owner));
  }
}

function alreadyMember(): Error {
  return refuse(409, "This email address is already a member of an account.");
}

/**
 * Adds a member and returns the uuid. Null if the address belongs to a member already. Locks the account, so parallel
 * calls are counted one by one.
 */
export async function createMember(deps: AccountDeps, trx: HomeTrx, input: NewMember): Promise<string | null> {
  await lockCustomer(trx, input.customerUuid);
  if ((await countMembers(trx, input.customerUuid)) >= membersMax)
    throw invalid([{ path: "body.email", message: `An account can have at most ${membersMax} members.` }]);
  return await insertMember(deps, trx, input);
}

/** A member of this customer; 404 for an unknown member or another customer's. */
export async function findColleague(
  deps: AccountDeps,
  reader: HomeReader,
  ids: { customerUuid: string; memberUuid: string },
): Promise<Member> {
  const found = await findMember(deps, reader, ids.memberUuid);
  if (found?.customerUuid !== ids.customerUuid) throw refuse(404, "No such member.");
  return found;
}

export function memberName({ name, email }: Pick<Member, "name" | "email">): string {
  return name === "" ? email : name;
}
