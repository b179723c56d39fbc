/** Bodies that no parser reads: compressed ones, and texts in other encodings (RFC 9110, 15.5.16). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { assertEnvelope, demoKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const text = JSON.stringify({ phone: "+12125550010" });
const utf16 = Buffer.from(text, "utf16le");

async function post(
  headers: Record<string, string>,
  payload: string | Buffer,
  { url = "/v2/1-click", app = it.app } = {},
) {
  const sent = { authorization: demoKey, "content-type": "application/json", ...headers };
  const answer = await app.inject({ method: "POST", url, headers: sent, payload });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

for (const encoding of ["gzip", "br", "deflate", "GZIP", "identity, gzip"])
  test(`a body with Content-Encoding ${encoding} gets a 415 that says so`, async () => {
    const { status, headers, body } = await post({ "content-encoding": encoding }, gzipSync(text));
    assert.equal(status, 415);
    assertEnvelope(status, body);
    assert.match(body.message, /without Content-Encoding/);
    assert.equal(headers["accept-encoding"], "identity");
  });

for (const charset of ["utf-16", "UTF-16LE", '"utf-16"', "iso-8859-1", "windows-1252"])
  test(`a body in the charset ${charset} gets a 415 that says so`, async () => {
    const { status, body } = await post({ "content-type": `application/json; charset=${charset}` }, utf16);
    assert.equal(status, 415);
    assert.match(body.message, /in UTF-8/);
  });

test("UTF-8 may be named in every way, and identity is no encoding", async () => {
  for (const charset of ["utf-8", "UTF-8", '"utf-8"', "utf8", "us-ascii"])
    assert.equal((await post({ "content-type": `application/json;charset=${charset}` }, text)).status, 201, charset);
  assert.equal((await post({ "content-encoding": "identity" }, text)).status, 201);
});

test("forms of the wallet, of OpenID and of vendors are checked too", async () => {
  const form = { "content-type": "application/x-www-form-urlencoded", "content-encoding": "gzip" };
  for (const url of ["/v/none", "/openid/auth", "/openid/token", "/credentials/token"])
    assert.equal((await post(form, gzipSync("choice=deny"), { url, app: it.wallet })).status, 415, url);
});

test("a caller without a key learns that first", async () => {
  const { status } = await post({ authorization: "", "content-encoding": "gzip" }, gzipSync(text));
  assert.equal(status, 401);
});
