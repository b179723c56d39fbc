import type { Approval, Environment, IntegrationType } from "@countersign/contract/brand";
import { type ChecklistId, checklist } from "@countersign/contract/dashboard-choices";
import type { HomeReader } from "../../store/database.ts";
import { type MemberActor, operatorOn, recordChange } from "../audit/account-audit-rows.ts";
import { findBrand, hasAnsweredOneClick, listApprovals } from "../brand/brand-rows.ts";
import { listNameRequestRows } from "../brand/name-request-rows.ts";
import { logoSetting, type WaitingName, waitingNames } from "../brand/name-requests.ts";
import type { AccountDeps } from "../deps.ts";
import { invalid, refuse } from "../failure.ts";
import { findNewestRequest, insertApprovalRequest, listOpenRequests, refuseRequests } from "./approval-request-rows.ts";
import { memberName } from "./member.ts";
import { findMember, listOwners } from "./member-rows.ts";

export type ApprovalsView = {
  granted: { approval: Approval; grantedAt: number }[];
  fulfilled: ChecklistId[];
  unneeded: ChecklistId[];
  request?: { at: number; by: string; note: string; refused?: { at: number; reason: string } };
  waitingNames: WaitingName[];
};

/** A brand's approvals and its progress toward production. */
export async function viewApprovals(
  deps: AccountDeps,
  owner: { customerUuid: string; brandUuid: string; environment: Environment },
): Promise<ApprovalsView> {
  const { brandUuid, environment } = owner;
  const request = await lastRequest(deps, brandUuid);
  const brand = await findBrand(deps.home, environment, brandUuid);
  return {
    granted: await listApprovals(deps.home, owner),
    fulfilled: await fulfilled(deps, owner),
    unneeded: await unneeded(deps.home, brandUuid),
    waitingNames: await waitingNames(deps.home, owner, brand?.settings ?? {}),
    ...(request === undefined ? {} : { request }),
  };
}

async function lastRequest(deps: AccountDeps, brandUuid: string): Promise<ApprovalsView["request"]> {
  const request = await findNewestRequest(deps.home, brandUuid);
  if (request === null) return undefined;
  const { at, memberUuid, note, refusedAt, refusal } = request;
  const member = await findMember(deps, deps.home, memberUuid);
  const by = member === null ? "A former member" : memberName(member);
  return { at, by, note, ...(refusedAt === null ? {} : { refused: { at: refusedAt, reason: refusal ?? "" } }) };
}

/** The checklist items that the settings, the account and the sandbox traffic prove. */
async function fulfilled(
  { cells, home }: Pick<AccountDeps, "cells" | "home">,
  { customerUuid, brandUuid }: { customerUuid: string; brandUuid: string },
): Promise<ChecklistId[]> {
  const production = await findBrand(home, "production", brandUuid);
  const owners = await listOwners(home, customerUuid);
  const shown: Partial<Record<ChecklistId, boolean>> = {
    consentDeclared: production?.settings.consent.declared === true,
    // Production settings accept only valid https addresses, so it is enough that they exist.
    addresses: production !== null,
    passkey: owners.length > 0 && owners.every(({ hasPasskey }) => hasPasskey),
    sandboxFlow: await hasAnsweredOneClick(cells(), "sandbox", brandUuid),
  };
  return checklist.flatMap(({ id }) => (shown[id] === true ? [id] : []));
}

/** The items that have nothing to check: the addresses of a brand that has none. */
async function unneeded(reader: HomeReader, brandUuid: string): Promise<ChecklistId[]> {
  const production = await findBrand(reader, "production", brandUuid);
  if (production === null) return [];
  const { redirectUrl, allowedRedirectUrls, allowedOrigins, v1, consent, openid } = production.settings;
  const lists = [...allowedRedirectUrls, ...allowedOrigins, ...openid.redirectUris];
  const addresses = [redirectUrl, ...lists, v1.push?.url ?? null, consent.url];
  return addresses.every((address) => address === null) ? ["addresses"] : [];
}

const wanted: Approval = "production";

/** What waits for the operator, by kind: how many requests, and the age of the oldest. */
export async function countWaiting({ home, clock }: Pick<AccountDeps, "home" | "clock">) {
  const requests = (await listOpenRequests(home, wanted)).map(({ at }) => at);
  const named = await listNameRequestRows(home);
  const timesOf = (isLogo: boolean) =>
    named.filter(({ path }) => (path === logoSetting) === isLogo).map(({ requestedAt }) => requestedAt);
  const figuresOf = (times: number[]) => ({
    waiting: times.length,
    oldestMs: times.length === 0 ? 0 : Math.max(0, clock.now() - Math.min(...times)),
  });
  return { production: figuresOf(requests), name: figuresOf(timesOf(false)), logo: figuresOf(timesOf(true)) };
}

/** Asks the operator for approval. Every checklist item must be proven or confirmed. */
export async function requestApproval(
  deps: AccountDeps,
  by: MemberActor,
  input: { brandUuid: string; confirmed: ChecklistId[]; note: string },
): Promise<void> {
  const { brandUuid, confirmed, note } = input;
  const owner = { customerUuid: by.member.customerUuid, brandUuid, environment: "production" as const };
  if ((await findBrand(deps.home, "production", brandUuid)) === null)
    throw refuse(409, "This brand has no production settings yet.");
  const view = await viewApprovals(deps, owner);
  if (view.granted.some(({ approval }) => approval === wanted)) throw refuse(409, "Production is already approved.");
  const missing = checklist.filter(({ id, isComputed }) => !(isComputed ? view.fulfilled : confirmed).includes(id));
  if (missing.length > 0)
    throw invalid(missing.map(({ id, says }) => ({ path: `body.confirmed.${id}`, message: `Not done yet: ${says}` })));
  await deps.home.inTransaction(async (trx) => {
    const now = deps.clock.now();
    await Promise.all([
      insertApprovalRequest(trx, {
        uuid: deps.random.uuid(),
        brandUuid,
        memberUuid: by.member.uuid,
        confirmed,
        note,
        now,
      }),
      recordChange(deps, trx, by, { action: "approval.requested", brandUuid, environment: "production" }),
    ]);
  });
}

/** Refuses a brand's request for production. The brand reads the reason and can ask again. */
export async function refuseProduction(deps: AccountDeps, brandUuid: string, reason: string): Promise<void> {
  const brand = await findBrand(deps.home, "production", brandUuid);
  if (brand === null) throw noOpenRequest();
  await deps.home.inTransaction(async (trx) => {
    if (!(await refuseRequests(trx, { brandUuid, reason, now: deps.clock.now() }))) throw noOpenRequest();
    const by = { ...operatorOn(deps, brand.customerUuid), reason };
    await recordChange(deps, trx, by, { action: "approval.refused", brandUuid, environment: "production" });
  });
}

function noOpenRequest(): Error {
  return refuse(404, "This brand has no open request for production.");
}

export type ProductionRequest = {
  brand: string;
  name: string;
  customerName: string;
  /** The name that people read in texts now. `listNameRequests` lists a name that waits for approval. */
  externalName: string | null;
  integrationType: IntegrationType | null;
  /** The checklist items that the service has checked, those that the member confirmed, and those that are not done. */
  checked: readonly ChecklistId[];
  confirmed: readonly ChecklistId[];
  notDone: ChecklistId[];
  at: string;
  note: string;
};

/** Production requests without an approval yet, for the operator, oldest first. */
export async function listRequests(deps: Pick<AccountDeps, "cells" | "home">): Promise<ProductionRequest[]> {
  const lines: ProductionRequest[] = [];
  for (const request of await listOpenRequests(deps.home, wanted)) {
    const { brandUuid, name, customerName, at, note } = request;
    const settings = (await findBrand(deps.home, "production", brandUuid))?.settings;
    // The service checks its items again: the member may have changed the settings after the request.
    const checked: readonly ChecklistId[] = await fulfilled(deps, request);
    const confirmed: readonly ChecklistId[] = checklist.flatMap(({ id, isComputed }) =>
      !isComputed && request.confirmed.includes(id) ? [id] : [],
    );
    lines.push({
      brand: brandUuid,
      name,
      customerName,
      externalName: settings?.externalName ?? null,
      integrationType: settings?.integrationType ?? null,
      checked,
      confirmed,
      notDone: checklist.flatMap(({ id }) => (checked.includes(id) || confirmed.includes(id) ? [] : [id])),
      at: new Date(at).toISOString(),
      note,
    });
  }
  return lines;
}
