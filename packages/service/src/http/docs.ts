import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import { mark } from "./mark.ts";

/** The reference page loads nothing from other hosts. It has no console, because a key in a browser is a leaked key. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const cacheSeconds = 3600;

/** The page of one document, with links to the other documents and the guides. */
const page = (name: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Countersign API reference, ${name}</title>
<link rel="icon" href="/docs/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/reference.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<nav aria-label="Documents">
<strong><img src="/docs/mark.svg" alt="" width="28" height="28"> Countersign</strong>
<a href="/docs">v2</a>
<a href="/docs/v1">v1 (legacy)</a>
<a href="/docs/errors">Errors</a>
<a href="/docs/test-people">Test people</a>
<a href="/docs/sdk">SDK</a>
<a href="/docs/webhooks">Webhooks</a>
<a href="/docs/issuance">Issuance</a>
<a href="/docs/migration">Migration</a>
</nav>
<main id="reference" data-document="/openapi/${name}.json"></main>
<script src="/docs/reference.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
const style = `nav{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;padding:.75rem 1.25rem;font:1rem/1.5 system-ui,sans-serif;border-bottom:1px solid #d0d5dd}
nav a{color:#0b6e4f}
nav strong{display:flex;align-items:center;gap:.5rem}
.scheme-container,.auth-wrapper,.authorization__btn{display:none!important}
`;
const start = `SwaggerUIBundle({
  url: document.getElementById("reference").dataset.document,
  dom_id: "#reference",
  deepLinking: true,
  supportedSubmitMethods: [],
  validatorUrl: null,
  queryConfigEnabled: false,
  defaultModelsExpandDepth: 0,
});
`;

/** Serves the API reference and the OpenAPI documents that it shows. */
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
  send("/docs", "text/html; charset=utf-8", async () => page("v2"));
  send("/docs/v1", "text/html; charset=utf-8", async () => page("v1"));
  send("/docs/mark.svg", "image/svg+xml", async () => mark);
  send("/docs/page.css", "text/css; charset=utf-8", async () => style);
  send("/docs/start.js", "text/javascript; charset=utf-8", async () => start);
  send("/docs/reference.js", "text/javascript; charset=utf-8", () =>
    readFile(join(folder, "swagger-ui-bundle.js"), "utf8"),
  );
  send("/docs/reference.css", "text/css; charset=utf-8", () => readFile(join(folder, "swagger-ui.css"), "utf8"));
  for (const [name, text] of Object.entries(pages))
    send(`/docs/${name}`, "text/markdown; charset=utf-8", async () => text);
  for (const [name, document] of Object.entries(documents)) {
    send(`/openapi/${name}.json`, "application/json; charset=utf-8", async () => document);
  }
}
