// rest: the short form of a proof with a long form
/**
 * Personal data and secrets may appear only where they must. Unique values go through every flow of a real process,
 * including failures, and are then searched for in everything that it wrote or returned. Two places are tested
 * elsewhere: a browser's storage (`browser-dashboard-start.test.ts`, `browser-tabs.test.ts`), and the data left of a deleted
 * person (`account-deletion.test.ts`).
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { accountHeader } from "@countersign/contract/account";
import pg from "pg";
import { embeddedAddress } from "../../store/embedded/cluster.ts";
import { withoutIds } from "../harness/below-http.ts";
import { filesIn, isShort, person, secrets, standsIn } from "../harness/canaries.ts";
import { agreed, onView } from "../harness/consent-shown.ts";
import { frameOfKey } from "../harness/sandbox.ts";
import { isLong, tell } from "../harness/seeded-run.ts";
import { dataDir, start } from "../harness/service-process.ts";

const demoKey = "sk_sandbox_demo_api";
const consent = agreed("share");
type Body = Record<string, unknown>;
type Said = { path: string; status: number; headers: string; body: string };

/** The values by name. Codes and keys are added when they are created. */
const canaries = new Map<string, string>(Object.entries({ ...person, ...secrets }));
const learn = (name: string, value: unknown): string => {
  assert.ok(typeof value === "string" && value.length > 3, `${name} is ${String(value)}`);
  canaries.set(`${name} ${canaries.size}`, value);
  return value;
};

/** Where a value may appear: the caller just sent it, or the answer is meant to contain it. */
const allowed: { sink: RegExp; canary: RegExp; why: string }[] = [
  { sink: /^error .*1-click/, canary: /^(phone|email)$/, why: "OCE errors name the identifiers that the brand sent" },
  { sink: /^error \/request\//, canary: /./, why: "the page at an unknown address has that address for its script" },
  { sink: /^headers .*(sign-in|account)/, canary: /^cookie/, why: "the person's own session, for their browser alone" },
  {
    sink: /^headers \/v2\/1-click\/verifications /,
    canary: /^lastName$/,
    why: "the caller used it as a member's name, and the response names the ignored member",
  },
];

const spans: Buffer[] = [];
const collector = createServer((request, response) => {
  request.on("data", (part: Buffer) => spans.push(part));
  request.on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
});
const received: string[] = [];
const receiver = createServer((request, response) => {
  request.on("data", (part: Buffer) => received.push(String(part)));
  request.on("end", () => response.writeHead(500).end());
});
for (const server of [collector, receiver]) {
  await once(server.listen(0, "127.0.0.1"), "listening");
  after(() => server.close());
}
const urlOf = ({ address }: { address(): ReturnType<typeof collector.address> }) => {
  const at = address();
  return `http://127.0.0.1:${typeof at === "object" ? at?.port : 0}`;
};

const DATA_DIR = await dataDir();
const service = await start(DATA_DIR, {
  LOG_LEVEL: "debug",
  MASTER_KEY: secrets.masterKey,
  METRICS_TOKEN: secrets.metricsToken,
  OTEL_EXPORTER_OTLP_ENDPOINT: urlOf({ address: () => collector.address() }),
});
const { apiUrl, walletUrl } = service.ready.environments.sandbox;
const { dashboardUrl } = service.ready;
const said: Said[] = [];

async function ask(
  url: string,
  asked: { body?: unknown; raw?: string; key?: string; headers?: Record<string, string>; method?: string } = {},
) {
  const { body, raw = body === undefined ? undefined : JSON.stringify(body), key, headers } = asked;
  const response = await fetch(url, {
    method: asked.method ?? (raw === undefined ? "GET" : "POST"),
    redirect: "manual",
    headers: {
      ...(key === undefined ? {} : { authorization: key }),
      ...(raw === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(raw === undefined ? {} : { body: raw }),
  });
  const text = await response.text();
  const told = JSON.stringify([...response.headers]);
  said.push({ path: new URL(url).pathname, status: response.status, headers: told, body: text });
  const isJson = text.startsWith("{") || text.startsWith("[");
  return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : {}) as Body };
}
const api = (path: string, body?: unknown, key = demoKey, headers: Record<string, string> = {}) =>
  ask(`${apiUrl}${path}`, { body, key, headers });
const wallet = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  ask(`${walletUrl}${path}`, { body, headers: { "sec-fetch-site": "same-origin", ...headers } });

/** Waits for a text that contains a word, and returns the newest one's code. */
async function texted(phone: string, word: string): Promise<string> {
  for (;;) {
    const { body } = await api(`/sandbox/messages?to=${encodeURIComponent(phone)}`);
    const text = (body.data as { body: string }[]).find((one) => one.body.includes(word));
    if (text !== undefined) return learn("code", /\d{6}/.exec(text.body)?.[0]);
  }
}

const { phone, email, birthDate, ssn, ssn4, firstName, middleName, lastName, line1, employer, memberId } = person;
const fullName = { firstName, middleName, lastName };
const address = { line1, city: "Tulsa", state: "OK", zipCode: "74103", country: "US" };

async function brandsAndWebhooks(): Promise<string> {
  const settings = { health: { enabled: true }, riskSignals: true };
  const brand = (await api("/sandbox/brands", { settings })).body;
  const key = learn("API key", brand.apiKey);
  const authentications = [
    { type: "basic", username: secrets.webhookUser, password: secrets.webhookPassword },
    { type: "apiKey", header: "x-brand-key", value: secrets.webhookHeader },
  ];
  for (const authentication of authentications) {
    const made = await api(`/sandbox/brands/${brand.uuid}/webhooks`, {
      url: urlOf({ address: () => receiver.address() }),
      authentication,
    });
    learn("signing secret", made.body.signingSecret);
    learn("signing secret", (await api(`/sandbox/webhooks/${made.body.uuid}/rotate`, {})).body.signingSecret);
  }
  return key;
}

async function verifying(key: string): Promise<void> {
  const begun = (await api("/v2/1-click/verifications", { channel: "sms", phone }, key)).body;
  const own = `/v2/1-click/verifications/${begun.uuid}`;
  await api(`${own}/deliver`, { format: "linkAndCode" }, key);
  const code = await texted(phone, "/v/");
  await api(`${own}/verify`, { code: code === "000000" ? "000001" : "000000" }, key);
  await api(`${own}/verify`, { code }, key);
  await api(own, undefined, key);
  await api("/v2/1-click/verifications", { channel: "sms", phone: "+44 7700 900123" }, key);
  await api("/v2/1-click/verifications", { channel: "autofill", phone, deviceIp: "::121:2555:0010" }, key);
}

async function sharing(key: string): Promise<void> {
  const inputs = { email, fullName, address };
  const idempotency = { "idempotency-key": secrets.idempotencyKey };
  const made = await api("/v2/1-click", { phone, email, deviceIp: "::121:2555:0010", address }, key, idempotency);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await api("/v2/1-click", { phone, email, deviceIp: "::121:2555:0010", address }, key, idempotency);
  await api(`/v2/1-click/${made.body.uuid}`, undefined, key);
  for (const wrong of [{ birthDate }, { ssn4 }, { birthDate: "1930-01-01", ssn4 }])
    await api("/v2/1-click", { phone, ...inputs, ...wrong }, key);
  await api("/v2/1-click", { phone: "+12125550020", ...inputs }, key);
  await api("/v2/1-click", { phone: "+14045551300", ...inputs }, key);
  const asked = { fullName: { firstName, lastName }, birthDate, ssn, address, externalReference: person.reference };
  const looked = await api("/v2/1-click/health", { ...asked, memberId, payer: { id: "60054" } }, key);
  assert.equal(looked.status, 201, JSON.stringify(looked.body));
  await api("/v2/1-click/health", { ...asked, payer: { id: memberId } }, key);
  const credentials = [
    { type: "SsnCredential", data: { ssn } },
    { type: "EmployerNameCredential", data: { employer } },
    { type: "EmailCredential", data: { email } },
  ];
  const issued = await api("/credentials", { phone, email, trackingId: person.reference, credentials }, key);
  assert.equal(issued.status, 201, JSON.stringify(issued.body));
  await api(
    "/credentials",
    { phone, credentials: [{ type: "BirthDateCredential", data: { birthDate: lastName } }] },
    key,
  );
  await api(
    "/v2/1-click",
    { phone, credentialRequests: [{ type: "EmployerNameCredential" }, { type: "SsnCredential" }] },
    key,
  );
  await api("/1-click", { phone, isHosted: false, birthDate }, "sk_sandbox_demo_v1");
}

async function pages(): Promise<void> {
  const credentialRequests = [{ type: "EmployerNameCredential", allowUserInput: true }];
  const hosted = (await api("/v2/1-click", { phone, email, credentialRequests }, "sk_sandbox_demo_hosted")).body;
  const path = `/api/page/${new URL(String(hosted.url)).pathname.slice("/request/".length)}`;
  await wallet(`${path}/code`, { code: "000000" });
  const proven = await wallet(`${path}/code`, { code: learn("code", hosted.code) });
  const bearer = { authorization: `Bearer ${learn("page's token", proven.body.sessionToken)}` };
  const { body: view } = await wallet("/api/page", undefined, bearer);
  for (const employerName of [1, employer])
    await wallet("/api/page/decision", onView({ share: true, edits: { employerName }, consent }, view), bearer);
  await api(`/v2/1-click/${hosted.uuid}`, undefined, "sk_sandbox_demo_hosted");
  const sdk = (await api("/v2/client/1-click", { phone, email, fullName, address }, "sk_sandbox_demo_sdk")).body;
  const sessionKey = learn("session key", sdk.sessionKey);
  const opened = await wallet("/api/session", { sessionKey, frame: frameOfKey(sessionKey) });
  await wallet("/api/session", { sessionKey, frame: frameOfKey(sessionKey) });
  const authorization = `Bearer ${learn("session's token", opened.body.sessionToken)}`;
  await wallet("/api/session/continue", { consent: agreed("proveKnown") }, { authorization });
}

async function signingIn(): Promise<void> {
  const begun = (await wallet("/api/sign-in", { phone, consent: agreed("signIn") })).body;
  const code = await texted(phone, "sign in");
  await wallet("/api/sign-in/code", { signIn: begun.signIn, code: code === "000000" ? "000001" : "000000" });
  const done = await wallet("/api/sign-in/code", { signIn: begun.signIn, code });
  const cookie = String(done.headers.get("set-cookie")).split(";")[0] ?? "";
  learn("cookie", cookie.split("=")[1]);
  const own = { cookie, [accountHeader]: String(done.body.account) };
  for (const tried of [birthDate, "1989-08-01"]) await wallet("/api/account/proof", { birthDate: tried }, own);
  await wallet("/api/account/download", undefined, { cookie });
  const headers = { "sec-fetch-site": "same-origin" };
  const member = await ask(`${dashboardUrl}/api/sign-in`, { body: { email: "demo@example.com" }, headers });
  const { data } = (await api("/sandbox/messages?to=demo%40example.com")).body as { data: { body: string }[] };
  const mailed = learn("mailed code", /\b\d{6}\b/.exec(data[0]?.body ?? "")?.[0]);
  const finish = { body: { code: mailed }, headers };
  const signedIn = await ask(`${dashboardUrl}/api/sign-in/${member.body.uuid}/code`, finish);
  learn("cookie", /=([^;]+)/.exec(String(signedIn.headers.get("set-cookie")))?.[1]);
}

/** Sends values in places that nothing reads, and bodies that end too early. */
async function mistakes(key: string): Promise<void> {
  for (const canary of [phone, email, ssn, lastName, memberId]) {
    const coded = encodeURIComponent(canary);
    await api(`/${coded}?q=${coded}`, undefined, key);
    await api(`/v2/1-click/${coded}?code=${coded}`, undefined, key);
    await api("/v2/1-click/verifications", { channel: canary, phone: canary, deviceIp: canary, [canary]: canary }, key);
    await ask(`${apiUrl}/v2/1-click`, { raw: `{"phone":"${canary}", ${canary}`, key });
    await wallet(`/request/${coded}?code=${coded}`);
    await wallet(`/v/${coded}`);
    await api("/livez", undefined, `Bearer ${canary}`, { origin: `https://${lastName}.example` });
  }
}

/** Dumps every row of every table as text, including queued jobs, and the statements that the server remembers. */
async function dump(): Promise<Map<string, Buffer>> {
  const { host, port, user, database } = embeddedAddress(DATA_DIR);
  const client = new pg.Client({ host, port, user, database, ssl: false });
  await client.connect();
  const names = "select table_name as name from information_schema.tables where table_schema = current_schema()";
  const found = new Map<string, Buffer>();
  for (const { name } of (await client.query(names)).rows) {
    const { rows } = await client.query(`select t::text as row from "${name}" t`);
    found.set(`table ${name}`, Buffer.from(withoutIds(rows.map(({ row }) => row).join("\n"))));
  }
  const { rows } = await client.query("select query from pg_stat_activity");
  found.set("statements", Buffer.from(rows.map(({ query }) => query).join("\n")));
  await client.end();
  return found;
}

test("no personal data or secret appears in the clear in storage, logs, metrics, traces or error responses", async (t) => {
  const key = await brandsAndWebhooks();
  await verifying(key);
  await sharing(key);
  await pages();
  await signingIn();
  await mistakes(key);
  const sinks = await dump();
  const metrics = await ask(`${apiUrl}/metrics`, { key: `Bearer ${secrets.metricsToken}` });
  assert.equal(metrics.status, 200);
  sinks.set("metrics", Buffer.from(said.at(-1)?.body ?? ""));
  // Look again two hours later, after deliveries have failed and data has been erased.
  await api("/sandbox/clock", { advanceMs: 2 * 60 * 60_000 });
  for (const [name, rows] of await dump()) sinks.set(`${name} later`, rows);
  const { code, out, err } = await service.stop("SIGTERM");
  assert.equal(code, 0);
  sinks.set("standard output", Buffer.from(withoutIds(out)));
  sinks.set("log", Buffer.from(withoutIds(err)));
  sinks.set("spans", Buffer.from(withoutIds(String(Buffer.concat(spans)))));
  for (const { path, status, headers, body } of said) {
    sinks.set(`headers ${path} ${sinks.size}`, Buffer.from(withoutIds(headers)));
    if (status >= 400) sinks.set(`error ${path} ${sinks.size}`, Buffer.from(withoutIds(body)));
  }
  // The long form also reads PostgreSQL's template databases, to which nothing ever connects.
  const files = filesIn(DATA_DIR).filter((file) => isLong || !/\/base\/[14]\//.test(file));
  for (const file of files) sinks.set(`file ${file.slice(DATA_DIR.length)}`, readFileSync(file));

  // Check the search itself: each place has content, and each value would be found there.
  assert.ok(
    received.length > 0 && err.length > 10_000 && spans.length > 0 && files.some((file) => file.includes("pg_wal")),
  );
  assert.ok([...canaries.values()].every((canary) => standsIn(Buffer.from(`x${canary}x`), canary)));
  const hits: string[] = [];
  let tried = 0;
  for (const [sink, bytes] of sinks)
    for (const [name, canary] of canaries) {
      // Four or six digits occur by chance in any binary file.
      if (isShort(canary) && sink.startsWith("file ")) continue;
      tried += 1;
      const isAllowed = allowed.some((one) => one.sink.test(sink) && one.canary.test(name));
      // A few digits also occur by chance in hex output of encrypted or hashed data.
      const looked = isShort(canary) ? Buffer.from(String(bytes).replaceAll(/\\x[0-9a-f]+/g, "")) : bytes;
      if (!isAllowed && standsIn(looked, canary)) hits.push(`${name} in ${sink}`);
    }
  assert.deepEqual(hits, []);
  t.diagnostic(`${canaries.size} values × ${sinks.size} places (${files.length} files)`);
  tell({ suite: "leaks", what: "values × places", tried, lost: hits.length });
});
