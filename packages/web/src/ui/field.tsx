import type { ComponentChildren, InputHTMLAttributes, RefObject } from "preact";
import "./field.css";

export type FieldProps = {
  id: string;
  label: string;
  /** A word next to the label, such as "optional". */
  aside?: string;
  hint?: ComponentChildren;
  error?: ComponentChildren;
  /** Always reserves two lines below the input, so that a hint or an error does not move what follows. */
  isSteady?: boolean;
  /** Shows the hint above an error too, so that it does not move. */
  keepsHint?: boolean;
  /** Hides the label if the heading has the same text. Screen readers still read it. */
  isLabelHidden?: boolean;
  input: InputHTMLAttributes<HTMLInputElement>;
  /** A text inside the box before the input, such as a currency. */
  prefix?: string;
  /** Drawn behind the input. */
  behind?: ComponentChildren;
  inputRef?: RefObject<HTMLInputElement | null>;
};

/** A text input with its label, hint and error. */
export function Field({ id, label, aside, hint: always, error, input, prefix, behind, inputRef, ...look }: FieldProps) {
  const { isSteady = false, keepsHint = false, isLabelHidden = false } = look;
  const hint = error === undefined || keepsHint ? always : undefined;
  const descriptionIds = describedBy(id, { hint, error });
  const box = (
    <input
      {...input}
      id={id}
      ref={inputRef}
      class={`input ${String(input.class ?? "")}`}
      aria-describedby={prefix === undefined ? descriptionIds : [`${id}-prefix`, descriptionIds].join(" ").trim()}
      aria-invalid={error === undefined ? undefined : "true"}
    />
  );
  return (
    <div class="field">
      <Label id={id} label={label} aside={aside} isHidden={isLabelHidden} />
      {prefix !== undefined ? (
        <div class="prefixed">
          <span id={`${id}-prefix`}>{prefix}</span>
          {box}
        </div>
      ) : behind === undefined ? (
        box
      ) : (
        <div class="boxed">
          <div class="slots">
            {behind}
            {box}
          </div>
        </div>
      )}
      <About id={id} hint={hint} error={error} isSteady={isSteady} />
    </div>
  );
}

type LabelProps = Pick<FieldProps, "id" | "label" | "aside"> & { isHidden?: boolean };

export function Label({ id, label, aside, isHidden = false }: LabelProps) {
  return (
    <div class={isHidden ? "hidden" : "label"}>
      <label for={id}>{label}</label>
      {aside === undefined ? null : <span class="optional"> ({aside})</span>}
    </div>
  );
}

export function About({ id, hint, error, isSteady = false }: Pick<FieldProps, "id" | "hint" | "error" | "isSteady">) {
  return (
    <div class={isSteady ? "about-input steady" : "about-input"}>
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p class="problem" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

export function describedBy(id: string, field: Pick<FieldProps, "hint" | "error">): string | undefined {
  const ids = [
    ...(field.error === undefined ? [] : [`${id}-error`]),
    ...(field.hint === undefined ? [] : [`${id}-hint`]),
  ];
  return ids.length === 0 ? undefined : ids.join(" ");
}
