import type { MailSender } from "../../domain/ports.ts";

/** Sends nothing. Sandbox control can read the stored email. */
export function mailOutbox(): MailSender {
  return { from: "Countersign", keepsMails: true, send: async () => undefined };
}
