/** Console endpoint of the adapters that call vendors. */
import type { Static } from "typebox";
import { anyOf, Millis, stringEnum, t } from "../primitives.ts";
import { forOperator } from "./shapes.ts";

/** What vendors are used for. */
export const vendorPurposes = ["texts", "device", "identity", "risk", "insurance", "mail", "signIn", "audit"] as const;
export type VendorPurpose = (typeof vendorPurposes)[number];

const VendorLine = t.Object({
  purpose: stringEnum(...vendorPurposes),
  /** The adapter's name in the metrics. Null: none is configured. */
  vendor: anyOf(t.String(), t.Null()),
  breaker: stringEnum("closed", "open", "trying"),
  calls: t.Integer(),
  /** Percentiles of the newest calls, milliseconds. Null before the first call. */
  p50Ms: anyOf(t.Integer(), t.Null()),
  p95Ms: anyOf(t.Integer(), t.Null()),
  /** The share of answers with what was asked for, such as a person who was found. Null before the first answer. */
  hitShare: anyOf(t.Number(), t.Null()),
  outcomes: t.Array(t.Object({ outcome: t.String(), count: t.Integer() })),
  /** The newest failed calls. `outcome` is a kind of failure. It contains nothing that was sent or received. */
  errors: t.Array(t.Object({ at: Millis, operation: t.String(), outcome: t.String() })),
});
export type VendorLine = Static<typeof VendorLine>;

export const readVendors = forOperator("readVendors", "GET /api/console/vendors", {
  summary: "The configured adapters, with the calls that the answering process made",
  /** `since`: when that process started. */
  reply: t.Object({ since: Millis, hasProduction: t.Boolean(), vendors: t.Array(VendorLine) }),
});
