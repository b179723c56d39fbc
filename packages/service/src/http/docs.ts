import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { FastifyInstance } from "fastify";

/** The reference page asks nobody else for anything, and has no console: a key in a browser is a leaked key. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const cacheSeconds = 3600;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Countersign API reference</title>
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body>
<main id="reference"></main>
<script src="/docs/reference.js"></script>
<script src="/docs/switch.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
const start = `SwaggerUIBundle({
  urls: [
    { url: "/openapi/v2.json", name: "v2" },
    { url: "/openapi/v1.json", name: "v1 (legacy)" },
  ],
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: "StandaloneLayout",
  dom_id: "#reference",
  deepLinking: true,
  supportedSubmitMethods: [],
  validatorUrl: null,
  queryConfigEnabled: false,
  defaultModelsExpandDepth: 0,
});
`;

/** The API reference and the documents it is made from. */
export function routesDocs(
  app: FastifyInstance,
  documents: Record<string, string>,
  pages: Record<string, string>,
): void {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  const send = (path: string, type: string, content: () => Promise<string>) =>
    app.get(path, async (_request, reply) =>
      reply
        .header("cache-control", `public, max-age=${cacheSeconds}`)
        .header("content-security-policy", policy)
        .header("referrer-policy", "no-referrer")
        .type(type)
        .send(await content()),
    );
  send("/docs", "text/html; charset=utf-8", async () => page);
  send("/docs/start.js", "text/javascript; charset=utf-8", async () => start);
  send("/docs/reference.js", "text/javascript; charset=utf-8", () =>
    readFile(join(folder, "swagger-ui-bundle.js"), "utf8"),
  );
  send("/docs/switch.js", "text/javascript; charset=utf-8", () =>
    readFile(join(folder, "swagger-ui-standalone-preset.js"), "utf8"),
  );
  send("/docs/reference.css", "text/css; charset=utf-8", () => readFile(join(folder, "swagger-ui.css"), "utf8"));
  for (const [name, text] of Object.entries(pages))
    send(`/docs/${name}`, "text/markdown; charset=utf-8", async () => text);
  for (const [name, document] of Object.entries(documents)) {
    send(`/openapi/${name}.json`, "application/json; charset=utf-8", async () => document);
  }
}
