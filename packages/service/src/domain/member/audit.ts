import type { AccountDeps } from "../deps.ts";
import { type AuditRow, listAccountEntries } from "./account-audit-rows.ts";
import { nameOf } from "./member.ts";
import { listMembers } from "./member-rows.ts";

/** Shown for a removed member, whose name is not kept. */
const formerMember = "A former member";
/** Maximum number of entries on a page. */
const pageMax = 50;

export type AuditLine = Omit<AuditRow, "memberUuid" | "aboutMemberUuid"> & {
  /** Null for the operator. */
  who: string | null;
  aboutWhom: string | null;
};

/** An account's audit log, newest first. `before` is the id of the last line of the previous page. */
export async function listChanges(
  deps: AccountDeps,
  about: { customerUuid: string; brandUuid?: string; before?: number },
): Promise<{ lines: AuditLine[]; hasOlder: boolean }> {
  const rows = await listAccountEntries(deps.db, { ...about, max: pageMax + 1 });
  const members = new Map((await listMembers(deps, deps.db, about.customerUuid)).map((one) => [one.uuid, one]));
  const nameFor = (uuid: string | null) => {
    const member = uuid === null ? undefined : members.get(uuid);
    return uuid === null ? null : member === undefined ? formerMember : nameOf(member);
  };
  const lines = rows.slice(0, pageMax).map(({ memberUuid, aboutMemberUuid, ...row }) => ({
    ...row,
    who: nameFor(memberUuid),
    aboutWhom: nameFor(aboutMemberUuid),
  }));
  return { lines, hasOlder: rows.length > pageMax };
}
