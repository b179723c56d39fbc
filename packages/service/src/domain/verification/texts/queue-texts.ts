/** Every text to a phone passes through here: refused, counted, worded and queued for the job that sends it. */
import type { SmsFormat } from "@countersign/contract/verification";
import type { Trx } from "../../../store/database.ts";
import { enqueueAll, type NewJob } from "../../../store/queue.ts";
import type { DataKey } from "../../../store/vault.ts";
import type { Caller, Deps } from "../../deps.ts";
import { fail } from "../../failure.ts";
import type { OpenPage } from "../../journey.ts";
import { type CodeStyle, makeCode } from "../../one-time-code.ts";
import type { Phone } from "../../ports.ts";
import { textsUnavailable } from "../channels.ts";
import { countAtHome, countTextsOfPhones, noteQueued, subtractTexts } from "../limits/caps.ts";
import type { Texted } from "../limits/use-count-rows.ts";
import { makeLink } from "../link.ts";
import type { Verification, VerificationRow } from "../verification.ts";
import { countDeliveries, type Delivered, sealSecrets } from "../verification-rows.ts";
import { insertTexts, supersedeTexts } from "./message-rows.ts";
import { verificationText } from "./text.ts";
import { hasOptOut, stopScope } from "./text-stop-rows.ts";

/** Texts that are counted at home. Only `textPhones` makes one, so no flow can queue a text that was not counted. */
class CountedTexts {
  readonly #phones: ReadonlySet<Phone>;
  constructor(all: readonly Texted[]) {
    this.#phones = new Set(all.map(({ phone }) => phone));
  }
  has = ({ phone }: Texted) => this.#phones.has(phone);
}

export type { CountedTexts };

/**
 * Runs `queue`, which queues texts to these phones in a transaction. Refuses before it: without a gateway, and with 429
 * past a limit of a block of numbers, a brand or the service. `queueTexts` refuses in the transaction: STOP, and the
 * limits of a phone. A refusal that asks a vendor belongs here. `isQueued` tells which texts `queue` has queued; the
 * others are subtracted again. After a crash, the counts are too high.
 */
export async function textPhones<Answer>(
  deps: Deps,
  all: readonly Texted[],
  { queue, isQueued }: { queue(counted: CountedTexts): Promise<Answer>; isQueued(answer: Answer, at: number): boolean },
): Promise<Answer> {
  if (all.length > 0 && !deps.policy.offers.texts) throw textsUnavailable();
  const usesOf = await countAtHome(deps, all);
  const answer = await queue(new CountedTexts(all)).catch(async (error: unknown) => {
    await subtractTexts(deps, usesOf.flat());
    throw error;
  });
  await subtractTexts(deps, usesOf.filter((_, at) => !isQueued(answer, at)).flat());
  await noteQueued(
    deps,
    all.filter((_, at) => isQueued(answer, at)),
  );
  return answer;
}

export type Delivery = {
  uuid: string;
  format?: SmsFormat;
  redirectUrl?: string;
  redirectUserAfter?: "phoneVerification" | "infoConfirmation";
};

export type TextRequest = Delivery & {
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

export const hasLink = ({ format = "code" }: Pick<Delivery, "format">) => format !== "code";

/**
 * Counts the deliveries and creates the code, the link and the words of each text. Null for a verification that has no
 * delivery left.
 */
export async function prepareTexts(
  deps: Deps,
  trx: Trx,
  all: readonly TextRequest[],
): Promise<(PreparedText | null)[]> {
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
 * of the phones has opted out, throws and queues nothing.
 */
export async function queueTexts(
  deps: Deps,
  trx: Trx,
  { all, counted }: { all: readonly PreparedText[]; counted: CountedTexts },
): Promise<void> {
  if (all.length === 0) return;
  if (!all.every(counted.has)) throw new Error("a text is queued that was not counted");
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
  const [hasStopped] = await Promise.all([
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
  if (hasStopped) throw fail("OCV011", {}, "Sms not eligible.");
  // Count last, because other transactions wait for the counters' locks until this one ends.
  await countTextsOfPhones(deps, trx, all);
}

function sending({ environment, clock }: Deps, messageUuid: string): NewJob {
  const payload = { messageUuid };
  return { environment, name: "verification.sendText", subject: messageUuid, dueAt: clock.now(), payload };
}
