import type { Static } from "typebox";
import { oneOf, t } from "../primitives.ts";

const ReasonCodes = t.Array(t.String({ pattern: "^OCR[0-9]{5}$" }));

/** The risk of the identifiers. Attributes other than the first three of `overall` are add-ons. */
export const RiskSignals = t.Object({
  overall: t.Object({
    score: t.Integer({ minimum: 0, maximum: 1000 }),
    level: oneOf("low", "medium-low", "medium", "medium-high", "high"),
    recommendation: oneOf("allow", "flag", "block"),
    reasonCodes: t.Optional(ReasonCodes),
  }),
  phone: t.Optional(
    t.Object({
      carrier: t.Optional(t.Object({ id: t.Integer(), name: t.String() })),
      reasonCodes: t.Optional(ReasonCodes),
    }),
  ),
  email: t.Optional(t.Object({ reasonCodes: ReasonCodes })),
  deviceIp: t.Optional(t.Object({ reasonCodes: ReasonCodes })),
});
export type RiskSignals = Static<typeof RiskSignals>;
