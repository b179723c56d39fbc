import type { TObject, TSchema } from "typebox";
import type { Endpoint } from "../endpoint.ts";
import { namedSchemas, withRefs } from "./refs.ts";
import { errorComponents, responsesOf } from "./responses.ts";
import { withMeanings } from "./value-meanings.ts";

type Json = Record<string, unknown>;

/** An OpenAPI 3.1 document as plain data for `JSON.stringify`. */
export type OpenApiDocument = {
  openapi: string;
  info: Json;
  servers: Json[];
  tags: { name: string; description?: string }[];
  /** Path with `{name}` parameters → method in lower case → operation. */
  paths: Record<string, Record<string, Json>>;
  components: Json;
};

/** The input for a document. */
export type OpenApiSource = {
  title: string;
  /** Version of the API, as `info.version`. */
  version: string;
  description?: string;
  /** URL of the service without a trailing slash. Default: the document's own origin. */
  serverUrl?: string;
  endpoints: readonly Endpoint[];
  /** Schemas that the document lists once, by name, in `components`. Other schemas are inlined. */
  schemas?: Readonly<Record<string, TSchema>>;
  /** Whether all operations are deprecated. */
  isDeprecated?: boolean;
  /**
   * The path prefixes of an endpoint. Operations under the first one keep the endpoint's tag; the others share one tag.
   */
  pathPrefixes(endpoint: Endpoint): readonly [string, ...string[]];
};

/**
 * Describes endpoints in OpenAPI 3.1. Request and reply schemas are unchanged except for the `$ref`s to `schemas`.
 * @throws Error when two endpoints share an id, or a method and path; or when a path names a parameter without a
 * schema.
 */
export function openapi(source: OpenApiSource): OpenApiDocument {
  const { title, version, description, endpoints, schemas = {} } = source;
  const { schemas: errorSchemas, ...errors } = errorComponents(endpoints);
  return {
    openapi: "3.1.0",
    info: {
      title,
      version,
      ...(description === undefined ? {} : { description }),
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: source.serverUrl ?? "/" }],
    tags: tagsOf(source).map((name) => ({ name, ...descriptionOf(name) })),
    paths: withMeanings(withRefs({ ...pathsOf(source), ...otherPathsOf(source) }, schemas)),
    components: {
      securitySchemes: {
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "Your API key, with or without `Bearer `. Keep keys on servers: a key from a browser gets 418.",
        },
      },
      ...errors,
      schemas: withMeanings({ ...namedSchemas(schemas), ...withRefs(errorSchemas, schemas) }),
    },
  };
}

/** The tag of operations under the other prefixes, so client generators can skip them. */
const otherPrefixes = "Other prefixes";

/** What the operations of a tag are for. */
const tagDescriptions: Readonly<Record<string, string>> = {
  "1-Click Signup": "Get a person's verified data with that person's consent.",
  "1-Click Verify": "Prove that a person holds a phone number.",
  SDK: "Start a session of the SDK on your page.",
  "1-Click Health": "Find a person's health insurance, and check it with the payer.",
  Issuance: "Issue credentials to people, so that other brands can ask for them.",
  "Sandbox control": "Texts, clock, brands and webhooks of the sandbox. Production has none of these operations.",
  "v1 (legacy)": "The operations of the legacy generation.",
  [otherPrefixes]: "The same operations under their other paths. Use the first path in new code.",
};

function descriptionOf(tag: string): { description?: string } {
  const description = tagDescriptions[tag];
  return description === undefined ? {} : { description };
}

function tagsOf({ endpoints, pathPrefixes }: OpenApiSource): string[] {
  const hasOthers = endpoints.some((endpoint) => pathPrefixes(endpoint).length > 1);
  return [...new Set(endpoints.map(({ tag }) => tag)), ...(hasOthers ? [otherPrefixes] : [])];
}

function pathsOf({ endpoints, pathPrefixes, isDeprecated = false }: OpenApiSource): OpenApiDocument["paths"] {
  const paths: OpenApiDocument["paths"] = {};
  const ids = new Set<string>();
  for (const endpoint of endpoints) {
    const [first, ...others] = pathPrefixes(endpoint).map((prefix) => templated(`${prefix}${endpoint.path}`));
    const path = first ?? "";
    const method = endpoint.method.toLowerCase();
    const methods = paths[path] ?? {};
    if (ids.has(endpoint.id)) throw new Error(`Two endpoints have the id ${endpoint.id}.`);
    if (methods[method] !== undefined) throw new Error(`Two endpoints answer ${endpoint.method} ${path}.`);
    ids.add(endpoint.id);
    const also = others.map((other) => `\`${other}\``).join(" and ");
    const described = operation(endpoint, also === "" ? undefined : `Also answered at ${also}.`);
    methods[method] = isDeprecated ? { ...described, deprecated: true } : described;
    paths[path] = methods;
  }
  return paths;
}

/** The operations under the other prefixes: `createOneClick` at `/v2.1` is `createOneClickV21`. */
function otherPathsOf({ endpoints, pathPrefixes }: OpenApiSource): OpenApiDocument["paths"] {
  const paths: OpenApiDocument["paths"] = {};
  for (const endpoint of endpoints) {
    // Only the first prefix has the examples.
    const { example: _example, ...declared } = endpoint;
    const [first, ...others] = pathPrefixes(endpoint);
    const same = `The same as \`${endpoint.method} ${templated(`${first}${endpoint.path}`)}\`.`;
    for (const prefix of others) {
      const path = templated(`${prefix}${endpoint.path}`);
      const id = `${endpoint.id}${prefix === "" ? "Root" : prefix.replace(/\W/g, "").toUpperCase()}`;
      const described = operation({ ...declared, id, tag: otherPrefixes }, same);
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: described };
    }
  }
  return paths;
}

/** `/a/:uuid` → `/a/{uuid}` */
function templated(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

function operation(endpoint: Endpoint, places: string | undefined): Json {
  const description = [endpoint.description, places].filter((part) => part !== undefined).join("\n\n");
  const parameters = [...pathParameters(endpoint), ...queryParameters(endpoint), ...keyParameter(endpoint)];
  const body = requestBody(endpoint);
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(description === "" ? {} : { description }),
    security: securityOf(endpoint),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(endpoint),
  };
}

function securityOf({ auth }: Endpoint): Json[] {
  if (auth === "none") return [];
  // With demo brands enabled, sandbox control needs no key on the same machine.
  return auth === "sandboxControl" ? [{ apiKey: [] }, {}] : [{ apiKey: [] }];
}

function pathParameters({ id, path, params, example }: Endpoint): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => {
    if (params?.properties[name] === undefined) throw new Error(`${id} has no schema for the path parameter ${name}.`);
    return parameter("path", name, { schemas: params, required: true, example: example?.params?.[name] });
  });
}

function queryParameters({ query, example }: Endpoint): Json[] {
  if (query === undefined) return [];
  const required: readonly string[] = query.required ?? [];
  return Object.keys(query.properties).map((name) =>
    parameter("query", name, { schemas: query, required: required.includes(name), example: example?.query?.[name] }),
  );
}

/** The idempotency header of calls with which a brand creates something. */
function keyParameter({ auth, status }: Endpoint): Json[] {
  if (auth !== "brandKey" || status !== 201) return [];
  const description =
    "Your own identifier for this request, 1 to 255 visible ASCII characters. Within 24 hours a repetition with the " +
    "same body changes nothing and gets the first response (`Idempotent-Replayed: true`); with another body it gets " +
    "422. After the person has withdrawn, it gets OCE015. A request that was refused can be repeated.";
  return [
    { name: "Idempotency-Key", in: "header", required: false, description, schema: { type: "string", maxLength: 255 } },
  ];
}

function parameter(
  place: "path" | "query",
  name: string,
  options: { schemas: TObject; required: boolean; example: string | undefined },
): Json {
  const example = options.example === undefined ? {} : { example: options.example };
  const schema = options.schemas.properties[name];
  const description = schema !== undefined && "description" in schema ? { description: schema.description } : {};
  return { name, in: place, required: options.required, ...description, schema, ...example };
}

function requestBody({ body, bodyOptional, bodyLimit, bytes, example }: Endpoint): Json | undefined {
  const description = bodyLimit === undefined ? {} : { description: `At most ${bodyLimit} bytes.` };
  if (bytes !== undefined)
    return { ...description, required: true, content: Object.fromEntries(bytes.map((type) => [type, {}])) };
  if (body === undefined) return undefined;
  const shown = example?.body === undefined ? {} : { example: example.body };
  return {
    ...description,
    required: bodyOptional !== true,
    content: { "application/json": { schema: body, ...shown } },
  };
}
