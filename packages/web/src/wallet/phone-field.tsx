import { readPhone } from "@countersign/contract/typed-text";
import type { RefObject } from "preact";
import { Field } from "../ui/field.tsx";
import { maskInput, phoneMask } from "./digit-mask.ts";
import { useLanguage } from "./language.tsx";

type Props = {
  typed: string;
  trouble: string | undefined;
  inputRef: RefObject<HTMLInputElement | null>;
  setTyped(text: string): void;
  /** The person changed the number. */
  onEdit(): void;
  /** The person completed a number. `before`: the text before this edit. */
  onComplete?(box: HTMLInputElement, before: string): void;
};

/** The input for a US phone number, which it formats while the person types. */
export function PhoneField({ typed, trouble, inputRef, setTyped, onEdit, onComplete }: Props) {
  const { words } = useLanguage();
  return (
    <Field
      id="phone"
      label={words.phoneLabel}
      hint={words.phoneHint}
      error={trouble}
      isSteady
      inputRef={inputRef}
      input={{
        type: "tel",
        name: "phone",
        inputMode: "tel",
        autoComplete: "tel-national",
        maxLength: 64,
        value: typed,
        enterKeyHint: "go",
        onInput: (event) => {
          const text = maskInput({ event, before: typed }, phoneMask);
          const phone = readPhone(text);
          setTyped(text);
          // Password managers may report a text twice. A repeat must not stop a complete number that is about to be
          // sent.
          if (text !== typed) onEdit();
          if (phone !== null && phone !== readPhone(typed)) onComplete?.(event.currentTarget, typed);
        },
      }}
    />
  );
}

/** Formats a US number: (212) 555-0010. Returns any other text unchanged. */
export function phoneText(e164: string): string {
  const found = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(e164);
  return found === null ? e164 : `(${found[1]}) ${found[2]}-${found[3]}`;
}
