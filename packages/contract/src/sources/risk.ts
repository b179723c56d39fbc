/** The HTTP interface between this service and an operator's source of risk scores. */
import type { Static } from "typebox";
import { Ipv6, Phone, t } from "../primitives.ts";

export const RiskQuestion = t.Object({
  phone: Phone,
  email: t.Optional(t.String({ maxLength: 254 })),
  deviceIp: t.Optional(Ipv6),
});
export type RiskQuestion = Static<typeof RiskQuestion>;

const reasonCodes = t.Array(t.String({ pattern: "^OCR[0-9]{5}$" }), { maxItems: 50 });

export const RiskAnswer = t.Object({
  phone: t.String({ maxLength: 20, description: "The requested phone" }),
  score: t.Integer({ minimum: 0, maximum: 1000, description: "0 is no risk; above 600 is refused" }),
  reasonCodes,
  signals: t.Object({
    phone: t.Object({
      carrier: t.Object({ id: t.Integer(), name: t.String({ maxLength: 200 }) }),
      reasonCodes,
    }),
    email: t.Object({ reasonCodes }),
    deviceIp: t.Object({ reasonCodes }),
  }),
});
export type RiskAnswer = Static<typeof RiskAnswer>;
