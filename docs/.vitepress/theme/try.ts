/** Calls the sandbox from a page of the documents, with the public keys of the demo brands. */
import { withBase } from "vitepress";
import type { Call } from "./shell.ts";

const tryPath = () => withBase("/try");
let known: Promise<boolean> | undefined;

/** Whether this service lets its documents call the sandbox. */
export function canTry(): Promise<boolean> {
  known ??= fetch(tryPath()).then(
    ({ status }) => status === 204,
    () => false,
  );
  return known;
}

/** Sends the calls that a reader tries to the path that knows the demo keys. The API refuses keys from browsers. */
export async function fetchInSandbox(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== location.origin || pathname.startsWith(withBase("/"))) return await fetch(request);
  const headers = new Headers(request.headers);
  headers.set("x-demo-key", (headers.get("authorization") ?? "").replace(/^bearer /i, ""));
  headers.delete("authorization");
  const body = request.method === "GET" ? null : await request.arrayBuffer();
  return await fetch(`${tryPath()}${pathname}${search}`, { method: request.method, headers, body });
}

/** Sends a call of a block, and measures how long the answer takes. */
export async function tryCall({ method, url, headers, body }: Call) {
  const startedAt = performance.now();
  const { pathname, search } = new URL(url);
  const address = new URL(`${pathname}${search}`, location.origin);
  const response = await fetchInSandbox(address, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  const status = `${response.status} ${response.statusText}`.trim();
  return { text, status, isGood: response.ok, durationMs: Math.round(performance.now() - startedAt) };
}
