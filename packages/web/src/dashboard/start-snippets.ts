/** What a brand's developer pastes, with the brand's own values in it. Values come from us or were checked to be one word. */
import type { IntegrationType } from "@countersign/contract/brand";

export type Values = {
  apiUrl: string;
  walletUrl: string;
  apiKey: string;
  phone: string;
  code: string;
};

/** One call, as in the README: quoted, so that it works wherever it is pasted. */
function curl({ apiUrl, apiKey }: Values, path: string, body?: unknown): string {
  const head = `curl -s ${body === undefined ? "-X POST " : ""}'${apiUrl}${path}' -H 'Authorization: ${apiKey}'`;
  return body === undefined ? head : `${head} \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
}

/** The call with which each integration type begins. */
export function firstCall(type: IntegrationType, values: Values): string {
  const { phone } = values;
  if (type === "sdk") return curl(values, "/v2/client/1-click");
  if (type === "v1") return curl(values, "/1-click", { phone });
  return curl(values, "/v2/1-click", { phone });
}

/** A phone proved by a text, in one go: begin, text the code, give it back, and take the identity. */
export function provePhone(values: Values): string {
  const { apiUrl, apiKey, phone, code } = values;
  const at = `'${apiUrl}/v2/1-click/verifications`;
  const headers = "-H \"$key\" -H 'Content-Type: application/json'";
  return [
    `key='Authorization: ${apiKey}'`,
    `uuid=$(curl -s ${at}' ${headers} -d '{"channel":"sms","phone":"${phone}"}' | sed 's/.*"uuid":"\\([^"]*\\)".*/\\1/')`,
    `curl -s -X POST ${at}/'$uuid/deliver -H "$key"`,
    `curl -s ${at}/'$uuid/verify ${headers} -d '{"code":"${code}"}'`,
    `curl -s '${apiUrl}/v2/1-click' ${headers} -d '{"verificationUuid":"'$uuid'"}'`,
  ].join("\n");
}

export function sdkServer({ apiUrl, apiKey }: Values): string {
  return `import { countersignClient } from "@countersign/sdk/server";

const api = countersignClient({ apiUrl: "${apiUrl}", apiKey: "${apiKey}" });

// When the page is asked for: a key that works once.
const { sessionKey } = await api.createSession();

// When the page has sent you the uuid: what was shared.
const { credentials } = await api.readOneClick(identityUuid);`;
}

export function sdkPage({ walletUrl }: Values): string {
  return `<div id="signup"></div>
<script src="${walletUrl}/sdk.js"></script>
<script>
  const sdk = new Countersign({
    sessionKey: "…from your server…",
    walletUrl: "${walletUrl}",
    onResult({ type, identityUuid }) {
      sdk.destroy();
      if (type.startsWith("USER_SHARED")) sendToYourServer(identityUuid);
      else showYourOwnForm();
    },
    onError() {
      sdk.destroy();
      showYourOwnForm();
    },
  });
  sdk.show(document.querySelector("#signup"));
</script>`;
}

export function apiServer({ apiUrl, apiKey }: Values): string {
  return `import { countersignClient } from "@countersign/sdk/server";

const api = countersignClient({ apiUrl: "${apiUrl}", apiKey: "${apiKey}" });

const { uuid } = await api.createVerification({ channel: "sms", phone });
await api.deliverVerification(uuid);
// The person types the code on your page.
await api.submitVerificationCode(uuid, { code });
const { identity } = await api.createOneClick({ verificationUuid: uuid });`;
}

export function hostedServer({ apiUrl, apiKey }: Values): string {
  return `const headers = { Authorization: "${apiKey}", "Content-Type": "application/json" };

// Begin: you text the code, and send the person to the url.
const begun = await fetch("${apiUrl}/v2/1-click", { method: "POST", headers, body: JSON.stringify({ phone }) });
const { uuid, url, code } = await begun.json();

// They come back to your redirect URL with identityUuid: read what they shared.
const read = await fetch(\`${apiUrl}/v2/1-click/\${identityUuid}\`, { headers });
const { credentials } = await read.json();`;
}
