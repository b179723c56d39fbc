/**
 * Generates the types of the SDK's server client from the OpenAPI document, with one method per operation for a brand's
 * server. The SDK is published and `contract` is not, so its declarations must not import it.
 */
import { v2Document } from "@countersign/contract/openapi-v2";
import { formatted } from "./formatted.ts";
import { comment, type Schema, typeWriter } from "./type-text.ts";

const folder = "packages/sdk/src";

const schemas = "components.schemas";
const issueBody = "paths./v2/credentials.post.requestBody.content.application/json.schema";
/** Unnamed shapes that occur several times in the document: the name of each, and the path to one occurrence. */
const repeated: Record<string, string> = {
  CredentialType: `${schemas}.CredentialRequest.properties.type`,
  DeviceChannel:
    "paths./v2/1-click/verifications/channels.get.responses.200.content.application/json.schema.properties.channels.properties.silent",
  GivenData: `${issueBody}.properties.credentials.items.properties.data`,
  Identifiers: `${schemas}.OCE011.properties.data.properties.identifiers`,
  IdentifierMethods: `${schemas}.OCE011.properties.data.properties.verificationMethod`,
  Payer: `${schemas}.HealthEntity.properties.results.items.properties.payer`,
};

/** Operations that devices call, and schemas that a brand's server does not need. */
const leftOut = ["readDeviceIp", "followDevice", "finishDevice", "BrandSettings", "ErrorEnvelope"];

type Content = { content?: { "application/json"?: { schema: Schema } } };
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: { in: string; name: string; schema: Schema }[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content & { description?: string }>;
};
type Call = Operation & { method: string; path: string };
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };
type Writer = ReturnType<typeof typeWriter>;

/** Repository path → text. */
export function sdkTypes(): Record<string, string> {
  const document: Document = JSON.parse(JSON.stringify(v2Document()));
  const { paths, components } = document;
  const named = Object.fromEntries(Object.entries(repeated).map(([name, path]) => [name, found(document, path)]));
  const writer = typeWriter(named);
  const schemas = Object.entries(components.schemas).filter(([name]) => !leftOut.includes(name));
  const entities = [
    ...Object.entries(named),
    ...schemas.filter(([, { properties }]) => !("className" in (properties ?? {}))),
  ];
  const errors = schemas.filter(([name]) => /^[A-Z]{3}\d{3}$/.test(name));
  const calls = callsOf(paths);
  const fileOf = (name: string) => {
    if (/^(?:Health|Payer|ParsedEdi)/.test(name)) return "health.ts";
    return /^(?:Issued|Given)/.test(name) ? "issuance.ts" : "entities.ts";
  };
  const written = (file: string) =>
    entitiesText(
      entities.filter(([name]) => fileOf(name) === file),
      writer,
    );
  const places = new Map(entities.map(([name]) => [name, fileOf(name)]));
  const files = {
    "entities.ts": written("entities.ts"),
    "health.ts": written("health.ts"),
    "issuance.ts": written("issuance.ts"),
    "error-data.ts": withImports(errorsText(errors, writer), places),
    "operations.ts": withImports(operationsText(calls, writer), places),
  };
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`${folder}/${name}`, formatted(name, "docs/api/v2.json", text)]),
  );
}

function found(document: unknown, path: string): Schema {
  let part = document;
  for (const step of path.split("."))
    part = typeof part === "object" && part !== null ? Reflect.get(part, step) : undefined;
  if (typeof part !== "object" || part === null) throw new Error(`there is no schema at ${path}`);
  return part;
}

function callsOf(paths: Document["paths"]): Call[] {
  return Object.entries(paths)
    .filter(([path]) => path.startsWith("/v2/"))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
    )
    .filter(({ operationId }) => !leftOut.includes(operationId));
}

function entitiesText(entities: [string, Schema][], { shapeOf }: Writer): string {
  return entities
    .map(([name, schema]) => `${comment(schema.description)}export type ${name} = ${shapeOf(schema)};\n`)
    .join("\n");
}

function errorsText(errors: [string, Schema][], { typeOf }: Writer): string {
  const members = errors.map(
    ([name, { description, properties }]) => `${comment(description)}${name}: ${typeOf(properties?.data ?? {})};`,
  );
  return `/** The \`data\` of each error, by \`errorCode\`. */\nexport type ErrorData = {${members.join("\n")}};\n`;
}

function operationsText(calls: readonly Call[], { typeOf }: Writer): string {
  const methods = calls.map((call) => {
    const about = comment(`${call.summary}.`, ownWords(call.description), errorsOf(call));
    const given = parametersOf(call, typeOf);
    const reply = replyOf(call, typeOf);
    if (call.responses["302"] === undefined) return `${about}${call.operationId}(${given}): Promise<${reply}>;`;
    // Texts never redirect. Without their own signature every caller would have to check for a redirect.
    const text = given
      .replace(/\s*\/\*.*?\*\/\s*/gs, " ")
      .replace(/"?channel"?\??: string/, 'channel: "sms"')
      .replace(/"?channels"?\?: [^;]*;\s*/, "");
    return `${about}${call.operationId}(${text}): Promise<${reply}>;
      ${call.operationId}(${given}): Promise<${reply} | DeviceRedirect>;`;
  });
  const rows = calls.map(({ operationId, method, path, requestBody, parameters = [], responses }) => {
    const words = [method, path];
    if (requestBody !== undefined) words.push("body");
    if (parameters.some((one) => one.in === "query")) words.push("query");
    if (responses["302"] !== undefined) words.push("redirects");
    return `${operationId}: "${words.join(" ")}",`;
  });
  return `/** Options of one call: a timeout in milliseconds, a signal that aborts it, additional headers. */
export type CallOptions = { timeoutMs?: number; signal?: AbortSignal; headers?: Record<string, string> };

/** The URL to open on the person's device, which can follow it once, within 60 seconds. */
export type DeviceRedirect = { location: string };

/** The calls of a brand's server. Every call rejects with a \`CountersignError\`. Instants are Unix milliseconds. */
export type CountersignApi = {${methods.join("\n\n")}};

/** Method and path, then whether a call has a body or a query, and whether it may answer with a redirect. */
export const operations: { readonly [Name in keyof CountersignApi]: string } = {${rows.join("\n")}};
`;
}

function parametersOf({ parameters = [], requestBody }: Call, typeOf: Writer["typeOf"]): string {
  const inPath = parameters.filter((one) => one.in === "path").map(({ name }) => `${name}: string`);
  const members = parameters
    .filter((one) => one.in === "query")
    .map(({ name, schema }) => `${comment(schema.description)}"${name}"?: ${typeOf(schema)}`);
  const query = members.length > 0 ? [`query?: {${members.join("; ")}}`] : [];
  const schema = requestBody?.content?.["application/json"]?.schema;
  const body = schema === undefined ? [] : [`body${requestBody?.required === true ? "" : "?"}: ${typeOf(schema)}`];
  return [...inPath, ...body, ...query, "options?: CallOptions"].join(", ");
}

function replyOf({ responses }: Call, typeOf: Writer["typeOf"]): string {
  const { schema = {} } = (responses["200"] ?? responses["201"])?.content?.["application/json"] ?? {};
  return typeOf(schema);
}

function errorsOf({ responses }: Call): string | undefined {
  const refusals = Object.entries(responses).filter(([status]) => status.startsWith("4"));
  const codes = refusals.flatMap(([, { description = "" }]) => description.match(/\b[A-Z]{3}\d{3}\b/g) ?? []);
  return codes.length === 0 ? undefined : `Errors: ${[...new Set(codes)].sort().join(", ")}.`;
}

/** Removes the other paths of an operation and how to handle redirects, because this client does both. */
function ownWords(description = ""): string {
  return description.replace(/\n*Also answered at .*$/s, "").replace("switch the following of redirects off, and ", "");
}

function withImports(text: string, places: ReadonlyMap<string, string>): string {
  const code = text.replace(/\/\*.*?\*\//gs, "");
  const used = [...places].filter(([name]) => new RegExp(`\\b${name}\\b`).test(code)).sort();
  const imports = [...new Set(used.map(([, file]) => file))].sort().map((file) => {
    const names = used.filter(([, place]) => place === file).map(([name]) => name);
    return `import type { ${names.join(", ")} } from "./${file}";\n`;
  });
  return `${imports.join("")}\n${text}`;
}
