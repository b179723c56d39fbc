import { consentTexts } from "@countersign/contract/consent";
import type { PageView, ReviewField, ReviewInput } from "@countersign/contract/wallet";
import { useEffect, useRef, useState } from "preact/hooks";
import { About, describedBy, Field, Label } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { deviceNow } from "../../ui/now.ts";
import { readBirthDate } from "../birth-date.ts";
import { useConsent } from "../consent.tsx";
import { Frame } from "../frame.tsx";
import { useLanguage } from "../language.tsx";
import { Notice } from "../status.tsx";
import { type Choice, isComposite, labelOf, type TypedParts } from "../values.tsx";
import type { Words } from "../words-en.ts";

/** Problems by path: `ssn`, or `address.zipCode`. */
export type Problems = Record<string, string>;
type Typed = Record<string, TypedParts>;
type Props = {
  view: PageView;
  chosenOf(field: ReviewField): Choice | undefined;
  typed: Typed;
  problems: Problems;
  /** Why the call to decline failed. */
  trouble: string | undefined;
  onSave(typed: Typed): void;
  onCancel(): void;
  onDecline(): void;
};

/** Fields for every value that may be typed. Hidden values are never sent to the browser, so their fields are empty. */
export function EditScreen({ view, chosenOf, typed, problems: refused, ...about }: Props) {
  const { words } = useLanguage();
  const { pieces: declining } = useConsent(consentTexts.decline);
  const fields = (view.fields ?? []).filter((field) => field.inputs.length > 0);
  const form = useRef<HTMLFormElement>(null);
  const [texts, setTexts] = useState<Record<string, string>>(() => initialTexts(fields, chosenOf, typed));
  const [problems, setProblems] = useState(refused);
  const isMissing = fields.some((field) => field.mandatory === "yes" && chosenOf(field) === undefined);
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
  return (
    <Frame step="review" title={isMissing ? words.missingTitle : words.editTitle} brand={view.brand} word={view.title}>
      <p class="lead">{isMissing ? words.missingText(view.brand.name) : words.editText}</p>
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
        <Notice text={about.trouble} />
        <div class="actions">
          <button type="submit" class="button main">
            {words.proceed}
          </button>
          <button type="button" class="button" onClick={isMissing ? about.onDecline : about.onCancel}>
            {isMissing ? declining.button : words.cancel}
          </button>
        </div>
      </Form>
    </Frame>
  );
}

const pathOf = (field: ReviewField, input: ReviewInput) =>
  isComposite(field) ? `${field.key}.${input.key}` : field.key;

/** The initial text of a field: the last edit, or the value found unless some of its digits are hidden. */
function initialTexts(fields: ReviewField[], chosenOf: Props["chosenOf"], typed: Typed): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) =>
      field.inputs.map((input) => {
        const before = typed[field.key]?.[input.key];
        const preset = input.key === "country" && input.kind === "select" ? "US" : "";
        return [pathOf(field, input), before ?? foundText(field, input, chosenOf(field)) ?? preset];
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
    const text = (texts[path] ?? "").trim();
    const found = foundText(field, input, chosen);
    if (text === (found ?? "")) continue;
    const read = readText(words, input, text);
    if (read.kind === "wrong") problems[path] = read.why;
    else typed[input.key] = read.value;
  }
  const presetOnly = chosen === undefined && Object.keys(typed).every((key) => key === "country");
  const isTyped = Object.keys(typed).length > 0 && !presetOnly;
  for (const input of field.inputs) {
    const path = pathOf(field, input);
    const isEmpty = (texts[path] ?? "").trim() === "";
    const isHidden = chosen?.text?.includes("•") === true;
    const needed = isComposite(field)
      ? input.mandatory && (isTyped || field.mandatory === "yes" || chosen !== undefined)
      : field.mandatory === "yes";
    if (needed && isEmpty && !isHidden) problems[path] = words.required;
  }
  if (field.mandatory === "yes" && chosen === undefined && !isTyped && Object.keys(problems).length === 0) {
    const [first] = field.inputs;
    if (first !== undefined) problems[pathOf(field, first)] = words.required;
  }
  return { key: field.key, problems, typed: isTyped ? typed : null };
}

function readText(
  words: Words,
  input: ReviewInput,
  text: string,
): { kind: "value"; value: string } | { kind: "wrong"; why: string } {
  if (text === "") return { kind: "value", value: "" };
  if (input.kind === "date") {
    const read = readBirthDate(text, input.key === "birthDate" ? deviceNow() : Number.POSITIVE_INFINITY);
    if (read.kind === "day") return { kind: "value", value: read.day };
    return { kind: "wrong", why: read.kind === "none" ? words.birthdayUnread : words.birthdayImpossible };
  }
  if (input.kind === "ssn") {
    const digits = text.replace(/[\s-]/g, "");
    return /^\d{9}$/.test(digits) ? { kind: "value", value: digits } : { kind: "wrong", why: words.badSsn };
  }
  if (input.kind === "email" && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text)) return { kind: "wrong", why: words.badEmail };
  return { kind: "value", value: text };
}

type GroupProps = {
  field: ReviewField;
  chosen: Choice | undefined;
  texts: Record<string, string>;
  problems: Problems;
  onType(path: string, text: string): void;
};

function Group({ field, chosen, texts, problems, onType }: GroupProps) {
  const { words } = useLanguage();
  const boxes = field.inputs.map((input) => {
    const path = pathOf(field, input);
    return (
      <Box
        key={path}
        field={field}
        input={input}
        hidden={chosen?.text?.includes("•") === true ? chosen.text : undefined}
        isFound={chosen !== undefined}
        text={texts[path] ?? ""}
        problem={problems[path]}
        onType={(text) => onType(path, text)}
      />
    );
  });
  if (!isComposite(field)) return <div>{boxes}</div>;
  return (
    <fieldset class="group">
      <legend>{labelOf(words, field)}</legend>
      {field.description === undefined ? null : <p class="about">{field.description}</p>}
      <div class="parts">{boxes}</div>
    </fieldset>
  );
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
  hidden: string | undefined;
  /** Whether there is a value already. The hint about optional values is then not needed. */
  isFound: boolean;
  text: string;
  problem: string | undefined;
  onType(text: string): void;
};

function Box({ field, input, hidden, isFound, text, problem, onType }: BoxProps) {
  const { words } = useLanguage();
  const id = pathOf(field, input).replace(".", "-");
  const label = labelOf(words, input);
  const isMandatory = isComposite(field) ? input.mandatory : field.mandatory === "yes";
  const aside = isMandatory || isFound ? undefined : words.optional;
  const about = isComposite(field) ? undefined : field.description;
  const hint = hidden === undefined ? (input.kind === "date" ? words.birthdayHint : about) : words.onFile(hidden);
  if (input.kind === "select") {
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
          <option value="">{words.pick}</option>
          {(input.options ?? []).map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </select>
        <About id={id} hint={about} error={problem} />
      </div>
    );
  }
  return (
    <Field
      id={id}
      label={label}
      aside={aside}
      hint={hint}
      error={problem}
      input={{
        type: "text",
        inputMode: input.kind === "email" ? "email" : isNumeric(input) ? "numeric" : "text",
        autoComplete: autoComplete[input.key] ?? "off",
        value: text,
        onInput: (event) => onType(event.currentTarget.value),
      }}
    />
  );
}

function isNumeric({ kind, key }: ReviewInput): boolean {
  return kind === "ssn" || key === "zipCode" || key === "amount";
}
