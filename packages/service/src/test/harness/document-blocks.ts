/** The code blocks of the documents, and the comparison of a documented answer with a real one. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../../../../..");

/** A code block: its page, the line of its fence, the words after the language, and its text. */
export type Block = { page: string; line: number; language: string; words: string; code: string };

/** The pages that a brand's developer reads. */
export function readersPages(): string[] {
  const pages = globSync(
    ["README.md", "docs/index.md", "docs/{start,how,guides,quickstarts}/**/*.md", "examples/*/README.md"],
    {
      cwd: root,
    },
  );
  return pages.map((page) => page.replaceAll("\\", "/")).sort();
}

export function blocksOf(page: string): Block[] {
  const text = readFileSync(resolve(root, page), "utf8");
  return [...text.matchAll(/^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm)].map(
    ({ index, 1: language = "", 2: words = "", 3: code = "" }) => ({
      page,
      line: text.slice(0, index).split("\n").length,
      language,
      words: words.trim(),
      code,
    }),
  );
}

/** The value of a comment in an answer on a page. The page leaves out members or elements there. */
const omitted = "…";

/** Reads the JSON of a page. The page may leave out members or elements, with a comment such as `/* metadata *\/`. */
export function readAnswer(text: string): unknown {
  const brackets: string[] = [];
  const parts = text.match(/"(?:[^"\\]|\\.)*"|\/\*[\s\S]*?\*\/|[^"/]+|\//g) ?? [];
  const json = parts.map((part) => {
    if (!part.startsWith("/*")) {
      if (!part.startsWith('"'))
        for (const sign of part) {
          if (sign === "{" || sign === "[") brackets.push(sign);
          if (sign === "}" || sign === "]") brackets.pop();
        }
      return part;
    }
    return brackets.at(-1) === "{" ? `,"${omitted}":0,` : `,"${omitted}",`;
  });
  const tidy = json
    .join("")
    .replace(/,(\s*,)+/g, ",")
    .replace(/([{[])\s*,/g, "$1")
    .replace(/,(\s*[}\]])/g, "$1");
  return JSON.parse(tidy);
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** The service's own sources have a fixed id. */
const fixed = "5e2a5bb4-6f0e-4d9c-9c43-2f6d1a7b8c90";

/** What differs from run to run: ids, tokens and instants. */
function steady(value: unknown): unknown {
  if (typeof value === "number") return value > 1e12 ? "an instant" : value;
  if (typeof value !== "string") return value;
  return value
    .replace(uuid, (id) => (id === fixed ? id : "<uuid>"))
    .replace(/^whsec_.{20,}$/, "<secret>")
    .replace(/\b(?!OCR|sk_sandbox_demo)(?=[\w-]*(?:\d|[a-z][A-Z]{2}|[A-Z]{2}[a-z]))[\w-]{20,}\b/g, "<token>")
    .replace(/^1[67]\d{11}$/, "an instant");
}

/** The places where a documented answer differs from the real one, apart from ids, tokens and instants. */
export function differences(documented: unknown, real: unknown, at = "answer"): string[] {
  if (Array.isArray(documented)) {
    if (!Array.isArray(real)) return [`${at} is no list`];
    const shown = documented.filter((one) => one !== omitted);
    const isWhole = shown.length === documented.length;
    if (isWhole ? shown.length !== real.length : shown.length > real.length)
      return [`${at} has ${real.length} elements`];
    return shown.flatMap((one, index) => differences(one, real[index], `${at}[${index}]`));
  }
  if (typeof documented === "object" && documented !== null) {
    if (typeof real !== "object" || real === null || Array.isArray(real)) return [`${at} is no object`];
    const given = new Map<string, unknown>(Object.entries(real));
    const shown = Object.entries(documented).filter(([name]) => name !== omitted);
    const missing = omitted in documented ? [] : [...given.keys()].filter((name) => !(name in documented));
    return [
      ...missing.map((name) => `${at}.${name} is not on the page`),
      ...shown.flatMap(([name, value]) =>
        given.has(name) ? differences(value, given.get(name), `${at}.${name}`) : [`${at}.${name} is not in the answer`],
      ),
    ];
  }
  const [on, is] = [steady(documented), steady(real)];
  return on === is ? [] : [`${at} is ${JSON.stringify(is)}, not ${JSON.stringify(on)}`];
}

const width = 100;

/** Writes an answer for a page: what fits stays on one line. */
export function printAnswer(value: unknown, indent = ""): string {
  const line = printLine(value);
  if (indent.length + line.length <= width) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[\n${value.map((one) => inner + printAnswer(one, inner)).join(",\n")}\n${indent}]`;
  if (typeof value !== "object" || value === null) return line;
  const members = Object.entries(value).map(([name, one]) => `${inner}"${name}": ${printAnswer(one, inner)}`);
  return `{\n${members.join(",\n")}\n${indent}}`;
}

function printLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => `"${name}": ${printLine(one)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
