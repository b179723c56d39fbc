import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { forPagesOfAnySite } from "./public-files.ts";

const cacheSeconds = 86_400;
const picture = (name: string) => readFileSync(new URL(`mark/${name}`, import.meta.url));
export const markPath = "/mark.svg";
export const manifestPath = "/app.webmanifest";
/** The size of the icon for the home screens of phones that ignore the manifest, in pixels. */
const homeScreenPx = 180;
export const homeScreenIcon = `/icon-${homeScreenPx}.png`;
const manifestPx = [192, 512];

/**
 * The product's pictures by path. The mark is half a C in white and a tick in violet: two strokes by two parties. It is
 * readable on light and dark backgrounds, from 16 pixels. The lock-up adds the name and the space to keep clear.
 */
export const markFiles: ReadonlyMap<string, Buffer> = new Map(
  [markPath, "/lockup.svg", ...[homeScreenPx, ...manifestPx].map((px) => `/icon-${px}.png`)].map((path) => [
    path,
    picture(path.slice(1)),
  ]),
);
const manifest = {
  name: "Countersign",
  icons: [
    { src: markPath, sizes: "any", type: "image/svg+xml" },
    ...manifestPx.map((px) => ({
      src: `/icon-${px}.png`,
      sizes: `${px}x${px}`,
      type: "image/png",
      purpose: "any maskable",
    })),
  ],
  display: "browser",
  start_url: "/",
  theme_color: "#0a5f45",
  background_color: "#14171a",
};

/** Serves the pictures. Browsers request `/favicon.ico` for answers without an icon, such as JSON. */
export function routesMark(app: FastifyInstance): void {
  const favicon: [string, Buffer | undefined] = ["/favicon.ico", markFiles.get(markPath)];
  for (const [path, bytes] of [...markFiles, favicon])
    app.get(path, async (_request, reply) =>
      reply
        .headers(forPagesOfAnySite)
        .header("cache-control", `public, max-age=${cacheSeconds}`)
        .type(path.endsWith(".png") ? "image/png" : "image/svg+xml")
        .send(bytes),
    );
  app.get(manifestPath, async (_request, reply) =>
    reply
      .header("cache-control", `public, max-age=${cacheSeconds}`)
      .type("application/manifest+json; charset=utf-8")
      .send(JSON.stringify(manifest)),
  );
}
