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

/** The operations of an OpenAPI document as Markdown, for readers and programs without a browser. */
export function operationsMarkdown(name: string): string {
  const { paths }: Document = JSON.parse(readFileSync(join(docsFolder, `api/${name}.json`), "utf8"));
  const listed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => !tags.includes("Other prefixes"))
      .map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, ...operation })),
  );
  return listed
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
