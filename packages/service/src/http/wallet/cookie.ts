/** The cookie of the person's own page, and who may use what it opens. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { accountSessionMs } from "../../domain/account/session.ts";
import type { Deps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";

/** Longest part of a `Cookie` header that is looked at. */
const headerMax = 8_192;

/** By environment and application, since all ports of one host share a jar. Where it can be, bound to the host and to https. */
export function cookieName({ environment, addresses }: Pick<Deps, "environment" | "addresses">): string {
  return `${isSecure(addresses) ? "__Host-" : ""}countersign-${environment}-wallet`;
}

export function cookieOf(deps: Deps, request: FastifyRequest): string {
  const name = cookieName(deps);
  const all = (request.headers.cookie ?? "").slice(0, headerMax).split(";");
  const found = all.map((one) => one.trim()).find((one) => one.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? "";
}

/** Sets the cookie, or takes it away. */
export function setCookie(deps: Deps, reply: FastifyReply, token: string | null): void {
  const parts = [
    `${cookieName(deps)}=${token ?? ""}`,
    "Path=/",
    `Max-Age=${token === null ? 0 : accountSessionMs / 1000}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(isSecure(deps.addresses) ? ["Secure"] : []),
  ];
  reply.header("set-cookie", parts.join("; "));
}

/**
 * Refuses what another site caused. Besides `SameSite`, which other ports of one host pass: a browser says by
 * `Sec-Fetch-Site` where a request comes from, an older one by `Origin` whenever it changes something.
 */
export function requireOwnSite({ addresses }: Pick<Deps, "addresses">, request: FastifyRequest): void {
  const site = request.headers["sec-fetch-site"];
  const { origin } = request.headers;
  const foreign =
    (site !== undefined && site !== "same-origin" && site !== "none") ||
    (origin !== undefined && origin !== new URL(addresses.walletUrl).origin);
  if (foreign) throw refuse(403, "This is answered to the wallet's own pages only.");
}

function isSecure({ walletUrl }: Deps["addresses"]): boolean {
  return walletUrl.startsWith("https:");
}
