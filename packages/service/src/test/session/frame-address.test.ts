import assert from "node:assert/strict";
import test from "node:test";
import { frameOfKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

test("a frame's address with a second hash gets no application, so it cannot bypass the brand's allowed origins", async () => {
  const origin = "https://shop.example";
  const { api } = await it.brand({ integrationType: "sdk", allowedOrigins: [origin] });
  const hash = frameOfKey((await api.createSession()).body.sessionKey);
  const framed = async (query: string) => {
    const headers = { "sec-fetch-dest": "iframe" };
    const answer = await it.wallet.inject({ url: `/sdk?${query}`, headers });
    const [, ancestors] = /frame-ancestors ([^;]+)/.exec(String(answer.headers["content-security-policy"])) ?? [];
    return { ancestors, hasApplication: answer.body.includes('"frame":true') };
  };
  assert.deepEqual(await framed(`s=${hash}`), { ancestors: origin, hasApplication: true });
  for (const query of [`s=${hash}&s=x`, `s=x&s=${hash}`, `s=${hash}&s=${hash}`])
    assert.deepEqual(await framed(query), { ancestors: "'none'", hasApplication: false }, query);
});
