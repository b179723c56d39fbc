/** The rows of texts: the counted delivery, and the queued message with its job. */
import { sql } from "kysely";
import type { Trx } from "../../store/database.ts";
import { jobColumnsOf, jobRow, type NewJob, upsertJobs } from "../../store/queue.ts";
import {
  type ColumnPlaceholders,
  type Columns,
  type ColumnTypes,
  columnsOf,
  namesOf,
  recordsOf,
} from "../../store/rows.ts";
import { type Placeholders, statement } from "../../store/statement.ts";
import type { DataKey } from "../../store/vault.ts";
import type { Deps } from "../deps.ts";
import { codeAttemptsMax } from "../one-time-code.ts";
import type { Phone } from "../ports.ts";
import { heldVerifications, verificationColumns } from "../verification-rows.ts";
import { deliveriesMax } from "./states.ts";
import { isWelcome, unwelcome } from "./stop.ts";
import type { Verification } from "./store.ts";

export type Text = { to: string; body: string };
/** A text that was counted as a delivery, and its recipient. `brandUuid`: null for the service's own texts. */
export type PreparedText = {
  /** The id of the text, if the caller chose one. It prevents queueing the same text twice. */
  uuid?: string;
  row: Verification["row"];
  brandUuid: string | null;
  dataKey: DataKey;
  phone: Phone;
  body: string;
};

/** What a delivery changes in a verification. `code_hmac` and `sealed`: null if they stay unchanged. */
export type Delivered = {
  uuid: string;
  format: Verification["row"]["format"];
  code_hmac: Buffer | null;
  link_hash: Buffer | null;
  redirect_user_after: Verification["row"]["redirect_user_after"];
  sealed: Buffer | null;
};
const deliveredTypes: ColumnTypes<Delivered> = {
  uuid: "uuid",
  format: "text",
  code_hmac: "bytea",
  link_hash: "bytea",
  redirect_user_after: "text",
  sealed: "bytea",
};

/**
 * Counts deliveries of distinct verifications and replaces their codes. Null for a verification that has no delivery
 * left.
 */
export async function countDeliveries(
  deps: Deps,
  trx: Trx,
  all: readonly Delivered[],
): Promise<(PreparedText["row"] | null)[]> {
  const { rows } = await countStatement(trx, { ...columnsOf("delivered", deliveredTypes, all), now: deps.clock.now() });
  return all.map(({ uuid }) => rows.find((row) => row.uuid === uuid) ?? null);
}

const countStatement = statement((db, columns: Placeholders<Columns & { now: number }>) =>
  heldVerifications(db, columns["delivered.uuid"])
    .updateTable("verification")
    .from("held")
    .from(sql<Delivered>`(${recordsOf("delivered", deliveredTypes, columns)})`.as("text"))
    .set((eb) => ({
      format: eb.ref("text.format"),
      code_hmac: sql<Buffer>`coalesce("text".code_hmac, verification.code_hmac)`,
      link_hash: eb.ref("text.link_hash"),
      redirect_user_after: eb.ref("text.redirect_user_after"),
      sealed: sql<Buffer>`coalesce("text".sealed, verification.sealed)`,
      deliveries: eb("verification.deliveries", "+", 1),
      status: "sending",
      delivered_at: null,
    }))
    .whereRef("verification.uuid", "=", "held.uuid")
    .whereRef("verification.uuid", "=", "text.uuid")
    .where("status", "in", ["pending", "sending", "delivered"])
    .where("attempts_used", "<", codeAttemptsMax)
    .where("expires_at", ">", columns.now)
    .where("deliveries", "<", deliveriesMax)
    .returning(verificationColumns),
);

/**
 * Replaces the code of a verification with the texted one, and sets its person. False if the verification has ended.
 */
export async function putCode(
  deps: Deps,
  trx: Trx,
  what: { uuid: string; personUuid: string; hash: Buffer },
): Promise<boolean> {
  const put = await trx
    .updateTable("verification")
    .set({ code_hmac: what.hash, person_uuid: what.personUuid })
    .where("uuid", "=", what.uuid)
    .where("status", "in", ["pending", "sending", "delivered"])
    .where("attempts_used", "<", codeAttemptsMax)
    .where("expires_at", ">", deps.clock.now())
    .executeTakeFirst();
  return put.numUpdatedRows > 0n;
}

/**
 * Queues texts for the sender. They replace unsent texts of the same verification, whose codes no longer work. Throws,
 * and queues nothing, if one of the phones has opted out.
 */
export async function insertMessages(deps: Deps, trx: Trx, all: readonly PreparedText[]): Promise<void> {
  const again = all.filter(({ row }) => row.deliveries > 1).map(({ row }) => row.uuid);
  if (again.length > 0) await supersedeStatement(trx, { again, keeps: deps.sms.keepsTexts });
  const messages = all.map((one) => messageOf(deps, one));
  const { rows } = await insertStatement(trx, {
    ...columnsOf("message", messageTypes, messages),
    ...jobColumnsOf(messages.map((one) => jobRow(sending(deps, one)))),
  });
  if (rows.length < messages.length) throw unwelcome();
}

/** A text that is with the gateway right now still gets the gateway's result. */
const supersedeStatement = statement(
  (db, { again, keeps }: Placeholders<{ again: readonly string[]; keeps: boolean }>) =>
    db
      .updateTable("message")
      .set({ status: "superseded", sealed: sql<Buffer | null>`case when ${keeps}::boolean then sealed end` })
      .where(({ eb, fn }) => eb("verification_uuid", "=", fn.any(again)))
      .where("status", "=", "queued"),
);

type Message = ReturnType<typeof messageOf>;

function messageOf(deps: Deps, { uuid = deps.random.uuid(), row, brandUuid, dataKey, phone, body }: PreparedText) {
  const text: Text = { to: phone, body };
  return {
    uuid,
    environment: deps.environment,
    brand_uuid: brandUuid,
    person_uuid: row.person_uuid,
    verification_uuid: row.uuid,
    data_key_uuid: dataKey.uuid,
    channel: "sms" as const,
    to_index: deps.vault.index("phone", deps.environment, phone),
    status: "queued" as const,
    sealed: deps.vault.seal(dataKey, { table: "message", row: uuid }, text),
    created_at: deps.clock.now(),
  };
}

function sending({ environment }: Deps, { uuid, created_at }: Message): NewJob {
  const payload = { messageUuid: uuid };
  return { environment, name: "verification.sendText", subject: uuid, dueAt: created_at, payload };
}

const messageTypes: ColumnTypes<Message> = {
  uuid: "uuid",
  environment: "text",
  brand_uuid: "uuid",
  person_uuid: "uuid",
  verification_uuid: "uuid",
  data_key_uuid: "uuid",
  channel: "text",
  to_index: "bytea",
  status: "text",
  sealed: "bytea",
  created_at: "bigint",
};
const insertStatement = statement((db, columns: ColumnPlaceholders) =>
  db
    .with("queued", (cte) => upsertJobs(cte, columns))
    .insertInto("message")
    .columns(namesOf(messageTypes))
    .expression(recordsOf("message", messageTypes, columns, isWelcome))
    .returning("uuid"),
);
