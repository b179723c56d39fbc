/** Requests of members that the operator approve a brand for production. */
import type { Approval } from "@countersign/contract/brand";
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
    })
    .execute();
}

/** A brand's newest request. */
export async function findNewestRequest(
  reader: HomeReader,
  brandUuid: string,
): Promise<{ at: number; memberUuid: string; note: string } | null> {
  const row = await reader
    .selectFrom("approval_request")
    .select(["created_at as at", "member_uuid as memberUuid", "note"])
    .where("brand_uuid", "=", brandUuid)
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  return row ?? null;
}

/** The requests of brands that lack an approval in production, oldest first. */
export async function listOpenRequests(
  reader: HomeReader,
  approval: Approval,
): Promise<{ brandUuid: string; name: string; customerName: string; at: number; note: string }[]> {
  return await reader
    .selectFrom("approval_request")
    .innerJoin("brand", "brand.uuid", "approval_request.brand_uuid")
    .innerJoin("customer", "customer.uuid", "brand.customer_uuid")
    .select(["brand.uuid as brandUuid", "brand.name", "customer.name as customerName"])
    .select(["approval_request.created_at as at", "approval_request.note"])
    .leftJoin("brand_approval", (join) =>
      join
        .onRef("brand_approval.brand_uuid", "=", "brand.uuid")
        .on("brand_approval.environment", "=", "production")
        .on("brand_approval.approval", "=", approval),
    )
    .where("brand_approval.approval", "is", null)
    .orderBy("approval_request.created_at")
    .execute();
}
