import type { Static } from "typebox";
import { described, stringEnum, t } from "../primitives.ts";

const ReasonCodes = described(
  t.Array(t.String({ pattern: "^OCR[0-9]{5}$" })),
  "Codes that explain the score. `OCR1…` is about everything, `OCR2…` to `OCR4…` about the phone, `OCR5…` about the IP address, `OCR6…` about the email address.",
);

/** The risk of the identifiers. Attributes other than the first three of `overall` are add-ons. */
export const RiskSignals = t.Object({
  overall: described(
    t.Object({
      score: t.Integer({
        minimum: 0,
        maximum: 1000,
        description: "0 is no risk, 1000 is the highest risk. Above 600 the person is refused.",
      }),
      level: described(
        stringEnum("low", "medium-low", "medium", "medium-high", "high"),
        "The score in words. Each level spans 200 points.",
      ),
      recommendation: described(
        stringEnum("allow", "flag", "block"),
        "What the score suggests: `allow`, `flag` for a closer look, or `block`.",
      ),
      reasonCodes: t.Optional(ReasonCodes),
    }),
    "The risk of all identifiers together.",
  ),
  phone: t.Optional(
    described(
      t.Object({
        carrier: t.Optional(
          described(
            t.Object({
              id: t.Integer({ description: "The carrier's number in the source's list." }),
              name: t.String({ description: "The carrier's name." }),
            }),
            "The mobile carrier of the number. An add-on.",
          ),
        ),
        reasonCodes: t.Optional(ReasonCodes),
      }),
      "The risk of the phone number. An add-on.",
    ),
  ),
  email: t.Optional(described(t.Object({ reasonCodes: ReasonCodes }), "The risk of the email address. An add-on.")),
  deviceIp: t.Optional(
    described(t.Object({ reasonCodes: ReasonCodes }), "The risk of the device's IP address. An add-on."),
  ),
});
export type RiskSignals = Static<typeof RiskSignals>;
