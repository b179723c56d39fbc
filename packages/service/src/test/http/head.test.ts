/** HEAD wherever GET is (RFC 9110, 9.1): monitors, link checkers and `curl -I` use it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FastifyInstance, InjectOptions } from "fastify";
import { demoKey, sandbox } from "../harness/sandbox.ts";
import { routesOf } from "../harness/served-routes.ts";

const it = await sandbox();
const listeners = { api: it.app, wallet: it.wallet, dashboard: it.dashboard };
for (const app of Object.values(listeners)) await app.ready();

/** GET uses something up here: a one-time token, or the sign-in of a person. */
const used = [
  "/1-click/verifications/device/:token",
  "/v2.1/1-click/verifications/device/:token",
  "/v2/1-click/verifications/device/:token",
  "/1-click/verifications/device/:token/result",
  "/v2.1/1-click/verifications/device/:token/result",
  "/v2/1-click/verifications/device/:token/result",
  "/openid/interaction/:uid/finish",
];

test("every path of every listener that has GET has HEAD, except where GET uses something up", () => {
  const missing = Object.entries(listeners).flatMap(([name, app]) =>
    routesOf(app, name as "api")
      .filter(
        ({ method, path }) => method === "GET" && !path.includes("*") && !app.hasRoute({ method: "HEAD", url: path }),
      )
      .map(({ path }) => path),
  );
  assert.deepEqual(missing.sort(), [...used].sort());
});

const asked: [FastifyInstance, string][] = [
  [it.app, "/livez"],
  [it.app, "/readyz"],
  [it.app, "/.well-known/jwks.json"],
  [it.app, "/openapi/v2.json"],
  [it.app, "/v2/1-click/health/payers"],
  [it.app, "/nothing"],
  [it.wallet, "/"],
  [it.wallet, "/sdk?s=none"],
  [it.wallet, "/terms"],
  [it.wallet, "/v/none"],
  [it.wallet, "/nothing"],
  [it.wallet, "/openid/.well-known/openid-configuration"],
  [it.wallet, "/.well-known/openid-credential-issuer/credentials"],
  [it.dashboard, "/"],
  [it.dashboard, "/api/nothing"],
];
/** Headers that two answers to the same request do not share. */
const own = ["date", "x-request-id", "ratelimit", "connection", "keep-alive", "transfer-encoding"];

for (const [app, url] of asked)
  test(`HEAD ${url} has the status and headers of GET, and no body`, async () => {
    const headers = { authorization: demoKey, accept: "text/html" };
    const [got, head] = [await app.inject({ url, headers }), await app.inject({ method: "HEAD", url, headers })];
    const shared = (all: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !own.includes(name)));
    assert.deepEqual([head.statusCode, shared(head.headers)], [got.statusCode, shared(got.headers)]);
    assert.equal(head.body, "");
  });

test("HEAD with a code uses no attempt", async () => {
  const { apiKey: authorization } = await it.brand({ integrationType: "semiHosted" });
  const asked = { method: "POST", url: "/v2/1-click", headers: { authorization }, payload: { phone: "+12125550010" } };
  const { uuid, code } = (await it.app.inject(asked as InjectOptions)).json();
  const url = (typed: string) => `/v2/1-click/${uuid}?code=${typed}`;
  for (let i = 0; i < 4; i += 1)
    await it.app.inject({ method: "HEAD", url: url("000000"), headers: { authorization } });
  const right = await it.app.inject({ url: url(code), headers: { authorization } });
  assert.equal(right.statusCode, 200, right.body);
});

test("a 405 names HEAD where GET is", async () => {
  const { headers } = await it.app.inject({ method: "PUT", url: "/livez" });
  assert.equal(headers.allow, "GET, HEAD");
});
