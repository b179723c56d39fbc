/** The cookie of the person's own page, and the check which pages may use it. */
import type { FastifyRequest } from "fastify";
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
