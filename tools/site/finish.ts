import { createHash } from "node:crypto";
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { markFiles } from "../../packages/service/src/http/mark.ts";
import { type BundledPackage, packageList, packagesOf } from "../bundled-packages.ts";
import { operationsMarkdown } from "./operations.ts";
import { docsFolder, type Page, readPages, root, sectionsOf } from "./pages.ts";

/** Functions that need the packages of `docs/`. */
type Downloads = {
  scalarScript(): Promise<{ script: string; file: string }>;
  postmanCollection(document: object): Promise<object>;
};

/** Postman needs an absolute URL. */
const sandbox = { url: "http://localhost:4000" };
const compressible = /\.(html|js|css|json|md|txt|svg)$/;
const compressedBytesMin = 1_024;
/** Level 11 of Brotli would take a minute for all files. */
const brotliLevel = 8;

/** Completes a VitePress build: adds what VitePress does not create, and compressed forms of every file. */
export async function finishSite(out: string, { base, downloads }: { base: string; downloads: Downloads }) {
  const pages = readPages();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), text);
  };
  cpSync(join(docsFolder, "api"), join(out, "openapi"), { recursive: true });
  for (const name of ["v1", "v2"]) {
    const document: object = JSON.parse(readFileSync(join(docsFolder, `api/${name}.json`), "utf8"));
    write(
      `postman/${name}.json`,
      JSON.stringify(await downloads.postmanCollection({ ...document, servers: [sandbox] }), null, 2),
    );
  }
  const { script, file } = await downloads.scalarScript();
  write("scalar.js", script);
  addPackagesOf([file], join(out, packageList));
  for (const [path, bytes] of markFiles) writeFileSync(join(out, path), bytes);
  for (const page of pages) write(`${page.path}.md`, markdownOf(page));
  write("llms.txt", overview(pages, base));
  write("llms-full.txt", pages.map(markdownOf).join("\n\n"));
  write("site.json", JSON.stringify({ scriptHashes: scriptHashes(out) }));
  await compress(out);
}

/** Adds the packages of files that VitePress did not bundle to the list of a build. */
function addPackagesOf(files: string[], list: string): void {
  const bundled: BundledPackage[] = JSON.parse(readFileSync(list, "utf8"));
  writeFileSync(list, JSON.stringify([...bundled, ...packagesOf(files, root)]));
}

/** A page as Markdown. An API reference needs a script to be drawn, so it becomes a list of its operations. */
function markdownOf({ title, text }: Page): string {
  const body = text
    .replace(/<ApiReference document="(\w+)" \/>/g, (_, name: string) => operationsMarkdown(name))
    .replace(/<TableFilter .*\/>\n\n/g, "");
  return /^# /m.test(body) ? body : `# ${title}\n\n${body}`;
}

/** The file `llms.txt`: an overview of the site for programs (llmstxt.org). */
function overview(pages: readonly Page[], base: string): string {
  const lists = sectionsOf(pages).map(({ title, pages: own }) =>
    [`## ${title}`, "", ...own.map((page) => `- [${page.title}](${base}${page.path}.md): ${page.description}`)].join(
      "\n",
    ),
  );
  const summary =
    "> Verified identity data about a person, with that person's consent, from a service that anyone can run.";
  const files = `- [All pages in one file](${base}llms-full.txt)\n- [OpenAPI v2](${base}openapi/v2.json)\n- [OpenAPI v1](${base}openapi/v1.json)`;
  return ["# Countersign", summary, ...lists, `## Optional\n\n${files}`].join("\n\n").concat("\n");
}

/** The hashes of all inline scripts, for a content security policy. */
function scriptHashes(out: string): string[] {
  const inline = globSync("**/*.html", { cwd: out }).flatMap((file) =>
    [...readFileSync(join(out, file), "utf8").matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)].map(
      ([, script = ""]) => `sha256-${createHash("sha256").update(script).digest("base64")}`,
    ),
  );
  return [...new Set(inline)].sort();
}

async function compress(out: string): Promise<void> {
  const files = globSync("**/*", { cwd: out }).filter((file) => compressible.test(file));
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: brotliLevel } };
  await Promise.all(
    files.map(async (file) => {
      const plain = readFileSync(join(out, file));
      if (plain.length < compressedBytesMin) return;
      writeFileSync(join(out, `${file}.br`), await promisify(brotliCompress)(plain, quality));
      writeFileSync(join(out, `${file}.gz`), await promisify(gzip)(plain));
    }),
  );
}
