import { useState } from "preact/hooks";
import { problemWith, type Trouble } from "../dashboard/api.ts";
import { TextArea } from "../dashboard/controls/controls.tsx";
import { say } from "./words.ts";

/** The field for the reason of an act or a look. `given` returns the reason, or shows why there is none. */
export function useReason() {
  const [typed, setTyped] = useState("");
  const [isShort, setShort] = useState(false);
  return {
    given(): string | null {
      // The log shows it in one line.
      const reason = typed.replace(/\s+/g, " ").trim();
      if (reason.length >= 3) return reason;
      setShort(true);
      return null;
    },
    field: (hint: string, trouble: Trouble | null) => (
      <TextArea
        id="reason"
        label={say.reason.label}
        hint={hint}
        error={isShort ? say.reason.short : problemWith(trouble, "reason")}
        rows={2}
        maxLength={300}
        value={typed}
        onInput={(value) => {
          setTyped(value);
          setShort(false);
        }}
      />
    ),
  };
}
