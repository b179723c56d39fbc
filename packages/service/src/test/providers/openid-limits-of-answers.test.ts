/** The members' OpenID provider may be broken or taken over. Its answers have the limits of every vendor's. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import test, { after } from "node:test";
import { gzipSync } from "node:zlib";
import { openIdProvider } from "../../providers/openid/openid.ts";
import { systemClock } from "../../providers/system.ts";
import { noNotes } from "../../providers/vendor.ts";

const mebibyte = 1024 * 1024;
let sent = 0;
let metadata = "";
let isCompressed = false;
const server = createServer((request, response) => {
  if (request.url === "/token") return void endless(response);
  response.writeHead(200, {
    "content-type": "application/json",
    ...(isCompressed ? { "content-encoding": "gzip" } : {}),
  });
  response.end(isCompressed ? gzipSync(metadata) : metadata);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
after(() => {
  server.closeAllConnections();
  server.close();
});
const address = server.address();
assert.ok(typeof address === "object" && address !== null);
const issuer = `http://localhost:${address.port}`;
metadata = JSON.stringify({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
});

/** Sends spaces before a JSON value until the reader closes the connection. */
async function endless(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "application/json" });
  while (!response.destroyed) {
    sent += mebibyte;
    if (!response.write(" ".repeat(mebibyte))) await Promise.race([once(response, "drain"), once(response, "close")]);
  }
}

const settings = { issuer, clientId: "dashboard", clientSecret: "a-secret-0123456789", allowed: [] };
const secrets = { state: "state", nonce: "nonce", verifier: "v".repeat(43) };
const begin = { ...secrets, returnsTo: "http://localhost:4002/sign-in/openid" };

test("an endless answer of the provider is cut off after a mebibyte", async () => {
  const provider = openIdProvider({ clock: systemClock, notes: noNotes }, settings);
  assert.ok((await provider.begin(begin))?.startsWith(`${issuer}/auth?`));
  const answer = await provider.finish(`${begin.returnsTo}?code=1&state=state`, secrets);
  assert.equal(answer.kind, "failed");
  assert.ok(sent < 16 * mebibyte, `${sent} bytes`);
});

test("a compressed answer of the provider is refused, because a small one can become a large one", async () => {
  isCompressed = true;
  assert.equal(await openIdProvider({ clock: systemClock, notes: noNotes }, settings).begin(begin), null);
});
