/** Adapters for ports without a vendor. Each returns an empty or failed answer. */
import { ownIssuerUuid } from "@countersign/contract/credential";
import type { Carrier, Clearinghouse, IdentitySource, SmsSender } from "../domain/ports.ts";

/** Without a sender, no text is queued. A text that is still in the queue is rejected. */
export function noTexts(): SmsSender {
  return {
    route: "none",
    from: "",
    keepsTexts: false,
    send: async () => ({ kind: "rejected", reason: "no SMS gateway" }),
  };
}

export function noCarrier(): Carrier {
  return {
    deviceIpOf: (callerIp) => (callerIp.includes(":") ? callerIp : `::ffff:${callerIp}`),
    mobileDeviceOf: () => null,
    eligible: async () => false,
    begin: async () => {
      throw new Error("no carrier is configured");
    },
    finish: async () => ({ kind: "failed" }),
  };
}

/**
 * Without an identity source, only issued and typed values exist. If an input had to be compared, the person is
 * reported as unknown, because nothing confirms the input.
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
