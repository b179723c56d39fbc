/** Adds separators to digits while the person types. */

/** Formats the text of an input. `isGrowing`: the text got longer, so a separator may follow its last digit. */
export type Mask = (text: string, isGrowing: boolean) => string;

/** A US phone number: (212) 555-0010. Other numbers stay as typed. */
export const phoneMask: Mask = (text) => {
  const digits = text.replace(/\D/g, "");
  const national = nationalDigits(text);
  if (national === "" || national.length > 10 || !/^(?:\+\s*1|[^+])[\d\s().-]*$/.test(text)) return text;
  const [area, exchange, line] = [national.slice(0, 3), national.slice(3, 6), national.slice(6)];
  if (exchange === "") return digits === national && area.length < 3 ? area : `(${area}`;
  return line === "" ? `(${area}) ${exchange}` : `(${area}) ${exchange}-${line}`;
};

/** A date: 08/01/1989. A separator after a one-digit month or day adds the zero. Texts with letters stay unchanged. */
export const dateMask: Mask = (text, isGrowing) => {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text.trim());
  if (iso !== null) return [padded(iso[2]), padded(iso[3]), iso[1]].join("/");
  if (/[^\d\s/.-]/.test(text)) return text;
  const ended = text.replace(/^(\d)[\s/.-]+/, "0$1/").replace(/^(\d\d)[\s/.-]*(\d)[\s/.-]+/, "$1/0$2/");
  const digits = ended.replace(/\D/g, "").slice(0, 8);
  const parts = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)].filter((part) => part !== "");
  const isPartFull = digits.length === 2 || digits.length === 4;
  return parts.join("/") + (isPartFull && isGrowing ? "/" : "");
};

/** A social security number: 000-45-6789. */
export const ssnMask: Mask = (text) => {
  const digits = text.replace(/\D/g, "").slice(0, 9);
  return [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)].filter((part) => part !== "").join("-");
};

export const ssn4Mask: Mask = (text) => text.replace(/\D/g, "").slice(0, 4);

const padded = (digits = "") => digits.padStart(2, "0");

/**
 * Writes the masked text into an input, and keeps the caret after the same digit. Returns the text. `before`: the text
 * before this edit.
 */
export function maskInput(input: HTMLInputElement, mask: Mask, before: string): string {
  const { value, selectionStart } = input;
  const caret = selectionStart ?? value.length;
  const text = mask(value, value.length > before.length);
  if (text === value) return text;
  const digits = digitCount(value.slice(0, caret));
  input.value = text;
  const position = positionAfter(text, digits);
  if (caret < value.length) input.setSelectionRange(position, position);
  return text;
}

/** The digits of a US number without the country code: no US number begins with a 1, so a leading 1 is that code. */
export const nationalDigits = (text: string) => text.replace(/\D/g, "").replace(/^1/, "");

/** The number of digits in a text. */
export const digitCount = (text: string) => text.replace(/\D/g, "").length;

function positionAfter(text: string, digits: number): number {
  for (let position = 0; position < text.length; position += 1)
    if (digitCount(text.slice(0, position)) >= digits) return position;
  return text.length;
}
