import { useEffect, useRef, useState } from "preact/hooks";
import { About, describedBy, Label } from "./field.tsx";

export type Option = { value: string; label: string };
type Props = {
  id: string;
  label: string;
  hint?: string;
  error?: string;
  /** The announcement for screen readers of how many options were found. */
  found(count: number): string;
  search(text: string): Promise<Option[]>;
  onChoose(option: Option | null): void;
};

/** How long typing must pause before a search, in milliseconds. */
const restMs = 200;

/**
 * A combobox: a text box with a list of search results. The person chooses with the pointer, or with arrow keys and
 * Enter.
 */
export function Choose({ id, label, hint, error, found, search, onChoose }: Props) {
  const [text, setText] = useState("");
  const [options, setOptions] = useState<Option[]>([]);
  const [active, setActive] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const latest = useRef("");
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const type = (next: string) => {
    setText(next);
    onChoose(null);
    latest.current = next;
    window.clearTimeout(timer.current);
    if (next.trim() === "") return setOpen(false);
    timer.current = window.setTimeout(async () => {
      const answer = await search(next);
      // The text has changed since this search, so ignore its response.
      if (latest.current !== next) return;
      setOptions(answer);
      setActive(-1);
      setOpen(answer.length > 0);
    }, restMs);
  };
  const choose = (option: Option | undefined) => {
    if (option === undefined) return;
    latest.current = option.label;
    setText(option.label);
    setOpen(false);
    onChoose(option);
  };
  const move = (event: KeyboardEvent, by: number) => {
    event.preventDefault();
    if (!isOpen) return setOpen(options.length > 0);
    setActive((active + by + options.length) % options.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") move(event, 1);
    if (event.key === "ArrowUp") move(event, active < 0 ? 0 : -1);
    if (event.key === "Escape") setOpen(false);
    if (event.key !== "Enter" || !isOpen) return;
    event.preventDefault();
    choose(options[active] ?? options[0]);
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
        aria-describedby={describedBy(id, { hint, error })}
        aria-invalid={error === undefined ? undefined : "true"}
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      <div id={`${id}-list`} role="listbox" aria-label={label} class="options" hidden={!isOpen}>
        {options.map((option, index) => (
          <div
            key={option.value}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onMouseDown={(event) => {
              // Keeps the focus in the text box.
              event.preventDefault();
              choose(option);
            }}
          >
            {option.label}
          </div>
        ))}
      </div>
      <p class="hidden" role="status">
        {isOpen ? found(options.length) : ""}
      </p>
      <About id={id} hint={hint} error={error} />
    </div>
  );
}
