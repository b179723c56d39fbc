/** The audit log of all accounts, for the operator. */
import type { ConsoleAuditLine } from "@countersign/contract/console-audit";
import {
  type AuditFilter,
  actorOf,
  listAccountEntries,
  operatorOn,
  recordChange,
} from "../audit/account-audit-rows.ts";
import { namesOfCustomers } from "../brand/customer-rows.ts";
import { type FileColumns, logFile } from "../csv.ts";
import type { AccountDeps } from "../deps.ts";
import { operatorNames } from "./person-record.ts";

const searchPageMax = 20;

type ConsoleFilter = AuditFilter & { customer?: string | undefined };

export async function searchAudit(
  deps: AccountDeps,
  filter: ConsoleFilter & { before?: number | undefined },
): Promise<{ data: ConsoleAuditLine[]; hasOlder: boolean }> {
  return await read(deps, filter, searchPageMax);
}

const columns: FileColumns<ConsoleAuditLine> = [
  ["at", ({ at }) => new Date(at).toISOString()],
  ["actor", ({ actor }) => actor],
  ["who", ({ who }) => who],
  ["via", ({ via }) => via],
  ["call", ({ call }) => call],
  ["action", ({ action }) => action],
  ["customerUuid", ({ customer }) => customer],
  ["brandName", ({ brandName }) => brandName],
  ["environment", ({ environment }) => environment],
  ["subject", ({ subject }) => subject],
  ["reason", ({ reason }) => reason],
];

/** The log as CSV. Records the export first. */
export async function exportAuditOfAll(
  deps: AccountDeps,
  filter: ConsoleFilter,
): Promise<{ csv: string; isWhole: boolean }> {
  await deps.home.inTransaction((trx) => recordChange(deps, trx, operatorOn(deps, null), { action: "audit.exported" }));
  return await logFile(columns, async (before, max) => {
    const { data, hasOlder } = await read(deps, { ...filter, before }, max);
    return { lines: data, hasOlder };
  });
}

/** The operators whom the subject of an entry names by UUID. */
function operatorsIn(action: string, subject: string | null): string[] {
  const isOfOperator = action.startsWith("operator.") || action === "passkey.deleted";
  return isOfOperator ? (subject?.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []) : [];
}

async function read(
  deps: AccountDeps,
  {
    customer = null,
    ...filter
  }: Omit<ConsoleFilter, "customer"> & { customer?: string | null; before?: number | undefined },
  max: number,
): Promise<{ data: ConsoleAuditLine[]; hasOlder: boolean }> {
  const rows = await listAccountEntries(deps.home, { ...filter, customerUuid: customer, max: max + 1 });
  const page = rows.slice(0, max);
  const operators = await operatorNames(
    deps,
    page.flatMap(({ operatorUuid, action, subject }) => [
      ...(operatorUuid === null ? [] : [operatorUuid]),
      ...operatorsIn(action, subject),
    ]),
  );
  const customers = await namesOfCustomers(
    deps.home,
    page.flatMap(({ customerUuid }) => customerUuid ?? []),
  );
  const data = page.map(
    ({ memberUuid, apiKeyUuid, operatorUuid, ...row }): ConsoleAuditLine => ({
      id: row.id,
      at: row.at,
      action: row.action,
      actor: actorOf({ memberUuid, apiKeyUuid, via: row.via }),
      who: operatorUuid === null ? (memberUuid ?? apiKeyUuid) : (operators.get(operatorUuid) ?? operatorUuid),
      via: row.via,
      call: row.call,
      customer: row.customerUuid,
      customerName: customers.get(row.customerUuid ?? "") ?? null,
      brand: row.brandUuid,
      brandName: row.brandName,
      environment: row.environment,
      subject: operatorsIn(row.action, row.subject).reduce(
        (text, uuid) => text?.replace(uuid, operators.get(uuid) ?? uuid) ?? null,
        row.subject,
      ),
      reason: row.reason,
      changes: row.changes.length,
    }),
  );
  return { data, hasOlder: rows.length > max };
}
