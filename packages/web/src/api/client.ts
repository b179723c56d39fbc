import { type CallInput, requestParts } from "@countersign/contract/client";
import type { Output } from "@countersign/contract/endpoint";

/** The answer of a call, or the reason why there is none. */
export type Outcome<Value, Trouble> = { kind: "ok"; value: Value } | { kind: "trouble"; trouble: Trouble };

/** One endpoint. A missing or wrong path parameter, query, or body does not compile. */
type Call<E, Trouble> = (
  ...input: Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]
) => Promise<Outcome<Output<E>, Trouble>>;
export type Client<Endpoints, Trouble> = { readonly [Name in keyof Endpoints]: Call<Endpoints[Name], Trouble> };

type UncheckedInput = Parameters<typeof requestParts>[2];
export type Options<Trouble> = {
  credentials: "omit" | "same-origin";
  deadlineMs: number;
  /** Describes an error response. */
  troubleOf(status: number, answer: unknown, headers: Headers): Trouble;
  /** Further headers of every call. */
  headers?(): Record<string, string>;
  /** Runs after a failed call, before its outcome is returned. */
  onTrouble?(trouble: Trouble): Promise<void>;
  /** The trouble of a call that got no response, because of the connection or the timeout. */
  lost: Trouble;
};

/**
 * A client of some of the contract's endpoints. The table of their methods and paths is generated; the endpoint values
 * give the types.
 */
export function browserClient<Endpoints, Trouble>(
  endpoints: Readonly<Record<keyof Endpoints, string>>,
  options: Options<Trouble>,
): Client<Endpoints, Trouble>;
export function browserClient<Trouble>(
  endpoints: Readonly<Record<string, string>>,
  options: Options<Trouble>,
): Record<string, (input?: UncheckedInput) => Promise<Outcome<unknown, Trouble>>> {
  const calls = Object.entries(endpoints).map(
    ([id, endpoint]) =>
      [
        id,
        async (input?: UncheckedInput) => {
          const outcome = await send({ id, endpoint, input }, options);
          if (outcome.kind === "trouble") await options.onTrouble?.(outcome.trouble);
          return outcome;
        },
      ] as const,
  );
  return Object.fromEntries(calls);
}

/** The path of an endpoint, for a link. */
export function pathOf(endpoint: string, params: Record<string, string> = {}): string {
  const [, path = ""] = endpoint.split(" ");
  return requestParts({ id: path, path }, "", { params }).path;
}

type Sent = { id: string; endpoint: string; input?: UncheckedInput };

/** Sends one request. A `Blob` is sent unchanged, with its own content type; every other body is JSON. */
async function send<Trouble>(
  { id, endpoint, input = {} }: Sent,
  { credentials, deadlineMs, troubleOf, lost, headers: further }: Options<Trouble>,
): Promise<Outcome<unknown, Trouble>> {
  const [method, pattern = ""] = endpoint.split(" ");
  const { path, query, body, headers: own } = requestParts({ id, path: pattern }, "", input);
  const headers = { ...own, ...further?.() };
  const search = new URLSearchParams(query).toString();
  try {
    const response = await fetch(search === "" ? path : `${path}?${search}`, {
      method,
      ...(body instanceof Blob
        ? { headers: { ...headers, "content-type": body.type }, body }
        : { headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
      credentials,
      cache: "no-store",
      signal: AbortSignal.timeout(deadlineMs),
    });
    // The service removes every member that the contract does not declare.
    const answer: unknown = await response.json();
    return response.ok
      ? { kind: "ok", value: answer }
      : { kind: "trouble", trouble: troubleOf(response.status, answer, response.headers) };
  } catch {
    return { kind: "trouble", trouble: lost };
  }
}

/** The problem of one member in a rejected body. */
export type Problem = { path: string; message: string };

/** The members of `data` in an error envelope. Empty if the answer is not an envelope. */
export function errorData(answer: unknown): Record<string, unknown> {
  return isRecord(answer) && isRecord(answer.data) ? answer.data : {};
}

export function problemsIn(data: Record<string, unknown>): Problem[] {
  return Array.isArray(data.errors) ? data.errors.filter(isProblem) : [];
}

function isProblem(value: unknown): value is Problem {
  return isRecord(value) && typeof value.path === "string" && typeof value.message === "string";
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
