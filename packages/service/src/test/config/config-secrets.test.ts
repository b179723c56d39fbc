/** Problems of the configuration show no secret, whichever variable it was put into by mistake. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigProblems, readConfig } from "../../config/config.ts";
import { dataDir, run } from "../harness/service-process.ts";

const secret = "s3cr3t-0123456789abcdef0123456789abcdef";
const longSecret = { AUDIT_STREAM_SECRET: secret, SMS_GATEWAY_SECRET: secret, IDENTITY_SOURCE_SECRET: secret };
const fileVariables = ["MASTER_KEY", "MASTER_KEY_OTHER", "METRICS_TOKEN", "DATABASE_URL", "DATABASE_REPLICA_URL"];
const urls = [
  "PUBLIC_API_URL",
  "PUBLIC_WALLET_URL",
  "PUBLIC_DASHBOARD_URL",
  "PUBLIC_OPERATOR_URL",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "AUDIT_STREAM",
  "SMS_GATEWAY_URL",
  "IDENTITY_SOURCE_URL",
  "SMTP_URL",
  "DATABASE_URL",
];

function problemsWith(variables: Record<string, string>): string {
  try {
    readConfig({ DEMO: "off", ...variables });
  } catch (error) {
    assert.ok(error instanceof ConfigProblems, String(error));
    return error.problems.join("\n");
  }
  assert.fail(`${JSON.stringify(variables)} is no problem`);
}

for (const name of fileVariables)
  test(`${name}_FILE with the secret itself is a problem that does not show it`, () => {
    for (const value of [secret, `postgres://u:${secret}@h/db`, `/x/${secret}`]) {
      const said = problemsWith({ [`${name}_FILE`]: value });
      assert.match(said, new RegExp(`^${name}_FILE: the file cannot be read \\(`));
      assert.ok(!said.includes(secret), said);
    }
  });

for (const name of urls)
  test(`${name} with a token in any part of a wrong URL is a problem that does not show it`, () => {
    const wrong = [
      `htps://h/${secret}`,
      `htps://u:${secret}@h`,
      `htp://h/in?token=${secret}`,
      `htp://h#${secret}`,
      secret,
    ];
    for (const value of wrong) {
      const said = problemsWith({ ...longSecret, [name]: value });
      assert.ok(said.includes(`${name}: `), said);
      assert.ok(!said.includes(secret), said);
    }
  });

test("a file of certificates that a database's URL names, and that cannot be used, is a problem", () => {
  for (const name of ["sslrootcert", "sslcert", "sslkey"])
    for (const variable of ["DATABASE_URL", "DATABASE_REPLICA_URL"]) {
      const url = `postgres://u:${secret}@h/db?sslmode=verify-full&${name}=/nowhere/${secret}`;
      const said = problemsWith({ DATABASE_URL: "postgres://h/db", [variable]: url });
      assert.equal(said, `${variable}: the file of ${name} cannot be used (ENOENT)`);
    }
  const said = problemsWith({ DATABASE_URL: `postgres://h/db?sslmode=require&sslcert=${import.meta.filename}` });
  assert.match(said, /^DATABASE_URL: the file of sslcert cannot be used \(ERR_OSSL_/);
});

const commands = [
  "start",
  "migrate",
  "brands list",
  "operators list",
  "cells list",
  "keys rotate-master",
  "audit changes",
];
test("each command prints the problem in one line, and exits with 78", async () => {
  const DATABASE_URL = "postgres://h/db?sslmode=verify-full&sslrootcert=/nowhere";
  const line = "Invalid configuration:\n  - DATABASE_URL: the file of sslrootcert cannot be used (ENOENT)\n";
  const DATA_DIR = await dataDir();
  for (const name of commands) {
    const { code, err } = await run(name.split(" "), { DATA_DIR, DATABASE_URL });
    assert.deepEqual([name, code, err], [name, 78, line]);
  }
});
