/** Console endpoint of erasures and of the keys that encrypt personal data. */
import type { Static } from "typebox";
import { Environment } from "../brand/brand.ts";
import { anyOf, Millis, t } from "../primitives.ts";
import { forOperator } from "./shapes.ts";

/** What one sweep erases. */
const SweepLine = t.Object({
  environment: Environment,
  sweep: t.String(),
  /** Rows that it erased today and in the last 30 days (UTC). */
  erasedToday: t.Integer(),
  erased: t.Integer(),
  /** When it last erased something. */
  erasedAt: anyOf(Millis, t.Null()),
  failures: t.Integer(),
  failedAt: anyOf(Millis, t.Null()),
  /** Whether it has not succeeded since it failed. */
  isFailing: t.Boolean(),
});
export type SweepLine = Static<typeof SweepLine>;

/** What expires next in one table. Counts end at 10,000. */
const DueLine = t.Object({
  environment: Environment,
  table: t.String(),
  /** Rows whose time has come. The next sweep erases them, within seconds. */
  due: t.Integer(),
  /** Rows whose time comes in the next 24 hours, and the first of these times. */
  soon: t.Integer(),
  nextAt: anyOf(Millis, t.Null()),
});
export type DueLine = Static<typeof DueLine>;

const MasterKeyLine = t.Object({
  /** 0: the first database. */
  cell: t.Integer(),
  /** The fingerprint. */
  id: t.String(),
  usedAt: anyOf(Millis, t.Null()),
  retiredAt: anyOf(Millis, t.Null()),
  /** When it wrapped no key any more. */
  emptiedAt: anyOf(Millis, t.Null()),
  wraps: t.Integer(),
});
export type MasterKeyLine = Static<typeof MasterKeyLine>;

export const readRetention = forOperator("readRetention", "GET /api/console/retention", {
  summary: "What was erased, what is due next, failed sweeps, and the progress of a rotation of the master key",
  reply: t.Object({
    sweeps: t.Array(SweepLine),
    due: t.Array(DueLine),
    masterKeys: t.Array(MasterKeyLine),
    /** Databases that do not answer now. Their rows are not counted. */
    away: t.Array(t.Integer()),
  }),
});
