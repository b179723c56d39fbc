/** The wallet's cookies, and the checks of the page that sent a request. */
import { minuteMs } from "@countersign/contract/time";
import type { FastifyReply, FastifyRequest } from "fastify";
import { accountSessionMs } from "../../domain/account/session.ts";
import type { HomeDeps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import { sessionCookie } from "../session-cookie.ts";

type Place = Pick<HomeDeps, "environment" | "addresses">;

/** The name contains the environment and the application, because all ports of a host share their cookies. */
export function accountCookie({ environment, addresses }: Place) {
  const name = `countersign-${environment}-wallet`;
  return sessionCookie({ name, url: addresses.walletUrl, lifeMs: accountSessionMs });
}

/** How long the redirect to an opened session may take, in milliseconds. */
const openedMs = minuteMs;

/**
 * Tells the page which session a texted link opened in this browser. The page opens no other session from its URL,
 * because another person may have sent it. The page's script reads the cookie, which has only the token's end.
 */
export function setOpenedCookie(reply: FastifyReply, { addresses }: Pick<HomeDeps, "addresses">, token: string): void {
  const cookie = { name: "countersign-opened", url: addresses.walletUrl, lifeMs: openedMs, httpOnly: false };
  sessionCookie(cookie).set(reply, token.slice(-8));
}

/**
 * Refuses requests that other sites' pages caused. `SameSite` alone would accept other ports of this host. Browsers
 * send `Sec-Fetch-Site`; older ones send only `Origin`, with requests that change something.
 */
export function requireOwnSite({ addresses }: Pick<HomeDeps, "addresses">, request: FastifyRequest): void {
  const site = request.headers["sec-fetch-site"];
  const { origin } = request.headers;
  const foreign =
    (site !== undefined && site !== "same-origin" && site !== "none") ||
    (origin !== undefined && origin !== new URL(addresses.walletUrl).origin);
  if (foreign) throw refuse(403, "Only the wallet's own pages can send this request.");
}

/**
 * Refuses a form that another site's page sent, or a program such as a scanner of messages. Browsers send this page's
 * `Origin` as `null`, because of its referrer policy, so `Sec-Fetch-Site` is the only sign of where the form came from.
 * All major browsers have sent it since 2023, and older ones send `Origin`.
 */
export function refuseOtherSites({ headers }: FastifyRequest): void {
  const { "sec-fetch-site": site, origin } = headers;
  if (site === undefined ? origin === undefined : site !== "same-origin")
    throw refuse(403, "Only the wallet's own page can send this form.");
}
