import type { MailSender } from "../../domain/ports.ts";

/** Where no mail server is configured: nothing is sent, and nothing is kept for anybody to read. */
export function noMail(): MailSender {
  return { from: "", keepsMails: false, send: async () => undefined };
}
