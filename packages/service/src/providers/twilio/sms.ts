import type { SmsOutcome, SmsSender } from "../../domain/ports.ts";
import type { CallAnswer } from "../call.ts";
import { type Json, listOf, readObject, textOf } from "../json.ts";
import { openVendor, VendorFailure, type VendorTools } from "../vendor.ts";
import { reportAddress } from "./reports.ts";

export type TwilioSettings = {
  accountSid: string;
  authToken: string;
  /** A number in E.164, or the id of a messaging service (`MG…`). */
  from: string;
  /** The URL where this service receives reports; null if no reports are requested. */
  callbackUrl: string | null;
  apiUrl: string;
};

type Text = Parameters<SmsSender["send"]>[0];

/** How many of the newest texts to a phone are searched. */
const searchedTextsMax = 20;
const failedStates = ["failed", "undelivered", "canceled"];

/**
 * Texts through Twilio's Messages API. Twilio has no idempotency keys, so before a repeated attempt the newest texts to
 * that phone are searched for the same body. The code makes each body unique.
 */
export function twilioSms(settings: TwilioSettings, tools: VendorTools): SmsSender & { close(): Promise<void> } {
  const vendor = openVendor("twilio", tools);
  const messagesUrl = `${settings.apiUrl}/2010-04-01/Accounts/${settings.accountSid}/Messages.json`;
  const headers = {
    authorization: `Basic ${Buffer.from(`${settings.accountSid}:${settings.authToken}`).toString("base64")}`,
    accept: "application/json",
  };
  const find = async (text: Text, deadlineMs: number): Promise<SmsOutcome | null> => {
    const query = new URLSearchParams({ To: text.to, PageSize: String(searchedTextsMax) });
    const url = `${messagesUrl}?${query}`;
    const answer = await vendor.call({ operation: "find", method: "GET", url, headers, deadlineMs, repeats: "always" });
    if (answer.kind !== "answered" || answer.status !== 200)
      throw new VendorFailure("twilio: the text may have been sent");
    const list = readObject(answer.text);
    if (!Array.isArray(list?.messages)) throw new VendorFailure("twilio: the text may have been sent");
    const found = listOf(list, "messages").find((one) => one.body === text.body && one.to === text.to);
    return found === undefined ? null : outcomeOf(found, text);
  };
  return {
    route: "twilio",
    from: settings.from,
    keepsTexts: false,
    async send(text) {
      const endsAt = tools.clock.now() + text.deadlineMs;
      const remainingMs = () => Math.max(1, endsAt - tools.clock.now());
      const found = text.mayBeSent ? await find(text, remainingMs()) : null;
      if (found !== null) return found;
      const answer = await vendor.call({
        operation: "send",
        method: "POST",
        url: messagesUrl,
        headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
        body: formOf(text, settings).toString(),
        deadlineMs: remainingMs(),
        repeats: "untouched",
      });
      const outcome = readAnswer(answer, text);
      if (outcome !== null) return outcome;
      throw new VendorFailure(`twilio: ${answer.kind === "answered" ? `status ${answer.status}` : answer.error}`);
    },
    close: vendor.close,
  };
}

function formOf(text: Text, settings: TwilioSettings): URLSearchParams {
  const sender = settings.from.startsWith("MG") ? "MessagingServiceSid" : "From";
  const form = new URLSearchParams({ To: text.to, [sender]: settings.from, Body: text.body });
  if (settings.callbackUrl !== null) form.set("StatusCallback", reportAddress(settings.callbackUrl, text.id));
  return form;
}

/** Null if the answer does not say what happened to the text. */
function readAnswer(answer: CallAnswer, text: Text): SmsOutcome | null {
  if (answer.kind !== "answered") return null;
  const body = readObject(answer.text);
  if (answer.status === 201 || answer.status === 200) return body === null ? null : outcomeOf(body, text);
  if (answer.status === 429 || answer.status >= 500) return null;
  const code = typeof body?.code === "number" ? ` ${body.code}` : "";
  // Unknown recipients, opted-out phones, and our own wrong credentials. A retry would not help.
  return answer.status >= 400 ? rejected(`twilio ${answer.status}${code}`, body?.code) : null;
}

/** The error code for a phone that sent STOP to one of the numbers. */
const optedOutCode = 21610;

function rejected(reason: string, code: unknown): SmsOutcome {
  return { kind: "rejected", reason, ...(code === optedOutCode ? { optedOut: true } : {}) };
}

/** Null if the answer is about a text to another phone. */
function outcomeOf(message: Json, text: Text): SmsOutcome | null {
  const state = textOf(message, "status");
  if (textOf(message, "sid") === null || state === null || message.to !== text.to) return null;
  if (failedStates.includes(state))
    return rejected(`twilio ${String(message.error_code ?? state)}`, message.error_code);
  return state === "delivered" ? { kind: "delivered" } : { kind: "accepted" };
}
