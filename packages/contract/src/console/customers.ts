/** Console endpoints of customers and their brands. */
import type { Static } from "typebox";
import { Approval, Environment } from "../brand/brand.ts";
import { Nothing } from "../dashboard/shapes.ts";
import { Millis, stringEnum, t, Uuid } from "../primitives.ts";
import { forOperator, forSupport, Reason } from "./shapes.ts";

const brandModes = ["active", "readOnly", "stopped"] as const;
export type ConsoleMode = (typeof brandModes)[number];

const BrandInEnvironment = t.Object({
  environment: Environment,
  integrationType: t.String(),
  externalName: t.String(),
  mode: stringEnum(...brandModes),
  approvals: t.Array(Approval),
  /** Calls of the last 24 hours, and those that the service could not answer. */
  calls: t.Integer(),
  failed: t.Integer(),
  /** Webhooks whose deliveries fail now. */
  failingWebhooks: t.Integer(),
});
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
  summary: "Customers with their brands, by name",
  /** Part of a customer's or a brand's name, or a whole uuid. */
  query: t.Object({ search: t.Optional(t.String({ maxLength: 100 })) }),
  reply: t.Object({ data: t.Array(ConsoleCustomer), hasMore: t.Boolean() }),
});

export const limitBrand = forOperator("limitBrand", "POST /api/console/brands/:brand/mode", {
  summary: "Limit what a brand can do",
  params: t.Object({ brand: Uuid }),
  body: t.Object({ environment: Environment, mode: stringEnum(...brandModes), reason: Reason }),
  reply: Nothing,
  refusals: [404],
});
