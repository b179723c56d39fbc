/** Texts of the status page. */
const count = (number: number) => number.toLocaleString("en-US");
const many = (number: number, one: string, more: string) => `${count(number)} ${number === 1 ? one : more}`;
const databaseName = (cell: number) => (cell === 0 ? "First database" : `Cell ${cell}`);

/** A duration in its largest unit, such as `3 min`. */
export function durationOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

export const statusWords = {
  title: "Status",
  lead: "What needs attention, and how the service runs.",
  asOf: "As of",
  running: (version: string, node: string) => `Countersign ${version} on Node ${node}, since`,
  calls: "Calls in the last hour",
  callsByTime: "Calls by half an hour",
  callsOfDay: (calls: number) => `${count(calls)} in 24 hours`,
  callsAt: (at: string, calls: number, failed: number) =>
    `${at}: ${many(calls, "call", "calls")}${failed === 0 ? "" : `, ${count(failed)} failed`}`,
  noCalls: "No calls in 24 hours",
  failed: "Failed in the last hour",
  failedByTime: "Failed calls by half an hour",
  failedOfDay: (failed: number) => `${count(failed)} in 24 hours`,
  failedAt: (at: string, failed: number) => `${at}: ${count(failed)} failed`,
  p95: "95th percentile in the last hour",
  p95ByTime: "95th percentile by half an hour",
  slowest: (ms: number) => `at most ${count(ms)} ms in 24 hours`,
  p95At: (at: string, ms: number | null) => `${at}: ${ms === null ? "no calls" : `${count(ms)} ms`}`,
  ms: (ms: number) => `${count(ms)} ms`,
  jobs: "Due jobs",
  oldest: (text: string) => `the oldest waits ${text}`,
  noneLate: "none waits",
  stuck: (jobs: number) => `${count(jobs)} failed for good`,
  texts: "Texts in 24 hours",
  allTexted: "none failed",
  notTexted: (texts: number) => `${count(texts)} not sent`,
  budget: "Sign-in texts of this hour",
  budgetSays: "of the limit is used",
  stopped: "Numbers that sent STOP",
  toTexts: "Open texts",
  databases: "Databases",
  database: "Database",
  state: "State",
  databaseName,
  answers: "Answers",
  away: "Does not answer",
  size: "Size",
  bytes: (bytes: number) => {
    const mb = bytes / 1024 / 1024;
    return mb < 1024 ? `${count(Math.round(mb))} MB` : `${(mb / 1024).toFixed(1)} GB`;
  },
};

export const troubleWords = {
  title: "Needs attention",
  nothing: "All is well",
  nothingLead:
    "Databases and vendors answer, jobs run on time, webhooks arrive, expired data is erased, and no brand waits for an answer.",
  whatToDo: "What to do",
  databaseAway: (cell: number) => `${databaseName(cell)} does not answer.`,
  paused: (vendor: string) => `Vendor ${vendor} is not called now, because calls failed.`,
  certificate: (vendor: string) => `The certificate of vendor ${vendor} is not valid.`,
  failing: (sweep: string, environment: string) => `Expired data is not erased: ${sweep} (${environment}).`,
  rotating: "A rotation of the master key has not finished.",
  blocked: (brands: number, environment: string) =>
    `${many(brands, "brand requires", "brands require")} a state ID, but no authority is trusted: nobody can finish there (${environment}).`,
  callsFail: (failed: number, calls: number, environment: string) =>
    `${count(failed)} of ${many(calls, "call", "calls")} failed in the last hour (${environment}).`,
  late: (text: string, environment: string) => `The oldest due job has waited ${text} (${environment}).`,
  failedJobs: (jobs: number, environment: string) => `${many(jobs, "job", "jobs")} failed for good (${environment}).`,
  webhook: (brand: string, environment: string) => `A webhook of ${brand} fails (${environment}).`,
  moreWebhooks: (webhooks: number, environment: string) =>
    `${many(webhooks, "other webhook fails", "other webhooks fail")} (${environment}).`,
  alarms: (alarms: number, environment: string) =>
    `${many(alarms, "alarm", "alarms")} about unanswered texts in seven days (${environment}).`,
  budget: (environment: string) => `Most sign-in texts of this hour are used (${environment}).`,
  waits: (requests: number) => `${many(requests, "request waits", "requests wait")} for an answer.`,
  toVendors: "Open vendors",
  toRetention: "Open retention and keys",
  toTexts: "Open texts",
  toBrand: (brand: string) => `Open ${brand}`,
  toCustomers: "Open customers",
  toApprovals: "Answer",
};
