import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Call, sdkCalls } from "./sdk-types.ts";
import type { Schema } from "./type-text.ts";

const path = "packages/sdk/README.md";
const start = "<!-- The table is generated from docs/api/v2.json by `npm run generate`. -->\n";
const end = "<!-- The end of the generated table. -->";

/** Generates the tables of methods in the SDK's README. The rest of the README is written by hand. */
export function sdkMethodsMarkdown(): Record<string, string> {
  const [before = "", ...parts] = readFileSync(resolve(import.meta.dirname, "..", path), "utf8").split(start);
  const tables = [tableOf(calls), tableOf(sandbox)];
  const filled = parts.map((part, at) => `${start}\n${tables[at]}\n${end}${part.split(end)[1]}`);
  if (filled.length !== tables.length) throw new Error(`${path} must have a place for each table of methods.`);
  return { [path]: `${before}${filled.join("")}` };
}

const { calls, sandbox, writer } = sdkCalls();

function tableOf(listed: readonly Call[]): string {
  const rows = listed.map((call) => {
    const { operationId, method, path } = call;
    return `| \`${operationId}\`<br>\`${method} ${path}\` | ${argumentsOf(call)} | ${replyOf(call)} |\n`;
  });
  return `| Method, and its HTTP call | Arguments | Returns |\n|---|---|---|\n${rows.join("")}`;
}

function argumentsOf({ parameters = [], requestBody }: Call): string {
  const named = (place: string) => parameters.filter((one) => one.in === place).map(({ name }) => name);
  const body = requestBody?.content?.["application/json"]?.schema;
  const isNeeded = requestBody?.required === true;
  const all = [
    ...named("path").map((name) => `\`${name}\``),
    ...(body === undefined ? [] : [`\`body${isNeeded ? "" : "?"}\`: ${shortType(body)}`]),
    ...(named("query").length === 0 ? [] : [`\`query?\`: \`{ ${named("query").map(optional).join(", ")} }\``]),
  ];
  return all.length === 0 ? "none" : all.join("<br>");
}

function replyOf({ responses }: Call): string {
  const { schema = {} } = (responses["200"] ?? responses["201"])?.content?.["application/json"] ?? {};
  return `${shortType(schema)}${responses["302"] === undefined ? "" : ", or `DeviceRedirect`"}`;
}

/** The SDK's name of a type. For an object without a name, its members. */
function shortType(schema: Schema): string {
  const { anyOf, properties, required = [] } = schema;
  const type = writer.typeOf(schema);
  if (anyOf !== undefined) return anyOf.map(shortType).join(" or ");
  if (properties === undefined || /^\w+$/.test(type)) return `\`${type}\``;
  const names = Object.keys(properties).map((name) => (required.includes(name) ? name : optional(name)));
  return `\`{ ${names.join(", ")} }\``;
}

const optional = (name: string) => `${name}?`;
