import type { SmsFormat } from "@countersign/contract/verification";
import type { Trx } from "../../store/database.ts";
import { gathered } from "../../store/gather.ts";
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

/** Texts a fresh code or link; those of the text before are dead from that moment. The text itself is sent by a job. */
export async function deliverText(deps: Deps, caller: Caller, what: Delivery): Promise<Verification> {
  requireAllowedTarget(deps, caller.brand.settings, what.redirectUrl);
  const before = await findVerification(deps, deps.db, caller, what.uuid);
  const { phone } = before.secrets;
  if (phone === undefined || before.row.channel !== "sms") throw fail("OCV003", attemptsData(before.row));
  // The row's own spelling: what is sealed and hashed is bound to it.
  const row = await deliverTogether(deps, { ...what, uuid: before.row.uuid, caller, phone, before });
  if (row === null) throw refusal(deps, await findVerification(deps, deps.db, caller, what.uuid));
  deps.wakeJobs();
  // As it is here, because the text may have left already.
  return { ...before, row };
}

/** Texts of the same moment; null for a verification that has no delivery left. */
const deliverTogether = gathered(
  async (deps: Deps, all: readonly Preparing[]): Promise<(PreparedText["row"] | null)[]> =>
    await deps.db.transaction().execute(async (trx) => {
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
  /** Where the code is typed, if that is known: a host of ours, and that of the page around it. */
  field?: { host: string; within?: string };
};

/** Counts deliveries and makes the code, link and words of each; null where none is left. */
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
  // Last: whoever counts holds counters that others need, until all this is committed or was for nothing.
  await countTexts(deps, trx, all);
}

/** Why nothing was sent. A verification that has ended is refused as such, however often it was delivered. */
function refusal(deps: Deps, { row }: Verification): Error {
  const status = statusAt(row, deps.clock.now());
  const open = status === "pending" || status === "sending" || status === "delivered";
  return open ? fail("OCV004", attemptsData(row)) : fail("OCV003", attemptsData(row));
}
