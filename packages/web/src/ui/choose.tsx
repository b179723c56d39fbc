import { useEffect, useRef, useState } from "preact/hooks";
import { About, describedBy, Label } from "./field.tsx";

export type Option = { value: string; label: string };
type Props = {
  id: string;
  label: string;
  hint?: string;
  error?: string;
  /** The number of options found, for screen readers. It is visible only if there are none. */
  found(count: number): string;
  /** Replaces the hint if the search failed. */
  failed: string;
  /** Resolves to null if the search failed. */
  search(text: string): Promise<Option[] | null>;
  onChoose(option: Option | null): void;
};

/** How long typing must pause before a search, in milliseconds. */
const restMs = 200;

/**
 * A combobox: a text box with a list of search results. The person chooses with the pointer, or with arrow keys and
 * Enter.
 */
export function Choose({ id, label, hint, error, found, failed, search, onChoose }: Props) {
  const [text, setText] = useState("");
  const [options, setOptions] = useState<Option[] | null>();
  const [active, setActive] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const latest = useRef("");
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" }), [active]);

  const show = (answer?: Option[] | null) => {
    setOptions(answer);
    setActive(-1);
    setOpen((answer?.length ?? 0) > 0);
  };
  const type = (next: string) => {
    setText(next);
    onChoose(null);
    latest.current = next;
    window.clearTimeout(timer.current);
    if (next.trim() === "") return show();
    timer.current = window.setTimeout(async () => {
      const answer = await search(next);
      // Ignore an answer to an earlier text.
      if (latest.current === next) show(answer);
    }, restMs);
  };
  const choose = (option: Option | undefined) => {
    if (option === undefined) return;
    latest.current = option.label;
    setText(option.label);
    setOpen(false);
    onChoose(option);
  };
  const shownHint = isOpen || error !== undefined ? undefined : hint;
  const count = options?.length ?? 0;
  const nothing = options === null ? failed : options?.length === 0 ? found(0) : undefined;
  const move = (event: KeyboardEvent, by: number) => {
    event.preventDefault();
    if (!isOpen) return setOpen(count > 0);
    setActive((active + by + count) % count);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") move(event, 1);
    if (event.key === "ArrowUp") move(event, active < 0 ? 0 : -1);
    if (event.key === "Escape") setOpen(false);
    if (event.key !== "Enter" || !isOpen) return;
    event.preventDefault();
    choose(options?.[active] ?? options?.[0]);
  };
  return (
    <div class="field choose">
      <Label id={id} label={label} />
      <input
        id={id}
        class="input"
        type="text"
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen && active >= 0 ? `${id}-${active}` : undefined}
        aria-describedby={describedBy(id, { hint: nothing ?? shownHint, error })}
        aria-invalid={error === undefined ? undefined : "true"}
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      <Listbox {...{ id, label, options, active }} isOpen={isOpen} onChoose={choose} />
      <p class="hidden" role="status">
        {nothing ?? (isOpen ? found(count) : "")}
      </p>
      <About id={id} hint={nothing ?? shownHint} error={error} />
    </div>
  );
}

type ListboxProps = {
  id: string;
  label: string;
  options: Option[] | null | undefined;
  active: number;
  isOpen: boolean;
  onChoose(option: Option): void;
};

function Listbox({ id, label, options, active, isOpen, onChoose }: ListboxProps) {
  return (
    <div id={`${id}-list`} role="listbox" aria-label={label} class="options" hidden={!isOpen}>
      {options?.map((option, index) => (
        <div
          key={option.value}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onMouseDown={(event) => {
            // Keep the focus in the text box.
            event.preventDefault();
            onChoose(option);
          }}
        >
          {option.label}
        </div>
      ))}
    </div>
  );
}
