import { type AccountAuditRow, type AuditFilter, actorOf, listAccountEntries } from "../audit/account-audit-rows.ts";
import { csvOf } from "../csv.ts";
import type { AccountDeps } from "../deps.ts";
import { memberName } from "./member.ts";
import { listMembers } from "./member-rows.ts";

/** Stands for a removed member, because their name is not kept. */
const formerMember = "A former member";
/** Maximum number of entries on a page, in a file, and in one query for a file. */
const pageMax = 50;
const fileMax = 10_000;
const queryMax = 100;
/** Characters after which a file ends, because one entry can list 50 changed settings. */
const fileCharactersMax = 4 * 1024 * 1024;

export type AuditLine = Omit<
  AccountAuditRow,
  "memberUuid" | "aboutMemberUuid" | "apiKeyUuid" | "keyName" | "keyLastFour" | "customerUuid" | "operatorUuid"
> & {
  actor: ReturnType<typeof actorOf>;
  /** The member or the API key; null for the operator and for a user of this machine. */
  who: string | null;
  aboutWhom: string | null;
};
type ChangeQuery = AuditFilter & { customerUuid: string };

/** An account's audit log, newest first. `before` is the id of the last line of the previous page. */
export async function listChanges(
  deps: AccountDeps,
  query: ChangeQuery & { before?: number | undefined },
): Promise<{ lines: AuditLine[]; hasOlder: boolean }> {
  return await read(deps, query, pageMax);
}

/** An account's audit log as CSV, newest first. `isWhole` is false if the file ends before the oldest entry. */
export async function exportChanges(deps: AccountDeps, query: ChangeQuery): Promise<{ csv: string; isWhole: boolean }> {
  const titles = [
    ...["at", "actor", "who", "via", "call", "action", "about", "brand", "environment", "subject", "reason"],
    "changes",
  ];
  let csv = csvOf([titles]);
  let before: number | undefined;
  for (let count = 0; count < fileMax && csv.length < fileCharactersMax; count += queryMax) {
    const { lines, hasOlder } = await read(deps, { ...query, before }, queryMax);
    csv += csvOf(lines.map(cellsOf));
    if (!hasOlder) return { csv, isWhole: true };
    before = lines.at(-1)?.id;
  }
  return { csv, isWhole: false };
}

function cellsOf(line: AuditLine): string[] {
  const { at, actor, who, via, call, action, aboutWhom, brandUuid, environment, subject, reason, changes } = line;
  const changed = changes.length === 0 ? null : JSON.stringify(changes);
  const rest = [actor, who, via, call, action, aboutWhom, brandUuid, environment, subject, reason, changed];
  return [new Date(at).toISOString(), ...rest.map((cell) => cell ?? "")];
}

async function read(
  deps: AccountDeps,
  query: ChangeQuery & { before?: number | undefined },
  max: number,
): Promise<{ lines: AuditLine[]; hasOlder: boolean }> {
  const rows = await listAccountEntries(deps.home, { ...query, max: max + 1 });
  const members = new Map((await listMembers(deps, deps.home, query.customerUuid)).map((one) => [one.uuid, one]));
  const nameFor = (uuid: string | null) => {
    const member = uuid === null ? undefined : members.get(uuid);
    return uuid === null ? null : member === undefined ? formerMember : memberName(member);
  };
  const lines = rows
    .slice(0, max)
    .map(
      ({
        memberUuid,
        aboutMemberUuid,
        apiKeyUuid,
        keyName,
        keyLastFour,
        customerUuid: _c,
        operatorUuid: _o,
        ...row
      }) => ({
        ...row,
        actor: actorOf({ memberUuid, apiKeyUuid, via: row.via }),
        who: apiKeyUuid === null ? nameFor(memberUuid) : `${keyName ?? "API key"} …${keyLastFour ?? ""}`,
        aboutWhom: nameFor(aboutMemberUuid),
      }),
    );
  return { lines, hasOlder: rows.length > max };
}
