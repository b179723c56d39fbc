import type { MailSender, SmsSender } from "../../domain/ports.ts";

/** Sends nothing. Sandbox control can read the stored text. */
export function smsOutbox(): SmsSender {
  return { route: "sandbox", from: "Countersign", keepsTexts: true, send: async () => ({ kind: "delivered" }) };
}

/** Sends nothing. Sandbox control can read the stored email. */
export function mailOutbox(): MailSender {
  return { from: "Countersign", keepsMails: true, send: async () => undefined };
}
