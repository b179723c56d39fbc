import type { RefObject } from "preact";
import { Field } from "../ui/field.tsx";
import { useLanguage } from "./language.tsx";
import { phoneText, readPhone } from "./phone-number.ts";

type Props = {
  typed: string;
  trouble: string | undefined;
  inputRef: RefObject<HTMLInputElement | null>;
  setTyped(text: string): void;
  /** The person changed the number. */
  onEdit(): void;
};

/** The input for a US phone number. It formats a complete number when the focus leaves. */
export function PhoneField({ typed, trouble, inputRef, setTyped, onEdit }: Props) {
  const { words } = useLanguage();
  return (
    <Field
      id="phone"
      label={words.phoneLabel}
      hint={words.phoneHint}
      error={trouble}
      inputRef={inputRef}
      input={{
        type: "tel",
        name: "phone",
        inputMode: "tel",
        autoComplete: "tel-national",
        maxLength: 24,
        value: typed,
        enterKeyHint: "go",
        onInput: (event) => {
          setTyped(event.currentTarget.value);
          onEdit();
        },
        onBlur: () => setTyped(phoneText(readPhone(typed) ?? typed)),
      }}
    />
  );
}
