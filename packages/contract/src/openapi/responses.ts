import type { TSchema } from "typebox";
import type { Endpoint } from "../endpoint.ts";
import { errorExample, refusalExample, statusName } from "../error-examples.ts";
import { catalog, type ErrorCode, ErrorEnvelope, requestIdText } from "../errors.ts";

type Json = Record<string, unknown>;

const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const responseRef = (name: string) => ({ $ref: `#/components/responses/${name}` });
const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` });
const everyAnswer = { "X-Request-Id": headerRef("X-Request-Id") };

/** Headers of an operation's own responses. */
function headersOf({ body }: Endpoint): Json {
  return body === undefined ? everyAnswer : { ...everyAnswer, Warning: headerRef("Warning") };
}

/** The responses of an operation: its success, its errors by status, and the errors that any operation may return. */
export function responsesOf(endpoint: Endpoint): Json {
  const answers: Json = { [endpoint.status]: success(endpoint) };
  if (endpoint.redirects !== undefined) answers[302] = redirect(endpoint, endpoint.redirects);
  for (const status of errorStatuses(endpoint)) answers[status] = failure(endpoint, status);
  if (endpoint.auth !== "none") answers[401] = responseRef("NotAuthenticated");
  answers[429] = responseRef("TooManyRequests");
  // JavaScript orders integer keys first and ascending, so `default` comes last.
  return { ...answers, default: responseRef("Refusal") };
}

function success(endpoint: Endpoint): Json {
  if (endpoint.status === 302) return redirect(endpoint, "A redirect");
  const headers = { ...headersOf(endpoint), RateLimit: headerRef("RateLimit") };
  const done = endpoint.status === 201 ? "Created" : "Success";
  const { otherReply } = endpoint;
  const description = otherReply === undefined ? done : `${done}. ${otherReply.description}`;
  if (endpoint.reply === undefined) return { description, headers };
  const example = endpoint.example === undefined ? {} : { example: endpoint.example.reply };
  const content = { "application/json": { schema: endpoint.reply, ...example }, ...otherContent(endpoint) };
  return { description, headers, content };
}

function otherContent({ otherReply }: Endpoint): Json {
  if (otherReply === undefined) return {};
  return { [otherReply.type]: { schema: otherReply.schema, example: otherReply.example } };
}

function redirect(endpoint: Endpoint, description: string): Json {
  const Location = {
    required: true,
    description: "Where to send the device",
    schema: { type: "string", format: "uri" },
  };
  const own = Object.entries(endpoint.redirectHeaders ?? {}).map(([name, what]) => [
    name,
    { description: what, schema: { type: "string" } },
  ]);
  const headers = { ...headersOf(endpoint), RateLimit: headerRef("RateLimit"), Location, ...Object.fromEntries(own) };
  return { description, headers };
}

function errorStatuses(endpoint: Endpoint): Set<number> {
  return new Set([...endpoint.errors.map((code) => catalog[code].status), ...(endpoint.refusals ?? [])]);
}

function failure(endpoint: Endpoint, status: number): Json {
  const codes = endpoint.errors.filter((code) => catalog[code].status === status).sort();
  const refused = (endpoint.refusals ?? []).some((refusal) => refusal === status);
  const { name } = statusName(status);
  const refs = [...codes, ...(refused ? [name] : [])].map(schemaRef);
  const [only] = refs;
  const examples = [
    ...codes.map((code) => [code, { summary: errorExample(code).message, value: errorExample(code) }]),
    ...(refused ? [[name, { value: refusalExample(status) }]] : []),
  ];
  return {
    description: [...codes, ...(refused ? [codes.length === 0 ? name : `${name} without a code`] : [])].join(", "),
    headers: headersOf(endpoint),
    content: {
      "application/json": {
        // `anyOf`, not `oneOf`: the codes differ only inside `data`, and linters and generators do not look there.
        schema: refs.length === 1 ? only : { anyOf: refs },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** Schemas, responses and headers that the operations refer to. Lists only codes that some operation declares. */
export function errorComponents(endpoints: readonly Endpoint[]): { schemas: Json; responses: Json; headers: Json } {
  const codes = [...new Set(endpoints.flatMap((endpoint) => endpoint.errors))].sort();
  const statuses = [...new Set([401, 429, ...endpoints.flatMap((endpoint) => endpoint.refusals ?? [])])].sort();
  const schemas = [
    ...codes.map((code) => [code, codeSchema(code)]),
    ...statuses.map((status) => [statusName(status).name, refusalSchema(status)]),
    ["ErrorEnvelope", ErrorEnvelope],
  ];
  const { RateLimit, "Retry-After": wait, ...rest } = headers;
  return {
    schemas: Object.fromEntries(schemas),
    responses: {
      NotAuthenticated: refusalResponse(401, "The API key is missing or invalid."),
      TooManyRequests: refusalResponse(429, "A rate limit is used up.", {
        "Retry-After": headerRef("Retry-After"),
        RateLimit: headerRef("RateLimit"),
      }),
      Refusal: {
        description:
          "Any other refusal, in the same envelope. 404 and 405: unknown path or method. 409 and 422: an " +
          "`Idempotency-Key` whose first request is not answered yet or had another body. 413, 414, 415 and 431: a " +
          "request that is too large or not JSON. 418: a key used from a browser. 500 and 503: a failure of the " +
          "service. With `Accept: application/problem+json` the answer has the form of RFC 9457.",
        headers: everyAnswer,
        content: { "application/json": { schema: schemaRef("ErrorEnvelope"), example: refusalExample(404) } },
      },
    },
    headers: { ...rest, RateLimit, "Retry-After": wait },
  };
}

const headers = {
  "X-Request-Id": {
    description: "The request's id, also in `data.requestId` of an error. Include it when you ask for help.",
    schema: { type: "string" },
  },
  Warning: {
    description:
      "Up to ten ignored members of the body and parameters of the query, each with a known one if it is near: " +
      '`299 - "Unknown member birthdate ignored; nearest known member: birthDate"`. A name that is not an identifier is `?`.',
    schema: { type: "string" },
  },
  RateLimit: {
    description: 'The remaining limit: `"name";r=requests left;t=seconds until it is full again`.',
    schema: { type: "string" },
  },
  "Retry-After": { required: true, description: "Seconds to wait", schema: { type: "integer", minimum: 1 } },
};

function refusalResponse(status: number, description: string, more: Json = {}): Json {
  const schema = schemaRef(statusName(status).name);
  const content = { "application/json": { schema, example: refusalExample(status) } };
  return { description, headers: { ...everyAnswer, ...more }, content };
}

const requestId = { type: "string", description: requestIdText };

/** The envelope of one code. `data` has the code, the catalog's members for it, and the request's id. */
function codeSchema(errorCode: ErrorCode): Json {
  const { status, cause, fix, data } = catalog[errorCode];
  return {
    title: errorCode,
    description: `${cause} ${fix}`,
    ...envelopeOf(status, {
      type: "object",
      required: ["errorCode", ...requiredOf(data), "requestId"],
      properties: {
        errorCode: { const: errorCode, description: "The code of the error." },
        ...data.properties,
        requestId,
      },
      additionalProperties: false,
    }),
  };
}

function refusalSchema(status: number): Json {
  const { name } = statusName(status);
  const data = { type: "object", required: ["requestId"], properties: { requestId } };
  return { title: name, description: `${status} without a specific code.`, ...envelopeOf(status, data) };
}

function envelopeOf(status: number, data: Json): Json {
  const { name, className } = statusName(status);
  const { properties } = ErrorEnvelope;
  return {
    type: "object",
    required: requiredOf(ErrorEnvelope),
    properties: {
      ...properties,
      name: { ...properties.name, const: name },
      code: { ...properties.code, const: status },
      className: { ...properties.className, const: className },
      data: { description: "Details of the error.", ...data },
    },
  };
}

// TypeBox omits `required` if every member is optional, although the type declares it.
function requiredOf(schema: TSchema & { required?: readonly string[] }): readonly string[] {
  return schema.required ?? [];
}
