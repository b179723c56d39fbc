import { inSentence } from "@countersign/contract/names";
import { useEffect, useRef, useState } from "preact/hooks";
import { Field, type FieldProps } from "../ui/field.tsx";
import { useLanguage } from "./language.tsx";
import { ValueText } from "./values.tsx";

type Props = FieldProps & { fieldKey: string; masked: string; onReplace?(): void };

/**
 * A value with hidden digits, and a button that replaces it by an empty field.
 */
export function MaskedField({ fieldKey, masked, onReplace, ...field }: Props) {
  const { words } = useLanguage();
  const [hasText] = useState(field.input.value !== "");
  const [isChanging, setChanging] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isChanging) input.current?.focus();
  }, [isChanging]);
  if (hasText || isChanging) return <Field {...field} inputRef={input} />;
  return (
    <div class="field">
      <div class="label">{field.label}</div>
      <div class="kept">
        <ValueText fieldKey={fieldKey} choice={{ text: masked, sources: [] }} />
        <button
          type="button"
          class="link"
          onClick={() => {
            setChanging(true);
            onReplace?.();
          }}
        >
          {words.change}
          <span class="hidden"> {inSentence(field.label)}</span>
        </button>
      </div>
    </div>
  );
}
