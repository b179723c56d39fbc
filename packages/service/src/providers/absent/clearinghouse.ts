import type { Clearinghouse } from "../../domain/ports.ts";

/** Where no clearinghouse is asked. */
export function noClearinghouse(): Clearinghouse {
  return {
    provider: null,
    envelope: { sender: "COUNTERSIGN", receiver: "NOBODY", usage: "T" },
    discover: async () => ({ kind: "failed", retryable: false }),
    check: async () => ({ kind: "failed", retryable: false }),
  };
}
