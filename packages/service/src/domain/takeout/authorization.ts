/** The authorization code flow: a wallet sends the person to us, and gets a code that no other wallet can use. */

import { createHash } from "node:crypto";
import { minuteMs } from "@countersign/contract/time";
import type { Trx } from "../../store/database.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../failure.ts";
import { compareCode } from "../one-time-code.ts";
import { randomToken } from "../token.ts";
import { issuerUrl } from "./addresses.ts";
import { type OfferOf, setAuthorized } from "./takeout-rows.ts";

/** How long a wallet can exchange its code, in milliseconds. */
export const authorizationCodeLifeMs = minuteMs;
/** A wallet app. Wallets are not registered, so the redirect URI identifies one. `challenge`: PKCE, S256. */
export type WalletApp = { clientId: string; redirectUri: string; challenge: string };

/** Parameters of our answer. A redirect URI that contains one could make another answer look like ours. */
const answerNames = ["code", "state", "iss", "error", "error_description"];
/** A scheme of an app begins with a domain name in reverse (RFC 8252, 7.1). `javascript:` has no dot. */
const appScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

/** Whether an answer may go to this address: https, or the scheme of an app. */
export function isWalletAddress(text: string): boolean {
  // The parser drops control characters, so the result would not be the URL that was compared.
  if (!/^[\x21-\x7e]+$/.test(text) || /[#\\"<>]/.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password, searchParams } = new URL(text);
  const isKnown = (protocol === "https:" && text.startsWith("https://")) || appScheme.test(protocol);
  return isKnown && username === "" && password === "" && !answerNames.some((name) => searchParams.has(name));
}

/**
 * Lets a wallet get the offered credential. The caller has validated the redirect URI. Returns the URL where the
 * browser continues, and the kind of credential. Null if the offer has ended.
 */
export async function authorizeWallet(
  deps: Deps,
  trx: Trx,
  offer: OfferOf,
  { state, ...app }: WalletApp & { state?: string | undefined },
): Promise<{ continueAt: string; kind: string } | null> {
  const code = randomToken(deps.random);
  const hash = deps.vault.keyedHash(scopeOf(offer.uuid), textOf(app));
  const expiresAt = deps.clock.now() + authorizationCodeLifeMs;
  const kind = await setAuthorized(deps, trx, offer, { code, hash, expiresAt });
  return kind === null ? null : { continueAt: answerTo(deps, app.redirectUri, { code, state }), kind };
}

/** Where the browser continues when the person refuses. */
export function refuseWallet(deps: Deps, { redirectUri, state }: { redirectUri: string; state?: string | undefined }) {
  requireAddress(redirectUri);
  return answerTo(deps, redirectUri, { error: "access_denied", state });
}

export function requireAddress(redirectUri: string): void {
  if (!isWalletAddress(redirectUri))
    throw invalid([{ path: "body.redirectUri", message: "Use https, or the scheme of an app." }]);
}

/** RFC 9207: every answer names the issuer, so a wallet notices an answer from another issuer. */
function answerTo(deps: Deps, redirectUri: string, answer: Record<string, string | undefined>): string {
  const parameters = new URLSearchParams({ iss: issuerUrl(deps) });
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) parameters.set(name, value);
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${parameters}`;
}

/**
 * Whether this wallet may redeem the code: client ID and redirect URI are the approved ones, and the PKCE verifier
 * matches.
 */
export function isForWallet(
  deps: Pick<Deps, "vault">,
  { uuid, hash }: { uuid: string; hash: Buffer },
  { verifier, ...app }: Omit<WalletApp, "challenge"> & { verifier: string },
): boolean {
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  return compareCode(deps, scopeOf(uuid), textOf({ ...app, challenge }), hash);
}

// Use a different hash scope than for transaction codes. Otherwise a wallet could submit this text as a transaction
// code and skip PKCE.
const scopeOf = (uuid: string) => `${uuid}|authorization code`;
const textOf = ({ clientId, redirectUri, challenge }: WalletApp) => JSON.stringify([clientId, redirectUri, challenge]);
