import type { Trx } from "../../store/database.ts";

/** The ids of requests about a person, or about one of their 1-Clicks, since an instant. */
export async function listRequestIds(
  trx: Trx,
  { personUuid, oneClickUuid, since }: { personUuid: string; oneClickUuid?: string; since: number },
): Promise<string[]> {
  const rows = await trx
    .selectFrom("audit")
    .select("request_id")
    .distinct()
    .where("person_uuid", "=", personUuid)
    .where("at", ">", since)
    .$if(oneClickUuid !== undefined, (query) => query.where("one_click_uuid", "=", oneClickUuid ?? ""))
    .execute();
  return rows.flatMap(({ request_id }) => (request_id === null ? [] : [request_id]));
}

/** The verifications and 1-Clicks of a person. */
export async function listSubjects(trx: Trx, personUuid: string): Promise<string[]> {
  const rows = await trx
    .selectFrom("verification")
    .select("uuid")
    .where("person_uuid", "=", personUuid)
    .unionAll(trx.selectFrom("one_click").select("uuid").where("person_uuid", "=", personUuid))
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Whether the request changed anything. */
export async function wasAudited(trx: Trx, requestId: string): Promise<boolean> {
  const done = await trx.selectFrom("audit").select("id").where("request_id", "=", requestId).limit(1).execute();
  return done.length > 0;
}

/** The 1-Click that a request released. Null if it released none. */
export async function releasedBy(
  reader: Trx | import("../../store/database.ts").Database,
  requestId: string,
): Promise<string | null> {
  const row = await reader
    .selectFrom("audit")
    .select("one_click_uuid")
    .where("request_id", "=", requestId)
    .where("action", "=", "oneClick.released")
    .executeTakeFirst();
  return row?.one_click_uuid ?? null;
}
