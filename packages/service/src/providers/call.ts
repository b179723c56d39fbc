import { type Dispatcher, request } from "undici";
import { kindOf } from "./outbound.ts";
import type { Timer } from "./timer.ts";

/** What became of one request to a vendor. `error` names the kind only: bodies, numbers and keys are never repeated. */
export type CallAnswer =
  /** Answered in full. */
  | { kind: "answered"; status: number; text: string; retryAfter: string | null }
  /** It certainly did not reach the vendor. */
  | { kind: "notSent"; error: string }
  /** It may have reached the vendor: no answer in time, half of one, or more than anybody would send. */
  | { kind: "unknown"; error: string };

export type Attempt = {
  method: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
  /** Of an answer that is longer nothing is used. */
  bytesMax: number;
};

/** How connecting can fail: before a byte of the request is sent. */
const beforeSending = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** One request, without repetition; redirects are not followed. Never throws. */
export async function attempt(about: { dispatcher: Dispatcher; timer: Timer }, what: Attempt): Promise<CallAnswer> {
  const late = new AbortController();
  const onTime = about.timer.after(what.timeoutMs, () => late.abort());
  try {
    const answer = await request(what.url, {
      method: what.method,
      headers: what.headers,
      ...(what.body === undefined ? {} : { body: what.body }),
      dispatcher: about.dispatcher,
      signal: late.signal,
      // The deadline is the timer's alone.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const text = await readText(answer.body, what.bytesMax);
    if (text === null) return { kind: "unknown", error: "answer too long" };
    const after = answer.headers["retry-after"];
    return {
      kind: "answered",
      status: answer.statusCode,
      text,
      retryAfter: typeof after === "string" ? after : null,
    };
  } catch (error) {
    if (late.signal.aborted) return { kind: "unknown", error: "timeout" };
    return { kind: wasNotSent(error) ? "notSent" : "unknown", error: kindOf(error) };
  } finally {
    onTime();
  }
}

async function readText(body: Dispatcher.ResponseData["body"], bytesMax: number): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > bytesMax) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function wasNotSent(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return beforeSending.has(code) || code === "UND_ERR_CONNECT_TIMEOUT" || kindOf(error) === "certificate not valid";
}
