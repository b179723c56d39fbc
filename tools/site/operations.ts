import { readFileSync } from "node:fs";
import { join } from "node:path";
import { docsFolder } from "./pages.ts";

type Operation = {
  tags: string[];
  summary?: string;
  description?: string;
  responses: Record<string, { description: string }>;
};
type Document = { paths: Record<string, Record<string, Operation>> };

function operationsOf(name: string): (Operation & { method: string; path: string; call: string })[] {
  const { paths }: Document = JSON.parse(readFileSync(join(docsFolder, `api/${name}.json`), "utf8"));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => !tags.includes("Other prefixes"))
      .map(([method, operation]) => {
        const upper = method.toUpperCase();
        return { method: upper, path, call: `${upper} ${path}`, ...operation };
      }),
  );
}

/** The operations as headings, for the search of the site. Each leads to its place in the reference. */
export function operationsIndex(name: string): string {
  return operationsOf(name)
    .map(({ method, path, call, summary = "", tags: [tag = ""] }) => {
      const place = `tag/${slugOf(tag)}/${method}${path}`;
      return `<h2>${summary} (${call})<a href="#${place}">#</a></h2>\n<p>${summary}</p>\n`;
    })
    .join("");
}

/** A name as the reference has it in addresses: `v1-legacy` for "v1 (legacy)". */
function slugOf(name: string): string {
  return name.toLowerCase().match(/\w+/g)?.join("-") ?? "";
}

/** The operations of an OpenAPI document as Markdown, for readers and programs without a browser. */
export function operationsMarkdown(name: string): string {
  return operationsOf(name)
    .map(({ call, summary, description, responses }) =>
      [
        `## ${call}`,
        `${summary}.`,
        ...(description === undefined ? [] : [description]),
        Object.entries(responses)
          .map(([status, response]) => `- ${status}: ${response.description}`)
          .join("\n"),
      ].join("\n\n"),
    )
    .join("\n\n");
}
