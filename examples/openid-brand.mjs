/**
 * The client's id and secret: from CLIENT_ID and CLIENT_SECRET, or of a new brand in the sandbox. Usually you add the
 * redirect URI in the dashboard once, and the secret is one of the brand's API keys.
 */
import process from "node:process";

export async function sandboxClient(redirectUri) {
  const { API = "http://localhost:4000", CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = process.env;
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  const answer = await fetch(`${API}/sandbox/brands`, {
    method: "POST",
    headers: { authorization: "sk_sandbox_demo_api", "content-type": "application/json" },
    body: JSON.stringify({ settings: { externalName: "Example Brand", openid: { redirectUris: [redirectUri] } } }),
  });
  if (!answer.ok) throw new Error(`the sandbox answered ${answer.status}`);
  const { uuid, apiKey } = await answer.json();
  return { clientId: uuid, clientSecret: apiKey };
}
