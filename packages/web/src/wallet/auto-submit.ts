import { useEffect, useRef } from "preact/hooks";
import { digitCount } from "./digit-mask.ts";

/** How long a pasted or autofilled text stays visible before it is sent, in milliseconds. */
const readMs = 600;

/**
 * Sends a complete input automatically: at once after its last typed digit, or after a moment if the whole text came at
 * once. A correction inside the text may be followed by another one, so only the button sends it.
 */
export function useAutoSubmit(send: (text: string) => void) {
  const timer = useRef<number | undefined>(undefined);
  const latest = useRef(send);
  latest.current = send;
  const cancel = () => window.clearTimeout(timer.current);
  useEffect(() => cancel, []);
  return {
    /** `before`: the text before this edit. */
    complete({ value, selectionEnd }: Pick<HTMLInputElement, "value" | "selectionEnd">, before: string) {
      cancel();
      if (selectionEnd !== null && selectionEnd < value.length) return;
      if (digitCount(value) === digitCount(before) + 1) latest.current(value);
      else timer.current = window.setTimeout(() => latest.current(value), readMs);
    },
    /** Call this when the person edits the text or presses the button. */
    cancel,
  };
}
