import type { FastifyRequest } from "fastify";
import type { Document } from "../server.ts";
import type { WebAssets } from "./assets.ts";
import { documentOf, languageOf } from "./html.ts";
import { messagePage } from "./link-page.ts";
import { words } from "./words.ts";

/** Statuses for a path that is unknown, malformed or too long. */
const unreadable = [400, 404, 414];

const pictureOf = { notFound: "nothing", busy: "expired", broken: "broken" } as const;

/** The page for a failure in a person's browser. Null for the API and for callers that ask for JSON. */
export function failurePages(assets: WebAssets) {
  return (status: number, request: FastifyRequest): Document | null => {
    const { accept = "" } = request.headers;
    const isPage = ["GET", "HEAD"].includes(request.method) && !/^\/api(?:[/?]|$)/.test(request.url);
    const wantsJson = accept.includes("json") && !accept.includes("text/html");
    const name = unreadable.includes(status) ? "notFound" : status === 429 ? "busy" : status >= 500 ? "broken" : null;
    if (name === null || !isPage || wantsJson) return null;
    const language = languageOf(request);
    return documentOf(messagePage({ language, step: "error" }, words[language][name], pictureOf[name]), assets);
  };
}
