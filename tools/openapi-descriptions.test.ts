import assert from "node:assert/strict";
import { test } from "node:test";
import { catalog } from "@countersign/contract/errors";
import { openapiDocuments } from "./openapi.ts";

test("every property, parameter, value of a list and error has a description", () => {
  for (const [path, text] of Object.entries(openapiDocuments())) {
    const missing: string[] = [];
    const look = (node: unknown, at: string): void => {
      if (typeof node !== "object" || node === null) return;
      if ("properties" in node && typeof node.properties === "object" && node.properties !== null)
        for (const [name, property] of Object.entries(node.properties))
          if (typeof property.description !== "string") missing.push(`${at}/${name}`);
      if ("in" in node && "name" in node && !("description" in node)) missing.push(`${at}/${node.name}`);
      if ("enum" in node && Array.isArray(node.enum)) {
        const values = node.enum.filter((value) => value !== null);
        const meanings = "x-enumDescriptions" in node ? Object.keys(node["x-enumDescriptions"] ?? {}) : [];
        if (values.length > 1 && values.length !== meanings.length) missing.push(`${at}: ${values.join()}`);
      }
      for (const [name, member] of Object.entries(node))
        if (!/^(?:example|examples|const|enum|default)$/.test(name)) look(member, `${at}/${name}`);
    };
    look(JSON.parse(text), "");
    assert.deepEqual(missing, [], path);
  }
  for (const [code, { cause, fix }] of Object.entries(catalog))
    for (const sentence of [cause, fix]) assert.match(sentence, /^[A-Z`v].*\.$/s, code);
});
