import type { Trx } from "../../store/database.ts";
import type { Mail } from "../ports.ts";
import type { AccountDeps } from "./deps.ts";
import type { Member } from "./member.ts";

const deadlineMs = 10_000;
/** How long an outbox keeps sent emails, in milliseconds. */
export const mailKeptMs = 24 * 60 * 60_000;
const listedMax = 200;

/** An email that is sent after its transaction commits. */
export type Written = { id: string; mail: Mail };

/** Writes an email to a member in the caller's transaction. `post` sends it after the commit. */
export async function write(deps: AccountDeps, trx: Trx, member: Member, text: Omit<Mail, "to">): Promise<Written> {
  const id = deps.random.uuid();
  const mail = { ...text, to: member.email };
  if (!deps.mail.keepsMails) return { id, mail };
  const now = deps.clock.now();
  await trx
    .deleteFrom("mail")
    .where("customer_uuid", "=", member.customerUuid)
    .where("sent_at", "<", now - mailKeptMs)
    .execute();
  const { data_key_uuid } = await trx
    .selectFrom("member")
    .select("data_key_uuid")
    .where("uuid", "=", member.uuid)
    .executeTakeFirstOrThrow();
  const dataKey = await deps.vault.readDataKey(trx, data_key_uuid);
  await trx
    .insertInto("mail")
    .values({
      uuid: id,
      customer_uuid: member.customerUuid,
      member_uuid: member.uuid,
      data_key_uuid,
      sealed: deps.vault.seal(dataKey, { table: "mail", row: id }, mail),
      sent_at: now,
    })
    .execute();
  return { id, mail };
}

export async function post(deps: AccountDeps, { id, mail }: Written): Promise<void> {
  await deps.mail.send({ id, ...mail, deadlineMs });
}

export type SentMail = Mail & { id: string; sentAt: number };

/** The emails sent to a customer's members that are still kept, newest first. */
export async function listMails(
  deps: Pick<AccountDeps, "db" | "vault">,
  what: { customerUuid: string; to?: string },
): Promise<SentMail[]> {
  const rows = await deps.db
    .selectFrom("mail")
    .innerJoin("data_key", "data_key.uuid", "mail.data_key_uuid")
    .select(["mail.uuid", "mail.sealed", "mail.sent_at", "mail.data_key_uuid", "data_key.wrapped"])
    .where("mail.customer_uuid", "=", what.customerUuid)
    .orderBy("mail.number", "desc")
    .limit(listedMax)
    .execute();
  return rows.flatMap((row) => {
    if (row.wrapped === null) return [];
    const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
    const mail = deps.vault.open<Mail>(dataKey, { table: "mail", row: row.uuid }, row.sealed);
    return what.to === undefined || mail.to === what.to ? [{ id: row.uuid, ...mail, sentAt: row.sent_at }] : [];
  });
}
