/**
 * The only way to call a vendor that the operator trusts, with a deadline, few retries, a circuit breaker and metrics.
 */
import { SpanKind, trace } from "@opentelemetry/api";
import { Agent } from "undici";
import type { Clock } from "../domain/ports.ts";
import { type BreakerState, openBreaker } from "./breaker.ts";
import { attempt, type CallAnswer } from "./call.ts";
import type { Timer } from "./timer.ts";

/** Waits before a retry, milliseconds. A longer `Retry-After` is honored if the deadline allows it. */
const repeatDelaysMs = [200, 1_000];
const connectTimeoutMs = 3_000;
/** The most that an answer of a vendor may have, unless a call says otherwise. */
export const answerBytesMax = 1024 * 1024;

/** Receives notes about calls, for metrics and the console. The names are fixed words, so they can be labels. */
export type CallNotes = {
  /** `at`: when the call began, Unix milliseconds. */
  called(note: { vendor: string; operation: string; outcome: string; at: number; durationMs: number }): void;
  /** `isHit`: whether the answer has what was asked for, such as a person who was found. */
  answered(note: { vendor: string; isHit: boolean }): void;
  breakerTurned(note: { vendor: string; state: BreakerState }): void;
};
export const noNotes: CallNotes = { called() {}, answered() {}, breakerTurned() {} };

/** The shared resources of adapters. */
export type VendorTools = { clock: Clock; timer: Timer; notes: CallNotes };

/**
 * When a call may be retried. `always`: the vendor recognizes a repeat, or the call changes nothing. `untouched`: only
 * if the vendor certainly did nothing. `never`: in no case.
 */
export type Repeats = "always" | "untouched" | "never";

type VendorCall = {
  operation: string;
  method: "GET" | "POST";
  url: string;
  headers?: Record<string, string>;
  body?: string;
  deadlineMs: number;
  repeats: Repeats;
  bytesMax?: number;
};
export type Vendor = { call(input: VendorCall): Promise<CallAnswer>; close(): Promise<void> };

/** A vendor failed or sent an unusable answer. The message never contains sent or received data. */
export class VendorFailure extends Error {
  override name = "VendorFailure";
}

export function openVendor(name: string, tools: VendorTools): Vendor {
  const { clock, timer, notes } = tools;
  const dispatcher = new Agent({
    connect: { timeout: connectTimeoutMs },
    // If the vendor closes a connection while we reuse it, the result of the call is unknown. So keep connections
    // briefly.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
  });
  const breaker = openBreaker(clock, (state) => notes.breakerTurned({ vendor: name, state }));
  const callOnce = async (input: VendorCall, timeoutMs: number): Promise<CallAnswer> => {
    const { operation, repeats: _, deadlineMs: __, bytesMax = answerBytesMax, headers = {}, ...rest } = input;
    const begun = clock.now();
    const span = trace.getTracer("countersign").startSpan(`${name} ${operation}`, { kind: SpanKind.CLIENT });
    const answer = breaker.admits()
      ? await attempt({ dispatcher, timer }, { ...rest, headers, timeoutMs, bytesMax })
      : { kind: "notSent" as const, error: breakerOpen };
    if (answer.kind !== "notSent" || answer.error !== breakerOpen)
      breaker.record(isBreakdown(answer) ? "failed" : "alive");
    const outcome = outcomeOf(answer);
    span.setAttribute("outcome", outcome).end();
    notes.called({ vendor: name, operation, outcome, at: begun, durationMs: clock.now() - begun });
    return answer;
  };
  return {
    async call(input) {
      const endsAt = clock.now() + input.deadlineMs;
      let answer = await callOnce(input, input.deadlineMs);
      for (const delayMs of repeatDelaysMs) {
        if (!mayRepeat(answer, input.repeats)) return answer;
        const waitMs = Math.max(delayMs, retryAfterMs(answer, clock.now()));
        if (clock.now() + waitMs >= endsAt) return answer;
        await timer.pause(waitMs);
        answer = await callOnce(input, endsAt - clock.now());
      }
      return answer;
    },
    close: () => dispatcher.destroy(),
  };
}

const breakerOpen = "breaker open";

function isBreakdown(answer: CallAnswer): boolean {
  return answer.kind !== "answered" || answer.status >= 500;
}

function outcomeOf(answer: CallAnswer): string {
  return answer.kind === "answered" ? `${Math.floor(answer.status / 100)}xx` : answer.error;
}

/** Whether a call may be retried. A 429, or a 503 with `Retry-After`, was rejected before the vendor did anything. */
function mayRepeat(answer: CallAnswer, repeats: Repeats): boolean {
  if (repeats === "never") return false;
  if (answer.kind === "notSent") return answer.error !== breakerOpen;
  if (answer.kind === "unknown") return repeats === "always";
  if (answer.status === 429 || (answer.status === 503 && answer.retryAfter !== null)) return true;
  return repeats === "always" && answer.status >= 500;
}

/** `Retry-After` in milliseconds, from seconds or a date. 0 if it is missing or invalid. */
function retryAfterMs(answer: CallAnswer, now: number): number {
  if (answer.kind !== "answered" || answer.retryAfter === null) return 0;
  const text = answer.retryAfter.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
