/** Console endpoints of the service's state. They contain figures only. */
import type { Static } from "typebox";
import { Environment } from "../brand/brand.ts";
import { anyOf, Millis, t, Uuid } from "../primitives.ts";
import { forSupport } from "./shapes.ts";

const EnvironmentStatus = t.Object({
  environment: Environment,
  /** Calls of brands in the last hour, those with a status of 500 or above, and the 95th percentile of their time. */
  calls: t.Integer(),
  failed: t.Integer(),
  p95Ms: anyOf(t.Integer(), t.Null()),
  jobs: t.Object({ due: t.Integer(), failed: t.Integer(), oldestDueMs: t.Integer() }),
  /** The used share of this hour's texts for sign-ins. */
  signInTexts: t.Number(),
  /** Texts of the last 24 hours by state. */
  texts: t.Array(t.Object({ state: t.String(), count: t.Integer() })),
  /** Numbers that opted out of texts with STOP. */
  stopped: t.Integer(),
  /** Alarms of the last seven days about texts that nobody answered. */
  alarms: t.Integer(),
  /** The webhooks that have failed longest, at most ten, with how many fail in all. `since`: the first failed attempt. */
  failingWebhooks: t.Object({
    count: t.Integer(),
    oldest: t.Array(t.Object({ brand: Uuid, brandName: t.String(), customerName: t.String(), since: Millis })),
  }),
  /** Brands that require a state ID although no authority is trusted now. */
  blockedBrands: t.Integer(),
  /** The environment's time, which `since` is compared with. */
  now: Millis,
});
export type EnvironmentStatus = Static<typeof EnvironmentStatus>;

const ConsoleStatus = t.Object({
  at: Millis,
  version: t.String(),
  node: t.String(),
  startedAt: Millis,
  environments: t.Array(EnvironmentStatus),
  /** Sweeps that have not succeeded since they failed. They run again. */
  failingSweeps: t.Array(t.Object({ environment: Environment, sweep: t.String() })),
  /** Vendors that the answering process does not call now, because calls failed. */
  pausedVendors: t.Array(t.String()),
  /** Vendors whose newest failed call, within an hour, met an invalid certificate. Of the answering process, too. */
  badCertificates: t.Array(t.String()),
  /** The first database and the cells. */
  databases: t.Array(t.Object({ cell: t.Integer(), answers: t.Boolean(), bytes: anyOf(t.Integer(), t.Null()) })),
  /** Whether a rotation of the master key has not finished. */
  isRotating: t.Boolean(),
});
export type ConsoleStatus = Static<typeof ConsoleStatus>;

export const readConsoleStatus = forSupport("readConsoleStatus", "GET /api/console/status", {
  summary: "Traffic, errors, jobs, texts and databases, and what needs attention",
  reply: ConsoleStatus,
});

const TrafficOverTime = t.Object({
  environment: Environment,
  /** Half an hour each, the oldest first. The last one has not ended. */
  periods: t.Array(
    t.Object({
      at: Millis,
      calls: t.Integer(),
      /** Calls with a status of 500 or above. */
      failed: t.Integer(),
      /** Null if there were no calls. */
      p95Ms: anyOf(t.Integer(), t.Null()),
    }),
  ),
});
export type TrafficOverTime = Static<typeof TrafficOverTime>;

export const readConsoleTraffic = forSupport("readConsoleTraffic", "GET /api/console/traffic", {
  summary: "Calls, failed calls and the 95th percentile of the last 24 hours, by half an hour",
  reply: t.Object({ data: t.Array(TrafficOverTime) }),
});
