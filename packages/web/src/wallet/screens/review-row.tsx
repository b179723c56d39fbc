import { inSentence } from "@countersign/contract/names";
import type { ReviewField, ValueSource } from "@countersign/contract/wallet";
import { Banknote, Cake, IdCard, Lock, Mail, MapPin, PencilLine, ShieldCheck, Smartphone, User } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconNode } from "../../ui/icon.tsx";
import { useLanguage } from "../language.tsx";
import { type Choice, detailName, labelOf, shownValue, type TypedParts, ValueText } from "../values.tsx";
import type { Words } from "../words-en.ts";

type RowProps = {
  field: ReviewField;
  typed: TypedParts | undefined;
  chosen: number;
  isLeftOut: boolean;
  onChoose(index: number): void;
  onSwitch(): void;
};

/** A detail of the review, with its switch if the person can leave it out. */
export function Row({ field, typed, chosen, isLeftOut, onChoose, onSwitch }: RowProps) {
  const { words } = useLanguage();
  const name = labelOf(words, field);
  const [isChoosing, setChoosing] = useState(false);
  const list = useRef<HTMLFieldSetElement>(null);
  useEffect(() => list.current?.querySelector<HTMLElement>("input:checked")?.focus(), [isChoosing]);
  const hasChoice = field.choices.length > 1 && typed === undefined;
  const look = ["row detail", secretKeys.includes(field.key) && "secret", isLeftOut && "left-out"]
    .filter((one) => one !== false)
    .join(" ");
  if (hasChoice && isChoosing) {
    return (
      <fieldset class={look} ref={list}>
        <legend class="name">
          <DetailIcon fieldKey={field.key} />
          <Named text={words.chooseOne(name)} purpose={field.description} />
        </legend>
        <div class="sharing">
          <Sharing {...{ field, isLeftOut, onSwitch }} />
        </div>
        {field.choices.map((choice, index) => (
          <label class="choice" key={textOf(choice)}>
            <input
              type="radio"
              name={field.key}
              disabled={isLeftOut}
              checked={index === chosen}
              onChange={() => onChoose(index)}
            />
            <span class="value">
              <ValueText fieldKey={field.key} choice={choice} />
              <span class="about">{sourcesText(words, choice.sources)}</span>
            </span>
          </label>
        ))}
      </fieldset>
    );
  }
  const value = shownValue(field, field.choices[chosen], typed);
  const note =
    value === null
      ? undefined
      : isLeftOut
        ? words.leftOut
        : hasHidden(value)
          ? words[field.key === "birthDate" ? "wholeDate" : "wholeNumber"]
          : undefined;
  return (
    <dl class={look}>
      <dt class="name">
        <DetailIcon fieldKey={field.key} />
        <Named text={name} purpose={field.description} />
      </dt>
      <dd class="value">
        {value === null ? (
          <span class="needed">{words.mandatory}</span>
        ) : (
          <ValueText fieldKey={field.key} choice={value} />
        )}
        {note === undefined ? null : <span class="about">{note}</span>}
        {value === null || isLeftOut ? null : <Source sources={value.sources} />}
        {hasChoice && !isLeftOut ? (
          <button type="button" class="link more" onClick={() => setChoosing(true)}>
            {words.changeChoice(field.choices.length)}
            <span class="hidden"> {name}</span>
          </button>
        ) : null}
      </dd>
      {value === null ? null : (
        <dd class="sharing">
          <Sharing {...{ field, isLeftOut, onSwitch }} />
        </dd>
      )}
    </dl>
  );
}

/** The name of a detail and what the brand needs it for. A purpose that needs a line of its own has no dot. */
function Named({ text, purpose }: { text: string; purpose: string | undefined }) {
  return (
    <span class="joined">
      <span>{text}</span>
      {purpose === undefined ? null : <span>{purpose}</span>}
    </span>
  );
}

/** Where a value comes from. A press says what that means. */
function Source({ sources }: { sources: ValueSource[] }) {
  const { words } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const isTyped = sources.every(({ method }) => method === "self_attested");
  return (
    <>
      <button
        type="button"
        class={isTyped ? "chip typed" : "chip"}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon node={isTyped ? PencilLine : ShieldCheck} />
        {sourcesText(words, sources)}
      </button>
      {isOpen ? <span class="about meaning">{meaningOf(words, sources)}</span> : null}
    </>
  );
}

/** What the sources of a value mean, one sentence for each kind. */
function meaningOf({ meaning }: Words, sources: ValueSource[]): string {
  const textOf = ({ method, issuer }: ValueSource) =>
    issuer !== undefined ? meaning.issuer(issuer) : meaning[method ?? "records"];
  return [...new Set(sources.map(textOf))].join(" ");
}

/** The details that harm most in wrong hands. */
const secretKeys: readonly string[] = ["ssn", "ssn4"];
const icons: Readonly<Record<string, IconNode>> = {
  fullName: User,
  firstName: User,
  lastName: User,
  phone: Smartphone,
  address: MapPin,
  birthDate: Cake,
  ssn: Lock,
  ssn4: Lock,
  email: Mail,
  annualIncome: Banknote,
};

export function DetailIcon({ fieldKey }: { fieldKey: string }) {
  return (
    <span class="tile">
      <Icon node={icons[fieldKey] ?? IdCard} />
    </span>
  );
}

/** The switch of an optional detail, or why there is none. */
function Sharing({ field, isLeftOut, onSwitch }: Pick<RowProps, "field" | "isLeftOut" | "onSwitch">) {
  const { words } = useLanguage();
  if (field.sharing !== "optional")
    return <span class="fixed">{field.sharing === "always" ? words.alwaysShared : words.mandatory}</span>;
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={!isLeftOut}
      aria-label={words.shareDetail(detailName(words, field))}
      onClick={onSwitch}
    />
  );
}

/** The sources of a value, in one sentence. */
function sourcesText(words: Words, of: ValueSource[]): string {
  const textOfSource = ({ method, issuer, state }: ValueSource) => {
    if (state !== undefined) return words.fromState(state);
    return issuer !== undefined ? words.fromIssuer(issuer) : method === null ? words.fromRecords : words.from[method];
  };
  const found = new Set(of.map(textOfSource));
  const isTyped = found.delete(words.from.self_attested);
  const [first = words.from.self_attested, ...more] = found;
  const rest = new Intl.ListFormat(words.language).format([first, ...more.map(inSentence)]);
  return isTyped && found.size > 0 ? words.partlyEntered(inSentence(rest)) : rest;
}

/** Whether the row shows masked digits although the whole value is shared. */
function hasHidden(value: Choice): boolean {
  return value.text?.includes("•") === true;
}

function textOf({ text, parts }: Choice): string {
  return text ?? JSON.stringify(parts);
}
