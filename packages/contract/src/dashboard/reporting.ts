/** Dashboard endpoints for reporting: the request log, analytics and usage. */

import type { Static } from "typebox";
import { Environment } from "../brand/brand.ts";
import { anyOf, Millis, Phone, stringEnum, t, Uuid } from "../primitives.ts";
import { forRole, ofEnvironment } from "./shapes.ts";

const forViewer = forRole("viewer", { refusals: [404] });
/** The number of the line's cell, and the line's id in that cell (at most 2⁵³). */
export const LineId = t.String({ pattern: "^[0-9]{1,4}-[0-9]{1,16}$" });
/** A position between lines: for each cell, the number of the cell and a line id. */
const Cursor = t.String({ pattern: "^[0-9]{1,4}-[0-9]{1,16}([.][0-9]{1,4}-[0-9]{1,16})*$" });
const Count = t.Integer({ minimum: 0 });

const LogLine = t.Object({
  id: LineId,
  at: Millis,
  method: t.String(),
  route: t.String(),
  status: t.Integer(),
  errorCode: anyOf(t.String(), t.Null()),
  latencyMs: t.Integer(),
  /** The last four digits. Null if the call has no person, or the person was deleted. */
  phoneLastFour: anyOf(t.String(), t.Null()),
  /** UUID of the 1-Click, verification, lookup or credential. */
  subjectUuid: anyOf(Uuid, t.Null()),
  keyName: anyOf(t.String(), t.Null()),
});
export type LogLine = Static<typeof LogLine>;

/** Named lengths of the time before now, in the environment's time. */
const LogRange = stringEnum("hour", "day", "week");

/** Filters for the log. They are sent in a body, because a phone must not appear in a URL. */
const LogFilter = t.Object({
  /** `failed`: refused or broken. */
  status: t.Optional(stringEnum("succeeded", "failed", "refused", "broken")),
  statusCode: t.Optional(t.Integer({ minimum: 100, maximum: 599 })),
  errorCode: t.Optional(t.String({ minLength: 1, maxLength: 20 })),
  method: t.Optional(stringEnum("GET", "POST", "PUT", "PATCH", "DELETE")),
  /** The route, or a part of it. */
  route: t.Optional(t.String({ minLength: 1, maxLength: 200 })),
  /** The subject of the call, or the call's request id. */
  uuid: t.Optional(Uuid),
  phone: t.Optional(Phone),
  /** The last four digits of the phone. Searches only the brand's latest calls. */
  lastFour: t.Optional(t.String({ pattern: "^[0-9]{4}$" })),
  /** Ignored with `from`. */
  range: t.Optional(LogRange),
  from: t.Optional(Millis),
  to: t.Optional(Millis),
});
export type LogFilter = Static<typeof LogFilter>;

export const readReportLag = forRole("viewer")("readReportLag", "GET /api/report-lag", {
  summary: "How far the log, analytics and usage are behind",
  /** Null if these pages read the primary database, which is never behind. */
  reply: t.Object({ lagMs: anyOf(Count, t.Null()) }),
});

export const searchLog = forViewer("searchLog", "POST /api/brands/:brand/:environment/log", {
  summary: "A brand's calls, newest first; a list page is older or newer than another one",
  params: ofEnvironment,
  body: t.Object({ filter: LogFilter, older: t.Optional(Cursor), newer: t.Optional(Cursor) }),
  reply: t.Object({
    data: t.Array(LogLine),
    hasOlder: t.Boolean(),
    hasNewer: t.Boolean(),
    cursors: t.Object({ older: Cursor, newer: Cursor }),
  }),
});

/** The most lines that a count, or a search without an index, reads in each database, the newest first. */
export const logSearchedMax = 10_000;

const LogHistogram = t.Object({
  /** From the first bar to the end of the last one. Bars without calls are left out. */
  from: Millis,
  to: Millis,
  bucketMs: t.Integer({ minimum: 1 }),
  bars: t.Array(t.Object({ at: Millis, succeeded: Count, refused: Count, broken: Count })),
  /** Whether all calls of the time were counted. Otherwise, `from` is where the count begins. */
  isWhole: t.Boolean(),
});
export type LogHistogram = Static<typeof LogHistogram>;

export const countLog = forViewer("countLog", "POST /api/brands/:brand/:environment/log/histogram", {
  summary: "How many of a brand's calls match a filter, over time",
  params: ofEnvironment,
  body: t.Object({ filter: LogFilter }),
  reply: LogHistogram,
});

const LogDetail = t.Object({
  line: LogLine,
  requestId: t.String(),
  keyLastFour: anyOf(t.String(), t.Null()),
  /** Why the error happens and what helps. Null without an error code. */
  explanation: anyOf(t.Object({ cause: t.String(), fix: t.String() }), t.Null()),
  /** Body members that the service ignored. The response's `Warning` header listed them. */
  warnings: t.Array(t.String()),
  /** What the call did, from the audit record. */
  actions: t.Array(
    t.Object({
      action: t.String(),
      oneClickUuid: anyOf(Uuid, t.Null()),
      verificationUuid: anyOf(Uuid, t.Null()),
    }),
  ),
  /** Other subjects of the same person's calls to this brand, newest first. */
  related: t.Array(t.Object({ uuid: Uuid, at: Millis, route: t.String() })),
});
export type LogDetail = Static<typeof LogDetail>;

export const readLogLine = forViewer("readLogLine", "GET /api/brands/:brand/:environment/log/:line", {
  summary: "The details of one call",
  params: t.Object({ brand: Uuid, environment: Environment, line: LineId }),
  reply: LogDetail,
});

const Bucketed = t.Object({
  /** Start of each bucket. */
  at: t.Array(Millis),
  series: t.Array(t.Object({ name: t.String(), counts: t.Array(Count) })),
});
export type Bucketed = Static<typeof Bucketed>;

/** A percentile of the durations, in milliseconds. Null without calls. */
const Percentile = anyOf(t.Integer(), t.Null());
const Percentiles = { p50: Percentile, p95: Percentile, p99: Percentile };
const Latencies = t.Object({
  at: t.Array(Millis),
  series: t.Array(t.Object({ name: stringEnum("p50", "p95", "p99"), values: t.Array(Percentile) })),
});
export type Latencies = Static<typeof Latencies>;
const Calls = t.Object({ all: Count, refused: Count, broken: Count, ...Percentiles });
const Share = t.Object({ all: Count, part: Count });

const Alarm = t.Object({
  /** Whether the alarm covers all of the brand's texts or the texts to one block of numbers. */
  kind: stringEnum("brand", "block"),
  raisedAt: Millis,
  /** The alarm limits texts until this time. */
  endsAt: Millis,
  sent: Count,
  verified: Count,
});
export type Alarm = Static<typeof Alarm>;

/** Why 1-Clicks did not reach a step: an error code, or one of `funnelReasons`. The most frequent first. */
const Losses = t.Array(t.Object({ reason: t.String(), count: Count }));
const Step = t.Object({
  /** The 1-Clicks that reached the step. */
  count: Count,
  /** The median time since the step before, in milliseconds. Null if no time was measured. */
  medianMs: anyOf(Count, t.Null()),
  losses: Losses,
});
/** How far a brand's 1-Clicks got. Each step counts those of the step before that went on. */
const Funnel = t.Object({
  /** The 1-Clicks that were requested. */
  asked: Count,
  /** The phone was verified. */
  verified: Step,
  /** The identity was found. */
  found: Step,
  /** The person, or the brand for them, shared it. */
  shared: Step,
});
export type Funnel = Static<typeof Funnel>;

const Analytics = t.Object({
  /** Alarms in the range, newest first: too few of the texts led to a verified phone. Alarms are kept for a week. */
  alarms: t.Array(Alarm),
  from: Millis,
  to: Millis,
  bucket: stringEnum("minute", "hour", "day"),
  verifications: t.Array(
    t.Object({
      channel: stringEnum("sms", "autofill", "silent", "textToSignup"),
      created: Count,
      sending: Count,
      delivered: Count,
      verified: Count,
      failed: Count,
      expired: Count,
      open: Count,
    }),
  ),
  funnel: Funnel,
  signup: t.Object({
    asked: Count,
    moreAsked: Count,
    released: Count,
    optedOut: Count,
    refused: Count,
    expired: Count,
    open: Count,
    refusals: t.Array(t.Object({ code: t.String(), count: Count })),
    /** How far the 1-Clicks of each flow got: created, phone proven, reviewed by the person, and shared. */
    funnels: t.Array(t.Object({ journey: t.String(), created: Count, proven: Count, reviewed: Count, shared: Count })),
  }),
  health: t.Object({ asked: Count, succeeded: Count, partial: Count, failed: Count, open: Count }),
  calls: Calls,
  /** The period of the same length before the range. Calls are null if the log no longer has them. */
  before: t.Object({ verifications: Share, signup: Share, health: Share, calls: anyOf(Calls, t.Null()) }),
  over: t.Object({
    calls: Bucketed,
    latency: Latencies,
    verifications: Bucketed,
    signup: Bucketed,
    health: Bucketed,
    errors: Bucketed,
  }),
});
export type Analytics = Static<typeof Analytics>;

export const readAnalytics = forViewer("readAnalytics", "GET /api/brands/:brand/:environment/analytics", {
  summary: "Conversion, outcomes and errors in a time range",
  params: ofEnvironment,
  query: t.Object({
    /** Length of the range, which ends now in the environment's time. `auto`: the shortest one that fits the latest calls. */
    range: t.Optional(stringEnum("auto", "hour", "day", "week", "month", "quarter")),
    from: t.Optional(t.String({ pattern: "^[0-9]{1,15}$" })),
    to: t.Optional(t.String({ pattern: "^[0-9]{1,15}$" })),
    bucket: t.Optional(stringEnum("minute", "hour", "day")),
  }),
  reply: Analytics,
});

/** Counts of the last seven UTC days, today until now. `before`: the same hours a week earlier. */
const Pair = t.Object({ now: Share, before: Share });
/** Something that a member should look at. The most urgent kinds come first. */
const Attention = anyOf(
  t.Object({ kind: t.Literal("webhookFailing"), address: t.String(), since: Millis }),
  t.Object({ kind: t.Literal("textsLimited"), until: Millis }),
  t.Object({ kind: t.Literal("noKey") }),
  t.Object({ kind: t.Literal("productionRefused"), since: Millis }),
  t.Object({ kind: t.Literal("nameWaits"), requested: t.String(), since: Millis }),
  t.Object({ kind: t.Literal("productionWaits"), since: Millis }),
  t.Object({ kind: t.Literal("keyUnused"), name: t.String(), lastFour: t.String(), since: Millis }),
  t.Object({ kind: t.Literal("productionNotAsked") }),
);
export type Attention = Static<typeof Attention>;

const Overview = t.Object({
  /** The environment's time. */
  now: Millis,
  /** The start of the seven days. */
  from: Millis,
  funnel: Funnel,
  /** The requested and shared 1-Clicks of each of the seven days, and of the same days a week earlier. */
  days: t.Array(t.Object({ at: Millis, now: Share, before: Share })),
  signup: Pair,
  verifications: Pair,
  health: Pair,
  /** Calls, and those that failed. */
  calls: Pair,
  /** At most ten. */
  attention: t.Array(Attention),
  /** How many more things need attention. */
  attentionMore: Count,
});
export type Overview = Static<typeof Overview>;

export const readOverview = forViewer("readOverview", "GET /api/brands/:brand/:environment/overview", {
  summary: "A brand's last seven days beside those before, and what needs attention",
  params: ofEnvironment,
  reply: Overview,
});

const UsageMonth = t.Object({
  /** yyyy-MM, UTC. */
  month: t.String(),
  textsSent: Count,
  verifyAutofills: Count,
  verifications: Count,
  signups: Count,
  riskSignals: Count,
  healthAutofills: Count,
  healthChecks: Count,
});
export type UsageMonth = Static<typeof UsageMonth>;

export const readUsage = forViewer("readUsage", "GET /api/brands/:brand/:environment/usage", {
  summary: "Counts for billing by month, newest first",
  params: ofEnvironment,
  reply: t.Object({ data: t.Array(UsageMonth) }),
});

const LedgerLine = t.Object({
  id: LineId,
  at: Millis,
  kind: t.String(),
  subjectUuid: Uuid,
  causeUuid: Uuid,
});
export type LedgerLine = Static<typeof LedgerLine>;

export const listLedger = forViewer("listLedger", "GET /api/brands/:brand/:environment/ledger", {
  summary: "A brand's earnings, newest first",
  params: ofEnvironment,
  query: t.Object({ older: t.Optional(Cursor) }),
  reply: t.Object({ data: t.Array(LedgerLine), hasOlder: t.Boolean(), older: Cursor }),
});

export const exportUsage = forViewer("exportUsage", "GET /api/brands/:brand/:environment/usage-csv", {
  summary: "Export the monthly usage or the earnings as CSV",
  params: ofEnvironment,
  query: t.Object({ of: stringEnum("usage", "ledger") }),
  /** `isWhole` is false if there are more lines than one file holds. */
  reply: t.Object({ csv: t.String(), isWhole: t.Boolean() }),
});
