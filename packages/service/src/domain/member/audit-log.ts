import { type AccountAuditRow, type AuditFilter, actorOf, listAccountEntries } from "../audit/account-audit-rows.ts";
import { type FileColumns, logFile } from "../csv.ts";
import type { AccountDeps } from "../deps.ts";
import { memberName } from "./member.ts";
import { listMembers } from "./member-rows.ts";

/** The name of every removed member, because their own name is not kept. */
const formerMember = "A former member";
/** Maximum number of entries on a page. */
const pageMax = 50;

export type AuditLine = Omit<
  AccountAuditRow,
  "memberUuid" | "aboutMemberUuid" | "apiKeyUuid" | "keyName" | "keyLastFour" | "customerUuid" | "operatorUuid"
> & {
  actor: ReturnType<typeof actorOf>;
  /** The member or the API key; null for the operator and for a user of this machine. */
  who: string | null;
  aboutWhom: string | null;
};
type LogQuery = AuditFilter & { customerUuid: string };

/** An account's audit log, newest first. `before` is the id of the last line of the previous page. */
export async function listAuditLog(
  deps: AccountDeps,
  query: LogQuery & { before?: number | undefined },
): Promise<{ lines: AuditLine[]; hasOlder: boolean }> {
  return await read(deps, query, pageMax);
}

const columns: FileColumns<AuditLine> = [
  ["at", ({ at }) => new Date(at).toISOString()],
  ["actor", ({ actor }) => actor],
  ["who", ({ who }) => who],
  ["via", ({ via }) => via],
  ["call", ({ call }) => call],
  ["action", ({ action }) => action],
  ["about", ({ aboutWhom }) => aboutWhom],
  ["brandUuid", ({ brandUuid }) => brandUuid],
  ["environment", ({ environment }) => environment],
  ["subject", ({ subject }) => subject],
  ["reason", ({ reason }) => reason],
  ["changes", ({ changes }) => (changes.length === 0 ? null : JSON.stringify(changes))],
];

/** An account's audit log as CSV. */
export async function exportAuditLog(deps: AccountDeps, query: LogQuery): Promise<{ csv: string; isWhole: boolean }> {
  return await logFile(columns, async (before, max) => await read(deps, { ...query, before }, max));
}

async function read(
  deps: AccountDeps,
  query: LogQuery & { before?: number | undefined },
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
