/**
 * Sign in with Countersign by the library openid-client, with a pushed authorization request. While `npm start` runs:
 * `npm ci && node start.mjs`.
 */
import { createServer } from "node:http";
import process from "node:process";
import * as openid from "openid-client";
import { clientOf, options } from "../openid-brand.mjs";

const { issuer, port } = options;
const visits = new Map();

const server = createServer((request, response) => {
  answer(new URL(request.url, ownUrl)).then(
    ({ status = 200, headers = {}, body = "" }) =>
      response.writeHead(status, { "content-type": "text/html", ...headers }).end(body),
    (error) =>
      response.writeHead(400, { "content-type": "text/plain" }).end(`${error.error ?? error.code}: ${error.message}`),
  );
});
await new Promise((ready) => server.listen(Number(port), "127.0.0.1", ready));
const ownUrl = `http://localhost:${server.address().port}`;
const redirectUri = `${ownUrl}/callback`;

const { clientId, clientSecret } = await clientOf(redirectUri);
// Only for a sandbox without TLS.
const insecure = new URL(issuer).protocol === "http:" ? { execute: [openid.allowInsecureRequests] } : {};
const config = await openid.discovery(new URL(issuer), clientId, clientSecret, undefined, insecure);
process.stdout.write(`Example: ${ownUrl}\n`);

async function answer(url) {
  if (url.pathname === "/") return { body: '<title>Example</title><h1>Example</h1><a href="/login">Sign in</a>' };
  if (url.pathname === "/login") {
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    visits.set(expectedState, { pkceCodeVerifier, expectedState });
    const to = await openid.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: redirectUri,
      scope: "openid profile phone",
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      state: expectedState,
      claims: JSON.stringify({
        userinfo: {
          verified_claims: { verification: { trust_framework: null, time: null }, claims: { birthdate: null } },
        },
      }),
    });
    return { status: 303, headers: { location: to.href } };
  }
  if (url.pathname !== "/callback") return { status: 404, body: "Nothing here." };
  // A real application keeps this in the visitor's session.
  const visit = visits.get(url.searchParams.get("state"));
  const tokens = await openid.authorizationCodeGrant(config, url, visit);
  const claims = await openid.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
  return { body: `<title>Example</title><h1>Welcome</h1><pre>${JSON.stringify(claims, null, 2)}</pre>` };
}
