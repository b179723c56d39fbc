import { type RawBuilder, sql } from "kysely";
import { ownedBy } from "../account/scope.ts";
import { brandsOf } from "../brand/brand-rows.ts";
import type { Deps } from "../deps.ts";
import { listMails } from "../member/mail-rows.ts";
import type { Phone } from "../ports.ts";
import type { Text } from "../verification/message-rows.ts";

export type SentText = {
  id: string;
  to: string;
  from: string;
  body: string;
  channel: "sms";
  brandUuid: string;
  sentAt: number;
};

export type SentEmail = Omit<SentText, "channel" | "brandUuid"> & { subject: string; channel: "email" };

/** Everything sent to people of a customer's brands, newest first. `withEmails` adds the emails to its own members. */
export async function listMessages(
  deps: Deps,
  { customerUuid, withEmails }: { customerUuid: string; withEmails: boolean },
): Promise<(SentText | SentEmail)[]> {
  const emails = withEmails ? await listEmails(deps, { customerUuid }) : [];
  const all = [...(await listTexts(deps, { customerUuid })), ...emails];
  return all.sort((a, b) => b.sentAt - a.sentAt).slice(0, textsMax);
}

export async function listEmails(deps: Deps, what: { customerUuid: string; to?: string }): Promise<SentEmail[]> {
  const mails = await listMails(deps, what);
  return mails.map((mail) => ({ ...mail, from: deps.sms.from, channel: "email" }));
}

/** Maximum number of listed texts. */
const textsMax = 200;

/**
 * The kept texts of a customer's brands, newest first. Also lists sign-in texts of fixed people and of numbers that no
 * other customer uses; `brandUuid` is then the service's own uuid.
 */
export async function listTexts(deps: Deps, what: { customerUuid: string; to?: Phone }): Promise<SentText[]> {
  const brands = await brandsOf(deps.db, what.customerUuid);
  let query = deps.db
    .selectFrom("message")
    .innerJoin("data_key", "data_key.uuid", "message.data_key_uuid")
    .select([
      "message.uuid",
      "message.brand_uuid",
      "message.sent_at",
      "message.sealed",
      "message.channel",
      "message.data_key_uuid",
      "data_key.wrapped",
    ])
    .where("message.environment", "=", deps.environment)
    .where(({ or, and, eb, fn, val }) =>
      or([
        eb("message.brand_uuid", "=", fn.any(val(brands))),
        and([eb("message.brand_uuid", "is", null), mayRead(deps, what)]),
      ]),
    )
    .where("message.status", "=", "sent");
  if (what.to !== undefined)
    query = query.where("message.to_index", "=", deps.vault.index("phone", deps.environment, what.to));
  const rows = await query
    .orderBy("message.sent_at", "desc")
    .orderBy("message.number", "desc")
    .limit(textsMax)
    .execute();
  return rows.flatMap((row) => {
    if (row.sealed === null || row.wrapped === null || row.sent_at === null) return [];
    const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
    const text = deps.vault.open<Text>(dataKey, { table: "message", row: row.uuid }, row.sealed);
    return [
      {
        id: row.uuid,
        ...text,
        from: deps.sms.from,
        channel: row.channel,
        brandUuid: row.brand_uuid ?? deps.identity.issuerUuid,
        sentAt: row.sent_at,
      },
    ];
  });
}

/** Whether a customer may read a sign-in text. The code opens the number's page, so the page's rule applies. */
function mayRead(deps: Deps, { customerUuid, to }: { customerUuid: string; to?: Phone }): RawBuilder<boolean> {
  if (to !== undefined && deps.phones.isFixed(to)) return sql<boolean>`true`;
  const owner = ownedBy(
    deps,
    sql.ref("message.person_uuid"),
    sql`(select created_at from verification where uuid = message.verification_uuid)`,
  );
  return sql<boolean>`coalesce(${owner}, ${customerUuid}) = ${customerUuid}::uuid`;
}
