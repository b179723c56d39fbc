import assert from "node:assert/strict";
import test from "node:test";
import { ConfigProblems, readConfig } from "../../config/config.ts";
import { dataDir, run } from "../harness/service-process.ts";

const complete = {
  PRODUCTION_API_PORT: "5000",
  PRODUCTION_WALLET_PORT: "5001",
  PUBLIC_PRODUCTION_API_URL: "https://api.example.com",
  PUBLIC_PRODUCTION_WALLET_URL: "https://wallet.example.com",
  PUBLIC_DASHBOARD_URL: "https://dashboard.example.com",
  MASTER_KEY: "5".repeat(64),
  SMTP_URL: "smtps://mail.example.com",
  SMTP_FROM: "id@example.com",
};
function problemsOf(variables: Record<string, string>): string[] {
  try {
    readConfig(variables);
  } catch (error) {
    assert.ok(error instanceof ConfigProblems, String(error));
    return error.problems;
  }
  return [];
}
const without = (name: string) => Object.fromEntries(Object.entries(complete).filter(([one]) => one !== name));

test("with all required variables, production is on and demo brands are off", () => {
  const { production, demo } = readConfig(complete);
  assert.deepEqual(production, {
    apiPort: 5_000,
    walletPort: 5_001,
    publicApiUrl: "https://api.example.com",
    publicWalletUrl: "https://wallet.example.com",
  });
  assert.equal(demo, false);
});

const required = {
  PRODUCTION_API_PORT: "is required in production",
  PRODUCTION_WALLET_PORT: "is required in production",
  PUBLIC_PRODUCTION_API_URL: "is required in production",
  PUBLIC_PRODUCTION_WALLET_URL: "is required in production",
  PUBLIC_DASHBOARD_URL: "is required in production",
  MASTER_KEY: "is required in production (or MASTER_KEY_FILE)",
  SMTP_URL: "is required in production: members sign in to the dashboard by email",
};
for (const [name, message] of Object.entries(required))
  test(`production without ${name} is refused with an error that names it`, () =>
    assert.ok(problemsOf(without(name)).includes(`${name}: ${message}`), problemsOf(without(name)).join()));

test("one production variable requires all the others, and the missing ones are reported together", () => {
  const names = problemsOf({ PRODUCTION_API_PORT: "5000" }).map((one) => one.split(":")[0]);
  assert.deepEqual(
    names,
    Object.keys(required)
      .filter((one) => one !== "PRODUCTION_API_PORT" && one !== "MASTER_KEY" && one !== "SMTP_URL")
      .concat("SMTP_URL", "MASTER_KEY"),
  );
});

for (const name of ["PUBLIC_PRODUCTION_API_URL", "PUBLIC_PRODUCTION_WALLET_URL", "PUBLIC_DASHBOARD_URL"])
  for (const url of ["http://api.example.com", "https://localhost", "https://127.0.0.1:5000", "https://[::1]"])
    test(`production with ${name}=${url} is refused`, () =>
      assert.deepEqual(problemsOf({ ...complete, [name]: url }), [
        `${name}: must be a public https URL in production`,
      ]));

const wrong: [variables: Record<string, string>, problem: RegExp][] = [
  [{ PUBLIC_WALLET_URL: "http://sandbox-wallet.example.com" }, /^PUBLIC_WALLET_URL: must be https beside production/],
  [{ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, /^NODE_TLS_REJECT_UNAUTHORIZED: 0 would accept any certificate/],
  [
    { PUBLIC_PRODUCTION_WALLET_URL: "https://api.example.com" },
    /^PUBLIC_PRODUCTION_WALLET_URL: is also PUBLIC_PRODUCTION_API_URL; each listener needs its own$/,
  ],
  [
    { OPERATOR_PORT: "4003", PUBLIC_OPERATOR_URL: "https://dashboard.example.com" },
    /^PUBLIC_OPERATOR_URL: is also PUBLIC_DASHBOARD_URL; each listener needs its own$/,
  ],
  [{ DEMO: "on" }, /^DEMO is on, but production is configured/],
  [{ PRODUCTION_WALLET_PORT: "5000" }, /PRODUCTION_WALLET_PORT: each listener needs its own port$/],
  [{ PRODUCTION_API_PORT: "4000" }, /each listener needs its own port$/],
  [{ PRODUCTION_API_PORT: "http" }, /^PRODUCTION_API_PORT: "http" is not a port/],
  [{ SMTP_FROM: "nobody" }, /^SMTP_FROM: must be an email address/],
  [{ IDENTITY_SOURCE_URL: "https://identity.example.com" }, /^IDENTITY_SOURCE_SECRET: is required/],
];
for (const [variables, problem] of wrong)
  test(`production with ${JSON.stringify(variables)} is refused`, () => {
    const problems = problemsOf({ ...complete, ...variables });
    assert.ok(
      problems.some((one) => problem.test(one)),
      problems.join(),
    );
  });

test("demo brands are off when real texts are sent, and DEMO=on is refused", () => {
  const sms = {
    SMS_GATEWAY_URL: "https://gateway.example.com",
    SMS_GATEWAY_SECRET: "x".repeat(32),
    SMS_GATEWAY_FROM: "Countersign",
  };
  assert.equal(readConfig(sms).demo, false);
  assert.match(problemsOf({ ...sms, DEMO: "on" }).join(), /^DEMO is on, but real texts are sent/);
});

test("text reports and carrier redirects use production's own API URL", () => {
  const sms = { SMS_GATEWAY_URL: "https://g.example", SMS_GATEWAY_SECRET: "x".repeat(32), SMS_GATEWAY_FROM: "C" };
  const { adapters } = readConfig({ ...complete, ...sms });
  assert.equal(adapters.smsGateway?.callbackUrl, "https://api.example.com/callbacks/texts");
  const camara = {
    CAMARA_CLIENT_ID: "us",
    CAMARA_AUTHORIZE_URL: "https://o.example/authorize",
    CAMARA_TOKEN_URL: "https://o.example/token",
    CAMARA_API_URL: "https://o.example/v2",
    CAMARA_ISSUER: "https://o.example",
    CAMARA_CLIENT_SECRET: "secret",
  };
  const at = (CAMARA_REDIRECT_URL: string) => problemsOf({ ...complete, ...camara, CAMARA_REDIRECT_URL });
  assert.deepEqual(at("https://api.example.com/callbacks/carrier"), []);
  assert.match(at("https://elsewhere.example.com/callbacks/carrier").join(), /^CAMARA_REDIRECT_URL: must be https/);
});

test("with incomplete production settings, the service lists every problem and exits with 78", async () => {
  const { code, err } = await run(["start"], { DATA_DIR: await dataDir(), PRODUCTION_API_PORT: "0", DEMO: "on" });
  assert.equal(code, 78);
  for (const name of [...Object.keys(required).slice(1), "DEMO is on"]) assert.ok(err.includes(`  - ${name}`), name);
});

const wide = [
  "0.0.0.0/1",
  "128.0.0.0/1",
  "10.0.0.0/7",
  "8.0.0.0/8",
  "104.0.0.0/12",
  "::/1",
  "2000::/15",
  "2607:fb90::/28",
];
const wideWithin = [
  "::ffff:0.0.0.0/96",
  "::FFFF:0:0/96",
  "::ffff:8.0.0.0/104",
  "::/80",
  "64:ff9b::/96",
  "64:ff9b::/64",
];
const narrow = [
  ...["10.0.0.0/8", "172.16.0.0/12", "fd00::/8", "fc00::/7", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.0/104"],
  ...["203.0.113.7", "104.16.0.0/13", "2a06:98c0::/29", "2001:db8::/32"],
];
test("a range of trusted proxies that contains strangers' addresses is refused", () => {
  for (const range of [...wide, ...wideWithin])
    assert.match(
      problemsOf({ TRUSTED_PROXIES: range }).join(),
      /^TRUSTED_PROXIES: \S+ has addresses of strangers/,
      range,
    );
  for (const range of narrow) assert.deepEqual(problemsOf({ TRUSTED_PROXIES: range }), [], range);
});

test("a token for metrics that can be guessed is refused", () => {
  assert.deepEqual(problemsOf({ METRICS_TOKEN: "fifteen letters" }), ["METRICS_TOKEN: needs at least 16 characters"]);
  assert.deepEqual(problemsOf({ METRICS_TOKEN: "sixteen letters!" }), []);
});
