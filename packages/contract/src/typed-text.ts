/** Texts as people type and paste them. Other programs add marks, and write digits and separators in other characters. */

/** Marks that nobody sees: for text direction, line breaks, joining and the style of emoji. */
const marks = /[\p{Cf}\p{Mn}\p{Me}]/gu;
/** Dashes, and what Unicode does not list as one: a minus sign, a bullet, and the long vowel of Japanese keyboards. */
const dashes = /[\p{Pd}\u2212\u2043\u30fc]/gu;
const dots = /[\u00b7\u2022\u2219\u22c5\u30fb]/g;
const slashes = /[\u2044\u2215]/g;
const digit = /\p{Nd}/u;

/** The text in the characters of an English keyboard: without marks, and with plain digits, spaces and separators. */
export function plainText(text: string): string {
  return text
    .normalize("NFKC") // wide characters of other keyboards, and bold digits
    .replace(marks, "")
    .replace(/\s+/g, " ")
    .replace(dashes, "-")
    .replace(dots, ".")
    .replace(slashes, "/")
    .replace(/\p{Nd}/gu, plainDigit)
    .trim();
}

/** The text without the marks that programs put around a number. */
export function withoutMarks(text: string): string {
  return text.replace(/\p{Cf}/gu, "");
}

/** The digits of the text, such as those of a code. */
export function digitsIn(text: string): string {
  return plainText(text).replace(/\D/g, "");
}

/** Each script's ten digits follow each other, beginning with zero. */
function plainDigit(one: string): string {
  if (one <= "9") return one;
  const code = one.codePointAt(0) ?? 0;
  let zero = code;
  while (digit.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** A link to a phone, which calendars and web pages copy in place of the number. It may have parameters. */
const phoneLink = /^(?:tel|sms|callto):([^;?]*).*$/i;

/** A text with a phone number, in plain characters and without the parts of a link. Its number may be of any country. */
export function plainPhone(text: string): string {
  return plainText(text)
    .replace(phoneLink, (_, number: string) => number.replace(/%20/g, " ").replace(/%2b/i, "+"))
    .trim();
}

/** Words, a number without another country's code, and words. */
const usNumber = /^[^\d+(]*((?:\+[\s(]*(?=1))?[\d\s()./-]*)\D*$/;
/** What people dial before a number: the country code, alone or after a prefix for calls abroad. */
const countryCode = /^(?:00|011)?1(?=\d{10}$)/;

/** Reads a typed or pasted US number, also with words around it. Returns E.164, or null if the text is no US number. */
export function readPhone(text: string): string | null {
  const digits = usNumber.exec(plainPhone(text))?.[1]?.replace(/\D/g, "").replace(countryCode, "") ?? "";
  return /^[02-9]\d{9}$/.test(digits) ? `+1${digits}` : null;
}

/**
 * Whether no SSN has these nine digits. ITINs begin with 9 and are used in place of an SSN, and the SSNs of test people
 * begin with 000, so both are possible.
 */
export const isNeverIssued = (digits: string) => /^(?:666|\d{3}00|\d{5}0000)/.test(digits);
