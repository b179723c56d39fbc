import type { PageView, ReviewField, ReviewInput } from "@countersign/contract/wallet";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Field, type FieldProps } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { autoComplete } from "../autofill.ts";
import { dateMask, type Mask, maskInput, ssnMask } from "../digit-mask.ts";
import { Frame } from "../frame.tsx";
import { useLanguage } from "../language.tsx";
import { MaskedField } from "../masked-field.tsx";
import { ChangedNotice, Problem } from "../status.tsx";
import { groupedAmount } from "../typed-text.ts";
import { type Choice, isComposite, labelOf } from "../values.tsx";
import type { Words } from "../words-en.ts";
import { Decline, StillGets } from "./decline.tsx";
import { countryOf, initialTexts, localInput, type Problems, pathOf, readField, type Typed } from "./edit-reading.ts";
import { Select } from "./select.tsx";

/** The fields that must be completed before the review, with only the inputs that are missing. */
export type Missing = {
  fields: ReviewField[];
  count: number;
  /** The label, if a single detail is missing. Absent if its name has no translation. */
  label: string | undefined;
  /** The label of the address, if only some of its parts are missing. */
  address: string | undefined;
};
type Props = {
  view: PageView;
  /** The fields without those that the person leaves out. */
  fields: readonly ReviewField[];
  chosenOf(field: ReviewField): Choice | undefined;
  typed: Typed;
  problems: Problems;
  /** What must be completed before the review. */
  missing?: Missing;
  /** An alternative above the fields. `isTypingSecond`: it is the first choice, so no field takes the focus. */
  other: ComponentChildren;
  isTypingSecond?: boolean;
  /** An alternative below the fields. */
  instead: ComponentChildren;
  /** The running call. */
  running: "share" | "decline" | null;
  /** Why the call to decline failed. */
  trouble: ComponentChildren;
  /** `emptied`: the keys of optional details whose found values the person removed. */
  onSave(typed: Typed, emptied: string[]): void;
  onCancel(): void;
  onDecline(): void;
};

/**
 * Fields for every value that the person may type, or only for missing ones. Hidden values never reach the browser, so
 * the person keeps them or enters new ones.
 */
export function EditScreen({ view, chosenOf, typed, problems: refused, missing, ...screen }: Props) {
  const { words } = useLanguage();
  const fields = missing?.fields ?? screen.fields.filter((field) => field.inputs.length > 0);
  const form = useRef<HTMLFormElement>(null);
  const [texts, setTexts] = useState<Record<string, string>>(() => initialTexts(fields, chosenOf, typed));
  const [problems, setProblems] = useState(refused);
  // The fields whose masked values the person replaces.
  const [replaced, setReplaced] = useState<readonly string[]>([]);
  // Before the frame focuses its heading.
  useLayoutEffect(() => {
    if (missing !== undefined && screen.isTypingSecond !== true)
      form.current?.querySelector<HTMLElement>("input, select")?.focus();
  }, []);
  useEffect(() => {
    if (Object.keys(problems).length > 0) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [problems]);
  const save = () => {
    const read = fields.map((field) => {
      const isReplaced = replaced.includes(field.key);
      return readField({ words, field, chosen: chosenOf(field), texts, isReplaced });
    });
    const found: Problems = Object.assign({}, ...read.map((one) => one.problems));
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    screen.onSave(
      Object.fromEntries(read.flatMap((one) => (one.typed === null ? [] : [[one.key, one.typed]]))),
      read.flatMap(({ key, isEmptied }) => (isEmptied ? [key] : [])),
    );
  };
  const count = Object.keys(problems).length;
  // The lead says what a single missing detail is for.
  const purpose = missing?.fields.length === 1 ? missing.fields[0]?.description : undefined;
  const { title, lead } = missing === undefined ? editing(words) : completing(words, view.brand.name, missing);
  return (
    <Frame step="review" title={title} brand={view.brand} word={view.title}>
      <p class="lead">
        {purpose === undefined ? null : (
          <>
            {purpose}
            <br />
          </>
        )}
        {lead}
      </p>
      {missing === undefined ? null : <ChangedNotice view={view} />}
      {missing === undefined ? null : screen.other}
      <Form ref={form} onSubmit={save}>
        <p class="hidden" role="alert">
          {count === 0 ? "" : words.fixFields(count)}
        </p>
        {fields.map((field) => (
          <Group
            key={field.key}
            field={purpose === undefined ? field : withoutPurpose(field)}
            chosen={chosenOf(field)}
            texts={texts}
            problems={problems}
            isAlone={missing !== undefined && fields.length === 1}
            onReplace={() => setReplaced([...replaced, field.key])}
            onType={(path, text) => {
              setTexts({ ...texts, [path]: text });
              const { [path]: _gone, ...rest } = problems;
              if (path in problems) setProblems(rest);
            }}
          />
        ))}
        {missing === undefined ? null : screen.instead}
        <div class={missing === undefined ? "actions pair reachable" : "actions pair"}>
          <button type="submit" class="button main">
            {missing === undefined ? words.save : words.proceed}
          </button>
          {missing === undefined ? (
            <button type="button" class="button" onClick={screen.onCancel}>
              {words.cancel}
            </button>
          ) : (
            <Decline running={screen.running} onDecline={screen.onDecline} />
          )}
        </div>
        {missing === undefined ? null : (
          <>
            <Problem text={screen.trouble} />
            <StillGets brand={view.brand} />
          </>
        )}
      </Form>
    </Frame>
  );
}

const withoutPurpose = ({ description: _said, ...field }: ReviewField): ReviewField => field;
const editing = (words: Words) => ({ title: words.editTitle, lead: words.editText });
const completing = ({ missingTitle, missingText }: Words, brand: string, { count, label, address }: Missing) => ({
  title:
    address !== undefined
      ? missingTitle.parts(address)
      : count === 1 && label !== undefined
        ? missingTitle.one(label)
        : missingTitle.several(count),
  lead: (address !== undefined ? missingText.parts : count === 1 ? missingText.one : missingText.several)(brand),
});

type GroupProps = {
  field: ReviewField;
  chosen: Choice | undefined;
  texts: Record<string, string>;
  problems: Problems;
  /** Whether this is the only field. The screen's heading then names it. */
  isAlone: boolean;
  onReplace(): void;
  onType(path: string, text: string): void;
};

/** Whether a value is a single field. An income is one: its currency is shown before the amount. */
export function isOneField({ key, inputs }: ReviewField): boolean {
  return key === "annualIncome" && inputs.some((input) => input.key === "amount");
}

/** Parts that many people lack. */
const rareParts: readonly string[] = ["middleName", "line2"];

function Group({ field, chosen, texts, problems, isAlone, onReplace, onType }: GroupProps) {
  const { words } = useLanguage();
  const isWhole = !isComposite(field);
  // An optional group is marked as such once, in its heading.
  const isOptionalGroup = !isWhole && field.mandatory !== "yes" && chosen === undefined;
  const country = countryOf({ field, chosen, texts });
  if (isOneField(field)) return <Income {...{ field, chosen, texts, problems, onType }} />;
  const boxes = countryLast(field.inputs).map((input) => {
    const path = pathOf(field, input);
    const isMandatory = isWhole ? field.mandatory === "yes" : input.mandatory === "yes";
    const isFound = isWhole ? chosen !== undefined : chosen?.parts?.[input.key] !== undefined;
    const isMarked = !isMandatory && (rareParts.includes(input.key) || (!isFound && !isOptionalGroup));
    return (
      <Box
        key={path}
        field={field}
        input={input}
        local={localInput(input, country)}
        hidden={chosen?.text?.includes("•") === true ? chosen.text : undefined}
        aside={isMarked ? words.optional : undefined}
        text={texts[path] ?? ""}
        problem={problems[path]}
        onReplace={onReplace}
        onType={(text) => onType(path, text)}
      />
    );
  });
  if (isWhole) return <div>{boxes}</div>;
  return (
    <fieldset class="group">
      <legend class={isAlone ? "hidden" : undefined}>
        {labelOf(words, field)}
        {isOptionalGroup ? <span class="optional"> ({words.optional})</span> : null}
      </legend>
      {field.description === undefined ? null : <p class="about">{field.description}</p>}
      <div class="parts">{boxes}</div>
    </fieldset>
  );
}

/** The field for an income, with the currency before the amount. */
function Income({ field, chosen, texts, problems, onType }: Omit<GroupProps, "isAlone" | "onReplace">) {
  const { words } = useLanguage();
  const [amount, currency] = ["annualIncome.amount", "annualIncome.currency"] as const;
  const text = texts[amount] ?? "";
  return (
    <Field
      id="annualIncome-amount"
      label={labelOf(words, field)}
      aside={field.mandatory !== "yes" && chosen === undefined ? words.optional : undefined}
      hint={describing(field.description, ...field.inputs.map((input) => input.description))}
      prefix={texts[currency] ?? chosen?.parts?.currency}
      error={problems[amount] ?? problems[currency]}
      input={{
        type: "text",
        inputMode: "numeric",
        autoComplete: "off",
        value: text,
        onInput: (event) => onType(amount, event.currentTarget.value),
        onBlur: () => {
          const grouped = groupedAmount({ key: "amount" }, text);
          if (grouped !== text) onType(amount, grouped);
        },
      }}
    />
  );
}

/** The country stands below the row of city, state and ZIP code. */
function countryLast(inputs: readonly ReviewInput[]): ReviewInput[] {
  const isCountry = ({ key }: ReviewInput) => key === "country";
  return [...inputs.filter((one) => !isCountry(one)), ...inputs.filter(isCountry)];
}

type BoxProps = {
  field: ReviewField;
  input: ReviewInput;
  /** The name and the kind of the input for the address's country. */
  local: ReviewInput;
  /** The found value with hidden digits, which the person keeps or changes. */
  hidden: string | undefined;
  /** The word next to the label. */
  aside: string | undefined;
  text: string;
  problem: string | undefined;
  onReplace(): void;
  onType(text: string): void;
};

/** The brand's descriptions of a field, and ours. */
function describing(...texts: (string | undefined)[]): string | undefined {
  const given = texts.filter((text) => text !== undefined);
  return given.length === 0 ? undefined : given.join(" · ");
}

const masks: Partial<Record<ReviewInput["kind"], Mask>> = { date: dateMask, ssn: ssnMask };

function Box({ field, input, local, hidden, aside, text, problem, onReplace, onType }: BoxProps) {
  const { words } = useLanguage();
  const id = pathOf(field, input).replace(".", "-");
  const label = labelOf(words, local);
  const description = isComposite(field) ? input.description : field.description;
  const hint = describing(input.kind === "date" ? words.birthdayHint : undefined, description);
  if (local.kind === "select") return <Select {...{ id, label, input, aside, description, text, problem, onType }} />;
  const mask = masks[input.kind];
  const props: FieldProps = {
    id,
    label,
    aside,
    hint,
    error: problem,
    input: {
      type: "text",
      inputMode: input.kind === "email" ? "email" : isNumeric(local) ? "numeric" : "text",
      autoComplete: autoComplete[input.key] ?? "off",
      value: text,
      onInput: (event) =>
        onType(mask === undefined ? event.currentTarget.value : maskInput({ event, before: text }, mask)),
      onBlur: () => {
        const grouped = groupedAmount(input, text);
        if (grouped !== text) onType(grouped);
      },
    },
  };
  if (hidden === undefined) return <Field {...props} />;
  return <MaskedField {...props} fieldKey={field.key} masked={hidden} onReplace={onReplace} />;
}

function isNumeric({ kind, key }: ReviewInput): boolean {
  return kind === "ssn" || kind === "date" || key === "zipCode" || key === "amount";
}
