import type { SmsFormat } from "@countersign/contract/verification";
import { sql } from "kysely";
import { enqueue } from "../../store/queue.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail, invalid } from "../failure.ts";
import { codeAttemptsMax, makeCode } from "../one-time-code.ts";
import { attemptsData, deliveriesMax, statusAt } from "./states.ts";
import { findVerification, type Verification } from "./store.ts";
import { codeText } from "./text.ts";

export type Text = { to: string; body: string };

/** Texts a fresh code; the one before is dead from that moment. The text itself is sent by a job. */
export async function deliverCode(
  deps: Deps,
  caller: Caller,
  what: { uuid: string; format: SmsFormat },
): Promise<Verification> {
  if (what.format !== "code")
    throw invalid([{ path: "body.format", message: "must be code; links are not offered yet" }]);
  const before = await findVerification(deps, deps.db, caller, what.uuid);
  const { phone } = before.secrets;
  const now = deps.clock.now();
  const { code, hash } = makeCode(deps, what.uuid, phone);
  const messageUuid = deps.random.uuid();

  const sent = await deps.db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable("verification")
      .set({
        deliveries: sql<number>`deliveries + 1`,
        status: "sending",
        format: what.format,
        code_hmac: hash,
        delivered_at: null,
      })
      .where("uuid", "=", what.uuid)
      .where("status", "in", ["pending", "sending", "delivered"])
      .where("attempts_used", "<", codeAttemptsMax)
      .where("expires_at", ">", now)
      .where("deliveries", "<", deliveriesMax)
      .returning(["person_uuid", "data_key_uuid"])
      .executeTakeFirst();
    if (row === undefined) return false;
    const dataKey = await deps.vault.readDataKey(trx, row.data_key_uuid);
    const text: Text = { to: phone, body: codeText(caller.brand, code) };
    await trx
      .insertInto("message")
      .values({
        uuid: messageUuid,
        environment: deps.environment,
        brand_uuid: caller.brand.uuid,
        person_uuid: row.person_uuid,
        verification_uuid: what.uuid,
        data_key_uuid: dataKey.uuid,
        channel: "sms",
        to_index: deps.vault.index("phone", deps.environment, phone),
        status: "queued",
        sealed: deps.vault.seal(dataKey, { table: "message", row: messageUuid }, text),
        created_at: now,
        sent_at: null,
      })
      .execute();
    await enqueue(trx, {
      environment: deps.environment,
      name: "verification.sendText",
      subject: messageUuid,
      dueAt: now,
      payload: { messageUuid },
    });
    return true;
  });
  const after = await findVerification(deps, deps.db, caller, what.uuid);
  if (!sent) throw refusal(deps, after);
  deps.wakeJobs();
  return after;
}

/** Why nothing was sent. A verification that has ended is refused as such, however often it was delivered. */
function refusal(deps: Deps, { row }: Verification): Error {
  const status = statusAt(row, deps.clock.now());
  const open = status === "pending" || status === "sending" || status === "delivered";
  return open ? fail("OCV004", attemptsData(row)) : fail("OCV003", attemptsData(row));
}
