/** Checks that an endpoint declares the answer that it gave, whatever the request was. */
import assert from "node:assert/strict";
import type { Endpoint } from "@countersign/contract/endpoint";
import { catalog } from "@countersign/contract/errors";
import { type Check, compileCheck } from "../../../domain/validate.ts";
import { assertEnvelope } from "../sandbox.ts";
import type { Route } from "../served-routes.ts";

export type Seen = { status: number; headers: Record<string, unknown>; text: string };

/** Internals that an unexpected error could expose: a stack trace, a statement, a module path. */
const insides =
  /\bat .{1,80}[:(]\d+:\d+|node_modules|file:\/\/|\.ts:\d|\bselect .{1,200} from |\binsert into |syntax error at|violates .{1,40} constraint|invalid input syntax|relation "|kysely|ECONNREFUSED/i;
/**
 * Statuses before any endpoint runs: the URL is invalid, the body is too large or of another type, or a rate limit is
 * reached.
 */
const commonStatuses = [400, 413, 414, 415, 429];
/** A changed path may match another route, or none. */
const otherRouteStatuses = [404, 405];
const checks = new Map<Endpoint, Check>();

function replyCheckOf(endpoint: Endpoint): Check {
  const found = checks.get(endpoint) ?? compileCheck(endpoint.reply ?? {}, "reply");
  checks.set(endpoint, found);
  return found;
}

/** `isPlainPath`: the path is as declared, so no other endpoint can have answered. */
export function assertDeclared({ endpoint, path }: Route, seen: Seen, options: { isPlainPath: boolean }): void {
  const { status, headers, text } = seen;
  assert.ok(status < 500, "the service failed");
  // The service's own scripts and documents may contain such text.
  if (endpoint !== null || status >= 400) assert.doesNotMatch(text, insides);
  const isJson = /^application\/(problem\+)?json/.test(String(headers["content-type"]));
  const body: unknown = isJson ? JSON.parse(text) : undefined;
  if (status >= 400 && isOauthRefusal(path, body)) return;
  if (status >= 400 && (isJson || endpoint !== null)) assertRefusal(seen, body);
  if (endpoint === null || !options.isPlainPath) return;
  const declared = [...commonStatuses, ...statusesOf(endpoint, path)];
  assert.ok(declared.includes(status), `${status} is not declared`);
  if (status === endpoint.status && endpoint.reply !== undefined) assert.deepEqual(replyCheckOf(endpoint)(body), []);
  const code = errorCodeOf(body);
  // Any endpoint may return ERR001 for a request that it cannot parse.
  if (status >= 400 && code !== undefined && code !== "ERR001")
    assert.ok(
      endpoint.errors.some((one) => one === code),
      `${code} is not declared`,
    );
}

/** What wallet apps and OpenID clients call refuses as OAuth does (RFC 6749, section 5.2, and RFC 9207). */
function isOauthRefusal(path: string, body: unknown): boolean {
  if (!/^\/(credentials|openid)\//.test(path) || typeof body !== "object" || body === null || !("error" in body))
    return false;
  const known = ["error", "error_description", ...(path.startsWith("/openid/") ? ["iss", "scope", "state"] : [])];
  assert.deepEqual(
    Object.keys(body).filter((name) => !known.includes(name)),
    [],
  );
  return true;
}

function statusesOf(
  { status, redirects, errors, refusals = [], auth, path: declared }: Endpoint,
  path: string,
): number[] {
  return [
    status,
    ...(redirects === undefined ? [] : [302]),
    ...errors.map((code) => catalog[code].status),
    ...refusals,
    // The wallet's own calls need a wallet session, which a declaration cannot express.
    ...(auth !== "none" || /^\/api\/(account|page|session)/.test(declared) ? [401] : []),
    ...(path.includes("*") ? otherRouteStatuses : []),
  ];
}

/** Checks the error envelope and its request id. In problem details, it first removes the extra members. */
function assertRefusal({ status, headers }: Seen, body: unknown): void {
  assert.ok(typeof body === "object" && body !== null);
  const plain: Record<string, unknown> = { ...body };
  if (String(headers["content-type"]).startsWith("application/problem"))
    for (const member of ["type", "title", "status", "detail", "instance"]) delete plain[member];
  assertEnvelope(status, plain);
  assert.equal(plain.data.requestId, headers["x-request-id"]);
}

function errorCodeOf(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("data" in body)) return undefined;
  const { data } = body;
  return typeof data === "object" && data !== null && "errorCode" in data ? data.errorCode : undefined;
}
