/** Starts, uses, kills and stops the real process. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Ready } from "../../service.ts";
import { png } from "../harness/logo-pictures.ts";
import { paste } from "../harness/run-shell.ts";
import {
  dataDir,
  type Started as Process,
  run,
  start as startProcess,
  suiteDatabase,
} from "../harness/service-process.ts";

const demoKey = "sk_sandbox_demo_api";

async function start(DATA_DIR: string, variables: Record<string, string> = {}) {
  const started: Process = await startProcess(DATA_DIR, variables);
  return { ...started, call: callsTo(started.ready) };
}

type Answer = { uuid: string; identity: unknown; channels: { silent: { brandApproved: boolean } } };
function callsTo({ environments }: Ready) {
  return async (path: string, body?: unknown, key = demoKey) => {
    const response = await fetch(`${environments.sandbox.apiUrl}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: key, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Answer };
  };
}
type Started = Awaited<ReturnType<typeof start>>;

async function checkReady({ ready, child, said }: Started): Promise<void> {
  assert.deepEqual(Object.keys(ready), ["pid", "environments", "dashboardUrl", "operatorUrl", "readyzUrl", "demo"]);
  assert.equal(ready.pid, child.pid);
  assert.deepEqual(Object.keys(ready.environments), ["sandbox"]);
  const { apiUrl, walletUrl } = ready.environments.sandbox;
  for (const url of [apiUrl, walletUrl, ready.dashboardUrl]) {
    assert.match(url, /^http:\/\/localhost:\d+$/);
    assert.ok(said.out.includes(url), url);
  }
  const types = ready.demo?.brands.map(({ apiKey, integrationType }) => `${apiKey} ${integrationType}`);
  assert.deepEqual(types, [
    "sk_sandbox_demo_api api",
    "sk_sandbox_demo_api_2 api",
    "sk_sandbox_demo_sdk sdk",
    "sk_sandbox_demo_hosted hosted",
    "sk_sandbox_demo_semi_hosted semiHosted",
    "sk_sandbox_demo_non_hosted nonHosted",
    "sk_sandbox_demo_v1 v1",
    "sk_sandbox_demo_v1_production_style v1",
  ]);
  for (const url of [walletUrl, ready.dashboardUrl]) {
    const page = await fetch(url);
    assert.deepEqual([page.status, page.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
  }
  for (const path of ["/livez", "/readyz"]) assert.equal((await fetch(`${apiUrl}${path}`)).status, 200);
}

async function checkCommandsBeside({ call }: Started, variables: Record<string, string>): Promise<void> {
  const json = async (...args: string[]) => {
    const { code, out, err } = await run(args, variables);
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };
  assert.deepEqual(await json("migrate", "--check"), { pending: [] });
  const customer = await json("customers", "create", "--name", "Piper", "--email", "r@example.com");
  const brand = await json("brands", "create", "--customer", customer.customer, "--name", "Piper", "--type", "api");
  const inSandbox = ["--brand", brand.brand, "--environment", "sandbox"];
  const further = await json("keys", "create", "--brand", brand.brand);
  for (const { apiKey } of [brand, further])
    assert.equal((await call("/v2/1-click", { phone: "+12125550010" }, apiKey)).status, 201);
  const channel = async () => (await call("/v2/1-click/verifications/channels", undefined, brand.apiKey)).body.channels;
  assert.equal((await channel()).silent.brandApproved, true);
  const revoked = await json("approvals", "revoke", ...inSandbox, "silent");
  assert.deepEqual(revoked, { brand: brand.brand, environment: "sandbox", approval: "silent", granted: false });
  // The change reaches the other process within moments. If it does not, this test times out.
  let approved = true;
  while (approved) approved = (await channel()).silent.brandApproved;
  assert.equal((await json("approvals", "grant", ...inSandbox, "silent")).granted, true);
}

test("a data directory works through first start, commands, kill -9, restart and stop", async (t) => {
  const DATA_DIR = await dataDir();
  const first = await start(DATA_DIR);

  await t.test("ready.json lists working addresses and demo brands", () => checkReady(first));

  await t.test("the printed curl command, pasted into a shell, returns the primary test person", async () => {
    const lines = /^ {2}curl .*\\\n.*$/m.exec(first.said.out)?.[0] ?? assert.fail(first.said.out);
    const { out, statuses } = await paste(lines);
    assert.deepEqual(statuses, [201]);
    assert.equal(JSON.parse(out).identity.credentials.fullName.firstName, "Richard");
  });

  await t.test("only the owner can access the directory's files", async () => {
    const modes = await Promise.all(["", "master.key", "postgres", "socket"].map((name) => stat(join(DATA_DIR, name))));
    for (const { mode } of modes) assert.equal(mode & 0o077, 0);
  });

  await t.test("a second process on the same directory reports that it is in use and exits with 75", async () => {
    const { code, err } = await run(["start"], { DATA_DIR });
    assert.equal(code, 75);
    assert.match(
      err,
      new RegExp(`^The data directory ${DATA_DIR} is in use by another process \\(pid ${first.child.pid}\\)\\.$`, "m"),
    );
    assert.ok(existsSync(join(DATA_DIR, "ready.json")));
  });

  await t.test("commands work while the service runs, and their changes take effect within moments", () =>
    checkCommandsBeside(first, { DATA_DIR }),
  );

  const verification = (await first.call("/v2/1-click/verifications", { channel: "sms", phone: "+12125550010" })).body;
  const oneClick = (await first.call("/v2/1-click", { phone: "+12125550010" })).body;
  const { signal } = await first.stop("SIGKILL");
  assert.equal(signal, "SIGKILL");
  const second = await start(DATA_DIR);

  await t.test("acknowledged data is still there after a kill -9 and a restart", async () => {
    assert.deepEqual((await second.call(`/v2/1-click/verifications/${verification.uuid}`)).body, verification);
    assert.deepEqual((await second.call(`/v2/1-click/${oneClick.uuid}`)).body, oneClick.identity);
    assert.equal(second.ready.pid, second.child.pid);
  });

  await t.test("on SIGTERM it exits with 0, even with an unfinished request, and removes ready.json", async () => {
    const { connect } = await import("node:net");
    const slow = connect({ host: "127.0.0.1", port: Number(new URL(second.ready.environments.sandbox.apiUrl).port) });
    slow.on("error", () => {});
    await once(slow, "connect");
    slow.write(
      `POST /v2/1-click HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${demoKey}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    );
    assert.deepEqual({ ...(await second.stop("SIGTERM")), out: "" }, { code: 0, signal: null, out: "", err: "" });
    assert.ok(!existsSync(join(DATA_DIR, "ready.json")));
    assert.ok(!existsSync(join(DATA_DIR, "postgres", "postmaster.pid")));
  });
});

test("without a running service, commands start the database themselves, and fail if it is not up to date", async () => {
  const variables = { DATA_DIR: await dataDir() };
  const create = ["customers", "create", "--name", "Piper", "--email", "r@example.com"];
  const early = await run(create, variables);
  assert.equal(early.code, 1);
  assert.match(
    early.err,
    /has no database\. Change to .* set DATA_DIR or DATABASE_URL\..* run `countersign migrate`\.\n$/,
  );
  assert.ok(!existsSync(join(variables.DATA_DIR, "postgres")));
  const check = await run(["migrate", "--check"], variables);
  assert.equal(check.code, 1);
  const { pending } = JSON.parse(check.out);
  assert.equal(pending[0], "0001-ground");
  const second = await run(create, variables);
  assert.deepEqual(
    [second.code, second.err],
    [1, "The database is not up to date: run `countersign migrate` first.\n"],
  );
  assert.deepEqual(JSON.parse((await run(["migrate"], variables)).out), { migrated: pending });
  assert.equal((await run(["migrate", "--check"], variables)).code, 0);
  const { customer } = JSON.parse((await run(create, variables)).out);
  const brand = ["brands", "create", "--name", "Piper", "--type", "api", "--customer"];
  const made = JSON.parse((await run([...brand, customer], variables)).out);
  assert.match(made.apiKey, /^sk_sandbox_/);
  const file = join(variables.DATA_DIR, "logo.png");
  await writeFile(file, png());
  const logo = (path: string) => run(["brands", "logo", "--brand", made.brand, path], variables);
  assert.match(JSON.parse((await logo(file)).out).styling.logoUrl, /\/logo\/[0-9a-f]{64}\.png$/);
  for (const path of [`${file}.none`, join(variables.DATA_DIR, "master.key")]) assert.equal((await logo(path)).code, 1);
  const unknownCustomer = await run([...brand, "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21"], variables);
  assert.deepEqual([unknownCustomer.code, unknownCustomer.err], [1, "No such customer.\n"]);

  const started = await start(variables.DATA_DIR, { DEMO: "off" });
  assert.equal(started.ready.demo, undefined);
  assert.ok(!started.said.out.includes("sk_sandbox_demo"));
  assert.equal((await started.call("/v2/1-click", { phone: "+12125550010" })).status, 401);
  assert.equal((await started.stop("SIGINT")).code, 0);
  assert.ok(!existsSync(join(variables.DATA_DIR, "ready.json")));
});

test("an invalid configuration exits with 78 and lists every problem, before anything is created", async () => {
  const DATA_DIR = join(await dataDir(), "never");
  const { code, err, out } = await run(["start"], {
    DATA_DIR,
    API_PORT: "x",
    HOST: "0.0.0.0",
    DEMO: "on",
    LOG_LEVEL: "loud",
  });
  assert.deepEqual([code, out, existsSync(DATA_DIR)], [78, "", false]);
  const [first, ...problems] = err.trim().split("\n");
  assert.equal(first, "Invalid configuration:");
  assert.deepEqual(
    problems.map((line) => line.split(/[ :]+/)[2]),
    ["DEMO", "API_PORT", "LOG_LEVEL"],
  );
});

test("a process with another master key than the database's exits with 78 and one line that names both keys", async () => {
  const variables = { DATA_DIR: await dataDir(), ...(await suiteDatabase()), MASTER_KEY: "1".repeat(64) };
  assert.equal((await run(["migrate"], variables)).code, 0);
  assert.equal((await run(["cells", "list"], variables)).code, 0);
  for (const command of [["start"], ["cells", "list"], ["start", "--processes", "2"]]) {
    const { code, err } = await run(command, { ...variables, MASTER_KEY: "2".repeat(64) });
    assert.equal(code, 78, err);
    const [first, problem = ""] = err.trim().split("\n");
    assert.equal(first, "Invalid configuration:");
    assert.match(problem, /^ {2}- MASTER_KEY: is wrong: .* \(fingerprint [0-9a-f]{16}, not [0-9a-f]{16}\)/);
    assert.doesNotMatch(err, /^\s+at /m);
  }
  const { MASTER_KEY: _, ...without } = variables;
  const { code, err } = await run(["cells", "list"], without);
  assert.equal(code, 78, err);
  assert.match(err, /MASTER_KEY: is not set, and .*master\.key is wrong/);
});

test("an unknown command or option shows the help and exits with 64", async () => {
  for (const args of [["fly"], ["start", "--bogus"]]) {
    const { code, out, err } = await run(args, {});
    assert.equal(code, 64, args.join(" "));
    assert.match(out + err, /^Usage: countersign /m);
  }
  assert.equal((await run(["--help"], {})).code, 0);
});
