/**
 * Calls a callback of the page. If it throws, the browser reports an uncaught error of the page, and the SDK continues.
 */
export function callSafely<Value>(callback: ((value: Value) => void) | undefined, value: Value): void {
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
