import { valueInSentence, valueName, valueNames } from "@countersign/contract/names";
import type { ReviewField, ValueSource } from "@countersign/contract/wallet";
import { useLanguage } from "./language.tsx";
import { phoneText } from "./phone-field.tsx";
import type { Words } from "./words-en.ts";

export type Choice = ReviewField["choices"][number];
/** The typed values of a credential, by part. A credential without parts uses its own key. */
export type TypedParts = Record<string, string>;

export function labelOf({ language }: Words, { key, title }: { key: string; title: string }): string {
  return valueName(key, title, language);
}

/** A label within a sentence. Undefined if it has no translation. */
export function labelInSentence({ language }: Words, key: string): string | undefined {
  return Object.hasOwn(valueNames, key) ? valueInSentence({ key, title: "" }, language) : undefined;
}

/** The name of a credential within a sentence. */
export function detailName({ language }: Words, detail: { key: string; title: string }): string {
  return valueInSentence(detail, language);
}

/** Whether a credential has parts. */
export function isComposite(field: ReviewField): boolean {
  return field.inputs.length > 0
    ? field.inputs.some((input) => input.key !== field.key)
    : field.choices.some((choice) => choice.parts !== undefined);
}

/** A readable value. Screen readers hear that digits are hidden. */
export function ValueText({ fieldKey, choice }: { fieldKey: string; choice: Choice }) {
  const { words } = useLanguage();
  if (choice.parts !== undefined) {
    return (
      <>
        {linesOf(words, fieldKey, choice.parts).map((line) => (
          <span key={line}>{line}</span>
        ))}
      </>
    );
  }
  const text = choice.text ?? "";
  if (!text.includes("•"))
    return fieldKey === "phone" ? <span class="whole">{phoneText(text)}</span> : <span>{text}</span>;
  const shown = text.replace(/•/g, "");
  const spoken = fieldKey === "birthDate" ? `${shown.replace(/\/$/, "")}, ${words.yearHidden}` : words.ending(shown);
  return (
    <span>
      <Masked text={maskedText(fieldKey, text)} spoken={spoken} />
    </span>
  );
}

/** A text with hidden digits. Screen readers hear only how it ends. */
export function Masked({ text, spoken }: { text: string; spoken?: string }) {
  const { words } = useLanguage();
  return (
    <>
      <span class="digits whole" aria-hidden="true">
        {text.split(/(•+)/).map((part, at) =>
          at % 2 === 0 ? (
            part
          ) : (
            <span key={at} class="bullets">
              {part}
            </span>
          ),
        )}
      </span>
      <span class="hidden">{spoken ?? words.ending(text.replace(/\D/g, ""))}</span>
    </>
  );
}

/** A value with hidden digits, in its usual form. */
function maskedText(fieldKey: string, text: string): string {
  return fieldKey === "ssn" ? `•••-••-${text.replace(/•/g, "")}` : text;
}

function linesOf({ language }: Words, fieldKey: string, parts: Record<string, string>): string[] {
  const join = (keys: string[], by: string) => keys.flatMap((key) => (parts[key] ? [parts[key]] : [])).join(by);
  if (fieldKey === "fullName") return [join(["firstName", "middleName", "lastName"], " ")];
  if (fieldKey === "annualIncome") return [moneyText(language, parts)];
  if (fieldKey !== "address") return Object.values(parts).filter((one) => one !== "");
  const region = join(["state", "zipCode"], " ");
  const place = [parts.city ?? "", region].filter((one) => one !== "").join(", ");
  const abroad = parts.country !== undefined && parts.country !== "US" ? parts.country : "";
  return [parts.line1 ?? "", parts.line2 ?? "", place, abroad].filter((one) => one !== "");
}

/** An amount of money as US readers write it, such as $85,000. */
function moneyText(language: string, { currency = "", amount = "" }: Record<string, string>): string {
  if (currency === "" || !/^-?\d+$/.test(amount)) return [currency, amount].filter((one) => one !== "").join(" ");
  const format = { style: "currency", currency, maximumFractionDigits: 0 } as const;
  return BigInt(amount).toLocaleString(`${language}-US`, format);
}

/** The chosen value with the typed changes, for display. Null if there are neither. */
export function shownValue(
  field: ReviewField,
  chosen: Choice | undefined,
  typed: TypedParts | undefined,
): Choice | null {
  if (typed === undefined) return chosen ?? null;
  const own: ValueSource = { method: "self_attested" };
  if (!isComposite(field)) {
    const text = typed[field.key] ?? "";
    return { text: displayed(field.key, text), sources: [own] };
  }
  const parts = Object.fromEntries(Object.entries({ ...chosen?.parts, ...typed }).filter(([, text]) => text !== ""));
  if (Object.keys(parts).length === 0) return null;
  const isLeft = (key: string) => key in parts && !(key in typed);
  const found = (chosen?.sources ?? []).filter((source) => source.parts?.some(isLeft) ?? true);
  return { parts, sources: Object.keys(parts).every(isLeft) ? found : [...found, own] };
}

function displayed(key: string, text: string): string {
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (day !== null) return `${day[2]}/${day[3]}/${day[1]}`;
  return key === "ssn" ? text.replace(/^(\d{3})(\d{2})(\d{4})$/, "$1-$2-$3") : text;
}
