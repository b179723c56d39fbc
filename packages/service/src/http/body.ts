import type { IncomingHttpHeaders } from "node:http";
import { openBodyBytesMax } from "@countersign/contract/endpoint";
import { logoTypes } from "@countersign/contract/logo";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fail, invalid, type Problem, refuse } from "../domain/failure.ts";
import { keyOwnerOf } from "./auth.ts";
import { addressKey } from "./limits.ts";

/** Maximum nesting of a body. The deepest shape of the contract needs six levels. */
const depthMax = 20;
const problemsMax = 20;
const utf8 = new TextDecoder("utf-8", { fatal: true });
const forbiddenNames = new Set(["__proto__", "constructor", "prototype"]);

/** Parses a body. Rejects values that no endpoint can process safely, and names their paths. */
export function parseJsonBody(bytes: Buffer, valuesMax: number): unknown {
  if (bytes.length === 0) return undefined;
  if (hasMoreValues(bytes, valuesMax)) throw refuse(413, `The body must not have more than ${valuesMax} values.`);
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw fail("ERR001", {}, "The body is not valid JSON.");
  }
  const problems: Problem[] = [];
  inspect(value, ["body"], problems);
  if (problems.length > 0) throw invalid(problems);
  return value;
}

const [comma, brace, bracket] = [",", "{", "["].map((one) => one.charCodeAt(0));

/**
 * Counts the characters that can begin a value, before anything is parsed. Parsing many tiny values would block the
 * process for seconds. Commas and brackets in strings count too; the limits allow for that.
 */
function hasMoreValues(bytes: Buffer, valuesMax: number): boolean {
  let values = 0;
  for (const byte of bytes) {
    if (byte !== comma && byte !== brace && byte !== bracket) continue;
    values += 1;
    if (values > valuesMax) return true;
  }
  return false;
}

/** `keys` is the path to the value. It is joined only for a problem, because most bodies have none. */
function inspect(value: unknown, keys: string[], problems: Problem[]): void {
  const note = (message: string) => problems.push({ path: keys.map((key) => key.slice(0, 60)).join("."), message });
  if (problems.length >= problemsMax) return;
  if (typeof value === "string") {
    if (value.includes("\0")) note("Use text without NUL characters.");
    else if (!value.isWellFormed()) note("Use well-formed Unicode.");
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (keys.length > depthMax) {
    note(`must not be nested more than ${depthMax} levels deep`);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    // Do not repeat a key that may be hostile.
    if (forbiddenNames.has(key) || key.includes("\0") || !key.isWellFormed())
      note("has a member with a forbidden name");
    else {
      keys.push(key);
      inspect(member, keys, problems);
      keys.pop();
    }
    if (problems.length >= problemsMax) return;
  }
}

const charsets = ["utf-8", "utf8", "us-ascii"];

/** Refuses a body that is compressed, or whose text is not UTF-8. No parser reads such bytes. */
export function assertPlainBody(headers: IncomingHttpHeaders): void {
  const { "content-encoding": encoding = "", "content-type": type = "" } = headers;
  if (!["", "identity"].includes(encoding.trim().toLowerCase()))
    throw refuse(415, "Send the body without Content-Encoding: compressed bodies are not read.", {
      "accept-encoding": "identity",
    });
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type)?.[1]?.toLowerCase();
  if (charset !== undefined && !charsets.includes(charset))
    throw refuse(415, "Send the body in UTF-8, and name no other charset in Content-Type.");
}

/** Makes a scope accept only images. Other paths return 415 for images. */
export function acceptOnlyImages(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([...logoTypes], { parseAs: "buffer" }, async (_: unknown, body: Buffer) => body);
  scope.addContentTypeParser("*", async () => undefined);
}

/** The bytes of the image, and the media type that the sender declares. */
export function pictureIn({ body, headers }: FastifyRequest): { bytes: Buffer; mimeType: string | undefined } {
  return {
    bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    mimeType: headers["content-type"]?.split(";")[0]?.trim().toLowerCase(),
  };
}

const allBytesMax = 64 * 1024 * 1024;
/** Of one customer, or of one address if no key names the customer. It is enough for two of the largest bodies. */
export const callerBytesMax = 16 * 1024 * 1024;

const heldBy = new Map<string, number>();
let held = 0;

/**
 * Reserves memory for a body until its answer is sent. A body of unknown length counts as the largest that `bytesMax`
 * allows. Small bodies need no reservation: a connection costs as much.
 */
export function holdBody(request: FastifyRequest, reply: FastifyReply, bytesMax: number): void {
  const bytes = Math.min(bytesMax, lengthOf(request) ?? bytesMax);
  if (bytes <= openBodyBytesMax) return;
  const caller = callerKeyOf(request);
  const ofCaller = heldBy.get(caller) ?? 0;
  if (held + bytes > allBytesMax || ofCaller + bytes > callerBytesMax)
    throw refuse(429, "Too many large bodies are being processed. Wait for the answers to those that you sent.", {
      "retry-after": "1",
    });
  held += bytes;
  heldBy.set(caller, ofCaller + bytes);
  // Emitted once, also if the connection breaks.
  reply.raw.once("close", () => {
    held -= bytes;
    const left = (heldBy.get(caller) ?? 0) - bytes;
    if (left > 0) heldBy.set(caller, left);
    else heldBy.delete(caller);
  });
}

/** Whose share of the memory a request uses: the customer's, or the address's if no key names a customer. */
export function callerKeyOf(request: FastifyRequest): string {
  return keyOwnerOf(request)?.brand.customerUuid ?? addressKey(request.ip);
}

/** Null if the sender does not say how long the body is. */
function lengthOf({ headers }: FastifyRequest): number | null {
  if (headers["transfer-encoding"] !== undefined) return null;
  return Number(headers["content-length"] ?? 0);
}
