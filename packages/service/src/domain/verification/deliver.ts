import type { SmsFormat } from "@countersign/contract/verification";
import { type Selectable, sql, type Updateable } from "kysely";
import type { Trx } from "../../store/database.ts";
import { enqueue } from "../../store/queue.ts";
import type { Tables } from "../../store/tables.ts";
import type { DataKey } from "../../store/vault.ts";
import { allowedTarget } from "../brand/redirect.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail, invalid } from "../failure.ts";
import { type CodeStyle, codeAttemptsMax, makeCode } from "../one-time-code.ts";
import type { Phone } from "../ports.ts";
import { countText } from "./caps.ts";
import { noTexts } from "./channels.ts";
import { makeLink } from "./link.ts";
import { attemptsData, deliveriesMax, statusAt } from "./states.ts";
import { refuseStopped } from "./stop.ts";
import { findVerification, sealVerification, type Verification } from "./store.ts";
import { verificationText } from "./text.ts";

export type Text = { to: string; body: string };
export type Delivery = {
  uuid: string;
  format?: SmsFormat;
  redirectUrl?: string;
  redirectUserAfter?: "phoneVerification" | "infoConfirmation";
};

/** Texts a fresh code or link; those of the text before are dead from that moment. The text itself is sent by a job. */
export async function deliverText(deps: Deps, caller: Caller, what: Delivery): Promise<Verification> {
  const { settings } = caller.brand;
  if (
    what.redirectUrl !== undefined &&
    allowedTarget(settings, what.redirectUrl, { loopback: deps.loopbackRedirects }) === null
  ) {
    throw invalid([
      {
        path: "body.redirectUrl",
        message: "is not allowed by the brand's settings redirectUrl and allowedRedirectUrls",
      },
    ]);
  }
  const before = await findVerification(deps, deps.db, caller, what.uuid);
  const { phone } = before.secrets;
  if (phone === undefined || before.row.channel !== "sms") throw fail("OCV003", attemptsData(before.row));
  const { uuid } = before.row;
  const { sent, after } = await deps.db.transaction().execute(async (trx) => {
    const prepared = await prepareText(deps, trx, caller, { ...what, uuid, phone, before });
    if (prepared === null) return { sent: false, after: await findVerification(deps, trx, caller, uuid) };
    await queueText(deps, trx, caller.brand.uuid, prepared);
    // As it is here, because the text may leave as soon as this is committed.
    return { sent: true, after: { ...before, row: prepared.row } };
  });
  if (!sent) throw refusal(deps, after);
  deps.wakeJobs();
  return after;
}

/** A text that was counted as a delivery, and for whom. */
export type PreparedText = {
  row: Counted;
  dataKey: DataKey;
  phone: Phone;
  body: string;
};
type Preparing = Delivery & {
  phone: Phone;
  before: Verification;
  style?: CodeStyle;
  /** Where the code is typed, if that is known: a host of ours, and that of the page around it. */
  field?: { host: string; within?: string };
};

/** Counts the delivery and makes its code, link and words; null when no delivery is left. */
export async function prepareText(deps: Deps, trx: Trx, caller: Caller, what: Preparing): Promise<PreparedText | null> {
  const { phone, before } = what;
  const format = what.format ?? "code";
  const { code, hash } = makeCode(deps, what.uuid, phone);
  const link = makeLink(deps);
  const { dataKey } = before;
  const secrets = { ...before.secrets, ...(what.redirectUrl === undefined ? {} : { redirectUrl: what.redirectUrl }) };
  const row = await countDelivery(deps, trx, what.uuid, {
    format,
    code_hmac: hash,
    link_hash: format === "code" ? null : link.hash,
    redirect_user_after: what.redirectUserAfter ?? caller.brand.settings.redirectUserAfter,
    sealed: sealVerification(deps, dataKey, what.uuid, secrets),
  });
  if (row === null) return null;
  const parts = { code, link: `${deps.addresses.walletUrl}/v/${link.id}`, style: what.style ?? "plain", ...what.field };
  const body = verificationText(caller.brand, format, parts);
  return { row, dataKey, phone, body };
}

type Delivered = Pick<
  Updateable<Tables["verification"]>,
  "code_hmac" | "format" | "link_hash" | "redirect_user_after" | "sealed"
>;

type Counted = Selectable<Tables["verification"]>;

/** Counts a delivery and puts its code in the place of the one before; null when none is left. */
export async function countDelivery(deps: Deps, trx: Trx, uuid: string, delivered: Delivered): Promise<Counted | null> {
  const row = await trx
    .updateTable("verification")
    .set({ ...delivered, deliveries: sql<number>`deliveries + 1`, status: "sending", delivered_at: null })
    .where("uuid", "=", uuid)
    .where("status", "in", ["pending", "sending", "delivered"])
    .where("attempts_used", "<", codeAttemptsMax)
    .where("expires_at", ">", deps.clock.now())
    .where("deliveries", "<", deliveriesMax)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Queues a prepared text for the sender, in the place of one that has not left yet: its code is dead. */
export async function queueText(deps: Deps, trx: Trx, brandUuid: string | null, prepared: PreparedText): Promise<void> {
  const { row, dataKey, phone, body } = prepared;
  if (!deps.offers.texts) throw noTexts();
  await refuseStopped(deps, trx, phone);
  const now = deps.clock.now();
  const messageUuid = deps.random.uuid();
  const text: Text = { to: phone, body };
  const toIndex = deps.vault.index("phone", deps.environment, phone);
  if (row.deliveries > 1)
    await trx
      .updateTable("message")
      .set({ status: "failed", sealed: null })
      .where("environment", "=", deps.environment)
      .where("to_index", "=", toIndex)
      .where("verification_uuid", "=", row.uuid)
      .where("status", "=", "queued")
      .execute();
  await trx
    .insertInto("message")
    .values({
      uuid: messageUuid,
      environment: deps.environment,
      brand_uuid: brandUuid,
      person_uuid: row.person_uuid,
      verification_uuid: row.uuid,
      data_key_uuid: dataKey.uuid,
      channel: "sms",
      to_index: toIndex,
      status: "queued",
      sealed: deps.vault.seal(dataKey, { table: "message", row: messageUuid }, text),
      created_at: now,
    })
    .execute();
  await enqueue(trx, {
    environment: deps.environment,
    name: "verification.sendText",
    subject: messageUuid,
    dueAt: now,
    payload: { messageUuid },
  });
  // Last: whoever counts holds counters that others need, until all this is committed or was for nothing.
  await countText(deps, trx, { phone, brandUuid });
}

/** Why nothing was sent. A verification that has ended is refused as such, however often it was delivered. */
function refusal(deps: Deps, { row }: Verification): Error {
  const status = statusAt(row, deps.clock.now());
  const open = status === "pending" || status === "sending" || status === "delivered";
  return open ? fail("OCV004", attemptsData(row)) : fail("OCV003", attemptsData(row));
}
