import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type HeadConfig } from "vitepress";
import { packageList, packagesOf, recordFiles } from "../../tools/bundled-packages.ts";
import { operationsIndex } from "../../tools/site/operations.ts";
import { readPages, sectionsOf } from "../../tools/site/pages.ts";
import { diagrams } from "./diagrams.ts";
import { languageTabs } from "./language-tabs.ts";
import { linksOutside } from "./links-outside.ts";
import { tables } from "./tables.ts";

const sections = sectionsOf(readPages());
const firstOf = (folder: string) => sections.find((section) => section.folder === folder)?.pages[0];
const nav = ["start", "guides", "reference", "operate", "contribute"].flatMap((folder) => {
  const page = firstOf(folder);
  const section = sections.find((one) => one.folder === folder);
  if (page === undefined || section === undefined) return [];
  return [{ text: section.title, link: `/${page.url}`, activeMatch: `/${folder}/` }];
});
/** Each part of the site lists its own pages. Groups that fold would nest a button in a button. */
const parts = [["start", "how", "guides", "quickstarts"], ["reference"], ["operate"], ["contribute", "decisions"]];
const groupsOf = (folders: readonly string[]) =>
  sections
    .filter(({ folder }) => folders.includes(folder))
    .map(({ title, pages }) => ({
      text: title,
      items: pages.map((page) => ({ text: page.title, link: `/${page.url}` })),
    }));
const sidebar = Object.fromEntries([
  ...parts.flatMap((folders) => folders.map((folder) => [`/${folder}/`, groupsOf(folders)])),
  ["/", groupsOf(parts[0] ?? [])],
]);

const files = new Set<string>();

export default defineConfig({
  // `npm run build -- docs --base /` builds for another path.
  base: "/docs/",
  lang: "en-US",
  title: "Countersign",
  titleTemplate: ":title · Countersign",
  description: "Verified identity data about a person, with that person's consent.",
  cleanUrls: true,
  // The page has no inline script then that differs from page to page, so a content security policy can list the hashes.
  metaChunk: true,
  ignoreDeadLinks: "localhostLinks",
  srcExclude: ["node_modules/**"],
  transformHead: ({ siteConfig, assets }) => [
    ...assets
      .filter((url) => /geist-latin-wght/.test(url))
      .map((href): HeadConfig => ["link", { rel: "preload", href, as: "font", type: "font/woff2", crossorigin: "" }]),
    ["link", { rel: "icon", href: `${siteConfig.site.base}mark.svg`, type: "image/svg+xml" }],
    ["link", { rel: "apple-touch-icon", href: `${siteConfig.site.base}icon-180.png` }],
    ["meta", { name: "theme-color", content: "#0a5f45" }],
  ],
  markdown: {
    // The default light theme has comments with too little contrast.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (md) => {
      languageTabs(md);
      diagrams(md);
      linksOutside(md);
      tables(md);
    },
  },
  themeConfig: {
    logo: "/mark.svg",
    nav,
    sidebar,
    outline: { level: [2, 3] },
    /** What each page is about. The search shows it below a result. */
    about: Object.fromEntries(readPages().map(({ url, description }) => [`/${url}`, description])),
    search: {
      provider: "local",
      options: {
        // A title with its place. Excerpts would cut lines in half.
        detailedView: false,
        // A short word must match exactly, so that a search for OCE011 does not find OCE001. Longer words may have a typo.
        miniSearch: { searchOptions: { fuzzy: 0.06 } },
        // Pages for contributors are found by their titles only, and the page about security by its headings. Their many
        // words would hide the guides.
        _render(source, env, md) {
          // The index has each call once, and not in every language.
          env.isIndex = true;
          const html = md.render(source, env);
          const headings = html.match(/<h[1-6][^>]*>.*?<\/h[1-6]>/gs) ?? [];
          const [, document] = /^<ApiReference document="(\w+)"/m.exec(source) ?? [];
          if (document !== undefined)
            return `<h1>${env.frontmatter?.title}<a href="#">#</a></h1>\n${operationsIndex(document)}`;
          if (/^(contribute|decisions)\//.test(env.relativePath)) return `${headings[0] ?? ""}\n`;
          return env.relativePath === "operate/security.md" ? headings.map((one) => `${one}\n`).join("") : html;
        },
      },
    },
    docFooter: { prev: "Previous page", next: "Next page" },
    externalLinkIcon: true,
  },
  vite: { build: { chunkSizeWarningLimit: 4_000 }, plugins: [recordFiles(files)] },
  buildEnd: ({ root, outDir }) => writeFileSync(join(outDir, packageList), JSON.stringify(packagesOf(files, root))),
});
