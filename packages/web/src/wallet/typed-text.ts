/** Texts that people type into the fields of a review. */
import { isNeverIssued, plainText } from "@countersign/contract/typed-text";
import type { ReviewInput } from "@countersign/contract/wallet";
import { deviceNow } from "../ui/now.ts";
import { readBirthDate } from "./birth-date.ts";
import { labelInSentence } from "./values.tsx";
import type { Words } from "./words-en.ts";

/** Converts the text of an input to what the service expects, or returns the problem with it. */
export function readText(
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
    const digits = plainText(text).replace(/[\s-]/g, "");
    if (!/^\d{9}$/.test(digits)) return { kind: "wrong", why: words.badSsn };
    return isNeverIssued(digits) ? { kind: "wrong", why: words.impossibleSsn } : { kind: "value", value: digits };
  }
  if (input.key === "region" && !/^[A-Za-z0-9]{1,3}$/.test(text)) return { kind: "wrong", why: words.badRegion };
  if (input.key === "amount" && !/^-?\d+$/.test(text)) return { kind: "wrong", why: words.badAmount };
  if (input.kind === "email" && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text)) return { kind: "wrong", why: words.badEmail };
  return { kind: "value", value: text };
}

/** The problem of an empty required input. */
export function requiredText(words: Words, { key, kind }: Pick<ReviewInput, "key" | "kind">): string {
  if (key === "state") return words.badState;
  if (key === "region") return words.badRegion;
  if (key === "amount") return words.badAmount;
  if (kind === "select") return words.chooseRequired;
  const label = labelInSentence(words, key);
  return label === undefined ? words.requiredUnnamed : words.required(label);
}

/** An amount with thousands separators. Other texts are returned unchanged. */
export function groupedAmount({ key }: Pick<ReviewInput, "key">, text: string): string {
  return key === "amount" && /^-?\d+$/.test(plainAmount(text))
    ? BigInt(plainAmount(text)).toLocaleString("en-US")
    : text;
}

export function plainAmount(text: string): string {
  return plainText(text).replace(/[\s,$]|\.00?$/g, "");
}
