/**
 * Calls what the page gave us. What it throws is the page's own fault, and is reported as if nothing of ours had been
 * in between: the SDK goes on.
 */
export function tell<Value>(callback: ((value: Value) => void) | undefined, value: Value): void {
  try {
    callback?.(value);
  } catch (error) {
    report(error);
  }
}

function report(error: unknown): void {
  if (typeof reportError === "function") reportError(error);
  else
    setTimeout(() => {
      throw error;
    });
}
