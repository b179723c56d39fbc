/** Wallet apps that are web pages: browsers ask first (CORS), and let a page read only what the answer allows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const origin = "https://wallet-app.example";

const calls: ["GET" | "POST", string, string][] = [
  ["GET", "/.well-known/openid-credential-issuer/credentials", "content-type"],
  ["GET", "/.well-known/oauth-authorization-server/credentials", "content-type"],
  ["GET", "/.well-known/jwt-vc-issuer/credentials", "content-type"],
  ["GET", "/credentials/types/email", "content-type"],
  ["GET", "/credentials/status/00000000-0000-4000-8000-000000000000", "content-type"],
  ["POST", "/credentials/token", "dpop,oauth-client-attestation,oauth-client-attestation-pop"],
  ["POST", "/credentials/nonce", "content-type"],
  ["POST", "/credentials/credential", "authorization,content-type,dpop"],
  ["POST", "/credentials/presentations/abc", "content-type"],
];
for (const [method, url, wanted] of calls) {
  test(`a page of another site may send ${method} ${url} with ${wanted}`, async () => {
    const asked = await it.wallet.inject({
      method: "OPTIONS",
      url,
      headers: { origin, "access-control-request-method": method, "access-control-request-headers": wanted },
    });
    assert.equal(asked.statusCode, 204);
    const { headers } = asked;
    assert.equal(headers["access-control-allow-origin"], "*");
    assert.ok(String(headers["access-control-allow-methods"]).split(", ").includes(method));
    assert.deepEqual(String(headers["access-control-allow-headers"]).split(", "), ["authorization", "*"]);
    // A page that sends cookies could act for the person.
    assert.equal(headers["access-control-allow-credentials"], undefined);
  });

  test(`that page can read every answer to ${method} ${url}, also a refusal`, async () => {
    const bodies = method === "GET" ? [undefined] : [undefined, "{}", "no JSON", "x".repeat(100_000)];
    for (const payload of bodies) {
      const headers = { origin, authorization: "Bearer abc", "content-type": "application/json" };
      const answer = await it.wallet.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
      assert.equal(answer.headers["access-control-allow-origin"], "*", `${answer.statusCode} ${payload?.slice(0, 9)}`);
      assert.equal(answer.headers["access-control-expose-headers"], "*");
    }
  });
}

test("no page of another site may call the person's own page or a 1-Click's", async () => {
  for (const url of ["/api/account", "/api/sign-in", "/api/page/abc/code", "/v/abc", "/request"]) {
    const answer = await it.wallet.inject({
      method: "OPTIONS",
      url,
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
    });
    assert.equal(answer.headers["access-control-allow-origin"], undefined, url);
  }
});

test("a page may call the API's open calls with headers of its own", async () => {
  for (const url of ["/v2/1-click/verifications/device-ip", "/v2/1-click/health/payers"]) {
    const asked = await it.app.inject({
      method: "OPTIONS",
      url,
      headers: { origin, "access-control-request-method": "GET", "access-control-request-headers": "content-type" },
    });
    assert.equal(asked.statusCode, 204, url);
    assert.equal(asked.headers["access-control-allow-origin"], "*");
  }
});
