import type { Endpoint, Input, Output } from "./endpoint.ts";
import type { ErrorCode, ErrorData, ErrorEnvelope } from "./errors.ts";

/** One request, ready to send. `path` includes the prefix and parameters; `body` is not serialized yet. */
export type ClientRequest = {
  method: Endpoint["method"];
  path: string;
  query: Record<string, string>;
  body: unknown;
  headers: Record<string, string>;
};

/** One response. `body` is parsed JSON, or text if the response was not JSON; `headers` have lower-case names. */
export type ClientResponse = { status: number; headers: Record<string, string>; body: unknown };

/**
 * Sends one request without following redirects. The implementation adds the service's URL, the `Authorization` header
 * and a timeout. Its errors reach the caller unchanged.
 */
export type Send = (request: ClientRequest) => Promise<ClientResponse>;

/**
 * A successful response. `body` has the type of the endpoint's reply. If the endpoint `redirects` some calls, check
 * `status` first: a 302 has no body, and `headers.location` is the target.
 */
export type Answer<E> = { status: number; headers: Record<string, string>; body: Output<E> };

// A part may be omitted if all its members are optional. It must be omitted if the endpoint does not have it.
type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [N in Name]?: undefined }
  : Record<never, never> extends Value
    ? { [N in Name]?: Value }
    : { [N in Name]: Value };

/** The input of a call: the endpoint's `params`, `query` and `body`, plus extra headers. */
export type CallInput<E> = Part<"params", Input<E>["params"]> &
  Part<"query", Input<E>["query"]> &
  Part<"body", Input<E>["body"]> & { headers?: Record<string, string> };

/** One operation. Rejects with an `ApiError` unless the response has the endpoint's success status. */
export type Call<E> = (
  ...input: Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]
) => Promise<Answer<E>>;

export type Client<Endpoints> = { readonly [Name in keyof Endpoints]: Call<Endpoints[Name]> };

/**
 * A typed client for some endpoints.
 *
 * ```ts
 * const api = client({ createOneClick, readOneClick }, { prefix: "/v2", send });
 * const { body } = await api.createOneClick({ body: { phone: "+12125550010" } });
 * ```
 *
 * @param endpoints operations by the name of their call, usually their id
 * @param options.prefix path prefix of the API generation, such as `/v2`; default none
 * @param options.send sends a request to the service
 */
export function client<const Endpoints extends Readonly<Record<string, Endpoint>>>(
  endpoints: Endpoints,
  options: { send: Send; prefix?: string },
): Client<Endpoints>;
export function client(
  endpoints: Readonly<Record<string, Endpoint>>,
  { send, prefix = "" }: { send: Send; prefix?: string },
): Record<string, (input?: UncheckedInput) => Promise<ClientResponse>> {
  const calls = Object.entries(endpoints).map(([name, endpoint]) => {
    const call = async (input: UncheckedInput = {}) => {
      const response = await send({ method: endpoint.method, ...requestParts(endpoint, prefix, input) });
      const redirected = response.status === 302 && endpoint.redirects !== undefined;
      if (response.status !== endpoint.status && !redirected) throw new ApiError(response);
      return response;
    };
    return [name, call] as const;
  });
  return Object.fromEntries(calls);
}

type UncheckedInput = { params?: unknown; query?: unknown; body?: unknown; headers?: Record<string, string> };

/** Builds a request except for its method. It needs no schema, so a browser can use a table of paths. */
export function requestParts(
  endpoint: Pick<Endpoint, "id" | "path">,
  prefix: string,
  input: UncheckedInput,
): Omit<ClientRequest, "method"> {
  const params = textsOf(input.params);
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`${endpoint.id} needs params.${name}.`);
    return encodeURIComponent(value);
  });
  return {
    path: `${prefix}${path}`,
    query: textsOf(input.query),
    body: input.body,
    headers: { ...(input.body === undefined ? {} : { "content-type": "application/json" }), ...input.headers },
  };
}

function textsOf(values: unknown): Record<string, string> {
  if (typeof values !== "object" || values === null) return {};
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/**
 * An error response from the service or from a proxy. Branch on `errorCode`, never on the message.
 *
 * ```ts
 * if (error instanceof ApiError && error.is("OCE011")) ask(error.envelope.data.additionalInputs);
 * ```
 */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  /** Headers with lower-case names. A 429 has `retry-after`, in seconds. */
  readonly headers: Record<string, string>;
  /** The body. If it was not an envelope, an `UnexpectedReply` envelope whose `data` has no `errorCode`. */
  readonly envelope: ErrorEnvelope;

  constructor({ status, headers, body }: ClientResponse) {
    const envelope = isEnvelope(body) ? body : unexpected(status, headers);
    super(envelope.message);
    this.status = status;
    this.headers = headers;
    this.envelope = envelope;
  }

  /** The code from the error catalog. Undefined for an error without one (401, 403, 429, …). */
  get errorCode(): string | undefined {
    return this.envelope.data.errorCode;
  }

  /** Whether the error has this code. If so, `envelope.data` has the members of that code. */
  is<Code extends ErrorCode>(errorCode: Code): this is ApiError & { envelope: { data: ErrorData<Code> } } {
    return this.errorCode === errorCode;
  }
}

function isEnvelope(body: unknown): body is ErrorEnvelope {
  if (typeof body !== "object" || body === null) return false;
  if (!("name" in body && "message" in body && "code" in body && "className" in body && "data" in body)) return false;
  return typeof body.message === "string" && typeof body.data === "object" && body.data !== null;
}

function unexpected(status: number, headers: Record<string, string>): ErrorEnvelope {
  return {
    name: "UnexpectedReply",
    message: `The service answered ${status} without an error envelope.`,
    code: status,
    className: "unexpected-reply",
    data: { requestId: headers["x-request-id"] ?? "" },
  };
}
