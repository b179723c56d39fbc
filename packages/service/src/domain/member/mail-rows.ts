/** Emails to members that an outbox keeps, sealed under the member's key. */
import { sql } from "kysely";
import type { Home, HomeReader, HomeTrx } from "../../store/database.ts";
import { deleteInBatches } from "../../store/statements/deletes.ts";
import { insertRows } from "../../store/statements/rows.ts";
import type { DataKey } from "../../store/vault.ts";
import type { AccountDeps } from "../deps.ts";
import type { Mail } from "../ports.ts";

export type SentMail = Mail & { id: string; sentAt: number };

const listedMax = 200;
const place = (uuid: string) => ({ table: "mail", row: uuid });

export async function insertMail(
  { vault }: AccountDeps,
  trx: HomeTrx,
  row: { uuid: string; customerUuid: string; memberUuid: string; dataKey: DataKey; mail: Mail; now: number },
): Promise<void> {
  await insertRows(trx, "mail", [
    {
      uuid: row.uuid,
      customer_uuid: row.customerUuid,
      member_uuid: row.memberUuid,
      data_key_uuid: row.dataKey.uuid,
      sealed: vault.seal(row.dataKey, place(row.uuid), row.mail),
      sent_at: row.now,
    },
  ]);
}

/** The kept emails to a customer's members, newest first. */
export async function listMails(
  { home, vault }: { home: HomeReader } & Pick<AccountDeps, "vault">,
  input: { customerUuid: string; to?: string },
): Promise<SentMail[]> {
  const rows = await home
    .selectFrom("mail")
    .innerJoin("data_key", "data_key.uuid", "mail.data_key_uuid")
    .select(["mail.uuid", "mail.sealed", "mail.sent_at", "mail.data_key_uuid", "data_key.wrapped"])
    .where("mail.customer_uuid", "=", input.customerUuid)
    .orderBy("mail.number", "desc")
    .limit(listedMax)
    .execute();
  return rows.flatMap((row) => {
    if (row.wrapped === null) return [];
    const dataKey = vault.openDataKey(row.data_key_uuid, row.wrapped);
    const mail = vault.open<Mail>(dataKey, place(row.uuid), row.sealed);
    return input.to === undefined || mail.to === input.to ? [{ id: row.uuid, ...mail, sentAt: row.sent_at }] : [];
  });
}

export async function deleteMailsTo(trx: HomeTrx, memberUuid: string): Promise<void> {
  await trx.deleteFrom("mail").where("member_uuid", "=", memberUuid).execute();
}

/** Deletes a customer's emails that were sent before an instant. */
export async function deleteMailsBefore(trx: HomeTrx, customerUuid: string, sentBefore: number): Promise<void> {
  await trx.deleteFrom("mail").where("customer_uuid", "=", customerUuid).where("sent_at", "<", sentBefore).execute();
}

export async function sweepMails(home: Home, sentBefore: number): Promise<number> {
  return await deleteInBatches(home, "mail", sql`sent_at < ${sentBefore}`);
}
