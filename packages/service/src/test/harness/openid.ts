/** An OpenID client and a person for tests, without a browser: requests with cookies, from discovery to claims. */
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { provingText } from "@countersign/contract/consent";
import { agreed } from "./consent-shown.ts";
import { wallet } from "./hosted-share.ts";
import { hiddenFieldsIn } from "./link-form.ts";
import type { Sandbox } from "./sandbox.ts";

export const redirectUri = "https://client.example/callback";
const primary = "2125550010";

export type Answer = { status: number; location: string | null; body: string; headers: Record<string, unknown> };
type Sent = { form?: Record<string, string>; headers?: Record<string, string> };

/** A browser's cookies and requests. */
export function browserOf(it: Sandbox) {
  const cookies = new Map<string, { value: string; path: string }>();
  return {
    cookies,
    async visit(url: string, { form, headers = {} }: Sent = {}): Promise<Answer> {
      const path = url.replace(it.deps.addresses.walletUrl, "");
      const sent = [...cookies].filter(([, { path: under }]) => path.startsWith(under));
      const cookie = sent.map(([name, { value }]) => `${name}=${value}`).join("; ");
      const response = await it.wallet.inject({
        method: form === undefined ? "GET" : "POST",
        url: path,
        headers: {
          accept: "text/html",
          ...(cookie === "" ? {} : { cookie }),
          ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
          ...headers,
        },
        ...(form === undefined ? {} : { payload: new URLSearchParams(form).toString() }),
      });
      for (const { name, value, path: under = "/" } of response.cookies) {
        if (value === "") cookies.delete(name);
        else cookies.set(name, { value, path: under });
      }
      const location = response.headers.location;
      return {
        status: response.statusCode,
        location: location === undefined ? null : String(location),
        body: response.body,
        headers: response.headers,
      };
    },
  };
}
export type Browser = ReturnType<typeof browserOf>;

/** A brand that is an OpenID client. */
export async function openidBrand(it: Sandbox, openid: Record<string, unknown> = {}) {
  const brand = await it.brand({ openid: { redirectUris: [redirectUri], ...openid } });
  return { ...brand, clientId: brand.uuid, secret: brand.apiKey };
}
export type Client = Pick<Awaited<ReturnType<typeof openidBrand>>, "clientId" | "secret">;

export function pkce() {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

export const authorizePath = (parameters: Record<string, string>) => `/openid/auth?${new URLSearchParams(parameters)}`;

/** The parameters of an authorization request. */
export function requestOf(
  { clientId }: { clientId: string },
  challenge: string,
  more: Record<string, string> = {},
): Record<string, string> {
  return {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid profile phone address email",
    state: "state-1",
    nonce: "nonce-1",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...more,
  };
}

/** The code of the newest text to a phone. Fixed people always have the same one. */
async function textedTo(it: Sandbox, phone: string): Promise<string> {
  await it.runJobs();
  const { data } = (await it.api.listMessages({ query: { to: phone.startsWith("+") ? phone : `+1${phone}` } })).body;
  return data.map(({ body }) => /\b(\d{6})\b/.exec(body)?.[1]).find((code) => code !== undefined) ?? "111111";
}

/** What a browser says of a form of the wallet's own page. */
export const ownSite = { "sec-fetch-site": "same-origin" };

type How = { phone?: string; share?: boolean; edits?: Record<string, string>; ssn?: boolean };

/** The fields of the phone's page that the person does not see. */
export async function hiddenFields(browser: Browser, phonePage: string): Promise<Record<string, string>> {
  const { body } = await browser.visit(phonePage);
  return hiddenFieldsIn(body);
}

/** Enters the phone and the code, and decides. Returns the wallet's redirect URL. */
export async function decideOn(it: Sandbox, browser: Browser, phonePage: string, how: How = {}): Promise<string> {
  const { phone = primary, share = true, edits = {}, ssn = false } = how;
  const asksFor = { data: true, ssn, health: false };
  const { version } = agreed(provingText({ known: false, asksFor }));
  const form = { ...(await hiddenFields(browser, phonePage)), phone, version };
  const begun = await browser.visit(phonePage, { form, headers: ownSite });
  assert.equal(begun.status, 303, begun.body);
  const page = new URL(begun.location ?? "").pathname.slice("/request/".length);
  const { sessionToken } = (await wallet(it).provePage({ params: { page }, body: { code: await textedTo(it, phone) } }))
    .body;
  const person = wallet(it, sessionToken);
  const view = await person.viewPage();
  if (view.body.step !== "review") return view.body.redirectUrl ?? "";
  const consent = agreed(share ? "share" : "decline");
  return (await person.decidePage({ body: { share, edits, consent } })).body.redirectUrl ?? "";
}

/** Begins a request, and returns the phone's page. */
export async function beginAt(browser: Browser, path: string): Promise<string> {
  const begun = await browser.visit(path);
  assert.equal(begun.status, 303, begun.body);
  return begun.location ?? "";
}

/** Follows the wallet's return to the client's redirect URI. */
export async function returnTo(browser: Browser, finish: string): Promise<URL> {
  const finished = await browser.visit(finish);
  assert.equal(finished.status, 303, finished.body);
  const resumed = await browser.visit(finished.location ?? "");
  assert.equal(resumed.status, 303, resumed.body);
  return new URL(resumed.location ?? "");
}

/** A complete sign-in. Returns the parameters that the client gets, and the verifier of its code. */
export async function signIn(it: Sandbox, client: Client, more: Record<string, string> = {}, how: How = {}) {
  const browser = browserOf(it);
  const { verifier, challenge } = pkce();
  const phonePage = await beginAt(browser, authorizePath(requestOf(client, challenge, more)));
  const back = await returnTo(browser, await decideOn(it, browser, phonePage, how));
  return { code: back.searchParams.get("code") ?? "", verifier, back, browser };
}

type Reply = { status: number; body: Record<string, unknown> };

/** A call of the client's server. */
export async function call(it: Sandbox, path: string, form: Record<string, string>, as?: Client): Promise<Reply> {
  const basic = as === undefined ? {} : basicAuth(as);
  const { status, body } = await browserOf(it).visit(path, { form, headers: { accept: "application/json", ...basic } });
  return { status, body: body === "" ? {} : JSON.parse(body) };
}

function basicAuth({ clientId, secret }: Client): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}` };
}

export function exchange(it: Sandbox, client: Client, { code, verifier }: { code: string; verifier: string }) {
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
  return call(it, "/openid/token", form, client);
}

export async function userInfo(it: Sandbox, token: unknown): Promise<Reply> {
  const headers = { accept: "application/json", authorization: `Bearer ${String(token)}` };
  const { status, body } = await browserOf(it).visit("/openid/me", { headers });
  return { status, body: body.startsWith("{") ? JSON.parse(body) : { jwt: body } };
}
