/**
 * Limits how many bytes of large sealed values, such as pictures that brands issued, a process has opened at once. A
 * statement reads small values with their rows. Large ones are read afterwards, when `holdLarge` has reserved memory.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { minuteMs } from "@countersign/contract/time";
import { refuse } from "./failure.ts";

/** Sealed bytes. Opened, serialized and sent, a value takes up to eight times as much. */
export const largeBytesMax = 32 * 1024 * 1024;
/** While the requests of one customer hold this much, its other requests wait, so that some is left for others. */
export const largeOfCallerMax = largeBytesMax / 2;
/** Bytes of an answer that need as much memory as one sealed byte whose value is open. */
const answerBytesPerByte = 4;
/** How long a client may take to read an answer with large values. */
const readWithinMs = minuteMs;
/** Requests and jobs that wait for memory, and those of one customer. Past that, they are refused at once. */
const waitingMax = 50;
const waitingOfCallerMax = waitingMax / 2;
const waitMs = 10_000;

/** A request or a job. It holds memory until it ends. */
export type LargeScope = {
  held: number;
  hasEnded: boolean;
  /** The customer, or the address without one. Null for jobs. It is known once the request needs memory. */
  callerOf(): string | null;
  caller?: string | null;
  end(): void;
};
type Waiting = { scope: LargeScope; bytes: number; go(): void };
const scopes = new AsyncLocalStorage<LargeScope>();
const heldOf = new Map<string, number>();
let left = largeBytesMax;
let waiting: Waiting[] = [];

export function newLargeScope(callerOf: () => string | null = () => null): LargeScope {
  return { held: 0, hasEnded: false, callerOf, end() {} };
}

/** Runs a request or a job in its scope. */
export function runInLargeScope<T>(scope: LargeScope, run: () => T): T {
  return scopes.run(scope, run);
}

/** Gives back what a request or a job held. */
export function endLargeScope(scope: LargeScope): void {
  scope.hasEnded = true;
  scope.end();
  giveBack(scope, scope.held);
}

/**
 * A request with large values has been answered. From now on only the answer needs memory. `breakOff` is called if the
 * client has not read it within a minute.
 */
export function answerLarge(scope: LargeScope, answer: { bytes: number; breakOff(): void }): void {
  giveBack(scope, Math.max(0, scope.held - Math.ceil(answer.bytes / answerBytesPerByte)));
  const timer = setTimeout(answer.breakOff, readWithinMs);
  scope.end = () => clearTimeout(timer);
}

/** Changes what a request holds. */
function take(scope: LargeScope, bytes: number): void {
  left -= bytes;
  scope.held += bytes;
  const caller = callerIn(scope);
  if (caller === null) return;
  const held = (heldOf.get(caller) ?? 0) + bytes;
  if (held > 0) heldOf.set(caller, held);
  else heldOf.delete(caller);
}

function giveBack(scope: LargeScope, bytes: number): void {
  take(scope, -bytes);
  for (let next = firstWaiting(); next !== undefined && next.bytes <= left; next = firstWaiting()) {
    remove(next);
    take(next.scope, next.bytes);
    next.go();
  }
}

function callerIn(scope: LargeScope): string | null {
  scope.caller ??= scope.callerOf();
  return scope.caller;
}

/** Whether other requests of the caller hold its share. */
function isShareUsed(scope: LargeScope): boolean {
  const caller = callerIn(scope);
  return caller !== null && (heldOf.get(caller) ?? 0) - scope.held >= largeOfCallerMax;
}

/** The first request whose caller holds less than their share. */
const firstWaiting = () => waiting.find(({ scope }) => !isShareUsed(scope));

function remove(one: Waiting): void {
  waiting = waiting.filter((other) => other !== one);
}

function mayJoin(scope: LargeScope): boolean {
  const caller = callerIn(scope);
  const own = waiting.filter((one) => caller !== null && callerIn(one.scope) === caller);
  return waiting.length < waitingMax && own.length < waitingOfCallerMax;
}

/**
 * Reserves memory for large values until the current request or job ends; those that it reads one after another may use
 * the same memory. Waits up to 10 seconds, except in a transaction, which would keep its connection and locks. Answers
 * 429 then.
 */
export async function holdLarge(bytes: number, { mayWait }: { mayWait: boolean }): Promise<void> {
  const scope = scopes.getStore();
  if (scope === undefined) return;
  const more = Math.min(bytes, largeBytesMax) - scope.held;
  if (more <= 0) return;
  if (firstWaiting() === undefined && !isShareUsed(scope) && more <= left) take(scope, more);
  else if (!mayWait || !mayJoin(scope) || !(await waitFor(scope, more))) throw isBusy();
  // The caller went away during the wait.
  if (scope.hasEnded) endLargeScope(scope);
}

/** False if there was no memory in time. */
function waitFor(scope: LargeScope, bytes: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const one = { scope, bytes, go: () => resolve(true) };
  const timer = setTimeout(() => {
    remove(one);
    resolve(false);
  }, waitMs);
  waiting.push(one);
  return promise.finally(() => clearTimeout(timer));
}

function isBusy() {
  return refuse(429, "Too many large values are being read. Try again in a few seconds.", { "retry-after": "5" });
}
