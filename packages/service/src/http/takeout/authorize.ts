/** The authorization endpoint for wallets. It redirects to the person's own page, which asks the person. */
import { isUuid } from "@countersign/contract/primitives";
import { isChallenge, walletTextMax } from "@countersign/contract/takeout";
import type { HomeDeps } from "../../domain/deps.ts";
import { invalid } from "../../domain/failure.ts";
import { isWalletAddress } from "../../domain/takeout/authorization.ts";
import { challengeMethod } from "../../domain/takeout/kinds.ts";

/**
 * Refused, because they override parts of the request. If we ignored them, the person would approve something else than
 * the wallet requested.
 */
const unsupported = ["request", "request_uri", "authorization_details"];

/**
 * The page that asks the person. An invalid request gets an error page and never a redirect: wallets are not
 * registered, so anyone could use us to redirect people to their site.
 */
export function askingPage({ addresses }: HomeDeps, query: unknown): string {
  const given = new Map(Object.entries(typeof query === "object" && query !== null ? query : {}));
  const text = (name: string): string => {
    const value: unknown = given.get(name) ?? "";
    // A parameter that occurs twice is a list here.
    if (typeof value !== "string" || value.length > walletTextMax) throw unusable(name);
    return value;
  };
  const asked = {
    issuer_state: text("issuer_state"),
    client_id: text("client_id"),
    redirect_uri: text("redirect_uri"),
    code_challenge: text("code_challenge"),
    ...(given.has("state") ? { state: text("state") } : {}),
  };
  const problem =
    unsupported.find((name) => given.has(name)) ??
    (text("response_type") === "code" ? null : "response_type") ??
    (["", "query"].includes(text("response_mode")) ? null : "response_mode") ??
    (asked.client_id === "" ? "client_id" : null) ??
    (isWalletAddress(asked.redirect_uri) ? null : "redirect_uri") ??
    (text("code_challenge_method") === challengeMethod ? null : "code_challenge_method") ??
    (isChallenge(asked.code_challenge) ? null : "code_challenge") ??
    (isUuid(asked.issuer_state) ? null : "issuer_state");
  if (problem !== null) throw unusable(problem);
  return `${addresses.walletUrl}/#wallet?${new URLSearchParams(asked)}`;
}

const unusable = (name: string) => invalid([{ path: `query.${name}`, message: "It is missing or not supported." }]);
