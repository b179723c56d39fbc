/** The dashboard's own interface to what a brand's calls came to: the request log, figures, and what is counted. */

import type { Static } from "typebox";
import { Environment } from "./brand.ts";
import { ofEnvironment } from "./dashboard-shapes.ts";
import { endpoint } from "./endpoint.ts";
import { anyOf, Millis, oneOf, Phone, t, Uuid } from "./primitives.ts";

const forViewer = { tag: "Dashboard", auth: "member", role: "viewer" } as const;
/** The number of a line, by which pages go on where the one before ended. */
const LineId = t.String({ pattern: "^[0-9]{1,15}$" });
const Count = t.Integer({ minimum: 0 });

const LogLine = t.Object({
  id: t.Integer(),
  at: Millis,
  method: t.String(),
  route: t.String(),
  status: t.Integer(),
  errorCode: anyOf(t.String(), t.Null()),
  latencyMs: t.Integer(),
  /** The last four digits; null where the call named nobody, or where they were deleted. */
  phoneLastFour: anyOf(t.String(), t.Null()),
  /** The 1-Click, verification, lookup or credential. */
  subjectUuid: anyOf(Uuid, t.Null()),
  keyName: anyOf(t.String(), t.Null()),
});
export type LogLine = Static<typeof LogLine>;

/** What of the log is wanted; a phone stands in a body, never in an address. */
const LogFilter = t.Object({
  status: t.Optional(oneOf("succeeded", "refused", "broken")),
  errorCode: t.Optional(t.String({ minLength: 1, maxLength: 20 })),
  method: t.Optional(oneOf("GET", "POST", "PUT", "PATCH", "DELETE")),
  /** The route, or a part of it. */
  route: t.Optional(t.String({ minLength: 1, maxLength: 200 })),
  uuid: t.Optional(Uuid),
  phone: t.Optional(Phone),
  from: t.Optional(Millis),
  to: t.Optional(Millis),
});
export type LogFilter = Static<typeof LogFilter>;

export const searchLog = endpoint({
  ...forViewer,
  id: "searchLog",
  method: "POST",
  path: "/api/brands/:brand/:environment/log",
  summary: "A brand's calls, newest first; older or newer than a line",
  params: ofEnvironment,
  body: t.Object({ filter: LogFilter, older: t.Optional(LineId), newer: t.Optional(LineId) }),
  reply: t.Object({ data: t.Array(LogLine), hasOlder: t.Boolean(), hasNewer: t.Boolean() }),
  status: 200,
  errors: ["ERR001"],
  refusals: [404],
});

const LogDetail = t.Object({
  line: LogLine,
  requestId: t.String(),
  keyLastFour: anyOf(t.String(), t.Null()),
  /** Members of the body that were ignored, as the answer's `Warning` named them. */
  warnings: t.Array(t.String()),
  /** What the call did, as the audit has it. */
  deeds: t.Array(
    t.Object({
      action: t.String(),
      oneClickUuid: anyOf(Uuid, t.Null()),
      verificationUuid: anyOf(Uuid, t.Null()),
    }),
  ),
  /** Other ids of the same person's calls in this brand, newest first. */
  related: t.Array(t.Object({ uuid: Uuid, at: Millis, route: t.String() })),
});
export type LogDetail = Static<typeof LogDetail>;

export const readLogLine = endpoint({
  ...forViewer,
  id: "readLogLine",
  method: "GET",
  path: "/api/brands/:brand/:environment/log/:line",
  summary: "All that is known of one call",
  params: t.Object({ brand: Uuid, environment: Environment, line: LineId }),
  reply: LogDetail,
  status: 200,
  errors: ["ERR001"],
  refusals: [404],
});

const Bucketed = t.Object({
  /** Where each bucket begins. */
  at: t.Array(Millis),
  /** One count for each bucket. */
  series: t.Array(t.Object({ name: t.String(), counts: t.Array(Count) })),
});
export type Bucketed = Static<typeof Bucketed>;

const Alarm = t.Object({
  /** Of all the brand's texts, or of those to one block of numbers. */
  kind: oneOf("brand", "block"),
  raisedAt: Millis,
  /** Texts are held back until then. */
  endsAt: Millis,
  sent: Count,
  verified: Count,
});
export type Alarm = Static<typeof Alarm>;

const Figures = t.Object({
  /** Texts that hardly anybody answered, in the range and within a week; newest first. */
  alarms: t.Array(Alarm),
  from: Millis,
  to: Millis,
  bucket: oneOf("minute", "hour", "day"),
  verifications: t.Array(
    t.Object({
      channel: oneOf("sms", "autofill", "silent", "textToSignup"),
      created: Count,
      sending: Count,
      delivered: Count,
      verified: Count,
      failed: Count,
      expired: Count,
      open: Count,
    }),
  ),
  signup: t.Object({
    asked: Count,
    moreAsked: Count,
    released: Count,
    optedOut: Count,
    refused: Count,
    expired: Count,
    open: Count,
    refusals: t.Array(t.Object({ code: t.String(), count: Count })),
  }),
  health: t.Object({ asked: Count, succeeded: Count, partial: Count, failed: Count, open: Count }),
  calls: t.Object({ all: Count, refused: Count, broken: Count }),
  over: t.Object({ verifications: Bucketed, signup: Bucketed, health: Bucketed, errors: Bucketed }),
});
export type Figures = Static<typeof Figures>;

export const readFigures = endpoint({
  ...forViewer,
  id: "readFigures",
  method: "GET",
  path: "/api/brands/:brand/:environment/figures",
  summary: "Conversion, outcomes and errors in a range of time",
  params: ofEnvironment,
  query: t.Object({
    /** How far back, up to the environment's now. */
    range: t.Optional(oneOf("hour", "day", "week", "month", "quarter")),
    from: t.Optional(t.String({ pattern: "^[0-9]{1,15}$" })),
    to: t.Optional(t.String({ pattern: "^[0-9]{1,15}$" })),
    bucket: t.Optional(oneOf("minute", "hour", "day")),
  }),
  reply: Figures,
  status: 200,
  errors: ["ERR001"],
  refusals: [404],
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

export const readUsage = endpoint({
  ...forViewer,
  id: "readUsage",
  method: "GET",
  path: "/api/brands/:brand/:environment/usage",
  summary: "What is billed, by month, newest first",
  params: ofEnvironment,
  reply: t.Object({ data: t.Array(UsageMonth) }),
  status: 200,
  errors: ["ERR001"],
  refusals: [404],
});

const LedgerLine = t.Object({
  id: t.Integer(),
  at: Millis,
  kind: t.String(),
  subjectUuid: Uuid,
  causeUuid: Uuid,
});
export type LedgerLine = Static<typeof LedgerLine>;

export const listLedger = endpoint({
  ...forViewer,
  id: "listLedger",
  method: "GET",
  path: "/api/brands/:brand/:environment/ledger",
  summary: "What a brand earned, newest first",
  params: ofEnvironment,
  query: t.Object({ before: t.Optional(LineId) }),
  reply: t.Object({ data: t.Array(LedgerLine), hasOlder: t.Boolean() }),
  status: 200,
  errors: ["ERR001"],
  refusals: [404],
});

export const exportUsage = endpoint({
  ...forViewer,
  id: "exportUsage",
  method: "GET",
  path: "/api/brands/:brand/:environment/usage-csv",
  summary: "The months or the ledger as text that spreadsheets read",
  params: ofEnvironment,
  query: t.Object({ of: oneOf("usage", "ledger") }),
  /** `isWhole`: false where there is more than one file holds. */
  reply: t.Object({ csv: t.String(), isWhole: t.Boolean() }),
  status: 200,
  errors: ["ERR001"],
  refusals: [404],
});
