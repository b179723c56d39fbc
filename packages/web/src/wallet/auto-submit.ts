import { useEffect, useRef } from "preact/hooks";
import { digitCount } from "./digit-mask.ts";

/** How long a pasted or autofilled text stays visible before it is sent, in milliseconds. */
const readMs = 600;

/**
 * Sends a complete input automatically: at once after its last typed digit, or after a moment if the whole text came at
 * once.
 */
export function useAutoSubmit(send: (text: string) => void) {
  const timer = useRef<number | undefined>(undefined);
  const latest = useRef(send);
  latest.current = send;
  const cancel = () => window.clearTimeout(timer.current);
  useEffect(() => cancel, []);
  return {
    complete(text: string, before: string) {
      cancel();
      if (digitCount(text) === digitCount(before) + 1) latest.current(text);
      else timer.current = window.setTimeout(() => latest.current(text), readMs);
    },
    /** Call this when the person edits the text or presses the button. */
    cancel,
  };
}
