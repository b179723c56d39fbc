import type { CallOptions } from "./operations.ts";

/** One call, ready to send. */
export type Request = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  redirects: boolean;
  more: CallOptions;
};

/** Builds a request from a call's arguments and the row of `operations`. */
export function requestOf(name: string, operation: string, given: readonly unknown[]): Request {
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
  return { method, path, query: new URLSearchParams(said), body, redirects, more: { ...(rest.shift() ?? {}) } };
}
