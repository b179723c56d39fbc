import type { SmsFormat } from "@countersign/contract/verification";
import type { Trx } from "../../../store/database.ts";
import { enqueueAll, type NewJob } from "../../../store/queue.ts";
import { batched } from "../../../store/statements/batch.ts";
import type { DataKey } from "../../../store/vault.ts";
import { requireAllowedTarget } from "../../brand/redirect.ts";
import type { Caller, Deps } from "../../deps.ts";
import { fail } from "../../failure.ts";
import type { OpenPage } from "../../journey.ts";
import { type CodeStyle, makeCode } from "../../one-time-code.ts";
import type { Phone } from "../../ports.ts";
import { textsUnavailable } from "../channels.ts";
import { findVerification } from "../find.ts";
import { countingTexts, countTextsOfPhones } from "../limits/caps.ts";
import type { Texted } from "../limits/use-count-rows.ts";
import { makeLink } from "../link.ts";
import { attemptsData, isOpen, statusAt, type Verification, type VerificationRow } from "../verification.ts";
import { countDeliveries, type Delivered, sealSecrets } from "../verification-rows.ts";
import { insertTexts, supersedeTexts } from "./message-rows.ts";
import { verificationText } from "./text.ts";
import { hasOptOut, stopScope } from "./text-stop-rows.ts";

export type Delivery = {
  uuid: string;
  format?: SmsFormat;
  redirectUrl?: string;
  redirectUserAfter?: "phoneVerification" | "infoConfirmation";
};

/** Queues a text with a new code or link. The previous code and link stop working at once. A job sends the text. */
export async function deliverText(deps: Deps, caller: Caller, input: Delivery): Promise<Verification> {
  // Without a link, nothing redirects.
  const { redirectUrl, ...plain } = input;
  const asked: Delivery = hasLink(input) ? input : plain;
  if (hasLink(input)) requireAllowedTarget(deps.policy, caller.brand.settings, redirectUrl);
  const before = await findVerification(deps, deps.db, caller, input.uuid);
  const { phone } = before.secrets;
  if (phone === undefined || before.row.channel !== "sms") throw fail("OCV003", attemptsData(before.row));
  // Use the row's spelling of the uuid, because encryption and hashes are bound to it.
  const row = await deliverTogether(deps, { ...asked, uuid: before.row.uuid, caller, phone, before });
  if (row === null) throw refusal(deps, await findVerification(deps, deps.db, caller, input.uuid));
  // Return the row as updated here. A worker may already have sent the text and changed the stored row.
  return { ...before, row };
}

const hasLink = ({ format = "code" }: Pick<Delivery, "format">) => format !== "code";

/** Concurrent texts are batched. Null for a verification that has no delivery left. */
const deliverTogether = batched(
  async (deps: Deps, all: readonly Preparing[]): Promise<(VerificationRow | null)[]> => {
    const queue = () =>
      deps.db.inTransaction(async (trx) => {
        const prepared = await prepareTexts(deps, trx, all);
        await queueTexts(
          deps,
          trx,
          prepared.filter((one) => one !== null),
        );
        return prepared.map((one) => one?.row ?? null);
      });
    const isQueued = (rows: (VerificationRow | null)[], at: number) => rows[at] !== null;
    return await countingTexts(deps, all.map(textedBy), { queue, isQueued });
  },
  ({ uuid }) => uuid,
);

type Preparing = Delivery & {
  caller: Caller;
  phone: Phone;
  before: Verification;
  style?: CodeStyle;
  /** The page on which a stranger may have requested the text, without a brand's key. */
  openPage?: OpenPage | null;
  /** Where the person types the code, if known: our host, and the host of the page around our frame. */
  field?: { host: string; within?: string };
};

/** A text that was counted as a delivery, and its recipient. `brandUuid`: null for the service's own texts. */
export type PreparedText = {
  /** The id of the text, if the caller chose one. It prevents queueing the same text twice. */
  uuid?: string;
  row: VerificationRow;
  brandUuid: string | null;
  /** The brand's customer. Null for the service's own texts. */
  customerUuid: string | null;
  openPage?: OpenPage | null;
  dataKey: DataKey;
  phone: Phone;
  body: string;
};

const textedBy = ({ caller, phone }: Preparing): Texted => ({ phone, brandUuid: caller.brand.uuid });

/**
 * Counts the deliveries and creates the code, the link and the words of each text. Null for a verification that has no
 * delivery left.
 */
export async function prepareTexts(deps: Deps, trx: Trx, all: readonly Preparing[]): Promise<(PreparedText | null)[]> {
  const made = all.map((input) => {
    const { caller, uuid, phone, before, format = "code", redirectUrl, redirectUserAfter } = input;
    const { code, hash } = makeCode(deps, uuid, phone);
    const link = hasLink({ format }) ? makeLink(deps) : null;
    const secrets = { ...before.secrets, ...(redirectUrl === undefined ? {} : { redirectUrl }) };
    const delivered: Delivered = {
      uuid,
      format,
      code_hmac: hash,
      link_hash: link?.hash ?? null,
      redirect_user_after: redirectUserAfter ?? caller.brand.settings.redirectUserAfter,
      sealed: sealSecrets(deps, before.dataKey, uuid, secrets),
    };
    const url = link === null ? "" : `${deps.addresses.walletUrl}/v/${link.id}`;
    const parts = { code, link: url, style: input.style ?? "plain", ...input.field };
    return { input, delivered, body: verificationText(deps.policy, caller.brand, { ...parts, format }) };
  });
  const rows = await countDeliveries(
    trx,
    made.map(({ delivered }) => delivered),
    deps.clock.now(),
  );
  return made.map(({ input: { caller, uuid, phone, before, openPage = null }, body }) => {
    const row = rows.find((one) => one.uuid === uuid);
    if (row === undefined) return null;
    const { uuid: brandUuid, customerUuid } = caller.brand;
    return { row, brandUuid, customerUuid, openPage, dataKey: before.dataKey, phone, body };
  });
}

/**
 * Queues texts for the sender. They replace unsent texts of the same verifications, whose codes no longer work. If one
 * of the phones has opted out, throws and queues nothing. Call it in `countingTexts`.
 */
export async function queueTexts(deps: Deps, trx: Trx, all: readonly PreparedText[]): Promise<void> {
  if (all.length === 0) return;
  if (!deps.policy.offers.texts) throw textsUnavailable();
  const { environment, vault } = deps;
  const texts = all.map(({ uuid = deps.random.uuid(), row, brandUuid, dataKey, phone, body }) => ({
    uuid,
    brandUuid,
    personUuid: row.person_uuid,
    verificationUuid: row.uuid,
    dataKey,
    toIndex: vault.index("phone", environment, phone),
    text: { to: phone, body },
  }));
  const resent = all.filter(({ row }) => row.deliveries > 1).map(({ row }) => row.uuid);
  const [isRefused] = await Promise.all([
    hasOptOut(trx, {
      environment,
      scopes: all.map(({ phone, customerUuid }) => stopScope(deps, phone, customerUuid)),
    }),
    supersedeTexts(trx, { verificationUuids: resent, keepsTexts: deps.vendors.sms.keepsTexts }),
    insertTexts(deps, trx, texts),
    enqueueAll(
      deps,
      trx,
      texts.map(({ uuid }) => sending(deps, uuid)),
    ),
  ]);
  if (isRefused) throw fail("OCV011", {}, "Sms not eligible.");
  // Count last, because other transactions wait for the counters' locks until this one ends.
  await countTextsOfPhones(deps, trx, all);
}

function sending({ environment, clock }: Deps, messageUuid: string): NewJob {
  const payload = { messageUuid };
  return { environment, name: "verification.sendText", subject: messageUuid, dueAt: clock.now(), payload };
}

/** The reason why no text was queued: OCV003 if the verification has ended, otherwise OCV004. */
function refusal(deps: Deps, { row }: Verification): Error {
  return fail(isOpen(statusAt(row, deps.clock.now())) ? "OCV004" : "OCV003", attemptsData(row));
}
