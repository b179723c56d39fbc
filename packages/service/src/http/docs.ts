import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { markPath } from "./mark.ts";
import { acceptedEncoding } from "./public-files.ts";

/** The builds of the documentation site (`tools/site/build.ts`). */
const builds = fileURLToPath(new URL("../../../../docs/.vitepress/dist", import.meta.url));
const documentSeconds = 3600;
const foreverSeconds = 31_536_000;
const types: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  json: "application/json; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  webp: "image/webp",
  woff2: "font/woff2",
};

/** The URLs in a build's files, which are replaced when a file is served, and the file types that may contain them. */
const writtenUrl = /(http:\/\/)?localhost:400([012])\b/g;
const writtenUrls = ["http://localhost:4000", "http://localhost:4001", "http://localhost:4002"] as const;
/** The demo keys and the demo brands' ids in a build's files. A service without demo brands shows these words instead. */
const writtenDemo = /\bsk_sandbox_demo_\w+|\bb0000000-0000-4000-8000-\d{12}\b/g;
const placeholders = { key: "YOUR_SANDBOX_API_KEY", brand: "YOUR_BRAND_ID" };
const textTypes = ["html", "js", "md", "txt", "json"];
/** Much faster than the build's level. A page is compressed on its first request. */
const brotliLevel = 5;

/** One build: its files, and the hashes of inline scripts. */
type Site = { folder: string; version: string; files: ReadonlySet<string>; cache: Cache } & SiteFacts;
type SiteFacts = { scriptHashes: string[] };
/**
 * `names`: for each file, whether it contains something to replace. `bytes`: the encoded file with its replacements, by
 * file, encoding, URLs and whether there are demo keys.
 */
type Cache = { names: Map<string, Promise<boolean>>; bytes: Map<string, Promise<Buffer>> };
type Encoding = ReturnType<typeof acceptedEncoding>;
/** The URLs to show, in the order of `writtenUrls`. They are known once the service listens. */
export type DocumentedUrls = readonly [api: string, wallet: string, dashboard: string];
/** `hasDemo`: whether the service has the demo brands that the documents use. */
type SiteOptions = { urls(): DocumentedUrls; hasDemo: boolean; folder?: string };
type Shown = { urls: DocumentedUrls; hasDemo: boolean };

/** Serves the OpenAPI documents, and the documentation site once it is built. */
export function routesDocs(
  app: FastifyInstance,
  documents: Record<string, string>,
  { urls, hasDemo, folder = builds }: SiteOptions,
): void {
  for (const [name, document] of Object.entries(documents))
    app.get(`/openapi/${name}.json`, async (_request, reply) =>
      reply
        .header("cache-control", `public, max-age=${documentSeconds}`)
        .type("application/json; charset=utf-8")
        .send(document),
    );
  const newest = newestSite(folder);
  app.get("/docs", async (_request, reply) => reply.redirect("/docs/", 308));
  app.get("/llms.txt", async (_request, reply) => reply.redirect("/docs/llms.txt", 308));
  app.get<{ Params: { "*": string } }>("/docs/*", async (request, reply) => {
    const site = await newest();
    const shown = { urls: urls(), hasDemo };
    return site === null ? notBuilt(reply, shown) : await sendPage(site, shown, request, reply);
  });
}

/** Whether this machine has a build of the documentation site. */
export function isSiteBuilt(): boolean {
  return existsSync(join(builds, "current"));
}

/** Reads the facts of the newest build on first use, and again after another build. */
function newestSite(folder: string): () => Promise<Site | null> {
  let site: Site | null = null;
  return async () => {
    const version = await readFile(join(folder, "current"), "utf8").catch(() => null);
    if (version === null) return null;
    if (site?.version !== version) {
      const own = join(folder, version);
      const entries = await readdir(own, { recursive: true });
      const facts: SiteFacts = JSON.parse(await readFile(join(own, "site.json"), "utf8"));
      const files = new Set(entries.map((path) => path.replaceAll("\\", "/")));
      site = { ...facts, folder: own, version, files, cache: { names: new Map(), bytes: new Map() } };
    }
    return site;
  };
}

async function sendPage(
  site: Site,
  shown: Shown,
  request: FastifyRequest<{ Params: { "*": string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const path = request.params["*"];
  const file = [path, `${path}.html`, path === "" ? "index.html" : `${path.replace(/\/$/, "")}/index.html`].find(
    (one) => site.files.has(one) && typeOf(one) !== undefined,
  );
  const sent = file ?? "404.html";
  const encoding = acceptedEncoding(request, (suffix) => site.files.has(`${sent}${suffix}`));
  const mayDiffer = textTypes.includes(extensionOf(sent)) && (await namesThisService(site, sent));
  const isRewritten = mayDiffer && (!shown.hasDemo || shown.urls.some((url, index) => url !== writtenUrls[index]));
  const tag = `"${site.version}${isRewritten ? `-${tagOf(shown)}` : ""}${encoding?.suffix ?? ""}"`;
  reply
    .status(file === undefined ? 404 : 200)
    .headers(headersOf(site, sent, mayDiffer))
    .header("vary", "accept-encoding")
    .type(typeOf(sent) ?? "");
  if (encoding !== undefined) reply.header("content-encoding", encoding.encoding);
  if (file !== undefined) {
    reply.header("etag", tag);
    if (request.headers["if-none-match"] === tag) return reply.status(304).send();
  }
  const built = join(site.folder, sent);
  return reply.send(
    isRewritten ? await rewritten(site, sent, shown, encoding) : await readFile(`${built}${encoding?.suffix ?? ""}`),
  );
}

/** The value of a key, made once. A failure is not kept, so that the next request tries again. */
function cached<Value>(map: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>): Promise<Value> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  made.catch(() => map.delete(key));
  return made;
}

function namesThisService({ folder, cache }: Site, file: string): Promise<boolean> {
  return cached(cache.names, file, async () => {
    const text = await readFile(join(folder, file), "utf8");
    return text.search(writtenUrl) >= 0 || text.search(writtenDemo) >= 0;
  });
}

/** The file with the URLs to show, and without demo keys if the service has none. */
function rewritten({ folder, cache }: Site, file: string, shown: Shown, encoding: Encoding): Promise<Buffer> {
  const { urls, hasDemo } = shown;
  const key = [file, encoding?.encoding, hasDemo, ...urls].join(" ");
  return cached(cache.bytes, key, async () => {
    const built = await readFile(join(folder, file), "utf8");
    const named = hasDemo
      ? built
      : built.replace(writtenDemo, (written) => (written.startsWith("sk_") ? placeholders.key : placeholders.brand));
    const text = named.replace(writtenUrl, (written, scheme, index) => {
      const own = urls[index] ?? "";
      // Empty: this process does not serve that listener, and no public URL is set. The reader sees the written URL.
      const url = own === "" ? written : own;
      // Curl assumes http, so most commands omit it.
      return scheme === undefined ? url.replace(/^http:\/\//, "") : url;
    });
    if (encoding?.encoding === "br")
      return await promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliLevel } });
    return encoding === undefined ? Buffer.from(text) : await promisify(gzip)(text);
  });
}

function tagOf({ urls, hasDemo }: Shown): string {
  return createHash("sha256")
    .update([hasDemo, ...urls].join(" "))
    .digest("hex")
    .slice(0, 16);
}

/** The headers of a file. A site loads nothing from other hosts, and runs no inline scripts other than the build's. */
function headersOf({ scriptHashes }: Site, file: string, mayDiffer: boolean): Record<string, string> {
  const scripts = scriptHashes.map((hash) => ` '${hash}'`).join("");
  return {
    // The names of these files contain a hash of the built content, which lacks what this service shows.
    "cache-control":
      file.startsWith("assets/") && !mayDiffer ? `public, max-age=${foreverSeconds}, immutable` : "no-cache",
    "content-security-policy": `default-src 'none'; script-src 'self'${scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    "referrer-policy": "no-referrer",
  };
}

function typeOf(file: string): string | undefined {
  return types[extensionOf(file)];
}

function extensionOf(file: string): string {
  return file.slice(file.lastIndexOf(".") + 1);
}

/** The page that is served until the site is built. `npm start` builds it; on an operated server, only the operator can. */
function notBuilt(reply: FastifyReply, { hasDemo }: Shown): FastifyReply {
  return reply
    .status(503)
    .headers({
      "cache-control": "no-store",
      ...(hasDemo ? { "retry-after": "5" } : {}),
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
    })
    .type("text/html; charset=utf-8")
    .send(notBuiltPage(hasDemo ? beingBuilt : notBuiltHere));
}

type NotBuilt = { title: string; refresh: string; lead: string };
const beingBuilt: NotBuilt = {
  title: "The documentation is being built",
  refresh: `<meta http-equiv="refresh" content="5">\n`,
  lead: `<p>The first <code>npm start</code> builds it in the background, which takes about a minute. This page reloads by itself.</p>
<p>If it does not appear, run <code>npm run build -- docs</code>. This needs the npm registry once.</p>`,
};
const notBuiltHere: NotBuilt = {
  title: "The documentation is not built on this server",
  refresh: "",
  lead: `<p>Only the operator of this server can build it, with <code>npm run build -- docs</code> in the folder of the installation. Ask them
for it. The page is here as soon as it is built.</p>`,
};

const notBuiltPage = ({ title, refresh, lead }: NotBuilt) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh}<title>${title} · Countersign</title>
<link rel="icon" href="${markPath}" type="image/svg+xml">
<style>
:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto;padding:0 1.25rem}
a{color:light-dark(#0b6e4f,#57d2a2)}
code{white-space:nowrap}
</style>
</head>
<body>
<main>
<img src="${markPath}" alt="" width="48" height="48">
<h1>${title}</h1>
${lead}
<p>Meanwhile, the <a href="/openapi/v2.json">OpenAPI document</a> describes the API, and the folder <code>docs</code> of the
project has the pages.</p>
</main>
</body>
</html>
`;
