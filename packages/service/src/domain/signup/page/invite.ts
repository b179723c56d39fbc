import type { SmsFormat } from "@countersign/contract/verification";
import type { Caller, Deps, HomeDeps } from "../../deps.ts";
import { fail } from "../../failure.ts";
import { type JourneyName, journeys } from "../../journey.ts";
import { findVerification } from "../../verification/find.ts";
import { type CountedTexts, prepareTexts, queueTexts, textPhones } from "../../verification/texts/queue-texts.ts";
import { attemptsData } from "../../verification/verification.ts";

/** Whether the service sends the texts of this journey. Otherwise the brand does. */
export function serviceTexts({ policy }: Pick<HomeDeps, "policy">, caller: Caller, journey: JourneyName): boolean {
  const { sms } = journeys[journey];
  return sms === "service" || (sms === "setting" && policy.textsForV1 && !caller.brand.settings.v1.sendsSmsItself);
}

/**
 * Prepares the text of a new 1-Click. The service sends it, or returns it as `smsBody` for the brand to send. Throws
 * OCV004 if no delivery is left.
 */
export async function textOneClick(
  deps: Deps,
  caller: Caller,
  input: { verificationUuid: string; journey: JourneyName; format: SmsFormat; within?: string },
): Promise<{ smsBody?: string }> {
  const before = await findVerification(deps, deps.db, caller, input.verificationUuid);
  const { phone } = before.secrets;
  if (phone === undefined) throw new Error("a 1-Click without a phone cannot be texted");
  const sends = serviceTexts(deps, caller, input.journey);
  const { codeStyle: style, proof, openPage } = journeys[input.journey];
  const host = new URL(deps.addresses.walletUrl).hostname;
  const field = { host, ...(input.within === undefined ? {} : { within: input.within }) };
  const text = {
    caller,
    uuid: input.verificationUuid,
    format: input.format,
    phone,
    before,
    style,
    openPage,
    ...(proof === "wallet" ? { field } : {}),
  };
  const queue = (counted: CountedTexts) =>
    deps.db.inTransaction(async (trx) => {
      const [prepared = null] = await prepareTexts(deps, trx, [text]);
      if (prepared === null) throw fail("OCV004", attemptsData(before.row));
      if (sends) await queueTexts(deps, trx, { all: [prepared], counted });
      return prepared.body;
    });
  const texted = sends ? [{ phone, brandUuid: caller.brand.uuid, openPage }] : [];
  const body = await textPhones(deps, texted, { queue, isQueued: () => true });
  return sends ? {} : { smsBody: body };
}
