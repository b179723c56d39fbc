import type { PageView, ReviewField, ReviewInput } from "@countersign/contract/wallet";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { About, describedBy, Field, type FieldProps, Label } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { dateMask, type Mask, maskInput, ssnMask } from "../digit-mask.ts";
import { Frame } from "../frame.tsx";
import { KeptField } from "../kept-field.tsx";
import { useLanguage } from "../language.tsx";
import { Notice } from "../status.tsx";
import { groupedAmount, plainAmount, readText, requiredText } from "../typed-text.ts";
import { type Choice, isComposite, labelOf, type TypedParts } from "../values.tsx";
import type { Words } from "../words-en.ts";
import { Decline, StillGets } from "./decline.tsx";

/** Problems by path: `ssn`, or `address.zipCode`. */
export type Problems = Record<string, string>;
type Typed = Record<string, TypedParts>;
/** The fields that must be completed before the review, with only the inputs that are missing. */
export type Missing = {
  fields: ReviewField[];
  count: number;
  /** The label of a detail that is missing alone. Absent if its name has no translation. */
  label: string | undefined;
};
type Props = {
  view: PageView;
  chosenOf(field: ReviewField): Choice | undefined;
  typed: Typed;
  problems: Problems;
  /** What must be completed before the review. */
  missing?: Missing;
  /** Another way than typing to complete what is missing. */
  other: ComponentChildren;
  /** The call that runs. */
  running: "share" | "decline" | null;
  /** Why the call to decline failed. */
  trouble: ComponentChildren;
  onSave(typed: Typed): void;
  onCancel(): void;
  onDecline(): void;
};

/**
 * Fields for every value that may be typed, or only for what is missing. Hidden values are never sent to the browser,
 * so the person keeps them or enters new ones.
 */
export function EditScreen({ view, chosenOf, typed, problems: refused, missing, ...about }: Props) {
  const { words } = useLanguage();
  const fields = missing?.fields ?? (view.fields ?? []).filter((field) => field.inputs.length > 0);
  const form = useRef<HTMLFormElement>(null);
  const [texts, setTexts] = useState<Record<string, string>>(() => initialTexts(fields, chosenOf, typed));
  const [problems, setProblems] = useState(refused);
  const brand = view.brand.name;
  // Before the frame moves the focus to its heading.
  useLayoutEffect(() => {
    if (missing !== undefined) form.current?.querySelector<HTMLElement>("input, select")?.focus();
  }, []);
  useEffect(() => {
    if (Object.keys(problems).length > 0) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [problems]);
  const save = () => {
    const read = fields.map((field) => readField({ words, field, chosen: chosenOf(field), texts }));
    const found: Problems = Object.assign({}, ...read.map((one) => one.problems));
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    about.onSave(Object.fromEntries(read.flatMap((one) => (one.typed === null ? [] : [[one.key, one.typed]]))));
  };
  const count = Object.keys(problems).length;
  const { title, lead } = missing === undefined ? editing(words) : completing(words, brand, missing);
  return (
    <Frame step="review" title={title} brand={view.brand} word={view.title}>
      <p class="lead">{lead}</p>
      <Form ref={form} onSubmit={save}>
        <p class="hidden" role="alert">
          {count === 0 ? "" : words.fixFields(count)}
        </p>
        {fields.map((field) => (
          <Group
            key={field.key}
            field={field}
            chosen={chosenOf(field)}
            texts={texts}
            problems={problems}
            onType={(path, text) => {
              setTexts({ ...texts, [path]: text });
              const { [path]: _gone, ...rest } = problems;
              if (path in problems) setProblems(rest);
            }}
          />
        ))}
        {missing === undefined ? null : about.other}
        {missing === undefined ? null : <Notice text={about.trouble} />}
        <div class="actions">
          <button type="submit" class="button main">
            {missing === undefined ? words.save : words.proceed}
          </button>
          {missing === undefined ? (
            <button type="button" class="button" onClick={about.onCancel}>
              {words.cancel}
            </button>
          ) : (
            <>
              <Decline running={about.running} onDecline={about.onDecline} />
              <StillGets brand={brand} />
            </>
          )}
        </div>
      </Form>
    </Frame>
  );
}

const editing = (words: Words) => ({ title: words.editTitle, lead: words.editText });
const completing = (words: Words, brand: string, { count, label }: Missing) => ({
  title: count === 1 && label !== undefined ? words.missingTitle.one(label) : words.missingTitle.several(count),
  lead: (count === 1 ? words.missingText.one : words.missingText.several)(brand),
});

const pathOf = (field: ReviewField, input: ReviewInput) =>
  isComposite(field) ? `${field.key}.${input.key}` : field.key;

/** What most people choose. A preset alone does not count as typed. */
const presets: Readonly<Record<string, string>> = { country: "US", currency: "USD" };

/** The initial text of a field: the last edit, or the value found unless some of its digits are hidden. */
function initialTexts(fields: ReviewField[], chosenOf: Props["chosenOf"], typed: Typed): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) =>
      field.inputs.map((input) => {
        const before = typed[field.key]?.[input.key];
        const preset = (input.kind === "select" ? presets[input.key] : undefined) ?? "";
        return [
          pathOf(field, input),
          groupedAmount(input, before ?? foundText(field, input, chosenOf(field)) ?? preset),
        ];
      }),
    ),
  );
}

function foundText(field: ReviewField, input: ReviewInput, chosen: Choice | undefined): string | undefined {
  const text = isComposite(field) ? chosen?.parts?.[input.key] : chosen?.text;
  return text?.includes("•") === true ? undefined : text;
}

type Reading = {
  words: Words;
  field: ReviewField;
  chosen: Choice | undefined;
  texts: Record<string, string>;
};

/** The edits of a field. Null without an edit. */
function readField({ words, field, chosen, texts }: Reading) {
  const problems: Problems = {};
  const typed: TypedParts = {};
  for (const input of field.inputs) {
    const path = pathOf(field, input);
    const shown = (texts[path] ?? "").trim();
    const text = input.key === "amount" ? plainAmount(shown) : shown;
    const found = foundText(field, input, chosen);
    if (text === (found ?? "")) continue;
    const read = readText(words, input, text);
    if (read.kind === "wrong") problems[path] = read.why;
    else typed[input.key] = read.value;
  }
  const presetOnly = chosen === undefined && Object.keys(typed).every((key) => key in presets);
  const isTyped = Object.keys(typed).length > 0 && !presetOnly;
  for (const input of field.inputs) {
    const path = pathOf(field, input);
    const isEmpty = (texts[path] ?? "").trim() === "";
    const isHidden = chosen?.text?.includes("•") === true;
    const needed = isComposite(field)
      ? input.mandatory && (isTyped || field.mandatory === "yes" || chosen !== undefined)
      : field.mandatory === "yes";
    if (needed && isEmpty && !isHidden) problems[path] = requiredText(words, input);
  }
  if (field.mandatory === "yes" && chosen === undefined && !isTyped && Object.keys(problems).length === 0) {
    const [first] = field.inputs;
    if (first !== undefined) problems[pathOf(field, first)] = requiredText(words, first);
  }
  return { key: field.key, problems, typed: isTyped ? typed : null };
}

type GroupProps = {
  field: ReviewField;
  chosen: Choice | undefined;
  texts: Record<string, string>;
  problems: Problems;
  onType(path: string, text: string): void;
};

/** Parts that many people lack. */
const rareParts: readonly string[] = ["middleName", "line2"];

function Group({ field, chosen, texts, problems, onType }: GroupProps) {
  const { words } = useLanguage();
  const isWhole = !isComposite(field);
  // An optional group says so once, in its heading.
  const isOptionalGroup = !isWhole && field.mandatory !== "yes" && chosen === undefined;
  const isAbroad = !["", "US", undefined].includes(texts[`${field.key}.country`]);
  const boxes = countryLast(field.inputs).map((input) => {
    const path = pathOf(field, input);
    const isMandatory = isWhole ? field.mandatory === "yes" : input.mandatory;
    const isFound = isWhole ? chosen !== undefined : chosen?.parts?.[input.key] !== undefined;
    const isMarked = !isMandatory && !isFound && (!isOptionalGroup || rareParts.includes(input.key));
    return (
      <Box
        key={path}
        field={field}
        input={input.key === "state" && isAbroad ? { ...input, kind: "text" } : input}
        hidden={chosen?.text?.includes("•") === true ? chosen.text : undefined}
        aside={isMarked ? words.optional : undefined}
        text={texts[path] ?? ""}
        problem={problems[path]}
        onType={(text) => onType(path, text)}
      />
    );
  });
  if (isWhole) return <div>{boxes}</div>;
  return (
    <fieldset class="group">
      <legend>
        {labelOf(words, field)}
        {isOptionalGroup ? <span class="optional"> ({words.optional})</span> : null}
      </legend>
      {field.description === undefined ? null : <p class="about">{field.description}</p>}
      <div class="parts">{boxes}</div>
    </fieldset>
  );
}

/** The country stands below the row of city, state and ZIP code. */
function countryLast(inputs: readonly ReviewInput[]): ReviewInput[] {
  const isCountry = ({ key }: ReviewInput) => key === "country";
  return [...inputs.filter((one) => !isCountry(one)), ...inputs.filter(isCountry)];
}

const autoComplete: Readonly<Record<string, string>> = {
  firstName: "given-name",
  middleName: "additional-name",
  lastName: "family-name",
  line1: "address-line1",
  line2: "address-line2",
  city: "address-level2",
  state: "address-level1",
  zipCode: "postal-code",
  country: "country",
  email: "email",
  birthDate: "bday",
  employerName: "organization",
};

type BoxProps = {
  field: ReviewField;
  input: ReviewInput;
  /** The value that the person keeps or changes, with hidden digits. */
  hidden: string | undefined;
  /** The word next to the label. */
  aside: string | undefined;
  text: string;
  problem: string | undefined;
  onType(text: string): void;
};

const masks: Partial<Record<ReviewInput["kind"], Mask>> = { date: dateMask, ssn: ssnMask };

function Box({ field, input, hidden, aside, text, problem, onType }: BoxProps) {
  const { words } = useLanguage();
  const id = pathOf(field, input).replace(".", "-");
  const label = labelOf(words, input);
  const about = isComposite(field) ? undefined : field.description;
  const hint = input.kind === "date" ? words.birthdayHint : about;
  if (input.kind === "select") return <Select {...{ id, label, input, aside, about, text, problem, onType }} />;
  const mask = masks[input.kind];
  const props: FieldProps = {
    id,
    label,
    aside,
    hint,
    error: problem,
    input: {
      type: "text",
      inputMode: input.kind === "email" ? "email" : isNumeric(input) ? "numeric" : "text",
      autoComplete: autoComplete[input.key] ?? "off",
      value: text,
      onInput: ({ currentTarget: box }) => onType(mask === undefined ? box.value : maskInput(box, mask, text)),
      onBlur: () => {
        const better = groupedAmount(input, text);
        if (better !== text) onType(better);
      },
    },
  };
  return hidden === undefined ? <Field {...props} /> : <KeptField {...props} fieldKey={field.key} masked={hidden} />;
}

type SelectProps = Pick<BoxProps, "input" | "aside" | "text" | "problem" | "onType"> & {
  id: string;
  label: string;
  about: string | undefined;
};

function Select({ id, label, input, aside, about, text, problem, onType }: SelectProps) {
  const { words } = useLanguage();
  const options = namedOptions(words, input);
  const isKnown = text === "" || options.some((one) => one.value === text);
  return (
    <div class="field">
      <Label id={id} label={label} aside={aside} />
      <select
        id={id}
        class="input"
        value={text}
        autoComplete={autoComplete[input.key] ?? "off"}
        aria-invalid={problem === undefined ? undefined : "true"}
        aria-describedby={describedBy(id, { hint: about, error: problem })}
        onChange={(event) => onType(event.currentTarget.value)}
      >
        <option value="">{input.key === "state" ? "" : words.pick}</option>
        {isKnown ? null : <option value={text}>{text}</option>}
        {options.map((one) => (
          <option key={one.value} value={one.value}>
            {input.key === "state" ? stateText(one, text) : one.label}
          </option>
        ))}
      </select>
      <About id={id} hint={about} error={problem} />
    </div>
  );
}

/** The options of a select. Countries have their names in the screen's language, the most common one first. */
function namedOptions({ language }: Words, { key, options = [] }: ReviewInput) {
  if (key !== "country") return options;
  const names = new Intl.DisplayNames(language, { type: "region" });
  const [first, ...rest] = options.map(({ value, label }) => ({ value, label: names.of(value) ?? label }));
  return [...(first === undefined ? [] : [first]), ...rest.sort((a, b) => a.label.localeCompare(b.label, language))];
}

/** The closed field is as wide as a code. The other states have their names in the open list. */
function stateText({ value, label }: { value: string; label: string }, chosen: string): string {
  return value === chosen ? value : `${value} – ${label}`;
}

function isNumeric({ kind, key }: ReviewInput): boolean {
  return kind === "ssn" || kind === "date" || key === "zipCode" || key === "amount";
}
