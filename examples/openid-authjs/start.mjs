/** Sign in with Countersign by Auth.js. While `npm start` runs: `npm ci && node start.mjs`. */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import process from "node:process";
import { Readable } from "node:stream";
import { Auth } from "@auth/core";
import { clientOf, options } from "../openid-brand.mjs";

const { issuer, port } = options;

const server = createServer((request, response) => {
  answer(requestOf(request)).then(
    async (made) => {
      response.writeHead(made.status, [...made.headers].flat());
      response.end(Buffer.from(await made.arrayBuffer()));
    },
    (error) => response.writeHead(500, { "content-type": "text/plain" }).end(error.message),
  );
});
await new Promise((ready) => server.listen(Number(port), "127.0.0.1", ready));
const ownUrl = `http://localhost:${server.address().port}`;

const { clientId, clientSecret } = await clientOf(`${ownUrl}/auth/callback/countersign`);
const config = {
  basePath: "/auth",
  trustHost: true,
  secret: randomBytes(32).toString("hex"),
  providers: [
    {
      id: "countersign",
      name: "Countersign",
      type: "oidc",
      issuer,
      clientId,
      clientSecret,
      authorization: { params: { scope: "openid profile phone" } },
      checks: ["pkce", "state", "nonce"],
      // The values are in UserInfo; the ID token identifies the person.
      idToken: false,
      profile: (claims) => ({ id: claims.sub, name: claims.name }),
    },
  ],
  callbacks: {
    jwt: ({ token, profile }) => (profile === undefined ? token : { ...token, phone: profile.phone_number }),
    session: ({ session, token }) => ({ ...session, user: { ...session.user, phone: token.phone } }),
  },
};
process.stdout.write(`Example: ${ownUrl}\n`);

async function answer(request) {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith("/auth")) return await Auth(request, config);
  const asked = new Request(`${ownUrl}/auth/session`, { headers: request.headers });
  const session = await (await Auth(asked, config)).json();
  const body =
    session === null
      ? '<h1>Example</h1><a href="/auth/signin">Sign in</a>'
      : `<h1>Welcome</h1><pre>${JSON.stringify(session.user, null, 2)}</pre>`;
  return new Response(`<title>Example</title>${body}`, { headers: { "content-type": "text/html" } });
}

function requestOf(incoming) {
  const { url, method, headers } = incoming;
  return new Request(new URL(url, ownUrl), {
    method,
    headers: new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    ...(method === "POST" ? { body: Readable.toWeb(incoming), duplex: "half" } : {}),
  });
}
