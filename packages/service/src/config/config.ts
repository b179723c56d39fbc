/** The only reader of environment variables. It alone defines what they mean, and it reports all errors at once. */

import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { isLoopbackHost } from "@countersign/contract/loopback";
import { minuteMs } from "@countersign/contract/time";
import { type AdapterSettings, readAdapters } from "./adapters.ts";
import { type ConsoleConfig, demoConsolePort, readConsole } from "./console.ts";
import { type ProductionConfig, readProduction } from "./production.ts";
import { reader, type Variables } from "./reader.ts";

export const roles = ["api", "wallet", "dashboard", "worker"] as const;
/** What a process does: serve the API, the wallet or the dashboard, or run jobs. */
export type Role = (typeof roles)[number];

export type Config = {
  host: string;
  apiPort: number;
  walletPort: number;
  dashboardPort: number;
  publicApiUrl: string | null;
  publicWalletUrl: string | null;
  publicDashboardUrl: string | null;
  /** Where the operator's console listens. Null: nowhere. */
  console: ConsoleConfig | null;
  dataDir: string;
  /** May name several hosts. `readHosts` in `database-url.ts` splits them. */
  databaseUrl: string | null;
  /** The standby that reports read. */
  databaseReplicaUrl: string | null;
  /** Whether the service may start only if each commit waits for a standby. */
  isStandbyRequired: boolean;
  /** Maximum number of database connections of this process, not counting the one that listens for changes. */
  databasePool: number;
  /** Number of processes that share the ports. */
  processes: number;
  /**
   * How long a stopping process still answers, so that a load balancer can stop sending requests to it, in
   * milliseconds.
   */
  stopDelayMs: number;
  /** Null: this process serves only the sandbox. */
  production: ProductionConfig | null;
  adapters: AdapterSettings;
  roles: ReadonlySet<Role>;
  demo: boolean;
  sandboxClock: boolean;
  masterKey: Buffer | null;
  /** The previous or the next master key. It unwraps existing keys but never wraps any. */
  otherMasterKey: Buffer | null;
  metricsToken: string | null;
  trustedProxies: string[];
  logLevel: string;
  /** URL of an OpenTelemetry trace collector. Null: no traces are recorded. */
  tracesUrl: string | null;
};

export class ConfigProblems extends Error {
  override name = "ConfigProblems";
  readonly problems: string[];
  constructor(problems: string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** The fastest size in measurements on one node. With fewer than four, jobs and requests wait for each other. */
const usualPoolSize = 16;
const poolSizes = [4, 200] as const;
const processesMax = 64;
/** Maximum number of processes with the smallest pools: the embedded server allows a hundred connections. */
const processesOnEmbeddedMax = 15;
const stopDelayMsMax = minuteMs;
const metricsTokenLengthMin = 16;
const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

/** Reads and checks every variable; command line flags override them. Throws `ConfigProblems` with all errors. */
export function readConfig(environment: Variables = process.env, flags: Variables = {}): Config {
  const source = { ...environment, ...flags };
  const problems: string[] = [];
  const read = reader(source, problems);
  const host = read.text("HOST") ?? "127.0.0.1";
  const publicUrls = {
    publicApiUrl: read.url("PUBLIC_API_URL"),
    publicWalletUrl: read.url("PUBLIC_WALLET_URL"),
    publicDashboardUrl: read.url("PUBLIC_DASHBOARD_URL"),
  };
  const production = readProduction(read, problems);
  const adapters = readAdapters(source, problems, production?.publicApiUrl ?? null);
  const consoleAt = readConsole(read);
  const exposed = [
    host,
    consoleAt.host,
    ...Object.values({ ...publicUrls, console: consoleAt.publicUrl }).flatMap((url) =>
      url === null ? [] : [new URL(url).hostname],
    ),
  ].filter((name) => !isLoopbackHost(name));
  const texts = adapters.twilio !== null || adapters.smsGateway !== null;
  const demo = read.flag("DEMO", exposed.length === 0 && production === null && !texts);
  if (demo && production !== null) problems.push("DEMO is on, but production is configured: the demo keys are public");
  if (demo && texts) problems.push("DEMO is on, but real texts are sent: the demo keys are public");
  if (demo && exposed.length > 0)
    problems.push(`DEMO is on, but ${exposed.join(", ")} is not a loopback address: the demo keys are public`);
  const databaseUrl = read.postgres("DATABASE_URL", ["read-write", "any"]);
  const config: Config = {
    host,
    apiPort: read.port("API_PORT", 4000),
    walletPort: read.port("WALLET_PORT", 4001),
    dashboardPort: read.port("DASHBOARD_PORT", 4002),
    ...publicUrls,
    console: consoleAt.port === null && !demo ? null : { ...consoleAt, port: consoleAt.port ?? demoConsolePort },
    dataDir: resolve(read.text("DATA_DIR") ?? ".data"),
    databaseUrl,
    ...readStandbys(read, databaseUrl),
    databasePool: read.count("DATABASE_POOL", usualPoolSize, poolSizes),
    processes: readProcesses(read, databaseUrl),
    stopDelayMs: read.count("STOP_DELAY_MS", 0, [0, stopDelayMsMax]),
    production,
    adapters,
    roles: readRoles(read, databaseUrl),
    demo,
    sandboxClock: read.flag("SANDBOX_CLOCK", demo),
    masterKey: read.masterKey("MASTER_KEY"),
    otherMasterKey: read.masterKey("MASTER_KEY_OTHER"),
    metricsToken: read.secret("METRICS_TOKEN"),
    trustedProxies: read.proxies("TRUSTED_PROXIES"),
    tracesUrl: read.url("OTEL_EXPORTER_OTLP_ENDPOINT"),
    logLevel: read.oneOf("LOG_LEVEL", logLevels, "info"),
  };
  if (config.metricsToken !== null && config.metricsToken.length < metricsTokenLengthMin)
    problems.push(`METRICS_TOKEN: needs at least ${metricsTokenLengthMin} characters`);
  checkPorts(config, problems);
  if (problems.length > 0) throw new ConfigProblems(problems);
  return config;
}

function readStandbys(read: ReturnType<typeof reader>, databaseUrl: string | null) {
  const databaseReplicaUrl = read.postgres("DATABASE_REPLICA_URL", ["any", "read-only"]);
  const isStandbyRequired = read.oneOf("HA", ["required", "optional"], "optional") === "required";
  if (databaseUrl === null && databaseReplicaUrl !== null)
    read.problem("DATABASE_REPLICA_URL: needs DATABASE_URL, because the embedded database has no standby");
  if (databaseUrl === null && isStandbyRequired)
    read.problem("HA: required needs DATABASE_URL, because the embedded database has no standby");
  return { databaseReplicaUrl, isStandbyRequired };
}

function readProcesses(read: ReturnType<typeof reader>, databaseUrl: string | null): number {
  const most = databaseUrl === null ? processesOnEmbeddedMax : processesMax;
  if (read.text("PROCESSES")?.toLowerCase() === "auto") return Math.min(availableParallelism(), most);
  const expected = `auto or a whole number from 1 to ${processesOnEmbeddedMax} (with DATABASE_URL, to ${processesMax})`;
  return read.integer("PROCESSES", 1, [1, most], expected);
}

function readRoles(read: ReturnType<typeof reader>, databaseUrl: string | null): ReadonlySet<Role> {
  const given = read.someOf("ROLES", ["all", ...roles], ["all"]);
  if (databaseUrl === null && given.length > 0 && !given.includes("all") && !given.includes("worker"))
    read.problem("ROLES: must include worker without DATABASE_URL, because no other process runs the jobs");
  return new Set(given.includes("all") ? roles : roles.filter((role) => given.includes(role)));
}

function checkPorts(config: Config, problems: string[]): void {
  const { apiPort, walletPort, dashboardPort, console: consoleAt, production } = config;
  const ports = [
    apiPort,
    walletPort,
    dashboardPort,
    ...(consoleAt ? [consoleAt.port] : []),
    ...(production ? [production.apiPort, production.walletPort] : []),
  ];
  const fixed = ports.filter((port) => port !== 0);
  const names = `API_PORT, WALLET_PORT, DASHBOARD_PORT${consoleAt === null ? "" : ", OPERATOR_PORT"}${production === null ? "" : ", PRODUCTION_API_PORT, PRODUCTION_WALLET_PORT"}`;
  if (new Set(fixed).size < fixed.length) problems.push(`${names}: each listener needs its own port`);
}
