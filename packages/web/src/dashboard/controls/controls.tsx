import { dayMs, hourMs, minuteMs } from "@countersign/contract/time";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { About, describedBy, Label } from "../../ui/field.tsx";
import { isBelow, type Trouble } from "../api.ts";
import { words } from "../words.ts";

type Choice = { value: string; label: string };
type Common = { id: string; label: string; hint?: ComponentChildren; error?: string; disabled?: boolean };

type SelectProps = Common & {
  value: string;
  choices: readonly Choice[];
  /** Hides the label where the choices say the same. Screen readers still read it. */
  isLabelHidden?: boolean;
  onChange(value: string): void;
};

export function Select(props: SelectProps) {
  const { id, label, hint, error, value, choices, disabled, isLabelHidden = false, onChange } = props;
  return (
    <div class="field">
      <Label id={id} label={label} isHidden={isLabelHidden} />
      <select
        id={id}
        class="input"
        disabled={disabled}
        aria-describedby={describedBy(id, { hint, error })}
        aria-invalid={error === undefined ? undefined : "true"}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} selected={choice.value === value}>
            {choice.label}
          </option>
        ))}
      </select>
      <About id={id} hint={hint} error={error} />
    </div>
  );
}

export function TextArea(
  props: Common & {
    value: string;
    rows?: number;
    maxLength?: number;
    placeholder?: string;
    onInput(value: string): void;
  },
) {
  const { id, label, hint, error, value, rows = 3, maxLength, placeholder, disabled, onInput } = props;
  return (
    <div class="field">
      <Label id={id} label={label} />
      <textarea
        id={id}
        class="input"
        rows={rows}
        maxLength={maxLength}
        placeholder={placeholder}
        disabled={disabled}
        spellcheck={false}
        aria-describedby={describedBy(id, { hint, error })}
        aria-invalid={error === undefined ? undefined : "true"}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <About id={id} hint={hint} error={error} />
    </div>
  );
}

/** A checkbox with its label. */
export function Check(props: Common & { checked: boolean; onChange(checked: boolean): void }) {
  const { id, label, hint, error, checked, disabled, onChange } = props;
  return (
    <div class="field check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={describedBy(id, { hint, error })}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        <About id={id} hint={hint} error={error} />
      </div>
    </div>
  );
}

/** An information or error message. Screen readers announce errors at once. */
export function Notice({ kind = "info", children }: { kind?: "info" | "bad" | "good"; children: ComponentChildren }) {
  return (
    <div class={`note ${kind}`} role={kind === "bad" ? "alert" : kind === "good" ? "status" : undefined}>
      {children}
    </div>
  );
}

type TroubleProps = {
  trouble: Trouble | null;
  /** Members whose fields show their own problems. The first of these fields gets the focus. */
  beside?: readonly string[];
  /** What the reader can do about it. */
  children?: ComponentChildren;
};

/** Describes an error, if there is one. For some kinds, it shows the service's message. */
export function TroubleNotice({ trouble, beside = [], children }: TroubleProps) {
  useEffect(() => {
    if (trouble === null || trouble.problems.length === 0) return;
    const place = document.querySelector("dialog[open]") ?? document.querySelector("main");
    place?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [trouble]);
  if (trouble === null) return null;
  const serviceMessage = ["changed", "forbidden", "busy", "away"].includes(trouble.kind) ? trouble.message : "";
  const fields = new Set(trouble.problems.map(({ path }) => beside.find((member) => isBelow(path, member)) ?? path));
  const elsewhere = trouble.problems.filter(({ path }) => !beside.some((member) => isBelow(path, member)));
  return (
    <Notice kind="bad">
      <p>
        {serviceMessage !== ""
          ? serviceMessage
          : fields.size > 0
            ? words.fix(fields.size)
            : words.trouble[trouble.kind]}
      </p>
      {elsewhere.length === 0 ? null : (
        <ul>
          {elsewhere.slice(0, 10).map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path === "" ? null : <code>{path}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      {children}
    </Notice>
  );
}

type DialogProps = { title: string; onClose(): void; children: ComponentChildren };

/** Uses the browser's modal dialog, which traps the focus and closes on Escape. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Open the dialog before the next key press.
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () =>
      queueMicrotask(() => {
        // The browser returns the focus only when Escape closes the dialog.
        if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
      });
  }, []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** The browser's time zone. The dashboard shows and reads times in it. */
export const zoneName = new Intl.DateTimeFormat("en-US").resolvedOptions().timeZone;

const dayParts: Intl.DateTimeFormatOptions = { dateStyle: "medium" };
const clockParts: Intl.DateTimeFormatOptions = { hour: "numeric", minute: "2-digit" };
const secondParts: Intl.DateTimeFormatOptions = { ...clockParts, second: "2-digit" };
const fullTime = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeStyle: "long" });
/** A part of a date and time, without line breaks. */
const part = (at: number, style: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-US", style).format(at).replace(/\s/g, "\u00a0");

type TimeProps = { at: number | null; none?: string; seconds?: true };

/** A readable date and time. The zone is in the title, and once below the page's content. */
export function Time({ at, none = words.never, seconds }: TimeProps) {
  if (at === null) return <>{none}</>;
  // A line may break only between the date and the time.
  return (
    <Instant at={at}>
      {part(at, dayParts)}, {part(at, seconds === undefined ? clockParts : secondParts)}
    </Instant>
  );
}

const relative = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });
const units = [
  ["year", 365 * dayMs],
  ["month", 30 * dayMs],
  ["week", 7 * dayMs],
  ["day", dayMs],
  ["hour", hourMs],
  ["minute", minuteMs],
] as const;

/** How long ago something was, such as "3 hours ago". The title has the time. A time after `now` counts as now. */
export function Ago({ at, now }: { at: number; now: number }) {
  const passed = Math.max(0, now - at);
  const [unit, ms] = units.find(([, one]) => passed >= one) ?? ["minute", minuteMs];
  return (
    <Instant at={at} class="ago">
      {passed < minuteMs ? words.justNow : relative.format(-Math.floor(passed / ms), unit)}
    </Instant>
  );
}

/** A date. The title has the time. */
export function Day({ at }: { at: number }) {
  return (
    <Instant at={at} class="day">
      {part(at, dayParts)}
    </Instant>
  );
}

/** A time of day below a heading with its date. The title has both. */
export function Clock({ at }: { at: number }) {
  return <Instant at={at}>{part(at, secondParts)}</Instant>;
}

function Instant({ at, class: kind, children }: { at: number; class?: string; children: ComponentChildren }) {
  return (
    <time class={kind} dateTime={new Date(at).toISOString()} title={fullTime.format(at)}>
      {children}
    </time>
  );
}

/** Shown in place of an empty list. It says what the list will contain, and its children link to it. */
export function Empty({ title, text, children }: { title: string; text: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </div>
  );
}
