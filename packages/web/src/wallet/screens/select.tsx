import type { ReviewInput } from "@countersign/contract/wallet";
import { useState } from "preact/hooks";
import { About, describedBy, Label } from "../../ui/field.tsx";
import { autoComplete } from "../autofill.ts";
import { useLanguage } from "../language.tsx";
import type { Words } from "../words-en.ts";

type Props = {
  id: string;
  label: string;
  input: ReviewInput;
  /** The word next to the label. */
  aside: string | undefined;
  description: string | undefined;
  text: string;
  problem: string | undefined;
  onType(text: string): void;
};

/** The option that shows all countries. No country has this code. */
const others = "…";

/** A select list. A value that is not among its options stays. */
export function Select({ id, label, input, aside, description, text, problem, onType }: Props) {
  const { words } = useLanguage();
  const all = namedOptions(words, input);
  const isKnown = text === "" || all.some((one) => one.value === text);
  const [isLong, setLong] = useState(false);
  // Almost everyone lives in the first country, so the others follow only on request.
  const isShort = input.key === "country" && !isLong && [all[0]?.value, ""].includes(text);
  const options = isShort ? all.slice(0, 1) : all;
  return (
    <div class="field">
      <Label id={id} label={label} aside={aside} />
      <select
        id={id}
        class="input"
        value={text}
        autoComplete={autoComplete[input.key] ?? "off"}
        aria-invalid={problem === undefined ? undefined : "true"}
        aria-describedby={describedBy(id, { hint: description, error: problem })}
        onChange={({ currentTarget: list }) => {
          if (list.value !== others) return onType(list.value);
          list.value = text;
          setLong(true);
        }}
      >
        <option value="">{input.key === "state" ? "" : words.pick}</option>
        {isKnown ? null : <option value={text}>{text}</option>}
        {options.map((one) => (
          <option key={one.value} value={one.value}>
            {input.key === "state" ? stateText(one, text) : one.label}
          </option>
        ))}
        {isShort ? <option value={others}>{words.otherCountry}</option> : null}
      </select>
      <About id={id} hint={description} error={problem} />
    </div>
  );
}

/** The options of a select list. Countries have names in the current language, with the most common one first. */
function namedOptions({ language }: Words, { key, options = [] }: ReviewInput) {
  if (key !== "country") return options;
  const names = new Intl.DisplayNames(language, { type: "region" });
  const [first, ...rest] = options.map(({ value, label }) => ({ value, label: names.of(value) ?? label }));
  return [...(first === undefined ? [] : [first]), ...rest.sort((a, b) => a.label.localeCompare(b.label, language))];
}

/** The closed list shows only the state's code. The open list shows full names. */
function stateText({ value, label }: { value: string; label: string }, chosen: string): string {
  return value === chosen ? value : `${value} – ${label}`;
}
