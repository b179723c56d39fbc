import type { FastifyRequest } from "fastify";
import { refuse } from "../domain/failure.ts";
import { namesThisMachine } from "./host.ts";

/**
 * Refuses calls from pages of other sites, because a session cookie alone does not show which page sent a call. Browsers
 * send `Sec-Fetch-Site`, which no script can change. Without it (as over plain http) a changing call must have our own
 * origin, because a form cannot send JSON without a preflight. `url`: where our pages are.
 */
export function assertOwnPage({ method, headers }: FastifyRequest, { name, url }: { name: string; url: string }): void {
  const { "sec-fetch-site": site, origin, host } = headers;
  // Any site can make its host name resolve to this machine, and the browser then treats its pages as ours. So check
  // that the Host header names this machine.
  if (namesThisMachine(new URL(url).host) && !namesThisMachine(host ?? ""))
    throw refuse(403, `The ${name} is available only at its own URL: ${url}.`);
  const isOwn =
    site !== undefined
      ? site === "same-origin"
      : origin === undefined
        ? ["GET", "HEAD"].includes(method)
        : URL.canParse(origin) && new URL(origin).host === host;
  if (!isOwn) throw refuse(403, `Only the ${name}'s own pages can send this request.`);
}

/**
 * Refuses a call of a page that names someone else than who is signed in: the cookie belongs to the whole browser, and
 * another person may have signed in in another tab. By the answer's header, the page knows this from other conflicts.
 */
export function assertShows({ headers }: FastifyRequest, header: string, uuid: string): void {
  const named = headers[header];
  if (named !== undefined && named !== uuid)
    throw refuse(409, "Someone else is signed in in this browser.", { [header]: "other" });
}
