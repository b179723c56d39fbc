/** Console endpoints of customers and their brands. */
import type { Static } from "typebox";
import { Approval, Environment } from "../brand/brand.ts";
import { Nothing } from "../dashboard/shapes.ts";
import { anyOf, Millis, stringEnum, t, Uuid } from "../primitives.ts";
import { forOperator, forSupport, Reason } from "./shapes.ts";

const brandModes = ["active", "readOnly", "stopped"] as const;
export type ConsoleMode = (typeof brandModes)[number];

const inEnvironment = {
  environment: Environment,
  integrationType: t.String(),
  externalName: t.String(),
  mode: stringEnum(...brandModes),
  approvals: t.Array(Approval),
  /** When the brand asked for production, if nobody has answered. Null in the sandbox. */
  askedAt: anyOf(Millis, t.Null()),
  /** Calls of the last seven days, and those that the service could not answer. */
  calls: t.Integer(),
  failed: t.Integer(),
  /** Calls of each of these days, the oldest first. The last one ends now. */
  days: t.Array(t.Integer()),
  /** Whether the last day has far more or far fewer calls than the days before. Null if it has not. */
  unusual: anyOf(stringEnum("more", "fewer"), t.Null()),
  /** Webhooks whose deliveries fail now. */
  failingWebhooks: t.Integer(),
};
const BrandInEnvironment = t.Object(inEnvironment);
export type BrandInEnvironment = Static<typeof BrandInEnvironment>;
const ConsoleBrand = t.Object({ uuid: Uuid, name: t.String(), environments: t.Array(BrandInEnvironment) });
export type ConsoleBrand = Static<typeof ConsoleBrand>;
const ConsoleCustomer = t.Object({
  uuid: Uuid,
  name: t.String(),
  createdAt: Millis,
  members: t.Integer(),
  requiresPasskey: t.Boolean(),
  brands: t.Array(ConsoleBrand),
});
export type ConsoleCustomer = Static<typeof ConsoleCustomer>;

export const listConsoleCustomers = forSupport("listConsoleCustomers", "GET /api/console/customers", {
  summary: "Customers with their brands: those with a limited brand or a failing webhook first, then by name",
  /** Part of a customer's or a brand's name, or a whole uuid. */
  query: t.Object({ search: t.Optional(t.String({ maxLength: 100 })) }),
  reply: t.Object({ data: t.Array(ConsoleCustomer), hasMore: t.Boolean() }),
});

const ConsoleBrandPage = t.Object({
  uuid: Uuid,
  name: t.String(),
  createdAt: Millis,
  customer: t.Object({ uuid: Uuid, name: t.String(), members: t.Integer(), requiresPasskey: t.Boolean() }),
  environments: t.Array(
    t.Object({
      ...inEnvironment,
      /** The environment's time, which the others are compared with. */
      now: Millis,
      /** Failed calls of each day, as `days`. */
      failedDays: t.Array(t.Integer()),
      lastCallAt: anyOf(Millis, t.Null()),
      /** Calls of the last seven days that the service refused or could not answer, by error code or status. */
      errors: t.Array(t.Object({ code: t.String(), calls: t.Integer() })),
      keys: t.Integer(),
      webhooks: t.Integer(),
      /** The first failed attempt of the webhook that has failed longest. Null if none fails. */
      failingSince: anyOf(Millis, t.Null()),
    }),
  ),
});
export type ConsoleBrandPage = Static<typeof ConsoleBrandPage>;

export const lookAtBrand = forSupport("lookAtBrand", "GET /api/console/brands/:brand", {
  summary: "A brand: its calls, errors, webhooks and limits; the look is recorded",
  params: t.Object({ brand: Uuid }),
  reply: ConsoleBrandPage,
  refusals: [404],
});

export const limitBrand = forOperator("limitBrand", "POST /api/console/brands/:brand/mode", {
  summary: "Limit what a brand can do",
  params: t.Object({ brand: Uuid }),
  body: t.Object({ environment: Environment, mode: stringEnum(...brandModes), reason: Reason }),
  reply: Nothing,
  refusals: [404],
});
