import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { RequestNote } from "./server.ts";

/** Figures with bounded labels: routes are templates, never addresses; no brand, no phone. */
export type Metrics = { registry: Registry; requestDone(environment: string, note: RequestNote): void };

const latencyBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "http_server_requests_total",
    help: "Requests answered",
    labelNames: ["environment", "method", "route", "status", "error_code"],
    registers: [registry],
  });
  const latency = new Histogram({
    name: "http_server_request_duration_seconds",
    help: "Time from the request's head to the answer's end",
    labelNames: ["environment", "method", "route"],
    buckets: latencyBucketsSeconds,
    registers: [registry],
  });
  return {
    registry,
    requestDone(environment, note) {
      const { method, route } = note;
      requests.inc({ environment, method, route, status: note.status, error_code: note.errorCode ?? "" });
      latency.observe({ environment, method, route }, note.latencyMs / 1000);
    },
  };
}
