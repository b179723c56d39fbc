import { useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { Select } from "../controls/controls.tsx";
import { words } from "../words.ts";
import type { FieldWords } from "./field-words.ts";

const say = words.settings;
const own = "own";

type Props = {
  id: string;
  label: string;
  hint: string | undefined;
  error?: string;
  field: FieldWords & { kind: "pattern" };
  value: string;
  onChange(value: string): void;
};

/** A field for a pattern: a common one, or a custom one. */
export function PatternField({ id, label, hint, error, field, value, onChange }: Props) {
  const isKnown = field.choices.some((one) => one.value === value);
  const [wantsOwn, setWantsOwn] = useState(false);
  const isOwn = wantsOwn || !isKnown;
  const problem = error === undefined ? {} : { error };
  return (
    <>
      <Select
        id={isOwn ? `${id}-usual` : id}
        label={label}
        hint={hint}
        {...(isOwn ? {} : problem)}
        value={isOwn ? own : value}
        choices={[...field.choices, { value: own, label: say.ownPattern }]}
        onChange={(next) => {
          setWantsOwn(next === own);
          if (next !== own) onChange(next);
        }}
      />
      {isOwn ? (
        <Field
          id={id}
          label={say.patternOf(label)}
          hint={field.says}
          {...problem}
          input={{
            value,
            maxLength: field.max,
            spellcheck: false,
            onInput: (event) => onChange(event.currentTarget.value),
          }}
        />
      ) : null}
    </>
  );
}
