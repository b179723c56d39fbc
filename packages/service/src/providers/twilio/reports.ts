import type { IncomingText, IncomingTexts, Keyword, TextReport, TextReports } from "../../domain/ports.ts";
import { isSignedByTwilio } from "./signature.ts";

/** The vendor's states that matter. Reports with any other state are refused. */
const states: Record<string, "sent" | "delivered" | "failed"> = {
  sent: "sent",
  delivered: "delivered",
  read: "delivered",
  undelivered: "failed",
  failed: "failed",
  canceled: "failed",
};
const textIdForm = /^[0-9a-f-]{36}$/i;

/** The URL for reports about one text. Its last part is the text's own id. */
export function reportAddress(callbackUrl: string, textId: string): string {
  return `${callbackUrl}/${textId}`;
}

/**
 * Validates status callbacks. The signature must match the URL that this service gave out, never the URL in a request.
 * That URL contains the text's id, so a report cannot be used for another text, and a replay only repeats a report.
 */
export function twilioReports(settings: { accountSid: string; authToken: string; callbackUrl: string }): TextReports {
  return {
    judge({ textId, body, headers }): TextReport {
      if (!textIdForm.test(textId)) return { kind: "refused" };
      const form = new URLSearchParams(body);
      const request = {
        url: reportAddress(settings.callbackUrl, textId),
        form,
        signature: headers["x-twilio-signature"] ?? "",
      };
      if (!isSignedByTwilio(request, settings.authToken)) return { kind: "refused" };
      if (form.get("AccountSid") !== settings.accountSid) return { kind: "refused" };
      const state = states[form.get("MessageStatus") ?? ""];
      if (state === undefined) return { kind: "refused" };
      const code = form.get("ErrorCode") ?? "";
      return { kind: "report", textId, state, ...(/^\d{1,6}$/.test(code) ? { reason: `twilio ${code}` } : {}) };
    },
  };
}

/** An empty answer, because Twilio itself confirms STOP and START and answers HELP. */
const noWords = { type: "text/xml; charset=utf-8", body: "<Response/>" };
/** Maximum length of an incoming text. The keywords are short. */
const bodyMax = 1_600;

/** Validates incoming texts. `incomingUrl`: the URL in Twilio's settings of the number. */
export function twilioIncoming(settings: {
  accountSid: string;
  authToken: string;
  incomingUrl: string;
}): IncomingTexts {
  return {
    answer: noWords,
    judge({ body, headers }): IncomingText {
      const form = new URLSearchParams(body);
      const request = { url: settings.incomingUrl, form, signature: headers["x-twilio-signature"] ?? "" };
      if (!isSignedByTwilio(request, settings.authToken)) return { kind: "refused" };
      const [id, from] = [form.get("MessageSid") ?? "", form.get("From") ?? ""];
      if (form.get("AccountSid") !== settings.accountSid || id === "" || from === "") return { kind: "refused" };
      const text = { id, from, body: (form.get("Body") ?? "").slice(0, bodyMax) };
      const keyword = keywordOf(form.get("OptOutType"), text.body);
      return { kind: "text", ...text, ...(keyword === null ? {} : { keyword }) };
    },
  };
}

const keywords: Record<string, Keyword> = { STOP: "stop", START: "start", HELP: "none" };

/** Twilio names its decision only with Advanced Opt-Out. Without it, YES is one of Twilio's own words for START. */
function keywordOf(optOutType: string | null, body: string): Keyword | null {
  if (optOutType !== null) return keywords[optOutType] ?? null;
  return body.trim().toUpperCase() === "YES" ? "start" : null;
}
