/** Whether an answer is one that its endpoint declares, whatever it was asked. */
import assert from "node:assert/strict";
import type { Endpoint } from "@countersign/contract/endpoint";
import { catalogue } from "@countersign/contract/errors";
import { type Check, compileCheck } from "../domain/validate.ts";
import { assertEnvelope } from "./harness.ts";
import type { Route } from "./routes-of.ts";

export type Seen = { status: number; headers: Record<string, unknown>; text: string };

/** What a breakdown would show of itself: a stack, a statement, a module's path. */
const insides =
  /\bat .{1,80}[:(]\d+:\d+|node_modules|file:\/\/|\.ts:\d|\bselect .{1,200} from |\binsert into |syntax error at|violates .{1,40} constraint|invalid input syntax|relation "|kysely|ECONNREFUSED/i;
/** Before any endpoint: the address is none, the body is too large, of another kind, or asked too often. */
const ofAll = [400, 413, 414, 415, 429];
/** A changed path may be another path, or none. */
const ofOtherPaths = [404, 405];
const checks = new Map<Endpoint, Check>();

function replyCheckOf(endpoint: Endpoint): Check {
  const found = checks.get(endpoint) ?? compileCheck(endpoint.reply ?? {}, "reply");
  checks.set(endpoint, found);
  return found;
}

/** `plain`: the path is as declared, so that no other endpoint can have answered. */
export function assertDeclared({ endpoint, path }: Route, seen: Seen, about: { isPlainPath: boolean }): void {
  const { status, headers, text } = seen;
  assert.ok(status < 500, "it broke");
  // Programs and papers of ours may say such things.
  if (endpoint !== null || status >= 400) assert.doesNotMatch(text, insides);
  const isJson = /^application\/(problem\+)?json/.test(String(headers["content-type"]));
  const body: unknown = isJson ? JSON.parse(text) : undefined;
  if (status >= 400 && (isJson || endpoint !== null)) assertRefusal(seen, body);
  if (endpoint === null || !about.isPlainPath) return;
  const declared = [...ofAll, ...statusesOf(endpoint, path)];
  assert.ok(declared.includes(status), `${status} is not declared`);
  if (status === endpoint.status && endpoint.reply !== undefined) assert.deepEqual(replyCheckOf(endpoint)(body), []);
  const code = errorCodeOf(body);
  // ERR001 is what any endpoint says of a request that cannot be read.
  if (status >= 400 && code !== undefined && code !== "ERR001")
    assert.ok(
      endpoint.errors.some((one) => one === code),
      `${code} is not declared`,
    );
}

function statusesOf(
  { status, redirects, errors, refusals = [], auth, path: declared }: Endpoint,
  path: string,
): number[] {
  return [
    status,
    ...(redirects === undefined ? [] : [302]),
    ...errors.map((code) => catalogue[code].status),
    ...refusals,
    // The wallet's own calls need a session of theirs, which the declaration has no word for.
    ...(auth !== "none" || /^\/api\/(account|page|session)/.test(declared) ? [401] : []),
    ...(path.includes("*") ? ofOtherPaths : []),
  ];
}

/** The envelope, under the id of its answer; as a problem, the same and its own members. */
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
