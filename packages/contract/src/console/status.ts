/** Console endpoints of the service's state. They contain figures only. */
import type { Static } from "typebox";
import { Environment } from "../brand/brand.ts";
import { anyOf, Millis, t } from "../primitives.ts";
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
