import type { CallOptions } from "./operations.ts";

/** One call, ready to send. */
export type Call = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  redirects: boolean;
  /** Whether the call takes an `Idempotency-Key`. */
  takesKey: boolean;
  /** Whether repeating the same request has no further effect, with its `Idempotency-Key` if it takes one. */
  isRepeatable: boolean;
  more: CallOptions;
};

/** Builds a request from a call's arguments and the row of `operations`. */
export function requestOf(name: string, operation: string, given: readonly unknown[]): Call {
  const [method = "", pattern = "", ...takes] = operation.split(" ");
  const rest = [...given];
  const path = pattern.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = rest.shift();
    // The value may come from a page. `.` and `..` would change the path.
    if (typeof value !== "string" || /^\.{0,2}$/.test(value))
      throw new TypeError(`${name} needs ${parameter}, a string.`);
    return encodeURIComponent(value);
  });
  const body = takes.includes("body") ? rest.shift() : undefined;
  const query = Object.entries(takes.includes("query") ? (rest.shift() ?? {}) : {});
  const said = query.filter(([, value]) => value !== undefined).map(([key, value]) => [key, String(value)]);
  const redirects = takes.includes("redirects");
  const takesKey = takes.includes("key");
  const search = new URLSearchParams(said);
  // A read with `code` uses one of the person's three attempts, so it is not repeatable.
  const isRepeatable = takesKey || (method === "GET" && !search.has("code"));
  return { method, path, query: search, body, redirects, takesKey, isRepeatable, more: { ...(rest.shift() ?? {}) } };
}
