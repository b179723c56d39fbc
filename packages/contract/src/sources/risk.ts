/** The HTTP interface between this service and an operator's source of risk scores. */
import type { Static } from "typebox";
import { described, Ipv6, Phone, t } from "../primitives.ts";

export const RiskQuestion = t.Object({
  phone: described(Phone, "The person's phone."),
  email: t.Optional(t.String({ maxLength: 254, description: "The person's email address." })),
  deviceIp: t.Optional(described(Ipv6, "The IP address of the person's device.")),
});
export type RiskQuestion = Static<typeof RiskQuestion>;

const reasonCodes = t.Array(t.String({ pattern: "^OCR[0-9]{5}$" }), {
  maxItems: 50,
  description: "Codes that explain the score, such as `OCR10021`.",
});

export const RiskAnswer = t.Object({
  phone: t.String({ maxLength: 20, description: "The requested phone" }),
  score: t.Integer({ minimum: 0, maximum: 1000, description: "0 is no risk; above 600 is refused" }),
  reasonCodes,
  signals: described(
    t.Object({
      phone: described(
        t.Object({
          carrier: described(
            t.Object({
              id: t.Integer({ description: "The carrier's number in your list." }),
              name: t.String({ maxLength: 200, description: "The carrier's name." }),
            }),
            "The mobile carrier of the number.",
          ),
          reasonCodes,
        }),
        "The risk of the phone number.",
      ),
      email: described(t.Object({ reasonCodes }), "The risk of the email address."),
      deviceIp: described(t.Object({ reasonCodes }), "The risk of the device's IP address."),
    }),
    "Details for each identifier.",
  ),
});
export type RiskAnswer = Static<typeof RiskAnswer>;
