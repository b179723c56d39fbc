/**
 * A person on the wallet's page, for documents whose next step is theirs: `person-by-fetch.ts <answer> <wallet URL>`
 * enters the code and shares. The answer has `url` and `code` (Hosted), or `sessionKey` (SDK), whose person types the
 * phone of a test person. Prints the SDK's `identityUuid`, or the URL to which Hosted redirects.
 */
import { createHash } from "node:crypto";
import { type AsksFor, provingText } from "@countersign/contract/consent";
import { agreed } from "./consent-shown.ts";

const [, , answer = "{}", walletUrl = ""] = process.argv;
const { url, code = "111111", sessionKey }: { url?: string; code?: string; sessionKey?: string } = JSON.parse(answer);

type Opened = { sessionToken: string; start: { asksFor: AsksFor } };

async function call<Said = Record<string, string>>(
  method: string,
  path: string,
  token: string | undefined,
  body?: object,
): Promise<Said> {
  const response = await fetch(walletUrl + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const said: Said = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(said)}`);
  return said;
}

async function pageOf(): Promise<string> {
  if (sessionKey === undefined) return new URL(url ?? "").pathname.slice("/request/".length);
  const frame = createHash("sha256").update(sessionKey).digest("base64url");
  const { sessionToken, start } = await call<Opened>("POST", "/api/session", undefined, { sessionKey, frame });
  const consent = agreed(provingText({ known: false, asksFor: start.asksFor }));
  const typed = { phone: "+12125550010", silent: false, consent };
  const { page = "" } = await call("POST", "/api/session/phone", sessionToken, typed);
  return page;
}

const page = await pageOf();
const { sessionToken } = await call("POST", `/api/page/${page}/code`, undefined, { code });
const { shown } = await call("GET", "/api/page", sessionToken);
const decided = await call("POST", "/api/page/decision", sessionToken, {
  share: true,
  edits: {},
  consent: { ...agreed("share"), shown },
});
process.stdout.write(`${sessionKey === undefined ? decided.redirectUrl : decided.identityUuid}\n`);
