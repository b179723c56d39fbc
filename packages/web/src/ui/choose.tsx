import { useEffect, useRef, useState } from "preact/hooks";
import { About, describedBy, Label } from "./field.tsx";

export type Option = { value: string; label: string };
type Props = {
  id: string;
  label: string;
  hint?: string;
  error?: string;
  /** What is said of how many were found, for those who listen. */
  found(count: number): string;
  search(text: string): Promise<Option[]>;
  onChoose(option: Option | null): void;
};

/** How long typing rests before it is searched for, milliseconds. */
const restMs = 200;

/** A box with a list below it that follows what is typed: chosen by pointer, or by arrows and Enter. */
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
      // An answer that comes late is one to an older question.
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
              // The box keeps the focus.
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
