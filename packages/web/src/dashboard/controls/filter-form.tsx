import { minuteMs } from "@countersign/contract/time";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { words } from "../words.ts";
import { Button } from "./button.tsx";
import { FoldedFilters } from "./fold.tsx";

type FormProps = {
  label: string;
  /** How many filters are set. */
  count: number;
  onClear(): void;
  children: ComponentChildren;
};

/** Fields that filter a list, with a button that clears them. */
export function FilterForm({ label, count, onClear, children }: FormProps) {
  return (
    <form class="filter" aria-label={label} onSubmit={(event) => event.preventDefault()}>
      <FoldedFilters count={count}>
        {children}
        {count === 0 ? null : (
          <div class="row-actions">
            <Button label={words.filter.clear} onClick={onClear} />
          </div>
        )}
      </FoldedFilters>
    </form>
  );
}

type Range = Record<"from" | "to", string>;

/** The beginning and the end of a range, each in Unix milliseconds or empty. */
export function FromTo({ id, range, put }: { id: string; range: Range; put(changed: Partial<Range>): void }) {
  return (
    <>
      {(["from", "to"] as const).map((name) => (
        <Instant
          key={name}
          id={`${id}-${name}`}
          label={words.filter[name]}
          value={localOf(range[name])}
          onInput={(value) => put({ [name]: millisOf(value) })}
        />
      ))}
    </>
  );
}

type InstantProps = { id: string; label: string; value: string; onInput(value: string): void };

/** An input for a time. Its zone is named once per page: `2026-11-23T16:00`. */
export function Instant({ id, label, value, onInput }: InstantProps) {
  const [typed, setTyped] = useState(value);
  const [given, setGiven] = useState(value);
  if (value !== given) {
    setGiven(value);
    setTyped(value);
  }
  const type = (text: string) => {
    setTyped(text);
    // While a year is typed, its value is a year like 0002. Ignore it.
    if (text === "" || Date.parse(text) > 0) onInput(text);
  };
  return (
    <Field
      id={id}
      label={label}
      input={{ type: "datetime-local", value: typed, onInput: (event) => type(event.currentTarget.value) }}
    />
  );
}

/** The time of an `Instant` in Unix milliseconds. Empty stays empty. */
function millisOf(local: string): string {
  return local === "" ? "" : String(Date.parse(local));
}

/** The text of an `Instant`. Empty if there is no time. */
function localOf(millis: string): string {
  if (!/^[0-9]{1,15}$/.test(millis)) return "";
  const at = new Date(Number(millis));
  return new Date(at.getTime() - at.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);
}
