/** Headers of every response of every listener, and paths that no listener may serve. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FastifyInstance, HTTPMethods } from "fastify";
import { demoKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const listeners: Record<string, FastifyInstance> = { api: it.app, wallet: it.wallet, dashboard: it.dashboard };
/** Calls the API as a server does, and the other listeners as a browser on our own pages does. */
const read = (app: FastifyInstance, url: string, method: HTTPMethods = "GET") =>
  app.inject({
    method: method as "GET",
    url,
    headers: app === it.app ? { authorization: demoKey } : { "sec-fetch-site": "same-origin", cookie: "canary=1" },
  });

/** Successes and errors, pages and data, files and redirects. */
const asked: [string, string, HTTPMethods?][] = [
  ["api", "/livez"],
  ["api", "/metrics"],
  ["api", "/v2/1-click/verifications/channels"],
  ["api", "/v2/1-click/%zz"],
  ["api", "/v2/1-click"],
  ["api", "/v2/1-click", "POST"],
  ["api", "/1-click/health/payers"],
  ["api", "/jsonSchema"],
  ["api", "/openapi/v2.json"],
  ["api", "/docs"],
  ["api", "/docs/"],
  ["api", "/nothing"],
  ["wallet", "/"],
  ["wallet", "/sdk?s=none"],
  ["wallet", "/sdk.js"],
  ["wallet", "/everything"],
  ["wallet", "/v/none"],
  ["wallet", "/theme/0B6E4F-B00020-6B7280-FFFFFF-center-Geist-8-8.css"],
  ["wallet", "/api/account"],
  ["wallet", "/nothing"],
  ["dashboard", "/"],
  ["dashboard", "/api/me"],
  ["dashboard", "/api/nothing"],
];
for (const [name, url, method = "GET"] of asked) {
  test(`${method} ${url} of the ${name} has a content type, nosniff, a content security policy and no-referrer`, async () => {
    const app = listeners[name] ?? assert.fail(name);
    const { headers, body } = await read(app, url, method);
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["referrer-policy"], "no-referrer");
    const policy = String(headers["content-security-policy"]);
    for (const part of ["default-src 'none'", "base-uri 'none'", "frame-ancestors "])
      assert.ok(policy.includes(part), policy);
    if (body === "") return;
    const type = String(headers["content-type"]);
    assert.match(type, /^(text\/[a-z]+;.* ?charset=utf-8|application\/([a-z]+\+)?json\b.*)$/);
  });
}

test("the only page that other sites may frame is the SDK page, here for an unknown session", async () => {
  const framable = [];
  for (const [name, url] of asked) {
    const { headers } = await read(listeners[name] ?? assert.fail(name), url);
    if (!String(headers["content-security-policy"]).includes("frame-ancestors 'none'")) framable.push(url);
  }
  assert.deepEqual(framable, ["/sdk?s=none"]);
});

/** Files that a deployment may leave behind, and directories that a misconfigured server would list. */
const stray = ["/.git/config", "/.env", "/package.json", "/packages/", "/assets/", "/assets", "/logo/", "/theme/"];
for (const [name, app] of Object.entries(listeners))
  test(`the ${name} serves no stray files, lists no directories, and does not echo TRACE requests`, async () => {
    const page = name === "dashboard" ? (await read(app, "/")).body : null;
    for (const url of stray) {
      const { statusCode, body } = await read(app, url);
      // The dashboard serves its page under every path that is not part of its API.
      assert.ok(statusCode === 404 || body === page, `${url}: ${statusCode}`);
    }
    for (const url of ["/", "/livez"]) {
      const answer = await read(app, url, "TRACE");
      assert.ok([404, 405].includes(answer.statusCode), `${answer.statusCode}`);
      assert.doesNotMatch(answer.body, new RegExp(`${demoKey}|canary`));
    }
  });
