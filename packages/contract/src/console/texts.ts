/** Console endpoints of texts: what carriers deliver, alarms, and the opt-out of one number. They list no phones. */
import type { Static } from "typebox";
import { Environment } from "../brand/brand.ts";
import { anyOf, Millis, stringEnum, t } from "../primitives.ts";
import { forSupport, Reason, TypedPhone } from "./shapes.ts";

const Delivery = {
  delivered: t.Integer(),
  failed: t.Integer(),
  /** Why texts failed, the most frequent reason first. */
  reasons: t.Array(t.Object({ reason: t.String(), texts: t.Integer() })),
};
/** The texts to the phones of one carrier. */
const CarrierTexts = t.Object({
  /** Null if the gateway did not name the carrier. */
  carrier: anyOf(t.String(), t.Null()),
  ...Delivery,
  /** Each day of the range, the oldest first. */
  days: t.Array(t.Object({ at: Millis, delivered: t.Integer(), failed: t.Integer() })),
});
export type CarrierTexts = Static<typeof CarrierTexts>;

const ConsoleTexts = t.Object({
  carriers: t.Array(CarrierTexts),
  /** By the adapter that sent them. `accepted`: texts that a gateway took, of which it reports the end later. */
  routes: t.Array(t.Object({ route: t.String(), accepted: t.Integer(), ...Delivery })),
  /** Numbers that opted out of texts with STOP. */
  stopped: t.Integer(),
  /** Alarms of the last seven days about texts that nobody answered, newest first. */
  alarms: t.Array(
    t.Object({
      kind: stringEnum("brand", "block", "signIn", "signInBlock"),
      brandName: anyOf(t.String(), t.Null()),
      raisedAt: Millis,
      sent: t.Integer(),
      verified: t.Integer(),
    }),
  ),
});
export type ConsoleTexts = Static<typeof ConsoleTexts>;

export const readConsoleTexts = forSupport("readConsoleTexts", "GET /api/console/texts", {
  summary: "How many texts each carrier delivered, alarms, and how many numbers opted out",
  query: t.Object({ environment: Environment, days: stringEnum("7", "30") }),
  reply: ConsoleTexts,
  refusals: [404],
});

export const lookAtStop = forSupport("lookAtStop", "POST /api/console/texts/stop", {
  summary: "Whether one number opted out of texts; the look is recorded",
  body: t.Object({ environment: Environment, phone: TypedPhone, reason: Reason }),
  /** `at`: when it sent STOP or START last; null if it never did. In a sandbox, STOP ends the texts of one customer. */
  reply: t.Object({ isStopped: t.Boolean(), at: anyOf(Millis, t.Null()) }),
  refusals: [404],
});
