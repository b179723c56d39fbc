/** What decides about a retry: the HTTP status (0 without a response) and the response's `Retry-After`. */
type Failure = { code: number; retryAfterSeconds: number | undefined };

export const retriesDefault = 2;
const waitFirstMs = 500;
const waitMaxMs = 8_000;
/** A longer `Retry-After` is returned to the caller instead of waiting. */
const retryAfterMaxMs = 60_000;

/**
 * How long to wait before a retry; the first is 0. Undefined if a retry would fail too. The waits are random, so that
 * clients that failed together do not retry together.
 */
export function waitBefore(retry: number, { code, retryAfterSeconds }: Failure, random: number): number | undefined {
  const isInProgress = code === 409 && retryAfterSeconds !== undefined;
  if (code !== 0 && code !== 429 && code < 500 && !isInProgress) return undefined;
  if (retryAfterSeconds === undefined) return Math.min(waitMaxMs, waitFirstMs * 2 ** retry) * (0.5 + random / 2);
  const waitMs = retryAfterSeconds * 1_000;
  return waitMs <= retryAfterMaxMs ? waitMs : undefined;
}

/** A random number from 0 to 1. */
export function chance(): number {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
  return byte / 255;
}

/** Waits. Rejects with the signal's reason if it aborts meanwhile. */
export function pause(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, waitMs);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
