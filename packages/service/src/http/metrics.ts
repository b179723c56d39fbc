import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { RequestNote } from "./server.ts";
import { type VendorFigures, vendorFigures } from "./vendor-figures.ts";

/** Metrics with bounded labels: routes are templates, never URLs, and no label is a brand or a phone. */
export type Metrics = {
  registry: Registry;
  requestDone(environment: string, note: RequestNote): void;
  /** Registers a function that reads the queue's state whenever the metrics are read. */
  watchQueue(environment: string, read: () => Promise<QueueFigures>): void;
  /** Registers a function that names the sweeps that fail now, in any process, whenever the metrics are read. */
  watchSweeps(environment: string, listFailing: () => Promise<string[]>): void;
  /** Notes of adapters about their calls to vendors. The names are fixed words. */
  vendors: VendorNotes;
  /** The newest calls of this process to vendors. */
  newest: VendorFigures;
  /** Registers a function that counts alarms about unanswered texts whenever the metrics are read. */
  watchAlarms(environment: string, count: () => Promise<Record<string, number>>): void;
  /** Registers a function that reads the used share of this hour's sign-in texts whenever the metrics are read. */
  watchSignIns(environment: string, read: () => Promise<number>): void;
  /** Registers a function that reads what waits for the operator's approval whenever the metrics are read. */
  watchApprovals(read: () => Promise<Record<string, WaitingFigures>>): void;
  /** Registers a function that reads when certificates for state IDs expire whenever the metrics are read. */
  watchCertificates(read: () => Promise<CertificateFigures[]>): void;
  /** Registers a function that counts brands that nobody can finish with, for want of an authority for state IDs. */
  watchBlockedBrands(count: () => Promise<number>): void;
  /** Registers a function that counts the standbys that confirm commits whenever the metrics are read. */
  watchStandbys(count: () => Promise<number>): void;
};
/** `of`: the state of a root certificate, or `reader`. */
type CertificateFigures = { of: string; expiresInMs: number };
type WaitingFigures = { waiting: number; oldestMs: number };
type QueueFigures = { due: number; failed: number; oldestDueMs: number };
type VendorNotes = {
  called(note: { vendor: string; operation: string; outcome: string; at: number; durationMs: number }): void;
  answered(note: { vendor: string; isHit: boolean }): void;
  breakerTurned(note: { vendor: string; state: BreakerState }): void;
};
const breakerStates = ["closed", "open", "trying"] as const;
type BreakerState = (typeof breakerStates)[number];

const latencyBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Database figures are the same in every process, so take the first instead of the sum. */
const aggregator = "first";

let ofProcess: Registry | undefined;

/**
 * Adds the figures of the process, such as its memory. They are collected once per process, because prom-client cannot
 * stop its observer of garbage collections.
 */
function addProcessFigures(registry: Registry): void {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  for (const { name } of ofProcess.getMetricsAsArray()) {
    const metric = ofProcess.getSingleMetric(name);
    if (metric !== undefined) registry.registerMetric(metric);
  }
}

export function openMetrics(): Metrics {
  const registry = new Registry();
  addProcessFigures(registry);
  new Gauge({ name: "service_processes", help: "Processes that share the ports", registers: [registry] }).set(1);
  const requests = new Counter({
    name: "http_server_requests_total",
    help: "HTTP requests answered",
    labelNames: ["environment", "method", "route", "status", "error_code"],
    registers: [registry],
  });
  const latency = new Histogram({
    name: "http_server_request_duration_seconds",
    help: "Time from the request's headers to the end of the response",
    labelNames: ["environment", "method", "route"],
    buckets: latencyBucketsSeconds,
    registers: [registry],
  });
  const newest = vendorFigures();
  return {
    registry,
    vendors: vendorNotes(registry, newest),
    newest,
    watchQueue: queueGauges(registry),
    watchSweeps: sweepGauge(registry),
    watchAlarms: alarmGauge(registry),
    watchSignIns: signInGauge(registry),
    watchApprovals: approvalGauges(registry),
    watchCertificates: certificateGauge(registry),
    watchBlockedBrands: blockedGauge(registry),
    watchStandbys: standbyGauge(registry),
    requestDone(environment, note) {
      const { method, route } = note;
      requests.inc({ environment, method, route, status: note.status, error_code: note.errorCode ?? "" });
      latency.observe({ environment, method, route }, note.latencyMs / 1000);
    },
  };
}

/** The metrics of one process. */
export type Figures = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** The metrics of several processes as one text. */
export async function textOfAll(figures: Figures[]): Promise<string> {
  return await AggregatorRegistry.aggregate(figures).metrics();
}

/** Only the counters and histograms. The caller keeps those of ended processes, because totals must not fall. */
export async function countsOf(figures: Figures[]): Promise<Figures> {
  const all = await AggregatorRegistry.aggregate(figures).getMetricsAsJSON();
  return all.filter(({ type }) => ["counter", "histogram"].includes(String(type)));
}

/** Due jobs, failed jobs, and how long the oldest due job has waited: the first signs that work has stopped. */
function queueGauges(registry: Registry): Metrics["watchQueue"] {
  const reads = new Map<string, () => Promise<QueueFigures>>();
  let reading: Promise<void> | null = null;
  const readAll = async () => {
    for (const [environment, read] of reads) {
      // If the database is down, report NaN, so that the other metrics can still be read.
      const figures = await read().catch(() => ({ due: Number.NaN, failed: Number.NaN, oldestDueMs: Number.NaN }));
      due.set({ environment }, figures.due);
      failed.set({ environment }, figures.failed);
      oldest.set({ environment }, figures.oldestDueMs / 1000);
    }
  };
  // The gauges are collected concurrently, so they share one read.
  const collect = async () => {
    reading ??= readAll().finally(() => {
      reading = null;
    });
    await reading;
  };
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ["environment"], registers: [registry], aggregator, collect });
  const due = gauge("jobs_due", "Jobs that are due");
  const failed = gauge("jobs_failed", "Jobs that failed permanently and need attention");
  const oldest = gauge("jobs_oldest_due_seconds", "Time that the oldest due job has waited");
  return (environment, read) => void reads.set(environment, read);
}

function alarmGauge(registry: Registry): Metrics["watchAlarms"] {
  const watched = new Map<string, () => Promise<Record<string, number>>>();
  new Gauge({
    name: "conversion_alarms",
    help: "Alarms of the past hour about unanswered texts, by kind: brand, block of numbers, sign-in",
    labelNames: ["environment", "kind"],
    registers: [registry],
    aggregator,
    async collect() {
      // If the database is down, leave out the alarms. The other metrics can still be read.
      this.reset();
      for (const [environment, count] of watched)
        for (const [kind, alarms] of Object.entries(await count().catch(() => ({}))))
          this.set({ environment, kind }, alarms);
    },
  });
  return (environment, count) => void watched.set(environment, count);
}

/** A gauge from the database, because the workers that sweep often export no metrics. */
function sweepGauge(registry: Registry): Metrics["watchSweeps"] {
  const watched = new Map<string, () => Promise<string[]>>();
  new Gauge({
    name: "sweeps_failing",
    help: "1 for each sweep of expired data that failed within the last two minutes, in any process",
    labelNames: ["environment", "sweep"],
    registers: [registry],
    aggregator,
    async collect() {
      // If the database is down, leave them out. The other metrics can still be read.
      this.reset();
      for (const [environment, listFailing] of watched)
        for (const sweep of await listFailing().catch(() => [])) this.set({ environment, sweep }, 1);
    },
  });
  return (environment, listFailing) => void watched.set(environment, listFailing);
}

function signInGauge(registry: Registry): Metrics["watchSignIns"] {
  const watched = new Map<string, () => Promise<number>>();
  new Gauge({
    name: "sign_in_texts_used_ratio",
    help: "Used share of this hour's limit on sign-in texts; at 1, no more are sent until the hour ends",
    labelNames: ["environment"],
    registers: [registry],
    aggregator,
    async collect() {
      for (const [environment, read] of watched) this.set({ environment }, await read().catch(() => Number.NaN));
    },
  });
  return (environment, read) => void watched.set(environment, read);
}

function approvalGauges(registry: Registry): Metrics["watchApprovals"] {
  let read: (() => Promise<Record<string, WaitingFigures>>) | null = null;
  const gauge = (name: string, help: string, pick: (figures: WaitingFigures) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["kind"],
      registers: [registry],
      aggregator,
      async collect() {
        // If the database is down, leave them out. The other metrics can still be read.
        this.reset();
        for (const [kind, figures] of Object.entries((await read?.().catch(() => null)) ?? {}))
          this.set({ kind }, pick(figures));
      },
    });
  gauge("approvals_waiting", "Requests that wait for the operator, by kind", ({ waiting }) => waiting);
  gauge("approvals_oldest_seconds", "Age of the oldest of these requests", ({ oldestMs }) => oldestMs / 1000);
  return (given) => {
    read = given;
  };
}

function certificateGauge(registry: Registry): Metrics["watchCertificates"] {
  let read: (() => Promise<CertificateFigures[]>) | null = null;
  new Gauge({
    name: "state_id_certificate_expires_seconds",
    help: "Time until a certificate for state IDs expires: an authority's newest root certificate, or our reader's",
    labelNames: ["of"],
    registers: [registry],
    aggregator,
    async collect() {
      // If the database is down, leave them out. The other metrics can still be read.
      this.reset();
      for (const { of, expiresInMs } of (await read?.().catch(() => null)) ?? []) this.set({ of }, expiresInMs / 1000);
    },
  });
  return (given) => {
    read = given;
  };
}

function blockedGauge(registry: Registry): Metrics["watchBlockedBrands"] {
  let count: (() => Promise<number>) | null = null;
  new Gauge({
    name: "state_id_blocked_brands",
    help: "Brands that require a state ID although no authority is trusted",
    registers: [registry],
    aggregator,
    async collect() {
      if (count !== null) this.set(await count().catch(() => Number.NaN));
    },
  });
  return (given) => {
    count = given;
  };
}

function standbyGauge(registry: Registry): Metrics["watchStandbys"] {
  let read: (() => Promise<number>) | null = null;
  new Gauge({
    name: "database_synchronous_standbys",
    help: "Standbys that confirm each commit, with HA=required. At 0, acknowledged changes can be lost, or commits wait",
    // Without this label, the metric would be 0 even where no standby is required.
    labelNames: ["ha"],
    registers: [registry],
    aggregator,
    async collect() {
      if (read !== null) this.set({ ha: "required" }, await read().catch(() => Number.NaN));
    },
  });
  return (count) => {
    read = count;
  };
}

function vendorNotes(registry: Registry, newest: VendorFigures): VendorNotes {
  const calls = new Counter({
    name: "vendor_calls_total",
    help: "Calls to vendors, by outcome",
    labelNames: ["vendor", "operation", "outcome"],
    registers: [registry],
  });
  const latency = new Histogram({
    name: "vendor_call_duration_seconds",
    help: "Duration of a call to a vendor",
    labelNames: ["vendor", "operation"],
    buckets: [...latencyBucketsSeconds, 30, 60],
    registers: [registry],
  });
  const answers = new Counter({
    name: "vendor_answers_total",
    help: "Answers of vendors: hit has what was asked for, such as a person who was found; miss has not",
    labelNames: ["vendor", "answer"],
    registers: [registry],
  });
  const breaker = new Gauge({
    name: "vendor_breaker_state",
    help: "1 for the current state of a vendor's circuit breaker: closed, open, or trying",
    labelNames: ["vendor", "state"],
    registers: [registry],
    // Each process has its own breaker, so with several processes more than one state can be 1.
    aggregator: "max",
  });
  const setState = (vendor: string, state: BreakerState) => {
    for (const one of breakerStates) breaker.set({ vendor, state: one }, one === state ? 1 : 0);
  };
  const known = new Set<string>();
  return {
    called(note) {
      const { vendor, operation, outcome, durationMs } = note;
      newest.called(note);
      calls.inc({ vendor, operation, outcome });
      latency.observe({ vendor, operation }, durationMs / 1000);
      // A breaker that has not changed yet is closed.
      if (!known.has(vendor)) {
        known.add(vendor);
        setState(vendor, "closed");
      }
    },
    answered(note) {
      newest.answered(note);
      answers.inc({ vendor: note.vendor, answer: note.isHit ? "hit" : "miss" });
    },
    breakerTurned({ vendor, state }) {
      newest.breakerTurned({ vendor, state });
      known.add(vendor);
      setState(vendor, state);
    },
  };
}
