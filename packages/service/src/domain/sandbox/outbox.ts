import { brandUuidsOf } from "../brand/brand-rows.ts";
import type { HomeDeps } from "../deps.ts";
import { everyCell, newest } from "../every-cell.ts";
import { listMails } from "../member/mail-rows.ts";
import type { Phone } from "../ports.ts";
import { listSentTexts } from "../verification/texts/message-rows.ts";

export type OutboxText = {
  id: string;
  to: string;
  from: string;
  body: string;
  channel: "sms";
  brandUuid: string;
  /** What the text is about. Null for a sign-in, which is not of a brand. */
  verificationUuid: string | null;
  sentAt: number;
};

export type SentEmail = Omit<OutboxText, "channel" | "brandUuid" | "verificationUuid"> & {
  subject: string;
  channel: "email";
};

/** Everything sent to people of a customer's brands, newest first. `withEmails` adds the emails to its own members. */
export async function listMessages(
  deps: HomeDeps,
  { customerUuid, withEmails }: { customerUuid: string; withEmails: boolean },
): Promise<(OutboxText | SentEmail)[]> {
  const emails = withEmails ? await listEmails(deps, { customerUuid }) : [];
  const all = [...(await listTexts(deps, { customerUuid })), ...emails];
  return all.sort((a, b) => b.sentAt - a.sentAt).slice(0, textsMax);
}

export async function listEmails(deps: HomeDeps, input: { customerUuid: string; to?: string }): Promise<SentEmail[]> {
  const mails = await listMails(deps, input);
  return mails.map((mail) => ({ ...mail, from: deps.vendors.sms.from, channel: "email" }));
}

/** Maximum number of listed texts, unless the caller asks for more. */
const textsMax = 200;

/**
 * The kept texts of a customer's brands, newest first. Also lists sign-in texts of fixed people and of numbers that no
 * other customer uses; `brandUuid` is then the service's own uuid.
 */
export async function listTexts(
  deps: HomeDeps,
  input: { customerUuid: string; to?: Phone; max?: number },
): Promise<OutboxText[]> {
  const { max = textsMax } = input;
  const brands = await brandUuidsOf(deps.home, input.customerUuid);
  const asked = { brands, max, ...(input.to === undefined ? {} : { to: input.to }) };
  const lists = await everyCell(deps, (cell) => listSentTexts(cell, asked));
  const texts = newest(lists, ({ sentAt }) => sentAt, max);
  return texts.map(({ uuid, text, channel, brandUuid, verificationUuid, sentAt }) => ({
    id: uuid,
    ...text,
    from: deps.vendors.sms.from,
    channel,
    brandUuid: brandUuid ?? deps.vendors.identity.issuerUuid,
    verificationUuid: brandUuid === null ? null : verificationUuid,
    sentAt,
  }));
}
