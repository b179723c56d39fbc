/** Calls of brands with an `Idempotency-Key`, and the person who withdraws between two of them. */
import assert from "node:assert/strict";
import { birthDate, signIn } from "./account-page.ts";
import { agreed } from "./consent-shown.ts";
import { assertEnvelope, demoKey, type Sandbox } from "./sandbox.ts";

export function keyedCalls(it: Sandbox) {
  async function post(path: string, body: unknown, key: string | null, apiKey = demoKey) {
    return await it.inject({
      method: "POST",
      url: path,
      headers: {
        authorization: apiKey,
        "content-type": "application/json",
        ...(key === null ? {} : { "idempotency-key": key }),
      },
      payload: JSON.stringify(body),
    });
  }
  return {
    post,
    /** Sends a request that must return 404, and returns its error code. */
    async post404(path: string, body: unknown, key: string, apiKey = demoKey) {
      const { status, body: answer } = await post(path, body, key, apiKey);
      assertEnvelope(404, answer);
      assert.equal(status, 404);
      return answer.data.errorCode;
    },
    /** Signs the person in and stops sharing with every brand on their page. Returns the browser, still signed in. */
    async stopSharing(phone: string) {
      const browser = await signIn(it, phone);
      await browser.proveAccount({ body: { birthDate } });
      for (const { uuid } of (await browser.readAccount()).body.brands)
        await browser.stopSharing({ params: { uuid }, body: { consent: agreed("stop") } });
      return browser;
    },
  };
}
