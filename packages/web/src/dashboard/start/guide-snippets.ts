/** Code samples for each integration type, with the brand's own URLs. Each one is a complete module or page. */
import type { IntegrationType } from "@countersign/contract/brand";
import type { Language } from "../controls/copy.tsx";
import type { Values } from "./start-snippets.ts";
import { startWords } from "./words-start.ts";

export type Snippet = { title: string; language: Language; text: string };
const say = startWords.guide;

export function guideSnippets(type: IntegrationType, values: Values): Snippet[] {
  const server: Snippet = { title: say.server, language: "ts", text: servers[type](values) };
  const page: Snippet[] = type === "sdk" ? [{ title: say.page, language: "html", text: sdkPage(values) }] : [];
  const key = { title: say.key, language: "sh", text: `export COUNTERSIGN_KEY='${values.apiKey}'` } as const;
  return [key, server, ...page];
}

const client = ({ apiUrl }: Values) => `import { countersignClient } from "@countersign/sdk/server";

const api = countersignClient({ apiUrl: "${apiUrl}", apiKey: process.env.COUNTERSIGN_KEY ?? "" });`;

const servers: Readonly<Record<IntegrationType, (values: Values) => string>> = {
  sdk: (values) => `${client(values)}

/** POST /session: a key for one visit. */
export async function createKey(): Promise<Response> {
  return Response.json(await api.createSession());
}

/** POST /signup: the page sends the ID; read what was shared. */
export async function signUp(request: Request): Promise<Response> {
  const { credentials } = await api.readOneClick(await request.text());
  return Response.json({ found: Object.keys(credentials ?? {}) });
}`,
  api: (values) => `${client(values)}

/** The person entered their phone: text a code. */
export async function textCode(phone: string) {
  const { uuid } = await api.createVerification({ channel: "sms", phone });
  await api.deliverVerification(uuid);
  return uuid;
}

/** The person typed the code: check it, and get the identity. */
export async function signUp(verificationUuid: string, code: string) {
  await api.submitVerificationCode(verificationUuid, { code });
  const { identity } = await api.createOneClick({ verificationUuid });
  return identity?.credentials;
}`,
  nonHosted: (values) => `${client(values)}

/** You have verified the phone: get the identity. */
export async function signUp(phone: string) {
  const { identity } = await api.createOneClick({ phone });
  return identity?.credentials;
}`,
  semiHosted: (values) => `${client(values)}

/** The person entered their phone: text them the code, and keep the uuid. */
export async function begin(phone: string) {
  const { uuid, code } = await api.createOneClick({ phone });
  return { uuid, code };
}

/** The person typed the code: get the identity. */
export async function signUp(uuid: string, code: string) {
  const { credentials } = await api.readOneClick(uuid, { code });
  return credentials;
}`,
  hosted: (values) => `${client(values)}

/** The person entered their phone: text them the code, and send them to the url. */
export async function begin(phone: string) {
  const { url, code } = await api.createOneClick({ phone });
  return { url, code };
}

/** The person is back at your redirect URL, with identityUuid: read what they shared. */
export async function signUp(identityUuid: string) {
  const { credentials } = await api.readOneClick(identityUuid);
  return credentials;
}`,
  v1: ({ apiUrl }) => `async function ask(path: string, options: RequestInit = {}) {
  const headers = { Authorization: process.env.COUNTERSIGN_KEY ?? "", "Content-Type": "application/json" };
  const response = await fetch(\`${apiUrl}\${path}\`, { ...options, headers });
  if (!response.ok) throw new Error(\`\${path}: \${response.status} \${await response.text()}\`);
  return await response.json();
}

/** The person entered their phone: send them to the url. */
export async function begin(phone: string): Promise<string> {
  return (await ask("/1-click", { method: "POST", body: JSON.stringify({ phone }) })).url;
}

/** The person is back at your redirect URL, with 1ClickUuid: read what they shared. */
export async function signUp(oneClickUuid: string): Promise<Record<string, unknown>> {
  return (await ask(\`/1-click/\${oneClickUuid}\`)).credentials;
}`,
};

function sdkPage({ walletUrl }: Values): string {
  return `<div id="signup"></div>
<form id="own" hidden><!-- Your own form, for people who do not share. --></form>
<script src="${walletUrl}/sdk.js"></script>
<script type="module">
  const { sessionKey } = await (await fetch("/session", { method: "POST" })).json();
  const showOwnForm = () => document.querySelector("#own").removeAttribute("hidden");
  let sdk;
  sdk = new Countersign({
    sessionKey,
    walletUrl: "${walletUrl}",
    async onResult({ outcome, identityUuid }) {
      sdk.destroy();
      if (outcome === "shared") await fetch("/signup", { method: "POST", body: identityUuid });
      else showOwnForm();
    },
    onError() {
      // Without a session key, onError is called before there is an sdk.
      sdk?.destroy();
      showOwnForm();
    },
  });
  sdk.show("#signup");
</script>`;
}
