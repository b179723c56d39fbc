import type { SmsFormat } from "@countersign/contract/verification";
import { batched } from "../../store/batch.ts";
import type { Trx } from "../../store/database.ts";
import { requireAllowedTarget } from "../brand/redirect.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { type CodeStyle, makeCode } from "../one-time-code.ts";
import type { Phone } from "../ports.ts";
import { countTexts } from "./caps.ts";
import { noTexts } from "./channels.ts";
import { makeLink } from "./link.ts";
import { attemptsData, statusAt } from "./states.ts";
import { findVerification, sealVerification, type Verification } from "./store.ts";
import { verificationText } from "./text.ts";
import { countDeliveries, type Delivered, insertMessages, type PreparedText } from "./text-rows.ts";

export type Delivery = {
  uuid: string;
  format?: SmsFormat;
  redirectUrl?: string;
  redirectUserAfter?: "phoneVerification" | "infoConfirmation";
};

/** Queues a text with a new code or link. The previous code and link stop working at once. A job sends the text. */
export async function deliverText(deps: Deps, caller: Caller, what: Delivery): Promise<Verification> {
  requireAllowedTarget(deps, caller.brand.settings, what.redirectUrl);
  const before = await findVerification(deps, deps.db, caller, what.uuid);
  const { phone } = before.secrets;
  if (phone === undefined || before.row.channel !== "sms") throw fail("OCV003", attemptsData(before.row));
  // Use the row's own spelling of the uuid: encryption and hashes are bound to it.
  const row = await deliverTogether(deps, { ...what, uuid: before.row.uuid, caller, phone, before });
  if (row === null) throw refusal(deps, await findVerification(deps, deps.db, caller, what.uuid));
  deps.wakeJobs();
  // Return the row as updated here: a worker may already have sent the text and changed the stored row.
  return { ...before, row };
}

/** Texts queued at the same moment are batched. Null for a verification that has no delivery left. */
const deliverTogether = batched(
  async (deps: Deps, all: readonly Preparing[]): Promise<(PreparedText["row"] | null)[]> =>
    await deps.db.inTransaction(async (trx) => {
      const prepared = await prepareTexts(deps, trx, all);
      await queueTexts(
        deps,
        trx,
        prepared.filter((one) => one !== null),
      );
      return prepared.map((one) => one?.row ?? null);
    }),
  ({ uuid }) => uuid,
);

type Preparing = Delivery & {
  caller: Caller;
  phone: Phone;
  before: Verification;
  style?: CodeStyle;
  /** Where the person types the code, if known: our host, and the host of the page around our frame. */
  field?: { host: string; within?: string };
};

/**
 * Counts the deliveries and creates each text's code, link and words. Null for a verification that has no delivery
 * left.
 */
export async function prepareTexts(deps: Deps, trx: Trx, all: readonly Preparing[]): Promise<(PreparedText | null)[]> {
  const made = all.map((what) => {
    const { caller, uuid, phone, before, format = "code", redirectUrl, redirectUserAfter } = what;
    const { code, hash } = makeCode(deps, uuid, phone);
    const link = makeLink(deps);
    const secrets = { ...before.secrets, ...(redirectUrl === undefined ? {} : { redirectUrl }) };
    const delivered: Delivered = {
      uuid,
      format,
      code_hmac: hash,
      link_hash: format === "code" ? null : link.hash,
      redirect_user_after: redirectUserAfter ?? caller.brand.settings.redirectUserAfter,
      sealed: sealVerification(deps, before.dataKey, uuid, secrets),
    };
    const url = `${deps.addresses.walletUrl}/v/${link.id}`;
    const parts = { code, link: url, style: what.style ?? "plain", ...what.field };
    return { what, delivered, body: verificationText(caller.brand, format, parts) };
  });
  const rows = await countDeliveries(
    deps,
    trx,
    made.map(({ delivered }) => delivered),
  );
  return made.map(({ what: { caller, phone, before }, body }, at) => {
    const row = rows[at] ?? null;
    return row && { row, brandUuid: caller.brand.uuid, dataKey: before.dataKey, phone, body };
  });
}

export async function queueTexts(deps: Deps, trx: Trx, all: readonly PreparedText[]): Promise<void> {
  if (all.length === 0) return;
  if (!deps.offers.texts) throw noTexts();
  await insertMessages(deps, trx, all);
  // Count last: the counters' locks, which other transactions need, are kept until this transaction ends.
  await countTexts(deps, trx, all);
}

/** The reason why no text was queued: OCV003 if the verification has ended, otherwise OCV004. */
function refusal(deps: Deps, { row }: Verification): Error {
  const status = statusAt(row, deps.clock.now());
  const open = status === "pending" || status === "sending" || status === "delivered";
  return open ? fail("OCV004", attemptsData(row)) : fail("OCV003", attemptsData(row));
}
