import { useEffect, useRef, useState } from "preact/hooks";
import { Field, type FieldProps } from "../ui/field.tsx";
import { useLanguage } from "./language.tsx";
import { inSentence, ValueText } from "./values.tsx";

type Props = FieldProps & { fieldKey: string; masked: string; fixed?: boolean };

/**
 * A value with hidden digits, and a button that shows an empty field in its place. The value stays as it is unless the
 * person types another one. A fixed value has no button.
 */
export function KeptField({ fieldKey, masked, fixed = false, ...field }: Props) {
  const { words } = useLanguage();
  const [hasText] = useState(field.input.value !== "");
  const [isChanging, setChanging] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isChanging) input.current?.focus();
  }, [isChanging]);
  if (!fixed && (hasText || isChanging)) return <Field {...field} inputRef={input} />;
  return (
    <div class="field">
      <div class="label">{field.label}</div>
      <div class={fixed ? undefined : "kept"}>
        <ValueText fieldKey={fieldKey} choice={{ text: masked, sources: [] }} />
        {!fixed && (
          <button type="button" class="link" onClick={() => setChanging(true)}>
            {words.change}
            <span class="hidden"> {inSentence(field.label)}</span>
          </button>
        )}
      </div>
    </div>
  );
}
