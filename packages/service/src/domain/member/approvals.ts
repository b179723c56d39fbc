import type { Approval, Environment } from "@countersign/contract/brand";
import { type ChecklistId, checklist } from "@countersign/contract/dashboard-choices";
import type { HomeReader } from "../../store/database.ts";
import { brandNames, findBrand, hasAnsweredOneClick, listApprovals } from "../brand/brand-rows.ts";
import { type WaitingName, waitingNames } from "../brand/name-requests.ts";
import type { AccountDeps } from "../deps.ts";
import { invalid, refuse } from "../failure.ts";
import { type MemberActor, recordChange } from "./account-audit-rows.ts";
import { findNewestRequest, insertApprovalRequest, listOpenRequests } from "./approval-request-rows.ts";
import { nameOf } from "./member.ts";
import { findMember, listOwners } from "./member-rows.ts";

export type ApprovalsView = {
  granted: { approval: Approval; grantedAt: number }[];
  fulfilled: ChecklistId[];
  unneeded: ChecklistId[];
  request?: { at: number; by: string; note: string };
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
  const { at, memberUuid, note } = request;
  const member = await findMember(deps, deps.home, memberUuid);
  return { at, by: member === null ? "A former member" : nameOf(member), note };
}

/** The checklist items that the settings, the account and the sandbox traffic prove. */
async function fulfilled(
  { cells, home }: AccountDeps,
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

export type ProductionRequest = {
  brand: string;
  name: string;
  customerName: string;
  /** The name that people read in texts now. `listNameRequests` lists a name that waits for approval. */
  externalName: string | null;
  at: string;
  note: string;
};

/** Production requests without an approval yet, for the operator, oldest first. */
export async function listRequests(deps: Pick<AccountDeps, "home">): Promise<ProductionRequest[]> {
  const requests = await listOpenRequests(deps.home, wanted);
  const brandUuids = requests.map(({ brandUuid }) => brandUuid);
  const inUse = await brandNames(deps.home, "production", brandUuids);
  return requests.map(({ brandUuid, at, ...request }) => ({
    ...request,
    brand: brandUuid,
    externalName: inUse.get(brandUuid) ?? null,
    at: new Date(at).toISOString(),
  }));
}
