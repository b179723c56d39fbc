import type { SmsSender } from "../../domain/ports.ts";

/** Sends nothing: the text stays where sandbox control can read it. */
export function smsOutbox(): SmsSender {
  return { from: "Countersign", keepsTexts: true, send: async () => ({ kind: "delivered" }) };
}
