/** What stands where no vendor was connected: each says that it has nothing, and claims nothing. */
import { ownIssuerUuid } from "@countersign/contract/credential";
import type { Carrier, Clearinghouse, IdentitySource, SmsSender } from "../domain/ports.ts";

/** Nothing is queued where nobody sends; whatever is left over is refused. */
export function noTexts(): SmsSender {
  return { from: "", keepsTexts: false, send: async () => ({ kind: "rejected", reason: "no sender of texts" }) };
}

export function noCarrier(): Carrier {
  return {
    deviceIpOf: (callerIp) => (callerIp.includes(":") ? callerIp : `::ffff:${callerIp}`),
    mobileDeviceOf: () => null,
    eligible: async () => false,
    begin: async () => {
      throw new Error("no carrier is connected");
    },
    finish: async () => ({ kind: "failed" }),
  };
}

/**
 * What brands issued and what people enter is all there is. An input that would have been held against records is not
 * taken on trust: with one, nobody is known.
 */
export function noIdentity(): IdentitySource {
  return {
    issuerUuid: ownIssuerUuid,
    impossible: () => [],
    lookUp: async ({ compare, narrow }) =>
      compare.length + narrow.length > 0 ? { kind: "unknown" } : { kind: "found", credentials: [] },
  };
}

export function noClearinghouse(): Clearinghouse {
  return {
    provider: null,
    envelope: { sender: "", receiver: "", usage: "T" },
    discover: async () => ({ kind: "failed", retryable: false }),
    check: async () => ({ kind: "failed", retryable: false }),
  };
}
