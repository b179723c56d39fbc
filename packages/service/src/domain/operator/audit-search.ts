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
import { csvOf } from "../csv.ts";
import type { AccountDeps } from "../deps.ts";
import { operatorNames } from "./person-record.ts";

const searchPageMax = 50;
const exportedMax = 10_000;
const queryMax = 500;

type ConsoleFilter = AuditFilter & { customer?: string | undefined };

export async function searchAudit(
  deps: AccountDeps,
  filter: ConsoleFilter & { before?: number | undefined },
): Promise<{ data: ConsoleAuditLine[]; hasOlder: boolean }> {
  return await read(deps, filter, searchPageMax);
}

/** The log as CSV, newest first. Records the export first. */
export async function exportAuditOfAll(
  deps: AccountDeps,
  filter: ConsoleFilter,
): Promise<{ csv: string; isWhole: boolean }> {
  await deps.home.inTransaction((trx) => recordChange(deps, trx, operatorOn(deps, null), { action: "audit.exported" }));
  const titles = [
    "at",
    "actor",
    "who",
    "via",
    "call",
    "action",
    "customer",
    "brand",
    "environment",
    "subject",
    "reason",
  ];
  let csv = csvOf([titles]);
  let before: number | undefined;
  for (let count = 0; count < exportedMax; count += queryMax) {
    const { data, hasOlder } = await read(deps, { ...filter, before }, queryMax);
    csv += csvOf(data.map(cellsOf));
    if (!hasOlder) return { csv, isWhole: true };
    before = data.at(-1)?.id;
  }
  return { csv, isWhole: false };
}

function cellsOf(line: ConsoleAuditLine): string[] {
  const { actor, who, via, call, action, customer, brandName, environment, subject, reason } = line;
  const rest = [actor, who, via, call, action, customer, brandName, environment, subject, reason];
  return [new Date(line.at).toISOString(), ...rest.map((cell) => cell ?? "")];
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
    page.flatMap(({ operatorUuid }) => operatorUuid ?? []),
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
      brandName: row.brandName,
      environment: row.environment,
      subject: row.subject,
      reason: row.reason,
      changes: row.changes.length,
    }),
  );
  return { data, hasOlder: rows.length > max };
}
