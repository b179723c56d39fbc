/** The flows in the documents name operations and statuses of the API, and what they send is JSON. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { readSequence } from "../../../../../docs/.vitepress/sequence.ts";
import { blocksOf, root } from "../harness/document-blocks.ts";

type Operations = Record<string, Record<string, { responses: Record<string, unknown> }>>;
const { paths }: { paths: Operations } = JSON.parse(readFileSync(join(root, "docs/api/v2.json"), "utf8"));

/** Finds an operation by the path of a call, whatever its parameters are called. */
function operationOf(method: string, path: string) {
  const shape = (text: string) => text.replace(/\{\w+\}/g, "{}").replace(/\?.*/, "");
  const found = Object.keys(paths).find((one) => shape(one) === shape(path));
  return found === undefined ? undefined : paths[found]?.[method.toLowerCase()];
}

/** The lines of the details, with the JSON of several lines as one. */
function partsOf(details: string): string[] {
  return details.split(/\n(?![ }])/);
}

const flows = blocksOf("docs/how/flows.md").filter(({ language }) => language === "mermaid");

test("each flow is a sequence whose every step says what it sends", () => {
  assert.ok(flows.length >= 7);
  for (const { code } of flows)
    for (const { text, details } of readSequence(code).steps) assert.ok(details !== "", text);
});

for (const { code, line } of flows)
  test(`the flow in line ${line} calls operations of the API, and gets statuses that they have`, () => {
    let responses: Record<string, unknown> = {};
    for (const { text, details } of readSequence(code).steps)
      for (const part of partsOf(details)) {
        const [, method, path] = /^(GET|POST|PATCH) (\/\S+)$/.exec(part) ?? [];
        if (method !== undefined && path !== undefined) {
          const operation = operationOf(method, path);
          assert.ok(operation !== undefined, `${part} (${text})`);
          responses = operation.responses;
        }
        const [, status] = /^(2\d\d|400) /.exec(part) ?? [];
        if (status !== undefined) assert.ok(status in responses, `${part} (${text})`);
        if (part.startsWith("{")) assert.doesNotThrow(() => JSON.parse(part), `${part} (${text})`);
      }
  });

test("a line that the site does not draw stops its build", () => {
  const page = (line: string) => `sequenceDiagram\nparticipant A\nparticipant B\n${line}`;
  assert.equal(readSequence(page("A->>B: hello\n%% world")).steps[0]?.details, "world");
  for (const line of ["loop again", "A-xB: no", "A->>C: nobody", "%% of no step"])
    assert.throws(() => readSequence(page(line)), /does not draw/);
});
