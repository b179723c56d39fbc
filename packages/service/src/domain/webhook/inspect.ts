/** A brand's webhook deliveries, as its members inspect them on the dashboard. */
import type { DeliveryLine, DeliveryPage } from "@countersign/contract/dashboard-webhooks";
import type { Reader } from "../../store/database.ts";
import type { Alongside } from "../brand/manage.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { listEndpoints } from "./endpoint.ts";
import { attemptsOf } from "./log.ts";
import { addressWithoutQuery } from "./manage.ts";
import { masked } from "./mask.ts";
import { deliveryPlace } from "./publish.ts";

/** Maximum number of deliveries on a page. */
const pageMax = 25;

export type DeliveryFilter = {
  webhook?: string;
  status?: DeliveryLine["status"];
  /** Cursors: the last line of the previous page, or the first line of the next page. */
  older?: string;
  newer?: string;
};
type Which = { brandUuid: string; uuid: string };

/** A page of a brand's deliveries, newest first. Without a cursor, the newest page. */
export async function pageDeliveries(deps: Deps, brandUuid: string, filter: DeliveryFilter): Promise<DeliveryPage> {
  const goesBack = filter.newer !== undefined;
  const cursor = placeOf(filter.newer ?? filter.older);
  let query = selectDeliveries(deps, deps.db, brandUuid);
  if (filter.webhook !== undefined) query = query.where("endpoint_uuid", "=", filter.webhook);
  if (filter.status !== undefined) query = query.where("status", "=", filter.status);
  if (cursor !== null)
    query = query.where((eb) =>
      eb(
        eb.refTuple("webhook_delivery.created_at", "webhook_delivery.uuid"),
        goesBack ? ">" : "<",
        eb.tuple(cursor.at, cursor.uuid),
      ),
    );
  const direction = goesBack ? "asc" : "desc";
  const found = await query
    .orderBy("webhook_delivery.created_at", direction)
    .orderBy("webhook_delivery.uuid", direction)
    .limit(pageMax + 1)
    .execute();
  const page = found.slice(0, pageMax);
  const rows = goesBack ? page.reverse() : page;
  const hasMore = found.length > pageMax;
  const [first] = rows;
  const last = rows.at(-1);
  return {
    data: await linesOf(deps, brandUuid, rows),
    // The page that the reader came from always exists.
    hasOlder: goesBack || hasMore,
    hasNewer: goesBack ? hasMore : cursor !== null,
    cursors: {
      ...(last === undefined ? {} : { older: cursorOf(last) }),
      ...(first === undefined ? {} : { newer: cursorOf(first) }),
    },
  };
}

/** One delivery. Personal data in its body is masked; `masked` is absent if the body was erased. */
export async function viewDelivery(
  deps: Deps,
  { brandUuid, uuid }: Which,
): Promise<{ delivery: DeliveryLine; masked?: string }> {
  const row = await selectDeliveries(deps, deps.db, brandUuid)
    .where("webhook_delivery.uuid", "=", uuid)
    .executeTakeFirst();
  const [delivery] = row === undefined ? [] : await linesOf(deps, brandUuid, [row]);
  if (row === undefined || delivery === undefined) throw refuse(404, "There is no such delivery here.");
  const body = bodyOf(deps, row);
  return { delivery, ...(body === null ? {} : { masked: JSON.stringify(masked(body)) }) };
}

/** The body exactly as it is sent. `alongside` records who reads it, in the same transaction. */
export async function revealDelivery(deps: Deps, { brandUuid, uuid }: Which, alongside: Alongside): Promise<string> {
  return await deps.db.inTransaction(async (trx) => {
    const row = await selectDeliveries(deps, trx, brandUuid)
      .where("webhook_delivery.uuid", "=", uuid)
      .executeTakeFirst();
    if (row === undefined) throw refuse(404, "There is no such delivery here.");
    const body = bodyOf(deps, row);
    if (body === null) throw refuse(409, "What it told is erased already.");
    await alongside(trx);
    return JSON.stringify(body);
  });
}

function selectDeliveries(deps: Deps, reader: Reader, brandUuid: string) {
  return reader
    .selectFrom("webhook_delivery")
    .innerJoin("data_key", "data_key.uuid", "webhook_delivery.data_key_uuid")
    .selectAll("webhook_delivery")
    .select("data_key.wrapped")
    .where("webhook_delivery.brand_uuid", "=", brandUuid)
    .where("webhook_delivery.environment", "=", deps.environment);
}

type DeliveryRow = Awaited<ReturnType<ReturnType<typeof selectDeliveries>["executeTakeFirstOrThrow"]>>;

function bodyOf(deps: Deps, { uuid, sealed, wrapped, data_key_uuid }: DeliveryRow): unknown {
  if (sealed === null || wrapped === null) return null;
  return deps.vault.open<Record<string, unknown>>(
    deps.vault.openDataKey(data_key_uuid, wrapped),
    deliveryPlace(uuid),
    sealed,
  );
}

async function linesOf(deps: Deps, brandUuid: string, rows: readonly DeliveryRow[]): Promise<DeliveryLine[]> {
  const attempts = await attemptsOf(deps, rows);
  const addresses = new Map(
    (await listEndpoints(deps, brandUuid)).map(({ uuid, secrets }) => [uuid, addressWithoutQuery(secrets.url)]),
  );
  return rows.map((row) => {
    const address = row.endpoint_uuid === null ? undefined : addresses.get(row.endpoint_uuid);
    return {
      uuid: row.uuid,
      event: row.event,
      ...(address === undefined || row.endpoint_uuid === null ? {} : { webhook: row.endpoint_uuid, address }),
      ...(row.is_test ? {} : { subject: row.subject_uuid }),
      isTest: row.is_test,
      isErased: row.sealed === null || row.wrapped === null,
      createdAt: row.created_at,
      status: row.status,
      attempts: attempts.get(row.uuid) ?? [],
      ...(row.next_attempt_at === null ? {} : { nextAttemptAt: row.next_attempt_at }),
    };
  });
}

function cursorOf({ created_at, uuid }: DeliveryRow): string {
  return `${created_at}_${uuid}`;
}

function placeOf(cursor: string | undefined): { at: number; uuid: string } | null {
  if (cursor === undefined) return null;
  const [at = "", uuid = ""] = cursor.split("_");
  return { at: Number(at), uuid };
}
