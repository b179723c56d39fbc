import type { ErrorData } from "./error-data.ts";
import { type CountersignApi, operations } from "./operations.ts";
import { type Call, requestOf } from "./request.ts";
import { chance, pause, retriesDefault, waitBefore } from "./retry.ts";

export type {
  Credential,
  CredentialKey,
  Credentials,
  CredentialsOf,
  CredentialToIssue,
  CredentialType,
  CredentialValues,
  IssuedCredential,
} from "./credentials.ts";
export type {
  CredentialRequest,
  DeviceChannel,
  IdentifierMethods,
  Identifiers,
  OneClickEntity,
  OneClickRequest,
  RiskSignals,
  SessionRequest,
  VerificationEntity,
} from "./entities.ts";
export type { ErrorData } from "./error-data.ts";
export type { HealthEntity, HealthRequest, ParsedEdi271, Payer } from "./health.ts";
export type {
  AutofillVerification,
  CallOptions,
  CountersignApi,
  DeviceRedirect,
  OrderedVerification,
  SilentVerification,
  SmsVerification,
  VerificationRequest,
} from "./operations.ts";

const timeoutDefaultMs = 30_000;

/** Options of a client. */
export type ClientOptions = {
  /** The API URL of your environment, such as `https://api.example`, without a version path. */
  apiUrl: string;
  /** `sk_…`. Keep it on your server: the API rejects calls from a browser with 418. */
  apiKey: string;
  /** Timeout of each attempt, in milliseconds. Default: 30 000. */
  timeoutMs?: number;
  /**
   * How often a call is repeated at most. Default: 2. Only calls that are safe to repeat are repeated: reads, and calls
   * that create something, which get an `Idempotency-Key`.
   */
  maxRetries?: number;
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch;
};

/**
 * A client for your server: one method per operation of the API, v2.1 and v2.0.
 *
 * ```ts
 * const api = countersignClient({ apiUrl: "https://api.example", apiKey });
 * const { sessionKey } = await api.createSession({ phone: "+12125550010" });
 * const { credentials } = await api.readOneClick(identityUuid);
 * ```
 *
 * Pass path parameters, then body or query, then `CallOptions`. A call resolves to the response body. It rejects with a
 * `CountersignError`, or with your own signal's reason after you abort. The client never follows redirects: if the API
 * redirects a device, the call resolves to `{ location }`.
 */
export function countersignClient(options: ClientOptions): CountersignApi {
  return clientOf<CountersignApi>(options, operations);
}

/** A client with the calls of `rows`. The other entries of the package use it; it is not meant for yours. */
export function clientOf<Api>(options: ClientOptions, rows: { readonly [Name in keyof Api]: string }): Api;
export function clientOf(
  options: ClientOptions,
  rows: Readonly<Record<string, string>>,
): Record<string, (...given: never[]) => Promise<unknown>> {
  if (!/^https?:\/\//.test(options.apiUrl)) throw new TypeError("apiUrl must be an http or https address.");
  if (options.apiKey === "") throw new TypeError("apiKey must not be empty.");
  const calls = Object.entries(rows).map(([name, operation]) => {
    return [name, async (...given: unknown[]) => call(options, requestOf(name, operation, given))] as const;
  });
  return Object.fromEntries(calls);
}

/**
 * The service refused the call or did not send a valid response. Branch on `errorCode`, never on the message.
 *
 * ```ts
 * if (error instanceof CountersignError && error.is("OCE011")) ask(error.data.additionalInputs);
 * ```
 */
export class CountersignError extends Error {
  override name = "CountersignError";
  /** HTTP status. 0 without a response: after a timeout, or if the service is unreachable (see `cause`). */
  readonly code: number;
  /**
   * The code from the error catalog, such as `OCE011`. Undefined for errors without one, such as 401, 403, 404, 409,
   * 429 and 503.
   */
  readonly errorCode: string | undefined;
  /** Include it in support requests. Undefined without a response. */
  readonly requestId: string | undefined;
  /** The other members of the error. For each `errorCode`, see `ErrorData`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Seconds to wait before a retry, if the response has `Retry-After`: 429, 503, and 409 of an `Idempotency-Key`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, options: { code: number; body?: unknown; headers?: Headers; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const { data } = membersOf(options.body);
    const { errorCode, requestId } = membersOf(data);
    const retryAfter = options.headers?.get("retry-after") ?? undefined;
    this.code = options.code;
    this.data = membersOf(data);
    this.errorCode = textOf(errorCode);
    this.requestId = textOf(requestId) ?? options.headers?.get("x-request-id") ?? undefined;
    // A proxy may send a date instead of seconds. Ignore it.
    this.retryAfterSeconds = retryAfter !== undefined && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
  }

  /** Whether the error has this code. If so, `data` has the members of that code. */
  is<Code extends keyof ErrorData>(errorCode: Code): this is CountersignError & { data: ErrorData[Code] } {
    return this.errorCode === errorCode;
  }
}

/** Sends a request, and retries it after a temporary failure if that is safe. */
async function call(options: ClientOptions, request: Call): Promise<unknown> {
  const { more, takesKey, isRepeatable } = request;
  const retriesMax = isRepeatable ? (more.maxRetries ?? options.maxRetries ?? retriesDefault) : 0;
  const headers = new Headers(more.headers);
  const key = more.idempotencyKey ?? headers.get("idempotency-key") ?? (retriesMax > 0 ? crypto.randomUUID() : null);
  if (takesKey && key !== null) headers.set("idempotency-key", key);
  for (let retry = 0; ; retry += 1) {
    try {
      return await ask(options, request, headers);
    } catch (error) {
      const mayRepeat = retry < retriesMax && error instanceof CountersignError;
      const waitMs = mayRepeat ? waitBefore(retry, error, chance()) : undefined;
      if (waitMs === undefined) throw error;
      await pause(waitMs, more.signal);
    }
  }
}

async function ask(options: ClientOptions, request: Call, headers: Headers): Promise<unknown> {
  const { response, text } = await send(options, request, headers);
  const location = response.headers.get("location");
  if (request.redirects && response.status === 302 && location !== null) return { location };
  const body = parsed(text);
  if (!response.ok || body === undefined) throw refusal(response, body);
  return body;
}

async function send({ apiUrl, apiKey, ...options }: ClientOptions, request: Call, given: Headers) {
  const { method, path, query, body, more } = request;
  const timeoutMs = more.timeoutMs ?? options.timeoutMs ?? timeoutDefaultMs;
  const deadline = AbortSignal.timeout(timeoutMs);
  const headers = new Headers(body === undefined ? {} : { "content-type": "application/json" });
  for (const [name, value] of given) headers.set(name, value);
  headers.set("accept", "application/json");
  headers.set("authorization", apiKey);
  const search = query.size === 0 ? "" : `?${query}`;
  try {
    const response = await (options.fetch ?? fetch)(`${apiUrl.replace(/\/+$/, "")}${path}${search}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // Following a redirect would send the API key to its target, and this server would take the step that the
      // person's device must take.
      redirect: "manual",
      ...unstored(),
      signal: more.signal === undefined ? deadline : AbortSignal.any([deadline, more.signal]),
    });
    return { response, text: await response.text() };
  } catch (cause) {
    more.signal?.throwIfAborted();
    if (isOfNext(cause)) throw cause;
    const message = deadline.aborted
      ? `There was no answer within ${timeoutMs} ms.`
      : `The service at ${apiUrl} could not be reached.`;
    throw new CountersignError(message, { code: 0, cause });
  }
}

/**
 * Keeps personal data out of the stores of frameworks: the `fetch` of Next.js 13 and 14 writes answers to the disk, also
 * those that forbid it.
 */
function unstored(): { cache?: "no-store" } {
  try {
    new Request("https://countersign.invalid", { cache: "no-store" });
    return { cache: "no-store" };
  } catch {
    // Cloudflare Workers with a compatibility date before November 2024 refuse the option. They store no answers.
    return {};
  }
}

/** Next.js ends the prerendering of a page by an error of its `fetch`, which the page must throw too. */
function isOfNext(error: unknown): boolean {
  return typeof error === "object" && error !== null && "digest" in error && typeof error.digest === "string";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Converts an error response. Uses the envelope's message if there is one. */
function refusal(response: { status: number; headers: Headers }, body: unknown): CountersignError {
  const { status, headers } = response;
  const message = textOf(membersOf(body).message) ?? `The service answered ${status} without an error envelope.`;
  return new CountersignError(message, { code: status, body, headers });
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
