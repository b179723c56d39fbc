import { type Approval, approvals, type Environment } from "@countersign/contract/brand";
import { type ChecklistId, checklist } from "@countersign/contract/dashboard-choices";
import type { Reader } from "../../store/database.ts";
import { type WaitingName, waitingNames } from "../brand/name-requests.ts";
import { brandNames, findBrand } from "../brand/store.ts";
import { invalid, refuse } from "../failure.ts";
import { type Actor, nameOf, recordChange } from "./audit.ts";
import type { AccountDeps } from "./deps.ts";
import { findMember } from "./member.ts";

export type ApprovalsView = {
  granted: { approval: Approval; grantedAt: number }[];
  fulfilled: ChecklistId[];
  request?: { at: number; by: string; note: string };
  waitingNames: WaitingName[];
};

/** A brand's approvals and its progress toward production. */
export async function viewApprovals(
  deps: AccountDeps,
  about: { customerUuid: string; brandUuid: string; environment: Environment },
): Promise<ApprovalsView> {
  const { brandUuid, environment } = about;
  const rows = await deps.db
    .selectFrom("brand_approval")
    .select(["approval", "granted_at"])
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .execute();
  const request = await lastRequest(deps, brandUuid);
  return {
    granted: approvals.flatMap((approval) => {
      const row = rows.find((one) => one.approval === approval);
      return row === undefined ? [] : [{ approval, grantedAt: row.granted_at }];
    }),
    fulfilled: await fulfilled(deps.db, about),
    waitingNames: await waitingNames(
      deps.db,
      about,
      (await findBrand(deps.db, environment, brandUuid))?.settings ?? {},
    ),
    ...(request === undefined ? {} : { request }),
  };
}

async function lastRequest(deps: AccountDeps, brandUuid: string): Promise<ApprovalsView["request"]> {
  const row = await deps.db
    .selectFrom("approval_request")
    .select(["created_at", "member_uuid", "note"])
    .where("brand_uuid", "=", brandUuid)
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const member = await findMember(deps, deps.db, row.member_uuid);
  return { at: row.created_at, by: member === null ? "A former member" : nameOf(member), note: row.note };
}

/** The checklist items that the settings, the account and the sandbox traffic prove. */
async function fulfilled(
  reader: Reader,
  { customerUuid, brandUuid }: { customerUuid: string; brandUuid: string },
): Promise<ChecklistId[]> {
  const production = await findBrand(reader, "production", brandUuid);
  const owners = await reader
    .selectFrom("member")
    .leftJoin("passkey", "passkey.member_uuid", "member.uuid")
    .select(["member.uuid", "passkey.uuid as passkey_uuid"])
    .where("member.customer_uuid", "=", customerUuid)
    .where("member.role", "=", "owner")
    .where("member.joined_at", "is not", null)
    .where("member.removed_at", "is", null)
    .execute();
  const answered = await reader
    .selectFrom("one_click")
    .select("uuid")
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", "sandbox")
    .where("answered_at", "is not", null)
    .limit(1)
    .executeTakeFirst();
  const shown: Partial<Record<ChecklistId, boolean>> = {
    consentDeclared: production?.settings.consent.declared === true,
    // Production settings accept only valid https addresses, so it is enough that they exist.
    addresses: production !== null,
    passkey: owners.length > 0 && owners.every((one) => one.passkey_uuid !== null),
    sandboxFlow: answered !== undefined,
  };
  return checklist.flatMap(({ id }) => (shown[id] === true ? [id] : []));
}

const wanted: Approval = "production";

/** Asks the operator for approval. Every checklist item must be proven or confirmed. */
export async function requestApproval(
  deps: AccountDeps,
  by: Actor,
  what: { brandUuid: string; confirmed: ChecklistId[]; note: string },
): Promise<void> {
  const { brandUuid, confirmed, note } = what;
  const about = { customerUuid: by.member.customerUuid, brandUuid, environment: "production" as const };
  if ((await findBrand(deps.db, "production", brandUuid)) === null)
    throw refuse(409, "This brand has no production settings yet.");
  const view = await viewApprovals(deps, about);
  if (view.granted.some(({ approval }) => approval === wanted)) throw refuse(409, "Production is approved already.");
  const missing = checklist.filter(({ id, isComputed }) => !(isComputed ? view.fulfilled : confirmed).includes(id));
  if (missing.length > 0)
    throw invalid(missing.map(({ id, says }) => ({ path: `body.confirmed.${id}`, message: `is not so yet: ${says}` })));
  await deps.db.inTransaction(async (trx) => {
    await trx
      .insertInto("approval_request")
      .values({
        uuid: deps.random.uuid(),
        brand_uuid: brandUuid,
        member_uuid: by.member.uuid,
        created_at: deps.clock.now(),
        confirmed,
        note,
      })
      .execute();
    await recordChange(deps, trx, by, { action: "approval.requested", brandUuid, environment: "production" });
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
export async function listRequests(deps: AccountDeps): Promise<ProductionRequest[]> {
  const rows = await deps.db
    .selectFrom("approval_request")
    .innerJoin("brand", "brand.uuid", "approval_request.brand_uuid")
    .innerJoin("customer", "customer.uuid", "brand.customer_uuid")
    .select(["brand.uuid", "brand.name", "customer.name as customer_name"])
    .select(["approval_request.created_at", "approval_request.note"])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("brand_approval")
            .select("approval")
            .whereRef("brand_approval.brand_uuid", "=", "brand.uuid")
            .where("brand_approval.environment", "=", "production")
            .where("brand_approval.approval", "=", wanted),
        ),
      ),
    )
    .orderBy("approval_request.created_at")
    .execute();
  const uuids = rows.map(({ uuid }) => uuid);
  const inUse = await brandNames(deps.db, "production", uuids);
  return rows.map(({ uuid, name, customer_name, created_at, note }) => ({
    brand: uuid,
    name,
    customerName: customer_name,
    externalName: inUse.get(uuid) ?? null,
    at: new Date(created_at).toISOString(),
    note,
  }));
}
