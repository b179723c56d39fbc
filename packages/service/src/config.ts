/** The only reader of the environment. Every problem is found at once; nothing else decides what a variable means. */
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";

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
};

export class ConfigProblems extends Error {
  override name = "ConfigProblems";
  readonly problems: string[];
  constructor(problems: string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

type Source = Record<string, string | undefined>;
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
    logLevel: read.oneOf("LOG_LEVEL", logLevels, "info"),
  };
  const ports = [config.apiPort, config.walletPort, config.dashboardPort].filter((port) => port !== 0);
  if (new Set(ports).size < ports.length)
    problems.push("API_PORT, WALLET_PORT, DASHBOARD_PORT: each listener needs a port of its own");
  if (problems.length > 0) throw new ConfigProblems(problems);
  return config;
}

function isLoopback(name: string): boolean {
  return name === "localhost" || name === "::1" || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name);
}

function reader(source: Source, problems: string[]) {
  const text = (name: string): string | null => {
    const value = source[name]?.trim();
    return value === undefined || value === "" ? null : value;
  };
  /** A secret may be given in a file: NAME_FILE. */
  const secret = (name: string): string | null => {
    const path = text(`${name}_FILE`);
    if (path === null) return text(name);
    try {
      const content = readFileSync(path, "utf8").trim();
      if (content === "") problems.push(`${name}_FILE: ${path} is empty`);
      return content === "" ? null : content;
    } catch {
      problems.push(`${name}_FILE: ${path} cannot be read`);
      return null;
    }
  };
  return { text, secret, ...numbers(text, problems), ...addresses(text, secret, problems) };
}

type Text = (name: string) => string | null;

function numbers(text: Text, problems: string[]) {
  return {
    port(name: string, otherwise: number): number {
      const value = text(name);
      if (value === null) return otherwise;
      const port = Number(value);
      if (/^\d{1,5}$/.test(value) && port <= 65_535) return port;
      problems.push(`${name}: ${JSON.stringify(value)} is not a port (0 to 65535)`);
      return otherwise;
    },
    flag(name: string, otherwise: boolean): boolean {
      const value = text(name)?.toLowerCase();
      if (value === undefined) return otherwise;
      if (["on", "true", "1", "yes"].includes(value)) return true;
      if (["off", "false", "0", "no"].includes(value)) return false;
      problems.push(`${name}: ${JSON.stringify(value)} is neither on nor off`);
      return otherwise;
    },
    oneOf(name: string, words: string[], otherwise: string): string {
      const value = text(name) ?? otherwise;
      if (words.includes(value)) return value;
      problems.push(`${name}: ${JSON.stringify(value)} is none of ${words.join(", ")}`);
      return otherwise;
    },
  };
}

function addresses(text: Text, secret: Text, problems: string[]) {
  const url = (name: string, protocols: string[]): string | null => {
    const value = text(name);
    if (value === null) return null;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value.replace(/\/+$/, "");
    problems.push(
      `${name}: ${name === "DATABASE_URL" ? "the value" : JSON.stringify(value)} is not a ${protocols.join(" or ")} address`,
    );
    return null;
  };
  return {
    url: (name: string) => url(name, ["http:", "https:"]),
    postgres: (name: string) => url(name, ["postgres:", "postgresql:"]),
    networks(name: string): string[] {
      const ranges = (text(name) ?? "")
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== "");
      for (const range of ranges)
        if (!isRange(range)) problems.push(`${name}: ${JSON.stringify(range)} is not an address or a range`);
      return ranges;
    },
    masterKey(): Buffer | null {
      const value = secret("MASTER_KEY");
      if (value === null) return null;
      if (/^[0-9a-f]{64}$/i.test(value)) return Buffer.from(value, "hex");
      problems.push("MASTER_KEY: must be 64 hexadecimal digits (32 bytes)");
      return null;
    },
  };
}

function isRange(range: string): boolean {
  const [, address = "", prefix = "1"] = /^([0-9a-f.:]+)(?:\/([1-9]\d{0,2}))?$/i.exec(range) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(prefix) <= (family === 4 ? 32 : 128);
}
