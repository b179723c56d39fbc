import type { SmsSender } from "../../domain/ports.ts";

/** Where nobody delivers texts: each is rejected, so that whoever waits for one learns it at once. */
export function noSms(): SmsSender {
  return { from: "", keepsTexts: false, send: async () => ({ kind: "rejected", reason: "no provider of texts" }) };
}
