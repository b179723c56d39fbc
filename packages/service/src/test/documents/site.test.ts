// rest: builds the documentation site
/** The built documentation site: its links, its search, and its files for programs. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { catalog } from "@countersign/contract/errors";
import { reasonCodes } from "@countersign/contract/reason-codes";
import { testPeople } from "../../providers/sandbox/people.ts";
import { builtSite } from "../harness/built-site.ts";

const site = await builtSite();
const docs = resolve(import.meta.dirname, "../../../../../docs");
const read = (path: string) => readFileSync(join(site, path), "utf8");
const files = new Set(globSync("**/*", { cwd: site }));
const pages = [...files].filter((path) => path.endsWith(".html"));
const idsOf = new Map(
  pages.map((path) => [path, new Set([...read(path).matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))]),
);
/** The file behind an address of the site. */
const fileOf = (path: string) =>
  [path, `${path}.html`, path === "" ? "index.html" : `${path}index.html`].find((one) => files.has(one));

test("every link of every page leads to a page or file of the site, and to an anchor that exists", () => {
  assert.ok(pages.length > 40);
  const broken: string[] = [];
  for (const page of pages)
    for (const [, href = ""] of read(page).matchAll(/<a\s[^>]*?href="([^"]*)"/g)) {
      if (/^[a-z]+:/.test(href)) continue;
      const { pathname, hash } = new URL(href.replaceAll("&amp;", "&"), `https://site/docs/${page}`);
      const target = href.startsWith("#") ? page : fileOf(pathname.replace(/^\/docs\/?/, ""));
      const anchor = decodeURIComponent(hash.slice(1));
      const exists = target !== undefined && (anchor === "" || (idsOf.get(target)?.has(anchor) ?? true));
      if (!exists) broken.push(`${page}: ${href}`);
    }
  assert.deepEqual(broken, []);
});

test("no page names a script, style, picture or font of another host", () => {
  for (const page of pages)
    for (const [, address = ""] of read(page).matchAll(/<(?:script|link|img|iframe)\s[^>]*?(?:src|href)="([^"]*)"/g))
      assert.match(address, /^\/docs\/|^data:/, page);
});

test("each page exists as Markdown, llms.txt lists it, and llms-full.txt contains it", () => {
  const overview = read("llms.txt");
  const whole = read("llms-full.txt");
  for (const page of pages.filter((one) => one !== "404.html")) {
    const path = page.replace(/html$/, "md");
    assert.match(read(path), /^# \S/m, path);
    assert.doesNotMatch(read(path), /^---$|@include|<ApiReference/m, path);
    assert.ok(path === "index.md" || overview.includes(`(/docs/${path})`), path);
    assert.ok(whole.includes(read(path)), path);
  }
});

test("the OpenAPI documents are those of the service, and each has a Postman collection with all its requests", () => {
  for (const name of ["v1", "v2"]) {
    assert.equal(read(`openapi/${name}.json`), readFileSync(join(docs, `api/${name}.json`), "utf8"));
    const { paths }: { paths: Record<string, object> } = JSON.parse(read(`openapi/${name}.json`));
    const operations = Object.values(paths).flatMap((methods) => Object.keys(methods));
    const requests = read(`postman/${name}.json`).match(/"request": \{\s+"name"/g) ?? [];
    assert.equal(requests.length, operations.length);
  }
});

/** What the site's search box finds, best first. */
async function openSearch(): Promise<(asked: string) => { id: string }[]> {
  const { default: MiniSearch } = await import(
    pathToFileURL(join(docs, "node_modules/minisearch/dist/es/index.js")).href
  );
  const [chunk = ""] = globSync("assets/chunks/@localSearchIndexroot.*.js", { cwd: site });
  const { default: stored }: { default: string } = await import(pathToFileURL(join(site, chunk)).href);
  // As in the site's search box.
  const index = MiniSearch.loadJSON(stored, {
    fields: ["title", "titles", "text"],
    storeFields: ["title", "titles"],
    searchOptions: { fuzzy: 0.06, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
  });
  return (asked) => index.search(asked);
}

test("the search finds every error code, reason code, setting and test person, among the first results", async () => {
  const search = await openSearch();
  const settings = readFileSync(join(docs, "reference/settings.md"), "utf8").match(/(?<=^### )\S+$/gm) ?? [];
  const wanted: [string, string][] = [
    ...Object.keys(catalog).map((code): [string, string] => [code, `errors#${code.toLowerCase()}`]),
    ...[...reasonCodes.keys()].map((code): [string, string] => [code, `reason-codes#${code.toLowerCase()}`]),
    ...settings.map((name): [string, string] => [name, `settings#${name.toLowerCase().replaceAll("_", "-")}`]),
    ...testPeople().map(({ phone }): [string, string] => [phone, "test-people#"]),
  ];
  assert.ok(wanted.length > 200);
  const missed = wanted.filter(([asked, page]) => {
    return !search(asked)
      .slice(0, 5)
      .some(({ id }) => id.startsWith(`/docs/reference/${page}`));
  });
  assert.deepEqual(missed, []);
});

test("the search finds guides before decisions and tables of tests", async () => {
  const search = await openSearch();
  const first = (asked: string) =>
    search(asked)
      .slice(0, 5)
      .map(({ id }) => id);
  for (const asked of ["session key decline", "run two brands one app", "wrong code three times"]) {
    const found = first(asked);
    assert.ok(found.length > 2, asked);
    assert.deepEqual(
      found.filter((id) => /^\/docs\/(contribute|decisions|operate\/security)\b/.test(id)),
      [],
      asked,
    );
  }
});

test("the search finds pages for contributors by their titles only", async () => {
  const search = await openSearch();
  const found = ["declined", "expired", "phone", "Sweeps erase expired data"].map((asked) =>
    search(asked).map(({ id }) => id),
  );
  const forContributors = new Set(found.flat().filter((id) => /^\/docs\/(contribute|decisions)\//.test(id)));
  const pagesFound = new Set([...forContributors].map((id) => id.split("#")[0]));
  assert.equal(forContributors.size, pagesFound.size);
  assert.ok(found.at(-1)?.[0]?.startsWith("/docs/decisions/0018-sweeps#"));
});

test("the list of packages, which the SBOM has, names the one of the API reference's script", () => {
  const packages: { name: string }[] = JSON.parse(read("packages.json"));
  assert.ok(packages.some(({ name }) => name === "@scalar/fastify-api-reference"));
});
