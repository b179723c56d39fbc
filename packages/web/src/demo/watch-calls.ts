/** Watches the calls that the wallet in the frame makes. Only a page on the wallet's own origin can. */

/** A call that has begun. */
export type Begun = { method: string; path: string; body: unknown };
/** How it ended. `status` is 0 if there was no answer. */
export type Ended = { status: number; answer: unknown; durationMs: number };

/** Reports each call of a window. `onCall` returns what to do at its end. */
export function watchCalls(target: Window, onCall: (call: Begun) => (ended: Ended) => void): void {
  const send = target.fetch.bind(target);
  target.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input), target.location.href);
    const startedAt = performance.now();
    const end = onCall({ method: init?.method ?? "GET", path: pathname, body: parsed(init?.body) });
    const ended = (status: number, answer: unknown) =>
      end({ status, answer, durationMs: Math.round(performance.now() - startedAt) });
    try {
      const response = await send(input, init);
      const text = await response.clone().text();
      ended(response.status, parsed(text));
      return response;
    } catch (error) {
      ended(0, undefined);
      throw error;
    }
  };
}

function parsed(text: unknown): unknown {
  if (typeof text !== "string" || text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
