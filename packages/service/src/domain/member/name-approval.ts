/** Names that wait for the operator, who answers them by commands or in the console. */
import type { Environment } from "@countersign/contract/brand";
import { isUuid } from "@countersign/contract/primitives";
import type { HomeTrx } from "../../store/database.ts";
import { operatorOn, recordChange } from "../audit/account-audit-rows.ts";
import { changesBetween } from "../audit/changes.ts";
import { findBrand } from "../brand/brand-rows.ts";
import { lockCustomer, setCustomerName } from "../brand/customer-rows.ts";
import { deleteLogo, findWaitingLogo, type LogoType, useWaitingLogo } from "../brand/logo-rows.ts";
import { type AdminDeps, changeSettings, type SettingsEdit } from "../brand/manage.ts";
import { assertName } from "../brand/name.ts";
import { findNameRequest, listNameRequestRows, type NameRequest, takeNameRequest } from "../brand/name-request-rows.ts";
import { logoSetting, nameAt, namePatch } from "../brand/name-requests.ts";
import type { AccountDeps } from "../deps.ts";
import { refuse } from "../failure.ts";

export type NameRequestLine = {
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
export async function listNameRequests({ home }: Pick<AccountDeps, "home">): Promise<NameRequestLine[]> {
  const lines: NameRequestLine[] = [];
  for (const { environment, brandUuid, ...row } of await listNameRequestRows(home)) {
    const brand = environment === null ? null : await findBrand(home, environment, brandUuid);
    lines.push({
      request: row.uuid,
      customer: row.customerUuid,
      customerName: row.customerName,
      brand: brandUuid,
      environment,
      path: row.path,
      current: brand === null ? row.customerName : nameAt(brand.settings, row.path),
      requested: row.value,
      escaped: row.value.replace(/[^ -~]/gu, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`),
      at: new Date(row.requestedAt).toISOString(),
    });
  }
  return lines;
}

/** The picture of a logo that waits for approval. */
export async function requestedLogo(deps: AccountDeps, uuid: string): Promise<{ type: LogoType; bytes: Buffer }> {
  const { brandUuid, environment, path } = await findRequest(deps, uuid);
  const found =
    path !== logoSetting || brandUuid === null || environment === null
      ? null
      : await findWaitingLogo(deps.home, { brandUuid, environment });
  if (found === null) throw refuse(404, "This request has no picture. A logo with a URL of another site is not shown.");
  return found;
}

/** Starts to use a requested name. The name must still be valid. */
export async function approveName(
  deps: AccountDeps,
  adminOf: (environment: Environment) => AdminDeps,
  uuid: string,
): Promise<void> {
  const { customerUuid, brandUuid, environment, path, value } = await findRequest(deps, uuid);
  const by = operatorOn(deps, customerUuid);
  if (brandUuid === null || environment === null)
    return await deps.home.inTransaction(async (trx) => {
      const before = await lockCustomer(trx, customerUuid);
      await takeRequest(trx, uuid);
      assertName(path, value);
      await setCustomerName(trx, customerUuid, value);
      await recordChange(deps, trx, by, { action: "name.approved", changes: [{ path, from: before, to: value }] });
    });
  const approved = { ...adminOf(environment), namesWait: false };
  const alongside: SettingsEdit["alongside"] = async (trx, { nextVersion, before, after }) => {
    await takeRequest(trx, uuid);
    if (path === logoSetting) await useWaitingLogo(trx, { brandUuid, environment });
    const changes = changesBetween(before, after);
    const entry = { brandUuid, environment, settingsVersion: nextVersion, changes };
    await recordChange(deps, trx, by, { action: "name.approved", ...entry });
  };
  await changeSettings(approved, brandUuid, namePatch({ path, value }), { alongside });
}

/** Rejects a requested name. The name in use stays. */
export async function rejectName(deps: AccountDeps, uuid: string): Promise<void> {
  const { customerUuid, brandUuid, environment, path, value } = await findRequest(deps, uuid);
  await deps.home.inTransaction(async (trx) => {
    await takeRequest(trx, uuid);
    if (path === logoSetting && brandUuid !== null && environment !== null)
      await deleteLogo(trx, { brandUuid, environment, isWaiting: true });
    await recordChange(deps, trx, operatorOn(deps, customerUuid), {
      action: "name.rejected",
      ...(brandUuid === null || environment === null ? {} : { brandUuid, environment }),
      changes: [{ path, to: value }],
    });
  });
}

/** A replaced request gets a new uuid, so the operator approves exactly the name that they read. */
async function findRequest({ home }: AccountDeps, uuid: string): Promise<NameRequest> {
  const request = isUuid(uuid) ? await findNameRequest(home, uuid) : null;
  if (request === null) throw noSuchRequest();
  return request;
}

async function takeRequest(trx: HomeTrx, uuid: string): Promise<void> {
  if (!(await takeNameRequest(trx, uuid))) throw noSuchRequest();
}

function noSuchRequest(): Error {
  return refuse(404, "No such request: it was answered, replaced or canceled.");
}
