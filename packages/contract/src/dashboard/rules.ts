/** Dashboard endpoints for network rules: a payer search, and a trial of rules against a made-up plan. */

import type { Static } from "typebox";
import { BrandSettings } from "../brand/brand.ts";
import { NetworkDecision } from "../brand-api/health.ts";
import { rulesBodyValuesMax } from "../endpoint.ts";
import { Day, t } from "../primitives.ts";
import { forViewer, ofEnvironment, rulesBodyBytesMax } from "./shapes.ts";

const Text = t.String({ maxLength: 200 });

const PayerChoice = t.Object({
  vendorId: t.String(),
  name: t.String(),
  /** The payer's primary id. Absent for a group. */
  id: t.Optional(t.String()),
  /** The requested id that found this payer. Absent in a search by name. */
  asked: t.Optional(t.String()),
});
export type PayerChoice = Static<typeof PayerChoice>;

export const searchRulePayers = forViewer("searchRulePayers", "GET /api/brands/:brand/:environment/payers", {
  summary: "Search payers by name or id, best match first; or get payers by their ids",
  params: ofEnvironment,
  query: t.Object({
    search: t.Optional(Text),
    ids: t.Optional(t.String({ maxLength: 4000, description: "Separated by commas" })),
  }),
  reply: t.Object({ data: t.Array(PayerChoice) }),
  refusals: [404],
});

/** A made-up plan, as a payer would describe it. An absent field is unknown, as in a real response. */
const SamplePlan = t.Object({
  payerId: t.String({ minLength: 1, maxLength: 80 }),
  planName: t.Optional(Text),
  groupNumber: t.Optional(Text),
  groupName: t.Optional(Text),
  state: t.Optional(t.String({ pattern: "^[A-Za-z]{2}$" })),
  insuranceTypeCodes: t.Optional(t.Array(t.String({ pattern: "^[A-Za-z0-9]{1,3}$" }), { maxItems: 20 })),
  relatedEntities: t.Optional(t.Array(Text, { maxItems: 20 })),
});
export type SamplePlan = Static<typeof SamplePlan>;

export const tryNetworkRules = forViewer(
  "tryNetworkRules",
  "POST /api/brands/:brand/:environment/network-rules/trial",
  {
    summary: "Apply rules to a sample plan; saves nothing and calls no payer",
    params: ofEnvironment,
    body: t.Object({
      /** Default: the saved rules. */
      rules: t.Optional(BrandSettings.properties.networkRules),
      plan: SamplePlan,
      /** Default: today. */
      day: t.Optional(Day),
    }),
    bodyLimit: rulesBodyBytesMax,
    bodyValues: rulesBodyValuesMax,
    reply: t.Object({
      decision: NetworkDecision,
      /** Indexes of the deciding rules in the list, from 0. */
      places: t.Array(t.Integer()),
      day: Day,
    }),
    refusals: [404],
  },
);
