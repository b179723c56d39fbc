/** Reads deliveries for lists and pages. */
import { sql } from "kysely";
import type { Database, Reader } from "../../store/database.ts";
import type { Deps } from "../deps.ts";
import type { DeliveryStatus } from "./delivery-rows.ts";

/** At most `max` deliveries of a webhook, newest first. */
export async function listDeliveriesOf(db: Database, { endpointUuid, max }: { endpointUuid: string; max: number }) {
  return await db
    .selectFrom("webhook_delivery")
    .select(["uuid", "event", "subject_uuid", "status", "next_attempt_at", "created_at"])
    .where("endpoint_uuid", "=", endpointUuid)
    .orderBy("created_at", "desc")
    .limit(max)
    .execute();
}

/** At most `max` deliveries of each webhook, newest first. */
export async function listNewestOfEach(
  db: Database,
  { endpointUuids, max }: { endpointUuids: readonly string[]; max: number },
) {
  const { rows } = await sql<{
    endpoint_uuid: string;
    uuid: string;
    event: string;
    status: DeliveryStatus;
    next_attempt_at: number | null;
  }>`
    select wanted.uuid as endpoint_uuid, newest.uuid, newest.event, newest.status, newest.next_attempt_at
      from unnest(${[...endpointUuids]}::uuid[]) as wanted (uuid)
     cross join lateral (
       select uuid, event, status, next_attempt_at, created_at
         from webhook_delivery
        where endpoint_uuid = wanted.uuid
        order by created_at desc
        limit ${max}) as newest`.execute(db);
  return rows;
}

/** A delivery of a brand. */
export async function findDelivery(
  deps: Deps,
  reader: Reader,
  { brandUuid, uuid }: { brandUuid: string; uuid: string },
) {
  return await deliveriesOf(deps, reader, brandUuid)
    .selectAll("webhook_delivery")
    .select("data_key.wrapped")
    .where("webhook_delivery.uuid", "=", uuid)
    .executeTakeFirst();
}
export type DeliveryRow = NonNullable<Awaited<ReturnType<typeof findDelivery>>>;

/** A delivery in a list. Bodies can have megabytes, so a list does not read them. */
export type ListedDelivery = Pick<
  DeliveryRow,
  | "uuid"
  | "event"
  | "endpoint_uuid"
  | "subject_uuid"
  | "is_test"
  | "status"
  | "next_attempt_at"
  | "created_at"
  | "finished_at"
> & { has_body: boolean };

/** At most `max` deliveries of a brand: newest first, or, after a cursor, oldest first. */
export async function listDeliveriesOfBrand(
  deps: Deps,
  brandUuid: string,
  which: {
    endpointUuid: string | undefined;
    status: DeliveryStatus | undefined;
    /** `test`: the test events, which no other kind includes. */
    event: string | undefined;
    before?: { at: number; uuid: string } | null;
    after?: { at: number; uuid: string } | null;
    max: number;
  },
): Promise<ListedDelivery[]> {
  const { endpointUuid, status, event, before = null, after = null } = which;
  const cursor = after ?? before;
  const direction = after === null ? "desc" : "asc";
  let query = deliveriesOf(deps, deps.db, brandUuid)
    .select(["webhook_delivery.uuid", "event", "endpoint_uuid", "subject_uuid", "is_test", "status", "next_attempt_at"])
    .select(["webhook_delivery.created_at", "finished_at"])
    .select(sql<boolean>`webhook_delivery.sealed is not null and data_key.wrapped is not null`.as("has_body"));
  if (endpointUuid !== undefined) query = query.where("endpoint_uuid", "=", endpointUuid);
  if (status !== undefined) query = query.where("status", "=", status);
  if (event !== undefined) query = query.where("is_test", "=", event === "test");
  if (event !== undefined && event !== "test") query = query.where("event", "=", event);
  if (cursor !== null)
    query = query.where((eb) =>
      eb(
        eb.refTuple("webhook_delivery.created_at", "webhook_delivery.uuid"),
        after === null ? "<" : ">",
        eb.tuple(cursor.at, cursor.uuid),
      ),
    );
  return await query
    .orderBy("webhook_delivery.created_at", direction)
    .orderBy("webhook_delivery.uuid", direction)
    .limit(which.max)
    .execute();
}

function deliveriesOf(deps: Deps, reader: Reader, brandUuid: string) {
  return reader
    .selectFrom("webhook_delivery")
    .innerJoin("data_key", "data_key.uuid", "webhook_delivery.data_key_uuid")
    .where("webhook_delivery.brand_uuid", "=", brandUuid)
    .where("webhook_delivery.environment", "=", deps.environment);
}
