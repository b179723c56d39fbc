import type { MailSender } from "../../domain/ports.ts";

/** Sends nothing: the e-mail stays where sandbox control can read it. */
export function mailOutbox(): MailSender {
  return { from: "Countersign", keepsMails: true, send: async () => undefined };
}
