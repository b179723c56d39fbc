/** Dashboard endpoints for network rules: a payer search, and a trial of rules against made-up plans. */

import type { Static } from "typebox";
import { BrandSettings } from "../brand/brand.ts";
import { NetworkDecision } from "../brand-api/health.ts";
import { rulesBodyValuesMax } from "../endpoint.ts";
import { Day, stringEnum, t } from "../primitives.ts";
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

/** `notInForce`: the day is before the rule's first day, or its end has come. */
const ruleMatches = ["matches", "differs", "unknown", "notInForce", "off", "incomplete"] as const;

const RuleMatch = t.Object({
  /** The rule's index in the list, from 0. */
  place: t.Integer(),
  match: stringEnum(...ruleMatches),
  /**
   * `decides`: it is among the most specific rules that match. `prevents`: it might match, is more specific, and gives
   * another status, so the plan is indeterminate.
   */
  part: t.Optional(stringEnum("decides", "prevents")),
  /** How each condition compares, in the order of the rule. Empty for a rule that is off or incomplete. */
  conditions: t.Array(stringEnum("matches", "differs", "unknown")),
});
export type RuleMatch = Static<typeof RuleMatch>;

/** Maximum number of plans in one trial, and of rules that it explains for each plan. */
export const trialPlansMax = 8;
export const trialRulesMax = 50;

export const tryNetworkRules = forViewer(
  "tryNetworkRules",
  "POST /api/brands/:brand/:environment/network-rules/trial",
  {
    summary: "Apply rules to sample plans; saves nothing and calls no payer",
    params: ofEnvironment,
    body: t.Object({
      /** Default: the saved rules. */
      rules: t.Optional(BrandSettings.properties.networkRules),
      plans: t.Array(SamplePlan, { minItems: 1, maxItems: trialPlansMax }),
      /** Indexes of the rules to explain, besides those that decide. All rules take part. */
      explain: t.Optional(t.Array(t.Integer({ minimum: 0 }), { maxItems: trialRulesMax })),
      /** Default: today. */
      day: t.Optional(Day),
    }),
    bodyLimit: rulesBodyBytesMax,
    bodyValues: rulesBodyValuesMax,
    reply: t.Object({
      day: Day,
      /** One for each plan, in the same order. */
      decisions: t.Array(
        t.Object({
          status: NetworkDecision.properties.status,
          /** The explained rules, and at most 50 that decide, in the order of the list. */
          rules: t.Array(RuleMatch),
        }),
      ),
      /** Problems of rules that cannot be saved yet. Such a rule decides nothing here. Paths begin with `rules.`. */
      problems: t.Array(t.Object({ path: t.String(), message: t.String() })),
    }),
    refusals: [404],
  },
);
