/** Requests of members that the operator approve a brand for production. */
import type { Approval } from "@countersign/contract/brand";
import { sql } from "kysely";
import type { HomeReader, HomeTrx } from "../../store/database.ts";

type ApprovalRequest = { brandUuid: string; memberUuid: string; note: string; now: number };

export async function insertApprovalRequest(
  trx: HomeTrx,
  row: ApprovalRequest & { uuid: string; confirmed: string[] },
): Promise<void> {
  await trx
    .insertInto("approval_request")
    .values({
      uuid: row.uuid,
      brand_uuid: row.brandUuid,
      member_uuid: row.memberUuid,
      created_at: row.now,
      confirmed: row.confirmed,
      note: row.note,
      refused_at: null,
      refusal: null,
    })
    .execute();
}

/**
 * Whether no grant has answered a request. The audit log tells it, because a revocation deletes the approval, and the
 * request must not wait again then.
 */
const isUngranted = (approval: Approval) => sql<boolean>`not exists (
  select from account_audit
   where account_audit.brand_uuid = approval_request.brand_uuid and account_audit.environment = 'production'
     and account_audit.action = 'approval.granted' and account_audit.subject = ${approval}
     and account_audit.at >= approval_request.created_at)`;

/** A brand's newest request for production. Null also if it was granted. */
export async function findNewestRequest(
  reader: HomeReader,
  brandUuid: string,
): Promise<{ at: number; memberUuid: string; note: string; refusedAt: number | null; refusal: string | null } | null> {
  const row = await reader
    .selectFrom("approval_request")
    .select(["created_at as at", "member_uuid as memberUuid", "note", "refused_at as refusedAt", "refusal"])
    .where("brand_uuid", "=", brandUuid)
    .where(isUngranted("production"))
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  return row ?? null;
}

type OpenRequest = {
  brandUuid: string;
  customerUuid: string;
  name: string;
  customerName: string;
  at: number;
  note: string;
  confirmed: string[];
};

/** Refuses a brand's open requests. Returns whether there was one. `reason`: what the brand reads. */
export async function refuseRequests(
  trx: HomeTrx,
  { brandUuid, reason, now }: { brandUuid: string; reason: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("approval_request")
    .set({ refused_at: now, refusal: reason })
    .where("brand_uuid", "=", brandUuid)
    .where("refused_at", "is", null)
    .where(isUngranted("production"))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Locks a brand's requests that were not refused, so that nobody refuses them meanwhile. Returns whether there is one. */
export async function lockOpenRequest(trx: HomeTrx, brandUuid: string): Promise<boolean> {
  const rows = await trx
    .selectFrom("approval_request")
    .select("uuid")
    .where("brand_uuid", "=", brandUuid)
    .where("refused_at", "is", null)
    .orderBy("uuid")
    .forUpdate()
    .execute();
  return rows.length > 0;
}

/** The unanswered requests of brands that lack an approval in production, oldest first. */
export async function listOpenRequests(reader: HomeReader, approval: Approval): Promise<OpenRequest[]> {
  return await reader
    .selectFrom("approval_request")
    .innerJoin("brand", "brand.uuid", "approval_request.brand_uuid")
    .innerJoin("customer", "customer.uuid", "brand.customer_uuid")
    .select(["brand.uuid as brandUuid", "brand.customer_uuid as customerUuid", "brand.name"])
    .select(["customer.name as customerName", "approval_request.created_at as at"])
    .select(["approval_request.note", "approval_request.confirmed"])
    .leftJoin("brand_approval", (join) =>
      join
        .onRef("brand_approval.brand_uuid", "=", "brand.uuid")
        .on("brand_approval.environment", "=", "production")
        .on("brand_approval.approval", "=", approval),
    )
    .where("brand_approval.approval", "is", null)
    .where("approval_request.refused_at", "is", null)
    .where(isUngranted(approval))
    .orderBy("approval_request.created_at")
    .execute();
}
