/** The sandbox's test wallet, as its page and a script call it. */
import assert from "node:assert/strict";
import test from "node:test";
import { client } from "@countersign/contract/client";
import { answerAsTestWallet } from "@countersign/contract/test-wallet";
import { refusal, sandbox } from "../harness/sandbox.ts";
import { scriptCalls } from "../harness/script-calls.ts";
import { stateIdPage } from "../harness/state-id-page.ts";

const it = await sandbox();
const testWallet = client({ answerAsTestWallet }, { send: scriptCalls(it.wallet) });

const notP256 = { kty: "EC", crv: "P-256", x: "AA", y: "AA" };
const malformed: Record<string, { protocol: string; data: Record<string, unknown> }> = {
  "an unknown protocol": { protocol: "x", data: {} },
  "OpenID4VP without a key": { protocol: "openid4vp-v1-signed", data: { nonce: "n" } },
  "OpenID4VP with text instead of a JWT": { protocol: "openid4vp-v1-signed", data: { request: "a.b.c" } },
  "OpenID4VP with an invalid key": {
    protocol: "openid4vp-v1-unsigned",
    data: { client_metadata: { jwks: { keys: [notP256] } } },
  },
  "ISO 18013-7 without its members": { protocol: "org-iso-mdoc", data: {} },
  "ISO 18013-7 with invalid CBOR": { protocol: "org-iso-mdoc", data: { encryptionInfo: "_w", deviceRequest: "_w" } },
  "ISO 18013-7 without a key": { protocol: "org-iso-mdoc", data: { encryptionInfo: "gA", deviceRequest: "oA" } },
};

for (const [what, request] of Object.entries(malformed))
  test(`the test wallet refuses ${what} with 400`, async () => {
    const refused = await refusal(testWallet.answerAsTestWallet({ body: { id: "california", request } }));
    assert.deepEqual([refused.status, refused.errorCode], [400, "ERR001"]);
    assert.deepEqual(refused.data.errors, [{ path: "body.request", message: "Use a request for a state ID." }]);
  });

for (const protocol of ["openid4vp", "org-iso-mdoc"])
  test(`an answer with two names has both in ${protocol}, even if the page asks for no name`, async () => {
    const page = await stateIdPage(it, "+13135550034", [{ type: "BirthDateCredential", mandatory: "yes" }]);
    assert.equal((await refusal(page.use({ mistake: "repeatedElement", protocol }))).errorCode, "OCE022");
    assert.equal((await page.use({ protocol })).step, "review");
  });
