/** Reads webhook deliveries, for a brand's members on the dashboard and for sandbox control. */
import {
  type AttemptMark,
  type DeliveryLine,
  type DeliveryPage,
  marksMax,
} from "@countersign/contract/dashboard-webhooks";
import { maskedAddress } from "@countersign/contract/masked-address";
import type { Delivery } from "@countersign/contract/webhook";
import { type AccountActor, recordChange } from "../audit/account-audit-rows.ts";
import type { Deps, HomeDeps } from "../deps.ts";
import { everyCell, newest } from "../every-cell.ts";
import { refuse } from "../failure.ts";
import { listAttempts, openAnswers } from "./attempt-rows.ts";
import {
  type DeliveryRow,
  findDelivery,
  type ListedDelivery,
  listDeliveriesOf,
  listDeliveriesOfBrand,
  listNewestOfEach,
} from "./delivery-list-rows.ts";
import { hasExpired, openBody, openBodyText } from "./delivery-rows.ts";
import { listEndpoints } from "./endpoint-rows.ts";
import { healthLookupEvent } from "./publish.ts";

/** Maximum number of deliveries on a page, and in the list of one webhook. */
const pageMax = 25;
const listedMax = 200;

export type DeliveryFilter = {
  webhook?: string;
  status?: DeliveryLine["status"];
  /** The kind of the event, or `test` for test events. */
  event?: string;
  /** Cursors: the last line of the previous list page, or the first line of the next one. */
  older?: string;
  newer?: string;
};
export type Revealed = { body: string; answers: { at: number; text: string }[] };
/** What a delivery is about. A test event has no subject. */
export type DeliverySubject = Pick<DeliveryRow, "event" | "subject_uuid" | "is_test">;
type Which = { brandUuid: string; uuid: string };

/** A list page of a brand's deliveries, newest first. Without a cursor, the newest ones. */
export async function pageDeliveries(
  homeDeps: HomeDeps,
  brandUuid: string,
  filter: DeliveryFilter,
): Promise<DeliveryPage> {
  const goesBack = filter.newer !== undefined;
  const cursor = cursorFrom(filter.newer ?? filter.older);
  const asked = {
    endpointUuid: filter.webhook,
    status: filter.status,
    event: filter.event,
    ...(goesBack ? { after: cursor } : { before: cursor }),
    max: pageMax + 1,
  };
  const lists = await everyCell(homeDeps, async (deps) =>
    (await listDeliveriesOfBrand(deps, brandUuid, asked)).map((row) => ({ deps, row })),
  );
  const inOrder = lists.flat().sort(({ row: a }, { row: b }) => compareRows(b, a));
  const found = goesBack ? inOrder.reverse() : inOrder;
  const page = found.slice(0, pageMax);
  const rows = goesBack ? page.reverse() : page;
  const hasMore = found.length > pageMax;
  const first = rows[0]?.row;
  const last = rows.at(-1)?.row;
  return {
    data: await linesIn(brandUuid, rows),
    // The page that the reader came from always exists.
    hasOlder: goesBack || hasMore,
    hasNewer: goesBack ? hasMore : cursor !== null,
    cursors: {
      ...(last === undefined ? {} : { older: cursorOf(last) }),
      ...(first === undefined ? {} : { newer: cursorOf(first) }),
    },
  };
}

/**
 * One delivery, with personal data in its body masked. A test event has none. `masked` is absent if the body was
 * erased.
 */
export async function viewDelivery(
  deps: Deps,
  { brandUuid, uuid }: Which,
): Promise<{ delivery: DeliveryLine; masked?: string }> {
  const row = await findDelivery(deps, deps.db, { brandUuid, uuid });
  if (row === undefined) throw refuse(404, "No such delivery.");
  const body = hasExpired(deps, row) ? null : openBody(deps, row);
  const [delivery] = await linesOf(deps, brandUuid, [{ ...row, has_body: body !== null }]);
  if (delivery === undefined) throw refuse(404, "No such delivery.");
  return { delivery, ...(body === null ? {} : { masked: JSON.stringify(delivery.isTest ? body : masked(body)) }) };
}

/**
 * The body exactly as it is sent, and the texts of the answers. The audit entries are written first; `record` writes
 * that of the person, whom this module does not know.
 */
export async function revealDelivery(
  deps: Deps,
  { brandUuid, uuid }: Which,
  { by, record }: { by?: AccountActor; record(subject: DeliverySubject): Promise<void> },
): Promise<Revealed> {
  const find = async () => {
    const row = await findDelivery(deps, deps.db, { brandUuid, uuid });
    if (row === undefined) throw refuse(404, "No such delivery.");
    const body = hasExpired(deps, row) ? null : openBodyText(deps, row);
    if (body === null) throw refuse(409, "The body has already been erased.");
    return { row, body };
  };
  await record((await find()).row);
  await recordAction(deps, by, { action: "delivery.revealed", brandUuid, uuid });
  // Read again, because the person may have stopped sharing meanwhile.
  const { row, body } = await find();
  const key = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  return { body, answers: await openAnswers(deps, deps.db, { deliveryUuid: row.uuid, key }) };
}

/** Records what was done with a delivery, by its uuid. */
export async function recordAction(
  deps: Deps,
  by: AccountActor | undefined,
  { action, brandUuid, uuid }: Which & { action: "delivery.revealed" | "delivery.replayed" },
): Promise<void> {
  const entry = { action, brandUuid, environment: deps.environment, subject: uuid.toLowerCase() };
  await deps.home.inTransaction((trx) => recordChange(deps, trx, by, entry));
}

/** The deliveries of a webhook, newest first, with every attempt. */
export async function listDeliveries(deps: HomeDeps, endpointUuid: string): Promise<Delivery[]> {
  const lists = await everyCell(deps, async ({ db }) => {
    const rows = await listDeliveriesOf(db, { endpointUuid, max: listedMax });
    const attempts = await listAttempts(db, rows);
    return rows.map((row) => ({ at: row.created_at, entity: entityOf(row, attempts.get(row.uuid) ?? []) }));
  });
  return newest(lists, ({ at }) => at, listedMax).map(({ entity }) => entity);
}

/** One delivery in the sandbox, with the answers' texts, which are not personal data there. */
export async function readDelivery(deps: Deps, which: Which): Promise<Delivery> {
  const row = await findDelivery(deps, deps.db, which);
  if (row === undefined) throw refuse(404, "No such delivery.");
  const attempts = (await listAttempts(deps.db, [row])).get(row.uuid) ?? [];
  const key = row.wrapped === null ? null : deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  const answers = key === null ? [] : await openAnswers(deps, deps.db, { deliveryUuid: row.uuid, key });
  const texts = new Map(answers.map(({ at, text }) => [at, text]));
  return entityOf(
    row,
    attempts.map((attempt) => {
      const answer = texts.get(attempt.at);
      return answer === undefined ? attempt : { ...attempt, answer };
    }),
  );
}

/** The last attempts of each webhook, oldest first, with what waits for its next attempt. */
export async function listLastAttempts(
  deps: HomeDeps,
  endpointUuids: readonly string[],
): Promise<{ webhook: string; attempts: AttemptMark[] }[]> {
  const lists = await everyCell(deps, async ({ db }) => {
    const rows = await listNewestOfEach(db, { endpointUuids, max: marksMax });
    const attempts = await listAttempts(db, rows);
    return rows.flatMap((row) =>
      marksOf(row, attempts.get(row.uuid) ?? []).map((mark) => ({ webhook: row.endpoint_uuid, mark })),
    );
  });
  const byWebhook = Map.groupBy(lists.flat(), ({ webhook }) => webhook);
  return endpointUuids.map((webhook) => ({
    webhook,
    attempts: (byWebhook.get(webhook) ?? [])
      .map(({ mark }) => mark)
      .sort((a, b) => a.at - b.at)
      .slice(-marksMax),
  }));
}

type Marked = Pick<DeliveryRow, "uuid" | "event" | "status" | "next_attempt_at">;
function marksOf({ uuid, event, status, next_attempt_at: due }: Marked, attempts: Delivery["attempts"]): AttemptMark[] {
  const of = { delivery: uuid, event };
  const made = attempts.map(({ at, httpStatus = 0, error }): AttemptMark => {
    if (httpStatus >= 200 && httpStatus < 300) return { ...of, at, result: "delivered" };
    return { ...of, at, result: "failed", answer: error ?? String(httpStatus) };
  });
  return status === "pending" && due !== null ? [...made, { ...of, at: due, result: "waiting" }] : made;
}

type Listed = Pick<DeliveryRow, "uuid" | "event" | "subject_uuid" | "status" | "next_attempt_at">;
function entityOf(row: Listed, attempts: Delivery["attempts"]): Delivery {
  return {
    uuid: row.uuid,
    event: row.event,
    ...(row.event === healthLookupEvent ? { healthDataUuid: row.subject_uuid } : { identityUuid: row.subject_uuid }),
    status: row.status,
    attempts,
    ...(row.next_attempt_at === null ? {} : { nextAttemptAt: row.next_attempt_at }),
  };
}

async function linesOf(deps: Deps, brandUuid: string, rows: readonly ListedDelivery[]): Promise<DeliveryLine[]> {
  const attempts = await listAttempts(deps.db, rows);
  const addresses = new Map(
    (await listEndpoints(deps, brandUuid)).map(({ uuid, secrets }) => [uuid, maskedAddress(secrets.url)]),
  );
  return rows.map((row) => {
    const address = row.endpoint_uuid === null ? undefined : addresses.get(row.endpoint_uuid);
    return {
      uuid: row.uuid,
      event: row.event,
      ...(address === undefined || row.endpoint_uuid === null ? {} : { webhook: row.endpoint_uuid, address }),
      ...(row.is_test ? {} : { subject: row.subject_uuid }),
      isTest: row.is_test,
      isErased: !row.has_body || hasExpired(deps, row),
      createdAt: row.created_at,
      status: row.status,
      attempts: attempts.get(row.uuid) ?? [],
      ...(row.next_attempt_at === null ? {} : { nextAttemptAt: row.next_attempt_at }),
    };
  });
}

/** The lines of rows from several cells, in the same order. */
async function linesIn(
  brandUuid: string,
  rows: readonly { deps: Deps; row: ListedDelivery }[],
): Promise<DeliveryLine[]> {
  const lines = new Map<string, DeliveryLine>();
  for (const cell of new Set(rows.map(({ deps }) => deps))) {
    const own = rows.filter(({ deps }) => deps === cell).map(({ row }) => row);
    for (const line of await linesOf(cell, brandUuid, own)) lines.set(line.uuid, line);
  }
  return rows.flatMap(({ row }) => lines.get(row.uuid) ?? []);
}

/** Compares as the database sorts: by time, then by uuid. */
function compareRows(a: ListedDelivery, b: ListedDelivery): number {
  return a.created_at - b.created_at || (a.uuid < b.uuid ? -1 : 1);
}

function cursorOf({ created_at, uuid }: ListedDelivery): string {
  return `${created_at}_${uuid}`;
}

function cursorFrom(cursor: string | undefined): { at: number; uuid: string } | null {
  if (cursor === undefined) return null;
  const [at = "", uuid = ""] = cursor.split("_");
  return { at: Number(at), uuid };
}

/** Which parts of a webhook body can be read without an audit entry. */

/** Members of the envelope. Everything else, such as the insurer and the coverage, says something about the person. */
const unmasked = new Set([
  "event",
  "type",
  "test",
  "healthDataUuid",
  "identityUuid",
  "reason",
  "sentAt",
  "timestamp",
  "status",
  "data.uuid",
]);
const mask = "•••";

/** A copy in which every value that may be personal data is masked. `path`: the path of `body` in the whole body. */
export function masked(body: unknown, path = ""): unknown {
  const below = (key: string) => (path === "" ? key : `${path}.${key}`);
  if (Array.isArray(body)) return body.map((one) => masked(one, below("*")));
  if (typeof body === "object" && body !== null)
    return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, masked(value, below(key))]));
  return unmasked.has(path) ? body : mask;
}
