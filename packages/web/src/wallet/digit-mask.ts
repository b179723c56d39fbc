/** Adds separators to digits while the person types. */
import { digitsIn, plainPhone, plainText, readPhone } from "@countersign/contract/typed-text";

/** Formats the text of an input. `isGrowing`: the text got longer, so a separator may follow its last digit. */
export type Mask = (text: string, isGrowing: boolean) => string;

/** A US phone number: (212) 555-0010. Other numbers stay as typed. */
export const phoneMask: Mask = (typed) => {
  const text = nationalNumber(typed);
  const digits = text.replace(/\D/g, "");
  const national = digits.replace(/^1/, "");
  // No area code begins with 1, so it is the country code. It stays visible until the number is complete.
  const country = digits === national ? "" : text.startsWith("+") ? "+1 " : "1 ";
  if (national === "" || national.length > 10 || !/^(?:\+\s*1|[\d(])[\d\s().-]*$/.test(text)) return typed;
  const [area, exchange, line] = [national.slice(0, 3), national.slice(3, 6), national.slice(6)];
  if (exchange === "") return country + (area.length < 3 ? area : `(${area}`);
  return country + (line === "" ? `(${area}) ${exchange}` : `(${area}) ${exchange}-${line}`);
};

/** A complete US number without its country code and the words around it; another text in plain characters. */
function nationalNumber(typed: string): string {
  return readPhone(typed)?.slice("+1".length) ?? plainPhone(typed);
}

/** A date: 08/01/1989. A separator after a one-digit month or day adds the zero. Texts with letters stay unchanged. */
export const dateMask: Mask = (typed, isGrowing) => {
  const text = plainText(typed);
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text);
  if (iso !== null) return [padded(iso[2]), padded(iso[3]), iso[1]].join("/");
  if (/[^\d\s/.-]/.test(text)) return typed;
  // A space at the end also ends a part.
  const ended = (/\s$/.test(typed) ? `${text} ` : text)
    .replace(/^(\d)[\s/.-]+/, "0$1/")
    .replace(/^(\d\d)[\s/.-]*(\d)[\s/.-]+/, "$1/0$2/");
  const digits = ended.replace(/\D/g, "").slice(0, 8);
  const parts = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)].filter((part) => part !== "");
  const isPartFull = digits.length === 2 || digits.length === 4;
  return parts.join("/") + (isPartFull && isGrowing ? "/" : "");
};

/** A social security number: 000-45-6789. */
export const ssnMask: Mask = (text) => {
  const digits = digitsIn(text).slice(0, 9);
  return [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)].filter((part) => part !== "").join("-");
};

/** The last four digits of a whole number, such as a pasted one. */
export const ssn4Mask: Mask = (text) => {
  const digits = digitsIn(text);
  return digits.length === 9 ? digits.slice(-4) : digits.slice(0, 4);
};

const padded = (digits = "") => digits.padStart(2, "0");

/** An edit of an input: its event, and the text before the edit. */
export type Edit = { event: { currentTarget: HTMLInputElement; inputType?: string }; before: string };

/**
 * Writes the masked text into an input, and keeps the caret after the same digit. Returns the text. A person who deletes
 * a separator in the middle deletes the digit beyond it, because the mask would put the separator back.
 */
export function maskInput({ event, before }: Edit, mask: Mask): string {
  const { currentTarget: input, inputType = "" } = event;
  const { value, selectionStart } = input;
  const caret = selectionStart ?? value.length;
  const text = mask(value, value.length > before.length);
  if (text === value) return text;
  const digits = digitCount(value.slice(0, caret));
  if (text === before && value.length === before.length - 1 && inputType.startsWith("delete")) {
    // The mask put back what was deleted. Without separators, it cannot.
    const isSeparator = digitCount(value) === digitCount(before);
    const index = isSeparator ? digits - (inputType.endsWith("Forward") ? 0 : 1) : -1;
    return write(input, mask(withoutDigit(value, index), false), index === -1 ? digits : index);
  }
  return write(input, text, caret < value.length ? digits : undefined);
}

/** `caretDigits`: how many digits are before the caret; undefined leaves it at the end. */
function write(input: HTMLInputElement, text: string, caretDigits: number | undefined): string {
  input.value = text;
  if (caretDigits === undefined) return text;
  const position = positionAfter(text, caretDigits);
  input.setSelectionRange(position, position);
  return text;
}

/** The digits of a text, and its plus sign, without the digit of that index. */
function withoutDigit(text: string, index: number): string {
  const digits = [...digitsIn(text)].filter((_, at) => at !== index).join("");
  return text.startsWith("+") ? `+${digits}` : digits;
}

/** The number of digits in a text. */
export const digitCount = (text: string) => digitsIn(text).length;

function positionAfter(text: string, digits: number): number {
  for (let position = 0; position < text.length; position += 1)
    if (digitCount(text.slice(0, position)) >= digits) return position;
  return text.length;
}
