/** A real OpenID provider on this machine, where a person signs in without a page. */
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { after } from "node:test";
import Provider from "oidc-provider";

/** Who signs in next. Null: the person refuses. */
type Account = { email: string; isVerified: boolean } | null;
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const client = { client_id: "dashboard", client_secret: "a-secret-of-the-dashboard-0123456789" };

/** Starts the provider. `open` registers the dashboard or the console, once its URL is known. */
export async function openIdServer() {
  const someone: { account: Account } = { account: null };
  let handler: Handler = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const issuer = `http://localhost:${address.port}`;
  return {
    someone,
    environment: {
      OPENID_ISSUER: issuer,
      OPENID_CLIENT_ID: client.client_id,
      OPENID_CLIENT_SECRET: client.client_secret,
      OPENID_ALLOWED: "example.com, only@elsewhere.example",
    },
    open(dashboardUrl: string) {
      handler = providerAt(issuer, dashboardUrl, someone);
    },
    follow: throughPages,
    /** Answers requests to a path in another way, until the returned function is called. */
    replace(path: string, answer: Handler): () => void {
      const usual = handler;
      handler = (request, response) => (request.url === path ? answer : usual)(request, response);
      return () => {
        handler = usual;
      };
    },
  };
}

/** Follows the provider's pages as a browser does, until they return to our pages. Returns the query. */
async function throughPages(url: string, ourUrl: string): Promise<string> {
  const cookies = new Map<string, string>();
  let next = url;
  for (let pages = 0; pages < 10 && !next.startsWith(ourUrl); pages += 1) {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const reply = await fetch(next, { redirect: "manual", headers: { cookie } });
    for (const one of reply.headers.getSetCookie()) {
      const [name = "", value = ""] = one.split(";")[0]?.split("=") ?? [];
      cookies.set(name, value);
    }
    next = new URL(reply.headers.get("location") ?? assert.fail(await reply.text()), next).href;
  }
  return new URL(next).search.slice(1);
}

function providerAt(issuer: string, dashboardUrl: string, someone: { account: Account }): Handler {
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [`${dashboardUrl}/sign-in/openid`] }],
    pkce: { required: () => true },
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ["a-key-of-cookies"] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: sub, email_verified: someone.account?.isVerified === true }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  return (request, response) => {
    if (request.url?.startsWith("/interaction/") !== true) return void answer(request, response);
    const { account } = someone;
    const result = account === null ? { error: "access_denied" } : { login: { accountId: account.email } };
    void provider.interactionFinished(request, response, result);
  };
}
