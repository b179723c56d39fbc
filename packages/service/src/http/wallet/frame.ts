import type { FastifyInstance } from "fastify";
import type { HomeDeps } from "../../domain/deps.ts";
import { framedBy } from "../../domain/session/session.ts";
import type { Guard } from "../mount.ts";
import type { WebAssets } from "./assets.ts";
import { languageOf, sendPage, sendShell } from "./html.ts";
import { messagePage } from "./link-page.ts";
import { lookOf } from "./present.ts";
import { words } from "./words.ts";

const hashPattern = /^[A-Za-z0-9_-]{43}$/;

/** A star means pages on the web only. The schemes are those of pages inside apps. */
const anywhere = "* capacitor: ionic: app: file:";

/**
 * A page that is cross-origin isolated frames only documents with both headers. The frame loads nothing of other
 * origins, so its own policy blocks nothing.
 */
const inIsolatedPages = {
  "cross-origin-resource-policy": "cross-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/**
 * The application in a brand's page. The hash of the session key in its URL determines which sites may frame it. The
 * key itself arrives in a message. With an unknown hash, the application only reports an error.
 */
export function routesFrame(
  app: FastifyInstance,
  homeDeps: HomeDeps,
  options: { guard: Guard<void>; assets: WebAssets },
): void {
  app.get<{ Querystring: { s?: string | string[] } }>("/sdk", async (request, reply) => {
    await options.guard(request, reply);
    // The application reads only the first of several hashes, so it is not served for a list.
    const s = typeof request.query.s === "string" ? request.query.s : "";
    // Without a frame, no brand's page can send the key, so the application would wait forever.
    if (s === "" || request.headers["sec-fetch-dest"] === "document") {
      const language = languageOf(request);
      return sendPage(
        reply,
        messagePage({ language, step: "error" }, words[language].frameAlone, "nothing"),
        options.assets,
      );
    }
    const found = hashPattern.test(s) ? await framedBy(homeDeps, Buffer.from(s, "base64url")) : null;
    const origins = found === null ? null : found.origins;
    return sendShell(
      reply.headers(inIsolatedPages),
      {
        language: languageOf(request),
        ...(found === null ? {} : { brand: lookOf(homeDeps, found.brand) }),
        data: { frame: true },
        ancestors: origins === null ? anywhere : origins.length === 0 ? "'none'" : origins.join(" "),
        // The device reaches its carrier through the API's URL.
        connect: [new URL(homeDeps.addresses.apiUrl).origin],
      },
      options.assets,
    );
  });
}
