import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { readAdapters } from "../../config/adapters.ts";
import { ConfigProblems, readConfig, roles } from "../../config/config.ts";

type Variables = Record<string, string>;
function problemsOf(variables: Variables): string[] {
  try {
    readConfig(variables);
  } catch (error) {
    assert.ok(error instanceof ConfigProblems, String(error));
    return error.problems;
  }
  return [];
}
const directory = await mkdtemp(join(tmpdir(), "countersign-config-"));
after(() => rm(directory, { recursive: true, force: true }));
async function file(name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
}

test("without variables, every setting has its default and the service is on localhost only", () => {
  assert.deepEqual(readConfig({}), {
    host: "127.0.0.1",
    apiPort: 4000,
    walletPort: 4001,
    dashboardPort: 4002,
    publicApiUrl: null,
    publicWalletUrl: null,
    publicDashboardUrl: null,
    console: { host: "127.0.0.1", port: 4003, publicUrl: null },
    roles: new Set(roles),
    dataDir: resolve(".data"),
    databaseUrl: null,
    databaseReplicaUrl: null,
    isStandbyRequired: false,
    databasePool: 16,
    processes: 1,
    stopDelayMs: 0,
    production: null,
    adapters: readAdapters({}, []),
    demo: true,
    sandboxClock: true,
    masterKey: null,
    otherMasterKey: null,
    metricsToken: null,
    trustedProxies: [],
    tracesUrl: null,
    logLevel: "info",
  });
});

test("an empty or blank variable counts as unset", () => {
  const names = [
    "HOST",
    "API_PORT",
    "PUBLIC_API_URL",
    "DATABASE_URL",
    "DEMO",
    "MASTER_KEY",
    "TRUSTED_PROXIES",
    "LOG_LEVEL",
  ];
  for (const blank of ["", "  "])
    assert.deepEqual(readConfig(Object.fromEntries(names.map((name) => [name, blank]))), readConfig({}));
});

const key = "0123456789abcdefABCDEF".repeat(3).slice(0, 64);
test("addresses that Kubernetes and Docker write into X_PORT for another service are no settings", () => {
  const links = {
    API_PORT: "tcp://10.96.0.13:4000",
    WALLET_PORT: "udp://10.96.0.14:80",
    DASHBOARD_PORT: "sctp://[fd00::1]:80",
  };
  const { apiPort, walletPort, dashboardPort } = readConfig(links);
  assert.deepEqual([apiPort, walletPort, dashboardPort], [4000, 4001, 4002]);
  assert.deepEqual(problemsOf({ API_PORT: "http://10.96.0.13" }).length, 1);
});

test("every variable is read", () => {
  const config = readConfig({
    HOST: "0.0.0.0",
    API_PORT: "0",
    WALLET_PORT: " 65535 ",
    DASHBOARD_PORT: "8080",
    PUBLIC_API_URL: "https://api.example.com//",
    PUBLIC_WALLET_URL: "https://wallet.example.com/w/",
    PUBLIC_DASHBOARD_URL: "https://dashboard.example.com:81",
    DATA_DIR: "/var/lib/countersign/",
    DATABASE_URL: "postgresql://user:secret@db.example.com/countersign",
    DATABASE_REPLICA_URL: "postgres://standby.example.com/countersign",
    HA: "required",
    DEMO: "off",
    SANDBOX_CLOCK: "ON",
    MASTER_KEY: key,
    MASTER_KEY_OTHER: "7".repeat(64),
    METRICS_TOKEN: "a token for metrics",
    TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.1 ,2001:db8::/32,::1,",
    PRODUCTION_API_PORT: "5000",
    PRODUCTION_WALLET_PORT: "5001",
    PUBLIC_PRODUCTION_API_URL: "https://live.example.com/",
    PUBLIC_PRODUCTION_WALLET_URL: "https://live-wallet.example.com",
    SMTP_URL: "smtps://mail.example.com",
    SMTP_FROM: "Countersign <no-reply@example.com>",
    ROLES: "worker, API",
    DATABASE_POOL: "8",
    PROCESSES: "20",
    STOP_DELAY_MS: "5000",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/",
    LOG_LEVEL: "silent",
  });
  assert.deepEqual(config, {
    host: "0.0.0.0",
    apiPort: 0,
    walletPort: 65_535,
    dashboardPort: 8080,
    publicApiUrl: "https://api.example.com",
    publicWalletUrl: "https://wallet.example.com/w",
    publicDashboardUrl: "https://dashboard.example.com:81",
    console: null,
    roles: new Set(["api", "worker"]),
    dataDir: "/var/lib/countersign",
    databaseUrl: "postgresql://user:secret@db.example.com/countersign",
    databaseReplicaUrl: "postgres://standby.example.com/countersign",
    isStandbyRequired: true,
    databasePool: 8,
    processes: 20,
    stopDelayMs: 5_000,
    production: {
      apiPort: 5000,
      walletPort: 5001,
      publicApiUrl: "https://live.example.com",
      publicWalletUrl: "https://live-wallet.example.com",
    },
    adapters: {
      ...readAdapters({}, []),
      smtp: {
        host: "mail.example.com",
        port: 465,
        tls: "direct",
        user: null,
        password: null,
        from: "Countersign <no-reply@example.com>",
      },
    },
    demo: false,
    sandboxClock: true,
    masterKey: Buffer.from(key, "hex"),
    otherMasterKey: Buffer.from("7".repeat(64), "hex"),
    metricsToken: "a token for metrics",
    trustedProxies: ["10.0.0.0/8", "192.0.2.1", "2001:db8::/32", "::1"],
    tracesUrl: "http://collector:4318",
    logLevel: "silent",
  });
});

test("a switch accepts several words for on and off, in any case", () => {
  for (const on of ["on", "true", "1", "yes", "On", "TRUE"])
    assert.equal(readConfig({ SANDBOX_CLOCK: on, DEMO: "off" }).sandboxClock, true);
  for (const off of ["off", "false", "0", "no", "OFF"])
    assert.equal(readConfig({ SANDBOX_CLOCK: off }).sandboxClock, false);
});

test("SANDBOX_CLOCK defaults to the value of DEMO and can be set separately", () => {
  assert.deepEqual([readConfig({ DEMO: "off" }).sandboxClock, readConfig({ DEMO: "on" }).sandboxClock], [false, true]);
  assert.equal(readConfig({ DEMO: "off", SANDBOX_CLOCK: "on" }).sandboxClock, true);
});

test("PROCESSES=auto is one process per core, limited by the database's connections", () => {
  const cores = availableParallelism();
  assert.equal(readConfig({ PROCESSES: "Auto" }).processes, Math.min(cores, 15));
  const DATABASE_URL = "postgres://db";
  assert.equal(readConfig({ PROCESSES: "auto", DATABASE_URL }).processes, Math.min(cores, 64));
  const outside: Variables[] = [{ PROCESSES: "16" }, { PROCESSES: "0" }, { PROCESSES: "65", DATABASE_URL }];
  for (const variables of outside)
    assert.match(problemsOf(variables).join(), /^PROCESSES: "\d+" is not auto or a whole number from 1 to 15/);
});

const wrong: [Variables, string][] = [
  [{ API_PORT: "65536" }, 'API_PORT: "65536" is not a port (0 to 65535)'],
  [{ WALLET_PORT: "-1" }, 'WALLET_PORT: "-1" is not a port (0 to 65535)'],
  [{ DASHBOARD_PORT: "80.5" }, 'DASHBOARD_PORT: "80.5" is not a port (0 to 65535)'],
  [{ API_PORT: "0x50" }, 'API_PORT: "0x50" is not a port (0 to 65535)'],
  [{ PUBLIC_API_URL: "localhost:4000" }, "PUBLIC_API_URL: the value is not a http: or https: URL"],
  [{ PUBLIC_WALLET_URL: "ftp://x" }, "PUBLIC_WALLET_URL: the value is not a http: or https: URL"],
  [{ PUBLIC_DASHBOARD_URL: "?" }, "PUBLIC_DASHBOARD_URL: the value is not a http: or https: URL"],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "grpc://u:secret@h" },
    "OTEL_EXPORTER_OTLP_ENDPOINT: the value is not a http: or https: URL",
  ],
  [{ DATABASE_URL: "postgres://a,b/db" }, "DATABASE_URL: several hosts need target_session_attrs=read-write"],
  [
    { DATABASE_URL: "postgres://a,b/db?target_session_attrs=read-only" },
    "DATABASE_URL: target_session_attrs must be read-write",
  ],
  [{ DATABASE_URL: "mysql://user:secret@db" }, "DATABASE_URL: the value is not a postgres: or postgresql: URL"],
  [
    { DATABASE_REPLICA_URL: "postgres://a" },
    "DATABASE_REPLICA_URL: needs DATABASE_URL, because the embedded database has no standby",
  ],
  [{ HA: "required" }, "HA: required needs DATABASE_URL, because the embedded database has no standby"],
  [{ SANDBOX_CLOCK: "maybe" }, 'SANDBOX_CLOCK: "maybe" is not on or off'],
  [{ DEMO: "2" }, 'DEMO: "2" is not on or off'],
  [{ MASTER_KEY: "secret" }, "MASTER_KEY: must be 64 hexadecimal digits (32 bytes)"],
  [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL: "loud" is not one of debug, info, warn, error, silent'],
  [{ ROLES: "api,wallet" }, "ROLES: must include worker without DATABASE_URL, because no other process runs the jobs"],
  [{ ROLES: "worker,cook" }, "ROLES: cook is not one of all, api, wallet, dashboard, worker"],
  [{ MASTER_KEY_OTHER: "secret" }, "MASTER_KEY_OTHER: must be 64 hexadecimal digits (32 bytes)"],
  [{ PROCESSES: "two" }, 'PROCESSES: "two" is not auto or a whole number from 1 to 15 (with DATABASE_URL, to 64)'],
  [{ API_PORT: "4001" }, "API_PORT, WALLET_PORT, DASHBOARD_PORT, OPERATOR_PORT: each listener needs its own port"],
  [{ METRICS_TOKEN_FILE: "/nowhere" }, "METRICS_TOKEN_FILE: the file cannot be read (ENOENT)"],
];
for (const [variables, problem] of wrong) {
  test(`${Object.entries(variables).flat().join("=")} is reported as a problem`, () =>
    assert.deepEqual(problemsOf(variables), [problem]));
}

const noRanges = [
  "proxy.example.com",
  "10.0.0.0/33",
  "10.0.0.0/0",
  "10.0.0.0/",
  "10.0.0.0/8/8",
  "::/129",
  "10.0.0",
  "1.2.3.4:80",
];
test("a trusted proxy must be an address or a range, but not the range of all addresses", () => {
  for (const range of noRanges)
    assert.deepEqual(problemsOf({ TRUSTED_PROXIES: `::1,${range}` }), [
      `TRUSTED_PROXIES: ${JSON.stringify(range)} is not an IP address or range`,
    ]);
});

test("all problems are reported at once, without the invalid secrets", () => {
  const all = {
    ...Object.assign({}, ...wrong.map(([variables]) => variables)),
    TRUSTED_PROXIES: "a,b",
    HOST: "0.0.0.0",
  };
  const problems = problemsOf(all);
  assert.equal(problems.length, Object.keys(all).length - 1 + 1);
  assert.ok(!problems.join().includes("secret"));
});

const loopback: Variables[] = [
  { HOST: "localhost" },
  { HOST: "::1" },
  { HOST: "127.9.9.9" },
  {
    PUBLIC_API_URL: "http://[::1]:4000",
    PUBLIC_WALLET_URL: "http://127.0.0.1:1",
    PUBLIC_DASHBOARD_URL: "http://localhost",
  },
];
const exposed: Variables[] = [
  { HOST: "0.0.0.0" },
  { HOST: "::" },
  { HOST: "192.168.1.5" },
  { HOST: "localhost.example.com" },
  { PUBLIC_API_URL: "https://api.example.com" },
  { PUBLIC_WALLET_URL: "https://wallet.example.com" },
  { PUBLIC_DASHBOARD_URL: "http://127.0.0.1.nip.io" },
];
test("DEMO is on by default only if all addresses are loopback, and is refused otherwise", () => {
  for (const variables of loopback) assert.equal(readConfig(variables).demo, true, JSON.stringify(variables));
  for (const variables of exposed) {
    assert.equal(readConfig(variables).demo, false, JSON.stringify(variables));
    assert.match(problemsOf({ ...variables, DEMO: "on" }).join(), /^DEMO is on, but \S+ is not a loopback address: /);
    assert.deepEqual(problemsOf({ ...variables, DEMO: "off" }), []);
  }
});

test("a secret's file takes precedence over its variable, and an empty or unreadable file is a problem", async () => {
  const path = await file("key", ` ${key}\n`);
  assert.deepEqual(readConfig({ MASTER_KEY_FILE: path }).masterKey, Buffer.from(key, "hex"));
  assert.deepEqual(
    readConfig({ MASTER_KEY_FILE: path, MASTER_KEY: "0".repeat(64) }).masterKey,
    Buffer.from(key, "hex"),
  );
  assert.equal(
    readConfig({ METRICS_TOKEN_FILE: await file("token", "a token in a file\n") }).metricsToken,
    "a token in a file",
  );
  const empty = await file("empty", "\n");
  assert.deepEqual(problemsOf({ MASTER_KEY_FILE: empty, METRICS_TOKEN_FILE: directory }), [
    "MASTER_KEY_FILE: the file is empty",
    "METRICS_TOKEN_FILE: the file cannot be read (EISDIR)",
  ]);
  assert.deepEqual(problemsOf({ MASTER_KEY_FILE: await file("short", "abc") }), [
    "MASTER_KEY: must be 64 hexadecimal digits (32 bytes)",
  ]);
});
