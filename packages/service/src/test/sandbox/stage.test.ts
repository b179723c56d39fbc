import assert from "node:assert/strict";
import { test } from "node:test";
import { provingText } from "@countersign/contract/consent";
import type { SessionStart } from "@countersign/contract/session";
import { stageBrands } from "../../providers/sandbox/demo.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { frameOfKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

const ownPage = { "sec-fetch-site": "same-origin" };
type Answer = { status: number; body: Record<string, unknown> };

/** A call of the wallet's listener by a script of the stage's own page. */
async function call(path: string, payload: object, headers: Record<string, string> = ownPage): Promise<Answer> {
  const answer = await it.wallet.inject({ method: "POST", url: path, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
}

/** Begins a signup of a brand in the SDK's frame, and returns the page that asks for the code. */
async function begin(sessionKey: unknown, phone: string): Promise<string> {
  const key = String(sessionKey);
  const opened = await call("/api/session", { sessionKey: key, frame: frameOfKey(key) });
  const { sessionToken, start } = opened.body as { sessionToken: string; start: SessionStart };
  const consent = { ...agreed(provingText({ known: false, asksFor: start.asksFor })), shown: start.shown };
  const headers = { ...ownPage, authorization: `Bearer ${sessionToken}` };
  const begun = await call("/api/session/phone", { phone, silent: false, consent }, headers);
  assert.equal(begun.status, 201, JSON.stringify(begun.body));
  await it.runJobs();
  return String(begun.body.page);
}

const keyOf = async (brand: string) => {
  const { body } = await call("/demo/calls", { brand, call: "createSession" });
  return (body.answer as { sessionKey: string }).sessionKey;
};

test("without demo brands there is no stage", async () => {
  const demoOff = await sandbox({}, { DEMO: "off" });
  for (const [method, url] of [
    ["GET", "/demo"],
    ["POST", "/demo/calls"],
    ["POST", "/demo/texts"],
    ["POST", "/demo/expiry"],
  ] as const)
    assert.equal((await demoOff.wallet.inject({ method, url, headers: ownPage, payload: {} })).statusCode, 404, url);
  assert.equal((await it.wallet.inject({ url: "/demo" })).statusCode, 200);
});

test("the stage's page allows only its own files and frames, no inline code, and no page may frame it", async () => {
  const { headers } = await it.wallet.inject({ url: "/demo" });
  const policy = String(headers["content-security-policy"]);
  assert.match(policy, /^default-src 'none'; base-uri 'none'; frame-ancestors 'none'/);
  assert.match(
    policy,
    /frame-src 'self'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
  );
  assert.doesNotMatch(policy, /unsafe|https?:|\*|data:/);
});

test("only the stage's own page can call as its brands", async () => {
  const bodies = {
    "/demo/calls": { brand: "bank", call: "createSession" },
    "/demo/texts": { to: "+12125550010", since: 0 },
    "/demo/expiry": { page: "none" },
  };
  for (const [path, body] of Object.entries(bodies))
    for (const site of ["none", "cross-site", "same-site"])
      assert.equal((await call(path, body, { "sec-fetch-site": site })).status, 403, path);
});

test("a call of the brand's server is a real one: it is in the brand's log, and its key is masked", async () => {
  const { status, body } = await call("/demo/calls", { brand: "bank", call: "createSession" });
  assert.deepEqual([status, body.method, body.path, body.status], [200, "POST", "/v2/client/1-click", 201]);
  assert.equal(body.authorization, "sk_sandbox_demo_…");
  const { bank } = stageBrands;
  assert.doesNotMatch(JSON.stringify(body), new RegExp(bank.apiKey));
  const logged = it.log.find(
    ({ message, fields }) => message === "request" && fields?.brandUuid === bank.uuid && fields?.status === 201,
  );
  assert.equal(logged?.fields?.route, "/v2/client/1-click");
  const uuid = "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21";
  const read = await call("/demo/calls", { brand: "bank", call: "readOneClick", uuid });
  assert.deepEqual([read.body.status, read.body.path], [404, `/v2/1-click/${uuid}`]);
  assert.equal((await call("/demo/calls", { brand: "bank", call: "readOneClick" })).status, 400);
});

test("the stage lists only texts that its brands caused, for one number", async () => {
  const phone = freshPhone();
  const other = await it.brand({ integrationType: "sdk" });
  await begin((await other.api.createSession({ body: {} })).body.sessionKey, phone);
  await begin(await keyOf("bank"), freshPhone());
  assert.deepEqual((await call("/demo/texts", { to: phone, since: 0 })).body.data, []);
  await begin(await keyOf("clinic"), phone);
  const { data } = (await call("/demo/texts", { to: phone, since: 0 })).body as { data: { body: string }[] };
  assert.equal(data.length, 1);
  assert.match(data[0]?.body ?? "", /^\d{6} is your code to verify your phone for Cedar Clinic/);
});

test("the lifetime of a code can be ended only for the stage's own brands, and for no other signup", async () => {
  const phones = [freshPhone(), freshPhone()] as const;
  const [ended, kept] = [await begin(await keyOf("bank"), phones[0]), await begin(await keyOf("bank"), phones[1])];
  const other = await it.brand({ integrationType: "sdk" });
  const foreign = await begin((await other.api.createSession({ body: {} })).body.sessionKey, freshPhone());
  const answer = await call("/demo/expiry", { page: ended });
  assert.deepEqual(answer, { status: 200, body: { expiresAt: it.deps.clock.now() } });
  assert.equal((await call("/demo/expiry", { page: foreign })).status, 404);
  assert.equal((await call("/demo/expiry", { page: "none" })).status, 404);
  const stateOf = async (page: string) => (await it.wallet.inject({ url: `/api/page/${page}` })).json().state;
  assert.deepEqual([await stateOf(ended), await stateOf(kept), await stateOf(foreign)], ["expired", "open", "open"]);
});

test("the calls of one address to the stage are limited", async () => {
  const limits = new Set<unknown>();
  const request = { method: "POST", url: "/demo/texts", payload: {} } as const;
  for (let calls = 0; calls < 2_000 && limits.size === 0; calls += 100)
    for (const { statusCode, headers } of await Promise.all(
      Array.from({ length: 100 }, () => it.wallet.inject(request)),
    ))
      if (statusCode === 429 && /^"stage";r=0/.test(String(headers.ratelimit))) limits.add(statusCode);
  assert.equal(limits.size, 1);
});
