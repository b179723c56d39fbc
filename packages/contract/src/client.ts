import type { Endpoint, Input, Output } from "./endpoint.ts";
import type { ErrorCode, ErrorData, ErrorEnvelope } from "./errors.ts";

/** One request, ready to be sent. `path` has its prefix and its parameters; `body` is not serialised yet. */
export type ClientRequest = {
  method: Endpoint["method"];
  path: string;
  query: Record<string, string>;
  body: unknown;
  headers: Record<string, string>;
};

/** What came back. `body` is parsed JSON, or whatever text came instead; `headers` have lower-case names. */
export type ClientResponse = { status: number; headers: Record<string, string>; body: unknown };

/**
 * The only way out of a client: sends one request, without following redirects. It adds the service's address, the
 * `Authorization` header and a deadline; what it throws reaches the caller unchanged.
 */
export type Send = (request: ClientRequest) => Promise<ClientResponse>;

/**
 * A successful answer. `body` has exactly the type of the endpoint's reply; but where the endpoint `redirects` some
 * calls, look at `status` first: with a 302 there is no body, and `headers.location` says where to go.
 */
export type Answer<E> = { status: number; headers: Record<string, string>; body: Output<E> };

// A part that may be empty may be left out; one that the endpoint does not have must be.
type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [N in Name]?: undefined }
  : Record<never, never> extends Value
    ? { [N in Name]?: Value }
    : { [N in Name]: Value };

/** What a call takes: the endpoint's `params`, `query` and `body`, and further headers for this call. */
export type CallInput<E> = Part<"params", Input<E>["params"]> &
  Part<"query", Input<E>["query"]> &
  Part<"body", Input<E>["body"]> & { headers?: Record<string, string> };

/** One operation. Rejects with an `ApiError` on any answer but the endpoint's own success. */
export type Call<E> = (
  ...input: Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]
) => Promise<Answer<E>>;

/** One call per endpoint, under the same keys. */
export type Client<Endpoints> = { readonly [Name in keyof Endpoints]: Call<Endpoints[Name]> };

/**
 * A typed client for some endpoints.
 *
 * ```ts
 * const api = client({ createOneClick, readOneClick }, { prefix: "/v2", send });
 * const { body } = await api.createOneClick({ body: { phone: "+12125550010" } });
 * ```
 *
 * @param endpoints operations by the name under which you call them, usually their id
 * @param options.prefix path prefix of the generation, such as `/v2`; none where left out
 * @param options.send carries a request to the service
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
      const response = await send(requestOf(endpoint, prefix, input));
      const redirected = response.status === 302 && endpoint.redirects !== undefined;
      if (response.status !== endpoint.status && !redirected) throw new ApiError(response);
      return response;
    };
    return [name, call] as const;
  });
  return Object.fromEntries(calls);
}

type UncheckedInput = { params?: unknown; query?: unknown; body?: unknown; headers?: Record<string, string> };

function requestOf(endpoint: Endpoint, prefix: string, input: UncheckedInput): ClientRequest {
  const params = textsOf(input.params);
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`${endpoint.id} needs params.${name}.`);
    return encodeURIComponent(value);
  });
  return {
    method: endpoint.method,
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
 * The service refused, or something between it and you answered. Branch on `errorCode`, never on the message.
 *
 * ```ts
 * if (error instanceof ApiError && error.is("OCE011")) ask(error.envelope.data.additionalInputs);
 * ```
 */
export class ApiError extends Error {
  override name = "ApiError";
  /** HTTP status. */
  readonly status: number;
  /** Headers with lower-case names; `retry-after` (seconds) stands on a 429. */
  readonly headers: Record<string, string>;
  /** The body. Where what came was no envelope, one named `UnexpectedReply` whose `data` has no `errorCode`. */
  readonly envelope: ErrorEnvelope;

  constructor({ status, headers, body }: ClientResponse) {
    const envelope = isEnvelope(body) ? body : unexpected(status, headers);
    super(envelope.message);
    this.status = status;
    this.headers = headers;
    this.envelope = envelope;
  }

  /** The catalogue's code; undefined for a refusal that has none (401, 403, 429, …). */
  get errorCode(): string | undefined {
    return this.envelope.data.errorCode;
  }

  /** Whether it is this error of the catalogue; if so, `envelope.data` has the members of that code. */
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
