import type { SmsOutcome, SmsSender } from "../../domain/ports.ts";
import { type Json, readObject, textOf } from "../json.ts";
import { signedHeaders } from "../signature.ts";
import { openVendor, VendorFailure, type VendorTools } from "../vendor.ts";

export type SmsGatewaySettings = {
  url: string;
  secret: string;
  from: string;
  /** The URL where this service receives reports; null if no reports are requested. */
  callbackUrl: string | null;
};

/** A gateway's reason is kept only if it has this form: at most 60 plain characters. */
const reasonForm = /^[\w .:-]{1,60}$/;

/**
 * Texts through any gateway that implements our small JSON protocol (docs/guides/vendors.md). The text's id is the
 * idempotency key, so a call with a lost answer is retried, and the gateway repeats its first answer.
 */
export function gatewaySms(settings: SmsGatewaySettings, tools: VendorTools): SmsSender & { close(): Promise<void> } {
  const vendor = openVendor("sms_gateway", tools);
  return {
    route: "sms_gateway",
    from: settings.from,
    keepsTexts: false,
    async send({ id, to, body: words, deadlineMs }) {
      const { from, callbackUrl } = settings;
      const body = JSON.stringify({
        id,
        to,
        from,
        body: words,
        ...(callbackUrl === null ? {} : { reportUrl: `${callbackUrl}/${id}` }),
      });
      const answer = await vendor.call({
        operation: "send",
        method: "POST",
        url: settings.url,
        headers: { ...signedHeaders(settings.secret, body, tools.clock.now()), "idempotency-key": id },
        body,
        deadlineMs,
        repeats: "always",
      });
      if (answer.kind !== "answered") throw new VendorFailure(`sms gateway: ${answer.error}`);
      const outcome = answer.status === 200 || answer.status === 202 ? outcomeOf(readObject(answer.text), id) : null;
      if (outcome !== null) return outcome;
      const refused = answer.status >= 400 && answer.status < 500 && answer.status !== 429;
      if (refused) return { kind: "rejected", reason: `sms gateway ${answer.status}` };
      throw new VendorFailure(`sms gateway: status ${answer.status} without a usable answer`);
    },
    close: vendor.close,
  };
}

/** Null if the answer is not about this text, or has an unknown status. */
function outcomeOf(answer: Json | null, id: string): SmsOutcome | null {
  if (answer?.id !== id) return null;
  const named = textOf(answer, "carrier");
  const carrier = named === null ? {} : { carrier: named };
  if (answer.status === "delivered") return { kind: "delivered", ...carrier };
  if (answer.status === "accepted") return { kind: "accepted", ...carrier };
  if (answer.status !== "rejected") return null;
  const reason = textOf(answer, "reason") ?? "";
  return {
    kind: "rejected",
    reason: reasonForm.test(reason) ? reason : "refused by the gateway",
    ...(answer.optedOut === true ? { optedOut: true } : {}),
    ...carrier,
  };
}
