import type { CallOptions } from "./operations.ts";

/** One call, ready to be sent. */
export type Request = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  redirects: boolean;
  more: CallOptions;
};

/** What a call's arguments say, by the row of `operations`. */
export function requestOf(name: string, operation: string, given: readonly unknown[]): Request {
  const [method = "", pattern = "", ...takes] = operation.split(" ");
  const rest = [...given];
  const path = pattern.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = rest.shift();
    // A dot or two would be taken for a step up; what a page sent may stand here.
    if (typeof value !== "string" || /^\.{0,2}$/.test(value))
      throw new TypeError(`${name} needs ${parameter}, a text.`);
    return encodeURIComponent(value);
  });
  const body = takes.includes("body") ? rest.shift() : undefined;
  const query = Object.entries(takes.includes("query") ? (rest.shift() ?? {}) : {});
  const said = query.filter(([, value]) => value !== undefined).map(([key, value]) => [key, String(value)]);
  const redirects = takes.includes("redirects");
  return { method, path, query: new URLSearchParams(said), body, redirects, more: { ...(rest.shift() ?? {}) } };
}
