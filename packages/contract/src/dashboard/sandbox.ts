/** Dashboard endpoints for the sandbox: its outbox of texts and emails, and its clock. */
import type { Static } from "typebox";
import { anyOf, Millis, stringEnum, t, Uuid } from "../primitives.ts";
import { moveClock } from "../sandbox/control.ts";
import { forDeveloper, forViewer } from "./shapes.ts";

const OutboxLine = t.Object({
  id: Uuid,
  to: t.String(),
  subject: t.Optional(t.String()),
  body: t.String(),
  channel: stringEnum("sms", "email"),
  /** Null for messages from the service itself, such as sign-ins to people's own pages and to the dashboard. */
  brandName: anyOf(t.String(), t.Null()),
  /** The journey of a text's verification, and its brand. */
  journey: anyOf(t.Object({ brand: Uuid, uuid: Uuid }), t.Null()),
  sentAt: Millis,
});
export type OutboxLine = Static<typeof OutboxLine>;

/** Maximum number of messages in the outbox. */
export const outboxMax = 1_000;

export const readOutbox = forDeveloper("readOutbox", "GET /api/sandbox/outbox", {
  summary: "The sandbox's texts, and the emails to the signed-in member, newest first",
  reply: t.Object({ data: t.Array(OutboxLine, { maxItems: outboxMax }) }),
  refusals: [404],
});

const DashboardClock = t.Object({ now: Millis, offsetMs: t.Integer({ minimum: 0 }), isMovable: t.Boolean() });
export type DashboardClock = Static<typeof DashboardClock>;

export const readDashboardClock = forViewer("readDashboardClock", "GET /api/sandbox/clock", {
  summary: "The sandbox's time",
  reply: DashboardClock,
  refusals: [404],
});

/**
 * What the sandbox's clock makes happen. `erasure`: of a verification, a lookup, or a 1-Click that was not shared.
 * `webhookRetry` and `textRetry`: the next attempt.
 */
export const dueKinds = ["code", "link", "access", "erasure", "webhookRetry", "textRetry"] as const;

const DueMark = t.Object({
  kind: stringEnum(...dueKinds),
  /** The first and the last of them, which are due in the same minute. */
  at: Millis,
  lastAt: Millis,
  count: t.Integer({ minimum: 1 }),
  brandName: t.String(),
});
export type DueMark = Static<typeof DueMark>;

/** Maximum number of marks in one answer. */
export const dueMarksMax = 200;

export const listDue = forViewer("listDue", "GET /api/sandbox/clock/due", {
  summary: "What becomes due for the account's brands in the sandbox, soonest first; says nothing about people",
  reply: t.Object({
    data: t.Array(DueMark, { maxItems: dueMarksMax }),
    /** The list is complete up to this time. Null: the list has everything. */
    until: anyOf(Millis, t.Null()),
  }),
  refusals: [404],
});

export const moveDashboardClock = forDeveloper("moveDashboardClock", "POST /api/sandbox/clock", {
  summary: "Advance the sandbox's clock, and run the jobs that become due",
  body: moveClock.body,
  reply: moveClock.reply,
  refusals: [403, 404],
});

export const resetDashboardClock = forDeveloper("resetDashboardClock", "DELETE /api/sandbox/clock", {
  summary: "Back to real time",
  reply: DashboardClock,
  refusals: [403, 404],
});
