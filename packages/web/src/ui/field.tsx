import type { ComponentChildren, InputHTMLAttributes, RefObject } from "preact";
import "./field.css";

type Props = {
  id: string;
  label: string;
  /** A word next to the label, such as "optional". */
  aside?: string;
  hint?: ComponentChildren;
  error?: string;
  input: InputHTMLAttributes<HTMLInputElement>;
  /** Drawn behind the input. */
  behind?: ComponentChildren;
  inputRef?: RefObject<HTMLInputElement | null>;
};

/** A text input with its label, hint and error. */
export function Field({ id, label, aside, hint, error, input, behind, inputRef }: Props) {
  const box = (
    <input
      {...input}
      id={id}
      ref={inputRef}
      class={`input ${String(input.class ?? "")}`}
      aria-describedby={describedBy(id, { hint, error })}
      aria-invalid={error === undefined ? undefined : "true"}
    />
  );
  return (
    <div class="field">
      <Label id={id} label={label} aside={aside} />
      {behind === undefined ? (
        box
      ) : (
        <div class="boxed">
          <div class="slots">
            {behind}
            {box}
          </div>
        </div>
      )}
      <About id={id} hint={hint} error={error} />
    </div>
  );
}

export function Label({ id, label, aside }: Pick<Props, "id" | "label" | "aside">) {
  return (
    <div class="label">
      <label for={id}>{label}</label>
      {aside === undefined ? null : <span class="optional"> ({aside})</span>}
    </div>
  );
}

export function About({ id, hint, error }: Pick<Props, "id" | "hint" | "error">) {
  return (
    <>
      {error === undefined ? null : (
        <p class="problem" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}

export function describedBy(id: string, about: { hint?: ComponentChildren; error?: string }): string | undefined {
  const ids = [
    ...(about.error === undefined ? [] : [`${id}-error`]),
    ...(about.hint === undefined ? [] : [`${id}-hint`]),
  ];
  return ids.length === 0 ? undefined : ids.join(" ");
}
