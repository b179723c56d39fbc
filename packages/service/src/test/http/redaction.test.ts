import assert from "node:assert/strict";
import { test } from "node:test";
import type { InjectOptions } from "fastify";
import { withoutIds } from "../harness/below-http.ts";
import { type Mounted, mountedOn } from "../harness/contract-endpoints.ts";
import { demoKey, frameOfKey, otherKey, sandbox, sdkKey } from "../harness/sandbox.ts";
import { sampleOf } from "../harness/wrong-values.ts";

const it = await sandbox();
await it.wallet.ready();

/** Every field name of a request's log line. Review a new field before you add it here. */
const requestFields = ["brandUuid", "environment", "errorCode", "latencyMs", "method", "requestId", "route", "status"];

const phone = "+13037391739";
const person = {
  email: "canary.email@canary.example",
  birthDate: "1947-03-19",
  ssn4: "7391",
  fullName: { firstName: "Canaryfirst", middleName: "Canarymiddle", lastName: "Canarylast" },
  address: {
    line1: "739 Canary St",
    line2: "Apt Canaryline",
    city: "Canarycity",
    state: "Canarystate",
    zipCode: "73917",
  },
};
const canaries = ["canary", "3037391739", "1947-03-19", "7391", "2001:db8:739", "739173", demoKey, otherKey, sdkKey];

async function call(options: InjectOptions, listener = it.app): Promise<Record<string, string>> {
  const response = await listener.inject({ headers: { authorization: demoKey }, ...options });
  return response.headers["content-type"]?.toString().includes("json") === true ? response.json() : {};
}
const post = (url: string, payload: InjectOptions["payload"], authorization = demoKey) =>
  call({ method: "POST", url, payload, headers: { authorization, "user-agent": "canary-agent", cookie: "canary=1" } });

/** Calls an endpoint with a canary as each free text, in the body, the path and the query. */
async function callWithCanaries({ endpoint, app, prefix }: Mounted): Promise<void> {
  const schema = JSON.parse(JSON.stringify(endpoint.body ?? {}));
  for (const authorization of [demoKey, "sk_sandbox_demo_v1", "sk_sandbox_demo_semi_hosted", "canary key"]) {
    const url = `${prefix}${endpoint.path.replace(/:\w+/g, "canarypath")}?canary=canary&to=canary&deviceIp=canary&answer=canary`;
    const payload = endpoint.body === undefined ? undefined : (sampleOf(schema, "canarytext") as object);
    const method = endpoint.method as "POST";
    await app.inject({ method, url, payload, headers: { authorization, "x-canary": "canary" } });
    await app.inject({ method, url: `${url}/canary/%zz`, headers: { authorization } });
  }
}

/** Runs calls that succeed and calls that fail, with all data of a person. */
async function journeys(): Promise<void> {
  const { uuid } = await post("/v2/1-click/verifications", { channel: "sms", phone });
  await post(`/v2/1-click/verifications/${uuid}/deliver`, { format: "linkAndCode" });
  await it.runJobs();
  await post(`/v2/1-click/verifications/${uuid}/verify`, { code: "739173" });
  await post("/v2/1-click/verifications", { channel: "autofill", deviceIp: "2001:db8:739::1", phone });
  await call({ method: "GET", url: `/v2/1-click/verifications/channels?deviceIp=2001:db8:739::1` });
  await call({ method: "GET", url: `/sandbox/messages?to=${encodeURIComponent(phone)}` });
  await post("/v2/1-click", { phone, deviceIp: "2001:db8:739::1", ...person });
  await post("/v2/1-click", { phone: "+12125550020", ...person });
  await post("/v2/1-click", { phone, birthDate: "canary" });
  const { sessionKey } = await post("/client/1-click", { phone, email: person.email }, sdkKey);
  await call(
    { method: "POST", url: "/api/session", payload: { sessionKey, frame: frameOfKey(String(sessionKey)) } },
    it.wallet,
  );
  const credentials = [{ type: "FirstNameCredential", data: { firstName: "Canaryfirst" } }];
  await post("/credentials", { phone, email: person.email, trackingId: "canary-order", credentials });
  await post("/v2/1-click", `{"phone":"${phone}", canary`);
  await call({ method: "GET", url: `/${phone}/canary?ssn4=7391` });
  for (const url of ["/v2/1-click/verifications/channels", "/livez"])
    await it.inject({ method: "GET", url, headers: { authorization: demoKey, origin: "https://canary.example" } });
  await it.wallet.inject({ method: "GET", url: "/v/canarylink" });
  await it.advance(30 * 24 * 60 * 60_000);
}

test("no log line contains a key or data from a request, whether the request succeeds or fails", async () => {
  await journeys();
  for (const mounted of mountedOn([it.app, it.wallet])) await callWithCanaries(mounted);
  assert.ok(it.log.length > 150, `${it.log.length} lines`);
  for (const line of it.log) {
    const text = withoutIds(JSON.stringify(line)).toLowerCase();
    for (const canary of canaries) assert.ok(!text.includes(canary), `${canary} in ${text}`);
  }
  assert.deepEqual(
    it.log.filter(({ level }) => level === "error"),
    [],
  );
});

test("a request's log line has only the allowed fields", () => {
  const fields = it.log
    .filter(({ message }) => message === "request")
    .flatMap((line) => Object.keys(line.fields ?? {}));
  assert.deepEqual([...new Set(fields)].sort(), requestFields);
});

test("a key sent by a browser is logged with its brand, on paths that need a key and on open paths", () => {
  const leaked = it.log.filter(({ fields }) => fields?.status === 418);
  assert.deepEqual(
    leaked.map(({ fields }) => [fields?.route, typeof fields?.brandUuid]),
    [
      ["/v2/1-click/verifications/channels", "string"],
      ["/livez", "string"],
    ],
  );
});

test("the stored request log contains no key or request data either", async () => {
  await it.close();
  const rows = await it.store.db.selectFrom("request_log").selectAll().execute();
  assert.ok(rows.length > 50);
  for (const row of rows) {
    const text = withoutIds(JSON.stringify({ ...row, id: 0, at: 0 })).toLowerCase();
    for (const canary of canaries) assert.ok(!text.includes(canary), `${canary} in ${text}`);
  }
});
