type Props<Value extends string> = {
  name: string;
  label: string;
  value: Value;
  choices: readonly (readonly [Value, string])[];
  onChange(value: Value): void;
};

/** A few choices side by side. */
export function Segments<Value extends string>({ name, label, value, choices, onChange }: Props<Value>) {
  return (
    <fieldset class="segments">
      <legend class="hidden">{label}</legend>
      {choices.map(([one, text]) => (
        <label key={one}>
          <input class="hidden" type="radio" name={name} checked={one === value} onChange={() => onChange(one)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
