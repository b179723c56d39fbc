/**
 * Generates the types of the SDK's server client from the OpenAPI document: one method per operation for a brand's
 * server. The SDK's declarations must not import `contract`, because only the SDK is published.
 */
import { v2Document } from "@countersign/contract/openapi-v2";
import { credentialTypesText } from "./credential-types.ts";
import { formatted } from "./formatted.ts";
import { comment, type Schema, typeWriter } from "./type-text.ts";

const folder = "packages/sdk/src";

const schemas = "components.schemas";
const issueBody = "paths./v2/credentials.post.requestBody.content.application/json.schema";
const changeBody = "paths./v2/credentials/{id}.patch.requestBody.content.application/json.schema";
const facts = `${schemas}.OneClickEntity.properties.metadata.properties.credentials.properties`;
/** Types of shapes that the document leaves open. `credentials.ts` derives them from the schema library. */
const precise: Record<string, string> = {
  CredentialType: `${schemas}.CredentialRequest.properties.type`,
  CredentialToIssue: `${issueBody}.properties.credentials.items`,
  CredentialData: `${changeBody}.properties.data`,
  Shared: `${schemas}.OneClickEntity.properties.credentials`,
  "FactsOf<Shared, string>": `${facts}.id`,
  "FactsOf<Shared, IdentifierMethods[string]>": `${facts}.verificationMethod`,
  'FactsOf<Shared, "valid" | "revoked">': `${facts}.status`,
  "FactsOf<Shared, string> ": `${facts}.issuerUuid`,
  "FactsOf<Shared, number>": `${facts}.issuanceDate`,
  "FactsOf<Shared, number | null>": `${facts}.expirationDate`,
};
/** Types that `credentials.ts` declares by hand. */
const declared = ["CredentialType", "CredentialToIssue", "CredentialData", "Credentials", "CredentialsOf", "FactsOf"];

/** Unnamed shapes that occur several times in the document: a name, and the path to one occurrence. */
const repeated: Record<string, string> = {
  DeviceChannel:
    "paths./v2/1-click/verifications/channels.get.responses.200.content.application/json.schema.properties.channels.properties.silent",
  Identifiers: `${schemas}.OCE011.properties.data.properties.identifiers`,
  IdentifierMethods: `${schemas}.OCE011.properties.data.properties.verificationMethod`,
  Payer: `${schemas}.HealthEntity.properties.results.items.properties.payer`,
};

/** Operations that devices call, and schemas that a brand's server does not need. */
const leftOut = ["readDeviceIp", "followDevice", "finishDevice", "BrandSettings", "ErrorEnvelope", "IssuedCredential"];

/** Operations with further members under `/v2.1`: here `channels`. */
const newerOnly = ["createVerification"];

type Content = { content?: { "application/json"?: { schema: Schema } } };
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: { in: string; name: string; schema: Schema }[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content & { description?: string }>;
};
export type Call = Operation & { method: string; path: string };
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };
type Writer = ReturnType<typeof typeWriter>;

/** The calls with a method in the client, in the document's order, and the writer of their types. */
export function sdkCalls() {
  const document: Document = JSON.parse(JSON.stringify(v2Document()));
  const named = Object.fromEntries(Object.entries(repeated).map(([name, path]) => [name, found(document, path)]));
  const known = Object.fromEntries(Object.entries(precise).map(([name, path]) => [name, found(document, path)]));
  const writer = typeWriter({ ...named, ...known });
  const calls = callsOf(document.paths);
  return { components: document.components, named, writer, calls, sandbox: sandboxCallsOf(document.paths) };
}

/** Sandbox control, except uploads, whose body is no JSON, and the calls of `countersign listen`. */
function sandboxCallsOf(paths: Document["paths"]): Call[] {
  const calls = Object.entries(paths)
    .filter(([path]) => path.startsWith("/sandbox/") && !path.startsWith("/sandbox/listeners"))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
    );
  return calls.filter(
    ({ requestBody }) => requestBody === undefined || "application/json" in (requestBody.content ?? {}),
  );
}

/** Repository path → text. */
export function sdkTypes(): Record<string, string> {
  const { components, named, writer, calls, sandbox } = sdkCalls();
  const schemas = Object.entries(components.schemas).filter(([name]) => !leftOut.includes(name));
  const entities = [
    ...Object.entries(named),
    ...schemas.filter(([, { properties }]) => !("className" in (properties ?? {}))),
  ];
  const errors = schemas.filter(([name]) => /^[A-Z]{3}\d{3}$/.test(name));
  const fileOf = (name: string) => (/^(?:Health|Payer|ParsedEdi)/.test(name) ? "health.ts" : "entities.ts");
  const written = (file: string) =>
    entitiesText(
      entities.filter(([name]) => fileOf(name) === file),
      writer,
    );
  const places = new Map(entities.map(([name]) => [name, fileOf(name)]));
  const here = new Map([...declared, "IssuedCredential"].map((name) => [name, "credentials.ts"]));
  for (const [name, file] of here) places.set(name, file);
  const files = {
    "credential-types.ts": credentialTypesText(),
    "entities.ts": withImports(
      written("entities.ts").replace("OneClickEntity =", "OneClickEntity<Shared = Credentials> ="),
      here,
    ),
    "health.ts": written("health.ts"),
    "error-data.ts": withImports(errorsText(errors, writer), places),
    "operations.ts": withImports(operationsText(calls, writer), places),
    "sandbox-operations.ts": sandboxText(sandbox, writer),
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
      Object.entries(methods).map(([method, operation]) => {
        const isNewer = newerOnly.includes(operation.operationId);
        return { ...operation, method: method.toUpperCase(), path: isNewer ? path.replace("/v2/", "/v2.1/") : path };
      }),
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

/** The methods of calls, and their rows: method and path, then what each call takes. */
function partsOf(calls: readonly Call[], { typeOf }: Writer): { methods: string[]; rows: string[] } {
  const methods = calls.map((call) => {
    const docComment = comment(`${call.summary}.`, ownWords(call.description), errorsOf(call));
    const given = parametersOf(call, typeOf);
    const reply = replyOf(call, typeOf);
    const signatures = overloads[call.operationId]?.(reply) ?? [];
    const last = call.responses["302"] === undefined ? [`(${given}): Promise<${reply}>`] : [];
    const [first, ...others] = [...signatures, ...last].map((signature) => `${call.operationId}${signature};`);
    return `${docComment}${[first, ...others].join("\n")}`;
  });
  const rows = calls.map(({ operationId, method, path, requestBody, parameters = [], responses }) => {
    const words = [method, path];
    if (requestBody !== undefined) words.push("body");
    if (parameters.some(({ name }) => name === "Idempotency-Key")) words.push("key");
    if (parameters.some((one) => one.in === "query")) words.push("query");
    if (responses["302"] !== undefined) words.push("redirects");
    return `${operationId}: "${words.join(" ")}",`;
  });
  return { methods, rows };
}

function sandboxText(calls: readonly Call[], writer: Writer): string {
  const { methods, rows } = partsOf(calls, writer);
  // Which settings a brand has is declared by the API alone, because it grows with each version.
  const members = methods
    .join("\n\n")
    .replace(/\bBrandSettings\b/g, "Record<string, unknown>")
    .replace(/\{\s*\}/g, "Record<string, never>");
  return `import type { CallOptions } from "./operations.ts";

/** The calls that control a sandbox, for tests. Every call rejects with a \`CountersignError\`. Instants are Unix milliseconds. */
export type SandboxApi = {${members}};

/** As \`operations\`: method and path, then what the call takes. */
export const sandboxOperations: { readonly [Name in keyof SandboxApi]: string } = {${rows.join("\n")}};
`;
}

function operationsText(calls: readonly Call[], writer: Writer): string {
  const { methods, rows } = partsOf(calls, writer);
  return `/** Options of one call. */
export type CallOptions = {
  /** Timeout of each attempt, in milliseconds. Default: the client's. */
  timeoutMs?: number;
  /** Aborts the call, also between two attempts. */
  signal?: AbortSignal;
  /** Additional headers. */
  headers?: Record<string, string>;
  /** How often the call is repeated at most. Default: the client's. */
  maxRetries?: number;
  /**
   * Your own \`Idempotency-Key\`, for calls that create something. Pass it if your process may repeat the call after a
   * restart. Default: a new UUID per call.
   */
  idempotencyKey?: string;
};

/** A verification by text message. */
export type SmsVerification = { channel: "sms"; phone: string; deviceIp?: string };

/** A verification by the carrier, which names the device's phone. */
export type AutofillVerification = { channel: "autofill"; deviceIp: string };

/** A verification by the carrier, which confirms a phone. */
export type SilentVerification = { channel: "silent"; phone: string; deviceIp: string };

/** The channels to try, in this order. The first one that can begin is used, and the answer names it. */
export type OrderedVerification = { channels: ("silent" | "autofill" | "sms")[]; phone?: string; deviceIp?: string };

export type VerificationRequest = SmsVerification | AutofillVerification | SilentVerification | OrderedVerification;

/** The URL to open on the person's device, which can follow it once, within 60 seconds. */
export type DeviceRedirect = { location: string };

/** The calls of a brand's server. Every call rejects with a \`CountersignError\`. Instants are Unix milliseconds. */
export type CountersignApi = {${methods.join("\n\n")}};

/** Method and path, then whether a call takes a body, an \`Idempotency-Key\` or a query, and whether it may redirect. */
export const operations: { readonly [Name in keyof CountersignApi]: string } = {${rows.join("\n")}};
`;
}

/** Overloads that the document cannot express. They precede the general signature. */
const overloads: Record<string, (reply: string) => string[]> = {
  createOneClick: (reply) => [
    `<const Requests extends readonly CredentialRequest[]>(body: Omit<OneClickRequest, "credentialRequests"> & { credentialRequests: Requests }, options?: CallOptions): Promise<${reply.replace("OneClickEntity", "OneClickEntity<CredentialsOf<Requests>>")}>`,
  ],
  createVerification: (reply) => [
    `(body: SmsVerification, options?: CallOptions): Promise<${reply}>`,
    "(body: AutofillVerification | SilentVerification, options?: CallOptions): Promise<DeviceRedirect>",
    `(body: VerificationRequest, options?: CallOptions): Promise<${reply} | DeviceRedirect>`,
  ],
};

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
  const { schema = {} } =
    (responses["200"] ?? responses["201"] ?? responses["202"])?.content?.["application/json"] ?? {};
  return typeOf(schema);
}

function errorsOf({ responses }: Call): string | undefined {
  const refusals = Object.entries(responses).filter(([status]) => status.startsWith("4"));
  const codes = refusals.flatMap(([, { description = "" }]) => description.match(/\b[A-Z]{3}\d{3}\b/g) ?? []);
  return codes.length === 0 ? undefined : `Errors: ${[...new Set(codes)].sort().join(", ")}.`;
}

/** Removes descriptions of other paths and of redirects, because this client handles both. */
function ownWords(description = ""): string {
  return description.replace(/\n*Also answered at .*$/s, "").replace("switch the following of redirects off, and ", "");
}

function withImports(text: string, places: ReadonlyMap<string, string>): string {
  const code = text.replace(/\/\*.*?\*\//gs, "");
  const used = [...places].filter(([name]) => new RegExp(`\\b${name}\\b`).test(code));
  used.sort(([a], [b]) => a.localeCompare(b, "en"));
  const imports = [...new Set(used.map(([, file]) => file))].sort().map((file) => {
    const names = used.filter(([, place]) => place === file).map(([name]) => name);
    return `import type { ${names.join(", ")} } from "./${file}";\n`;
  });
  return `${imports.join("")}\n${text}`;
}
