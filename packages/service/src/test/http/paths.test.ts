/** Paths that are written otherwise than the contract's. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { signedInStaff } from "../harness/console-staff.ts";
import { cookieOf, signedIn } from "../harness/dashboard-member.ts";
import { demoKey, sandbox } from "../harness/sandbox.ts";
import { routesOf } from "../harness/served-routes.ts";

const it = await sandbox();
const unknown = "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21";
const headers = { authorization: demoKey, "content-type": "application/json" };

type Call = { method?: "GET" | "POST" | "PATCH" | "DELETE"; url: string; payload?: object; key?: string };
async function answer({ method = "GET", url, payload, key = demoKey }: Call) {
  const { status, body } = await it.inject({ method, url, headers: { ...headers, authorization: key }, payload });
  const { data, message } = body as { data?: { errorCode?: string }; message?: string };
  return { status, errorCode: data?.errorCode, message };
}

test("a path with a slash at its end is answered like the path without it", async () => {
  const payload = { phone: "+12125550010" };
  assert.equal((await answer({ method: "POST", url: "/v2/1-click/", payload })).status, 201);
  for (const url of [
    "/v2/1-click/health/payers",
    "/jsonSchema",
    "/sandbox/clock",
    `/v2/1-click/${unknown}`,
    "/nowhere",
  ])
    assert.deepEqual(await answer({ url: `${url}/` }), await answer({ url }), url);
  const search = "?$search=aetna&$limit=1";
  const [with_, without] = await Promise.all(
    ["/payers/", "/payers"].map((path) => it.inject({ url: `/v2/1-click/health${path}${search}` })),
  );
  assert.deepEqual(with_?.body, without?.body);
  const { status, message } = await answer({ url: "/v2/1-click/" });
  assert.deepEqual([status, message], [405, "This path supports POST."]);
});

test("the documents keep the slash at the end of a path, because their links depend on it", async () => {
  assert.equal((await it.app.inject({ url: "/docs" })).headers.location, "/docs/");
  assert.notEqual((await it.app.inject({ url: "/docs/" })).headers.location, "/docs/");
});

const about: [string, (uuid: string) => Call][] = [
  ["a 1-Click", (uuid) => ({ url: `/v2/1-click/${uuid}` })],
  ["a 1-Click of v1", (uuid) => ({ url: `/1-click/${uuid}`, key: "sk_sandbox_demo_v1" })],
  ["a PATCH", (uuid) => ({ method: "PATCH", url: `/v2/1-click/${uuid}`, payload: { ssn4: "6789" } })],
  ["a lookup", (uuid) => ({ url: `/v2/1-click/health/${uuid}` })],
  ["a verification", (uuid) => ({ url: `/v2/1-click/verifications/${uuid}` })],
  ["a text", (uuid) => ({ method: "POST", url: `/v2/1-click/verifications/${uuid}/deliver`, payload: {} })],
  [
    "a code",
    (uuid) => ({ method: "POST", url: `/v2/1-click/verifications/${uuid}/verify`, payload: { code: "111111" } }),
  ],
  ["a credential", (uuid) => ({ url: `/v2/credentials/${uuid}` })],
  ["a brand", (uuid) => ({ url: `/sandbox/brands/${uuid}` })],
  ["a webhook", (uuid) => ({ url: `/sandbox/webhooks/${uuid}/deliveries` })],
  ["a delivery", (uuid) => ({ url: `/sandbox/deliveries/${uuid}` })],
];
for (const [what, callOf] of about) {
  test(`${what}: a malformed uuid is answered like an unknown one`, async () => {
    const expected = await answer(callOf(unknown));
    assert.equal(expected.status, 404);
    for (const malformed of ["x", `${unknown}0`, `urn:uuid:${unknown}`, "%20", "a".repeat(150)])
      assert.deepEqual(await answer(callOf(malformed)), expected, malformed);
  });
}

test("the dashboard answers a malformed uuid like an unknown one", async () => {
  const owner = await signedIn(it);
  const statusOf = async (uuid: string) => (await owner.call("GET", `/api/brands/${uuid}`)).status;
  assert.equal(await statusOf("x"), await statusOf(unknown));
});

/** Values that no uuid column accepts. */
const malformedIds = ["x", `${unknown}0`, "%20", "%7B%7D", "a".repeat(150)];

test("no route of a listener breaks down on a malformed id in its path", async () => {
  const { operatorConsole } = it;
  assert.ok(operatorConsole !== null);
  const [owner, staff] = [await signedIn(it), await signedInStaff(it)];
  const listeners = [
    { name: "api", routes: routesOf(it.app, "api"), caller: { authorization: demoKey } },
    { name: "wallet", routes: routesOf(it.wallet, "wallet"), caller: {} },
    { name: "dashboard", routes: routesOf(it.dashboard, "dashboard"), caller: { cookie: cookieOf(owner.token) } },
    {
      name: "console",
      routes: routesOf(operatorConsole, "dashboard"),
      caller: { cookie: `countersign-operator=${staff.token}` },
    },
  ];
  const asked: string[] = [];
  for (const { name, routes, caller } of listeners)
    for (const { app, method, path } of routes.filter((route) => route.path.includes(":"))) {
      for (const [index, id] of malformedIds.entries()) {
        const url = path.replace(/:\w+/g, (one) => (one === ":environment" ? "sandbox" : id));
        const own = { "sec-fetch-site": "same-origin", ...caller };
        // Sign-ins are limited by address.
        const remoteAddress = `127.0.1.${index + 1}`;
        const { statusCode } = await app.inject({ method, url, headers: own, remoteAddress });
        assert.ok(statusCode < 500, `${name} ${method} ${url}: ${statusCode}`);
        assert.ok(name === "wallet" || statusCode !== 401, `${name} ${method} ${url}: the caller is unknown`);
      }
      asked.push(`${name} ${path}`);
    }
  assert.ok(asked.includes("console /api/console/logos/:request"));
  assert.ok(asked.length > 60, `${asked.length} routes`);
});
