/** The only reader of the environment. Every problem is found at once; nothing else decides what a variable means. */
import { resolve } from "node:path";
import { type AdapterSettings, readAdapters } from "./config-adapters.ts";
import { isLoopback, reader, type Source } from "./config-reader.ts";

export const roles = ["api", "wallet", "dashboard", "worker"] as const;
/** What a process does: answer for one of the three, or work through what is due. */
export type Role = (typeof roles)[number];

/** Production's own addresses: nothing of the sandbox is reached there. */
export type ProductionConfig = {
  apiPort: number;
  walletPort: number;
  publicApiUrl: string | null;
  publicWalletUrl: string | null;
};

export type Config = {
  host: string;
  apiPort: number;
  walletPort: number;
  dashboardPort: number;
  publicApiUrl: string | null;
  publicWalletUrl: string | null;
  publicDashboardUrl: string | null;
  /** Null: this process serves the sandbox only. */
  production: ProductionConfig | null;
  adapters: AdapterSettings;
  roles: ReadonlySet<Role>;
  dataDir: string;
  databaseUrl: string | null;
  demo: boolean;
  sandboxClock: boolean;
  masterKey: Buffer | null;
  /** Opens what it wrapped and wraps nothing: the key before, or the one that comes next. */
  otherMasterKey: Buffer | null;
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

/** Reads and checks every variable; what the command line says counts above them. Throws `ConfigProblems` with all that is wrong. */
export function readConfig(environment: Source = process.env, flags: Source = {}): Config {
  const source = { ...environment, ...flags };
  const problems: string[] = [];
  const read = reader(source, problems);
  const host = read.text("HOST") ?? "127.0.0.1";
  const publicUrls = {
    publicApiUrl: read.url("PUBLIC_API_URL"),
    publicWalletUrl: read.url("PUBLIC_WALLET_URL"),
    publicDashboardUrl: read.url("PUBLIC_DASHBOARD_URL"),
  };
  const production = readProduction(read);
  const exposed = [
    host,
    ...Object.values(publicUrls).flatMap((url) => (url === null ? [] : [new URL(url).hostname])),
  ].filter((name) => !isLoopback(name));
  const demo = read.flag("DEMO", exposed.length === 0 && production === null);
  const config: Config = {
    host,
    apiPort: read.port("API_PORT", 4000),
    walletPort: read.port("WALLET_PORT", 4001),
    dashboardPort: read.port("DASHBOARD_PORT", 4002),
    ...publicUrls,
    production,
    adapters: readAdapters(source, problems, production?.publicApiUrl ?? null),
    roles: read.roles("ROLES", roles),
    dataDir: resolve(read.text("DATA_DIR") ?? ".data"),
    databaseUrl: read.postgres("DATABASE_URL"),
    demo,
    sandboxClock: read.flag("SANDBOX_CLOCK", demo),
    masterKey: read.masterKey("MASTER_KEY"),
    otherMasterKey: read.masterKey("MASTER_KEY_OTHER"),
    metricsToken: read.secret("METRICS_TOKEN"),
    trustedProxies: read.networks("TRUSTED_PROXIES"),
    tracesUrl: read.url("OTEL_EXPORTER_OTLP_ENDPOINT"),
    logLevel: read.oneOf("LOG_LEVEL", logLevels, "info"),
  };
  problems.push(...portProblems(config), ...demoProblems(config, exposed), ...productionProblems(config));
  if (problems.length > 0) throw new ConfigProblems(problems);
  return config;
}

/** Production is on where one of its ports is set. */
function readProduction(read: ReturnType<typeof reader>): ProductionConfig | null {
  const names = ["PRODUCTION_API_PORT", "PRODUCTION_WALLET_PORT"];
  const urls = ["PUBLIC_PRODUCTION_API_URL", "PUBLIC_PRODUCTION_WALLET_URL"];
  const [api, wallet] = names.map((name) => read.text(name) !== null);
  if (!api && !wallet) {
    for (const name of urls)
      if (read.text(name) !== null) read.problem(`${name}: means nothing without ${names.join(" and ")}`);
    return null;
  }
  if (!api || !wallet) read.problem(`${api ? names[1] : names[0]}: is required, because the other of the two is set`);
  return {
    apiPort: read.port("PRODUCTION_API_PORT", 0),
    walletPort: read.port("PRODUCTION_WALLET_PORT", 0),
    publicApiUrl: read.publicUrl("PUBLIC_PRODUCTION_API_URL"),
    publicWalletUrl: read.publicUrl("PUBLIC_PRODUCTION_WALLET_URL"),
  };
}

function portProblems({ apiPort, walletPort, dashboardPort, production }: Config): string[] {
  const ports = [apiPort, walletPort, dashboardPort, production?.apiPort ?? 0, production?.walletPort ?? 0];
  const taken = ports.filter((port) => port !== 0);
  if (new Set(taken).size === taken.length) return [];
  const names = ["API_PORT", "WALLET_PORT", "DASHBOARD_PORT"];
  if (production !== null) names.push("PRODUCTION_API_PORT", "PRODUCTION_WALLET_PORT");
  return [`${names.join(", ")}: each listener needs a port of its own`];
}

/** The demo keys are known to everybody: they are for a sandbox that only this machine reaches. */
function demoProblems({ demo, production, adapters }: Config, exposed: readonly string[]): string[] {
  if (!demo) return [];
  const known = "the demo keys are known to everybody";
  return [
    ...(exposed.length > 0 ? [`DEMO is on, but ${exposed.join(", ")} is not a loopback address: ${known}`] : []),
    ...(production === null ? [] : [`DEMO is on, but this process serves production: ${known}`]),
    ...(adapters.twilio === null && adapters.smsGateway === null
      ? []
      : [`DEMO is on, but there is a provider of texts: ${known}`]),
  ];
}

/** E-mails are sent to members, whatever they work on; everything else of the sandbox is made up. */
const productionOnly = [
  { adapter: "twilio", variable: "TWILIO_ACCOUNT_SID" },
  { adapter: "smsGateway", variable: "SMS_GATEWAY_URL" },
  { adapter: "camara", variable: "CAMARA_CLIENT_ID" },
  { adapter: "stedi", variable: "STEDI_API_KEY" },
  { adapter: "identitySource", variable: "IDENTITY_SOURCE_URL" },
  { adapter: "riskSource", variable: "RISK_SOURCE_URL" },
] as const;

function productionProblems({ production, adapters, masterKey }: Config): string[] {
  if (production !== null)
    return masterKey === null
      ? [
          "MASTER_KEY: is required where production is served (or MASTER_KEY_FILE): no key is made up for real people's data",
        ]
      : [];
  const idle = productionOnly.filter(({ adapter }) => adapters[adapter] !== null);
  return idle.map(({ variable }) => `${variable}: only production uses it; set PRODUCTION_API_PORT too`);
}
