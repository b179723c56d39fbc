import type { SmsSender } from "../../domain/ports.ts";

/** Sends nothing. Sandbox control can read the stored text. */
export function smsOutbox(): SmsSender {
  return { from: "Countersign", keepsTexts: true, send: async () => ({ kind: "delivered" }) };
}
