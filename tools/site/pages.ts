import { globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");
/** The folder with the site's Markdown and its build. */
export const docsFolder = join(root, "docs");

export type Page = {
  /** Relative to `docs/`, without `.md`. */
  path: string;
  /** Below the site's base. */
  url: string;
  title: string;
  description: string;
  /** The position in the section. Pages with the same position are sorted by path. */
  order: number;
  text: string;
};
type SectionHead = { title: string; folder: string; summary: string };
type Section = SectionHead & { pages: Page[] };

/** The folders of the site in reading order. */
const sections: readonly SectionHead[] = [
  { title: "Get started", folder: "start", summary: "A first identity in five minutes, on your own machine." },
  { title: "How it works", folder: "how", summary: "Who does what in each flow, in pictures." },
  {
    title: "Guides",
    folder: "guides",
    summary: "Signup, verification, insurance, issuance and webhooks, step by step.",
  },
  { title: "Quickstarts", folder: "quickstarts", summary: "A small app that works, in your framework." },
  {
    title: "Reference",
    folder: "reference",
    summary: "The API, the SDK, errors, reason codes, settings, limits and test people.",
  },
  {
    title: "Operate",
    folder: "operate",
    summary: "Install, configure, scale, back up, upgrade and secure the service.",
  },
  { title: "Contribute", folder: "contribute", summary: "How the code is built, measured and proven." },
  { title: "Decisions", folder: "decisions", summary: "The decisions behind the design." },
];
const orderOfOthers = 1_000;

/** Every page of the site. Pages appear in their section without being listed anywhere. */
export function readPages(folder = docsFolder): Page[] {
  const files = globSync("**/*.md", { cwd: folder, exclude: (name) => name === "node_modules" || name === "dist" });
  return files
    .map((file) => readPage(folder, file.replaceAll("\\", "/")))
    .sort((one, other) => one.order - other.order || (one.path < other.path ? -1 : 1));
}

/** The sections with their pages. Pages outside the folders belong to the guides. */
export function sectionsOf(pages: readonly Page[]): Section[] {
  const folders = new Set(sections.map(({ folder }) => folder));
  const folderOf = ({ path }: Page) => {
    const [first = ""] = path.split("/");
    return folders.has(first) ? first : path === "index" ? "" : "guides";
  };
  return sections
    .map((section) => ({ ...section, pages: pages.filter((page) => folderOf(page) === section.folder) }))
    .filter((section) => section.pages.length > 0);
}

function readPage(folder: string, file: string): Page {
  const text = withIncluded(readFileSync(join(folder, file), "utf8"), dirname(join(folder, file)));
  const path = file.replace(/\.md$/, "");
  const body = withoutFrontMatter(text);
  const matter = frontMatterOf(text);
  const heading = /^# (.+)$/m.exec(body)?.[1];
  return {
    path,
    url: path.replace(/(^|\/)index$/, "$1"),
    title: matter.title ?? heading?.replaceAll("`", "") ?? path,
    description: matter.description ?? firstSentence(body),
    order: Number(matter.order ?? orderOfOthers),
    text: body,
  };
}

/** Includes other Markdown files, which VitePress marks by this comment. */
function withIncluded(text: string, folder: string): string {
  return text.replace(/<!--@include: (.+?)-->/g, (_, path: string) => readFileSync(join(folder, path), "utf8").trim());
}

/** The one-line values of the front matter. Nothing outside VitePress uses others. */
function frontMatterOf(text: string): Record<string, string | undefined> {
  const block = /^---\n(.*?)\n---\n/s.exec(text)?.[1] ?? "";
  return Object.fromEntries([...block.matchAll(/^(\w+): *(.+)$/gm)].map(([, name, value]) => [name, unquoted(value)]));
}

const unquoted = (text = "") => text.trim().replace(/^(["'])(.*)\1$/, "$2");

function withoutFrontMatter(text: string): string {
  return text.replace(/^---\n.*?\n---\n+/s, "");
}

/** The first sentence of the first paragraph, as plain text. */
function firstSentence(body: string): string {
  const paragraph = body.split(/\n{2,}/).find((part) => /^[A-Za-z`*[]/.test(part)) ?? "";
  const plain = paragraph.replace(/\s+/g, " ").replace(/\[([^\]]+)\]\([^)]*\)/g, "$1");
  return /^.*?[.:](?= |$)/.exec(plain)?.[0] ?? plain;
}
