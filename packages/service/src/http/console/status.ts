import { readConsoleStatus } from "@countersign/contract/console-status";
import type { FastifyInstance } from "fastify";
import { databaseStatus, environmentStatus } from "../../domain/operator/status.ts";
import type { Figures } from "../metrics.ts";
import { type Console, mountStaff } from "./guard.ts";

/** The service's state: figures of the databases, and those that the metrics count. */
export function routesStatus(app: FastifyInstance, console: Console): void {
  const { accounts } = console;
  mountStaff(app, console, readConsoleStatus, async () => {
    const environments = Object.values(console.environments);
    return {
      at: accounts.clock.now(),
      version: console.version,
      node: process.version,
      startedAt: Math.round(accounts.clock.now() - process.uptime() * 1000),
      environments: await Promise.all(environments.map(environmentStatus)),
      ...countedIn(await console.figures()),
      ...(await databaseStatus(accounts)),
    };
  });
}

type Labels = Readonly<Record<string, string | number | undefined>>;
type Value = { value: number; labels: Labels; metricName?: string };

/** Failed sweeps and calls to vendors, as this process's metrics count them. */
function countedIn(figures: Figures) {
  const valuesOf = (name: string): Value[] => {
    const values: Value[] = [];
    for (const figure of figures) if (figure.name === name) values.push(...figure.values);
    return values;
  };
  const text = (label: string | number | undefined) => String(label ?? "");
  const failedSweeps = valuesOf("sweep_failures_total").flatMap(({ value: count, labels }) =>
    count === 0 ? [] : [{ environment: text(labels.environment), sweep: text(labels.sweep), count }],
  );
  const calls = valuesOf("vendor_calls_total");
  const durations = valuesOf("vendor_call_duration_seconds");
  const breakers = valuesOf("vendor_breaker_state").filter(({ value }) => value === 1);
  const sum = (values: readonly Value[], vendor: string, metricName?: string) =>
    values.reduce(
      (all, one) =>
        one.labels.vendor === vendor && (metricName === undefined || one.metricName === metricName)
          ? all + one.value
          : all,
      0,
    );
  const vendors = [...new Set(calls.map(({ labels }) => text(labels.vendor)))].sort().map((vendor) => {
    const timed = sum(durations, vendor, "vendor_call_duration_seconds_count");
    const seconds = sum(durations, vendor, "vendor_call_duration_seconds_sum");
    const own = calls.filter(({ labels }) => labels.vendor === vendor);
    const outcomes = [...new Set(own.map(({ labels }) => text(labels.outcome)))].sort();
    const stateOf = (state: string) =>
      breakers.some(({ labels }) => labels.vendor === vendor && labels.state === state);
    return {
      vendor,
      breaker: stateOf("open") ? ("open" as const) : stateOf("trying") ? ("trying" as const) : ("closed" as const),
      calls: sum(calls, vendor),
      averageMs: timed === 0 ? null : Math.round((seconds / timed) * 1000),
      outcomes: outcomes.map((outcome) => ({
        outcome,
        count: own.reduce((all, one) => (one.labels.outcome === outcome ? all + one.value : all), 0),
      })),
    };
  });
  return { failedSweeps, vendors };
}
