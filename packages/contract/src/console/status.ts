/** Console endpoints of the service's state. They contain figures only. */
import type { Static } from "typebox";
import { Environment } from "../brand/brand.ts";
import { anyOf, Millis, stringEnum, t } from "../primitives.ts";
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
  /** Alarms of the last seven days about texts that nobody answered, newest first. */
  alarms: t.Array(
    t.Object({
      kind: t.String(),
      brandName: anyOf(t.String(), t.Null()),
      raisedAt: Millis,
      sent: t.Integer(),
      verified: t.Integer(),
    }),
  ),
});
export type EnvironmentStatus = Static<typeof EnvironmentStatus>;

const ConsoleStatus = t.Object({
  at: Millis,
  version: t.String(),
  node: t.String(),
  startedAt: Millis,
  environments: t.Array(EnvironmentStatus),
  /** Sweeps that failed since the service started. A failed sweep runs again. */
  failedSweeps: t.Array(t.Object({ environment: t.String(), sweep: t.String(), count: t.Integer() })),
  /** Calls to vendors since the service started. */
  vendors: t.Array(
    t.Object({
      vendor: t.String(),
      breaker: stringEnum("closed", "open", "trying"),
      calls: t.Integer(),
      averageMs: anyOf(t.Integer(), t.Null()),
      outcomes: t.Array(t.Object({ outcome: t.String(), count: t.Integer() })),
    }),
  ),
  /** The first database and the cells. */
  databases: t.Array(t.Object({ cell: t.Integer(), answers: t.Boolean(), bytes: anyOf(t.Integer(), t.Null()) })),
  /** The master keys' fingerprints, and how many keys each wraps. */
  masterKeys: t.Array(
    t.Object({
      id: t.String(),
      usedAt: anyOf(Millis, t.Null()),
      retiredAt: anyOf(Millis, t.Null()),
      wraps: t.Integer(),
    }),
  ),
});
export type ConsoleStatus = Static<typeof ConsoleStatus>;

export const readConsoleStatus = forSupport("readConsoleStatus", "GET /api/console/status", {
  summary: "Traffic, errors, jobs, texts, vendors, databases and keys",
  reply: ConsoleStatus,
});
