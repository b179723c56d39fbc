/** The only reader of the environment. Every problem is found at once; nothing else decides what a variable means. */
import { resolve } from "node:path";
import { isLoopback, reader, type Source } from "./config-reader.ts";

export type Config = {
  host: string;
  apiPort: number;
  walletPort: number;
  dashboardPort: number;
  publicApiUrl: string | null;
  publicWalletUrl: string | null;
  publicDashboardUrl: string | null;
  dataDir: string;
  databaseUrl: string | null;
  demo: boolean;
  sandboxClock: boolean;
  masterKey: Buffer | null;
  metricsToken: string | null;
  trustedProxies: string[];
  logLevel: string;
  /** A collector of OpenTelemetry traces; null: none are recorded. */
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

const logLevels = ["debug", "info", "warn", "error", "silent"];
const laterVariables = [
  "PRODUCTION_API_PORT",
  "PRODUCTION_WALLET_PORT",
  "PUBLIC_PRODUCTION_API_URL",
  "PUBLIC_PRODUCTION_WALLET_URL",
];

/** Reads and checks every variable. Throws `ConfigProblems` with all that is wrong. */
export function readConfig(source: Source = process.env): Config {
  const problems: string[] = [];
  const read = reader(source, problems);
  const host = read.text("HOST") ?? "127.0.0.1";
  const publicUrls = {
    publicApiUrl: read.url("PUBLIC_API_URL"),
    publicWalletUrl: read.url("PUBLIC_WALLET_URL"),
    publicDashboardUrl: read.url("PUBLIC_DASHBOARD_URL"),
  };
  const exposed = [
    host,
    ...Object.values(publicUrls).flatMap((url) => (url === null ? [] : [new URL(url).hostname])),
  ].filter((name) => !isLoopback(name));
  const demo = read.flag("DEMO", exposed.length === 0);
  if (demo && exposed.length > 0)
    problems.push(
      `DEMO is on, but ${exposed.join(", ")} is not a loopback address: the demo keys are known to everybody`,
    );
  for (const name of laterVariables) {
    if (read.text(name) !== null) problems.push(`${name}: this version serves the sandbox only`);
  }
  const config: Config = {
    host,
    apiPort: read.port("API_PORT", 4000),
    walletPort: read.port("WALLET_PORT", 4001),
    dashboardPort: read.port("DASHBOARD_PORT", 4002),
    ...publicUrls,
    dataDir: resolve(read.text("DATA_DIR") ?? ".data"),
    databaseUrl: read.postgres("DATABASE_URL"),
    demo,
    sandboxClock: read.flag("SANDBOX_CLOCK", demo),
    masterKey: read.masterKey(),
    metricsToken: read.secret("METRICS_TOKEN"),
    trustedProxies: read.networks("TRUSTED_PROXIES"),
    tracesUrl: read.url("OTEL_EXPORTER_OTLP_ENDPOINT"),
    logLevel: read.oneOf("LOG_LEVEL", logLevels, "info"),
  };
  const ports = [config.apiPort, config.walletPort, config.dashboardPort].filter((port) => port !== 0);
  if (new Set(ports).size < ports.length)
    problems.push("API_PORT, WALLET_PORT, DASHBOARD_PORT: each listener needs a port of its own");
  if (problems.length > 0) throw new ConfigProblems(problems);
  return config;
}
