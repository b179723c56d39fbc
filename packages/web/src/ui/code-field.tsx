import { digitsIn } from "@countersign/contract/typed-text";
import type { ComponentChildren, RefObject } from "preact";
import { Field } from "./field.tsx";

export const codeLength = 6;
const half = codeLength / 2;

/** The digits of a typed or pasted code, without separators. */
export const codeDigits = (text: string) => digitsIn(text).slice(0, codeLength);
const separator = "-";
const spaced = (digits: string) =>
  digits.length > half ? `${digits.slice(0, half)}${separator}${digits.slice(half)}` : digits;

type Props = {
  label: string;
  isLabelHidden?: boolean;
  hint?: ComponentChildren;
  error?: ComponentChildren;
  isSteady?: boolean;
  digits: string;
  readOnly: boolean;
  inputRef: RefObject<HTMLInputElement | null>;
  onType(text: string): void;
};

/**
 * The input for a texted code. It is a single input, for typing, pasting and autofill, with six cells drawn behind it.
 */
export function CodeField({ digits, readOnly, inputRef, onType, ...field }: Props) {
  return (
    <Field
      {...field}
      id="code"
      behind={<Cells typed={digits.length} />}
      inputRef={inputRef}
      input={{
        class: "code",
        type: "text",
        name: "code",
        inputMode: "numeric",
        autoComplete: "one-time-code",
        pattern: "[0-9]{3}-?[0-9]{3}",
        value: spaced(digits),
        readOnly,
        enterKeyHint: "go",
        onInput: (event) => onType(event.currentTarget.value),
      }}
    />
  );
}

/** The cells behind the digits. Once there are enough digits, the input's own separator replaces the drawn one. */
function Cells({ typed }: { typed: number }) {
  const next = Math.min(typed, codeLength - 1);
  const cells = Array.from({ length: codeLength }, (_, index) => (
    <span key={index} class={index === next ? "cell next" : "cell"} />
  ));
  return (
    <span class="cells" aria-hidden="true">
      {cells.slice(0, half)}
      <span class="between">{typed > half ? "" : separator}</span>
      {cells.slice(half)}
    </span>
  );
}
