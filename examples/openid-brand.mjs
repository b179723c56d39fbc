/**
 * What the OpenID examples share: their options, and the client's id and secret. Without `--client-id` they create a
 * brand in the sandbox. Usually you add the redirect URI in the dashboard once, and the secret is an API key.
 */
import { parseArgs } from "node:util";

export const { values: options } = parseArgs({
  options: {
    issuer: { type: "string", default: "http://localhost:4001/openid" },
    api: { type: "string", default: "http://localhost:4000" },
    port: { type: "string", default: "4200" },
    "client-id": { type: "string" },
    "client-secret": { type: "string" },
  },
});

export async function clientOf(redirectUri) {
  const { api, "client-id": clientId, "client-secret": clientSecret } = options;
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  const answer = await fetch(`${api}/sandbox/brands`, {
    method: "POST",
    headers: { authorization: "sk_sandbox_demo_api", "content-type": "application/json" },
    body: JSON.stringify({ settings: { externalName: "Example Brand", openid: { redirectUris: [redirectUri] } } }),
  });
  if (!answer.ok) throw new Error(`the sandbox answered ${answer.status}`);
  const { uuid, apiKey } = await answer.json();
  return { clientId: uuid, clientSecret: apiKey };
}
