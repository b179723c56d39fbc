/** Names that wait for the operator, who lists, approves and rejects them on the command line. */
import { type Environment, environments } from "@countersign/contract/brand";
import type { Trx } from "../../store/database.ts";
import { changeSettings, type Ledger } from "../brand/manage.ts";
import { assertName } from "../brand/name.ts";
import { findBrand } from "../brand/store.ts";
import { refuse } from "../failure.ts";
import { type Doer, recordChange } from "./audit.ts";
import { changesBetween } from "./changes.ts";
import type { AccountDeps } from "./deps.ts";
import { lockCustomer } from "./team.ts";

export type NameRequest = {
  request: string;
  customer: string;
  customerName: string;
  /** Null for the account's own name. */
  brand: string | null;
  environment: Environment | null;
  path: string;
  current: string | null;
  requested: string;
  /** The requested name with non-ASCII characters as code points, which makes look-alike letters visible. */
  escaped: string;
  at: string;
};

/** All names that wait for approval, oldest first. */
export async function listNameRequests({ db }: Pick<AccountDeps, "db">): Promise<NameRequest[]> {
  const rows = await db
    .selectFrom("name_request")
    .innerJoin("customer", "customer.uuid", "name_request.customer_uuid")
    .selectAll("name_request")
    .select("customer.name as customer_name")
    .orderBy("requested_at")
    .orderBy("name_request.uuid")
    .execute();
  const lines: NameRequest[] = [];
  for (const row of rows) {
    const environment = environmentOf(row.environment);
    const brand = environment === null ? null : await findBrand(db, environment, row.brand_uuid);
    lines.push({
      request: row.uuid,
      customer: row.customer_uuid,
      customerName: row.customer_name,
      brand: row.brand_uuid,
      environment,
      path: row.path,
      current: brand === null ? row.customer_name : settingAt(brand.settings, row.path),
      requested: row.value,
      escaped: row.value.replace(/[^ -~]/gu, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`),
      at: new Date(row.requested_at).toISOString(),
    });
  }
  return lines;
}

/** Starts to use a requested name. The name must still be valid. */
export async function approveName(deps: AccountDeps, ledger: Ledger, uuid: string): Promise<void> {
  const {
    customer_uuid: customerUuid,
    brand_uuid: brandUuid,
    environment,
    path,
    value,
  } = await findRequest(deps, uuid);
  const by = operatorOf(customerUuid);
  if (brandUuid === null || environment === null)
    return await deps.db.inTransaction(async (trx) => {
      const before = await lockCustomer(trx, customerUuid);
      await takeRequest(trx, uuid);
      assertName(path, value);
      await trx.updateTable("customer").set({ name: value }).where("uuid", "=", customerUuid).execute();
      await recordChange(deps, trx, by, { action: "name.approved", changes: [{ path, from: before, to: value }] });
    });
  if (environment !== ledger.environment) throw gone();
  const books = { ...ledger, namesWait: false };
  await changeSettings(books, brandUuid, { [path]: value }, async (trx, { version, before, after }) => {
    await takeRequest(trx, uuid);
    const changes = changesBetween(before, after);
    const about = { brandUuid, environment, settingsVersion: version + 1, changes };
    await recordChange(deps, trx, by, { action: "name.approved", ...about });
  });
}

/** Rejects a requested name. The name in use stays. */
export async function rejectName(deps: AccountDeps, uuid: string): Promise<void> {
  const { customer_uuid, brand_uuid, environment, path, value } = await findRequest(deps, uuid);
  await deps.db.inTransaction(async (trx) => {
    await takeRequest(trx, uuid);
    await recordChange(deps, trx, operatorOf(customer_uuid), {
      action: "name.rejected",
      ...(brand_uuid === null || environment === null ? {} : { brandUuid: brand_uuid, environment }),
      changes: [{ path, to: value }],
    });
  });
}

/** A replaced request gets a new uuid, so the operator approves exactly the name that they read. */
async function findRequest({ db }: AccountDeps, uuid: string) {
  const row = await db.selectFrom("name_request").selectAll().where("uuid", "=", uuid).executeTakeFirst();
  if (row === undefined) throw gone();
  return { ...row, environment: environmentOf(row.environment) };
}

async function takeRequest(trx: Trx, uuid: string): Promise<void> {
  const taken = await trx.deleteFrom("name_request").where("uuid", "=", uuid).returning("uuid").executeTakeFirst();
  if (taken === undefined) throw gone();
}

function gone(): Error {
  return refuse(404, "There is no such request: it was decided, replaced or withdrawn.");
}

function operatorOf(customerUuid: string): Doer {
  return { member: { uuid: null, customerUuid }, requestId: null };
}

function environmentOf(text: string): Environment | null {
  return environments.find((one) => one === text) ?? null;
}

function settingAt(settings: object, path: string): string | null {
  const value = Object.entries(settings).find(([name]) => name === path)?.[1];
  return typeof value === "string" ? value : null;
}
