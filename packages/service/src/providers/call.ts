import { type Dispatcher, request } from "undici";
import { kindOf } from "./outbound.ts";
import type { Timer } from "./timer.ts";

/** The result of one request to a vendor. `error` names only the kind: it never contains bodies, numbers or keys. */
export type CallAnswer =
  /** The vendor's complete answer. */
  | { kind: "answered"; status: number; text: string; retryAfter: string | null }
  /** The request did not reach the vendor. */
  | { kind: "notSent"; error: string }
  /**
   * The request may have reached the vendor: no answer in time, an incomplete answer, or an answer that is too long.
   */
  | { kind: "unknown"; error: string };

export type CallAttempt = {
  method: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
  /** A longer answer is discarded. */
  bytesMax: number;
};

/** Connection errors, which occur before any byte of the request is sent. */
const beforeSending = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** Makes one request, without retries. Does not follow redirects. Never throws. */
export async function attempt(
  tools: { dispatcher: Dispatcher; timer: Timer },
  input: CallAttempt,
): Promise<CallAnswer> {
  const timeout = new AbortController();
  const cancelTimeout = tools.timer.after(input.timeoutMs, () => timeout.abort());
  try {
    const answer = await request(input.url, {
      method: input.method,
      headers: input.headers,
      ...(input.body === undefined ? {} : { body: input.body }),
      dispatcher: tools.dispatcher,
      signal: timeout.signal,
      // Only our own timer enforces the deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const text = await readText(answer.body, input.bytesMax);
    if (text === null) return { kind: "unknown", error: "answer too long" };
    const retryAfter = answer.headers["retry-after"];
    return {
      kind: "answered",
      status: answer.statusCode,
      text,
      retryAfter: typeof retryAfter === "string" ? retryAfter : null,
    };
  } catch (error) {
    if (timeout.signal.aborted) return { kind: "unknown", error: "timeout" };
    return { kind: wasNotSent(error) ? "notSent" : "unknown", error: kindOf(error) };
  } finally {
    cancelTimeout();
  }
}

/** Reads a body. Null if it is longer than `bytesMax`. */
export async function readText(body: Dispatcher.ResponseData["body"], bytesMax: number): Promise<string | null> {
  return (await readBytes(body, bytesMax))?.toString("utf8") ?? null;
}

/** Reads a body. Null if it is longer than `bytesMax`. */
export async function readBytes(body: Dispatcher.ResponseData["body"], bytesMax: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > bytesMax) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function wasNotSent(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return beforeSending.has(code) || code === "UND_ERR_CONNECT_TIMEOUT" || kindOf(error) === "certificate not valid";
}
