/** Amounts never pass through floats, so that "12345678901.10" stays exact. */
const decimalPattern = /^(-?)(\d{0,15})(?:\.(\d{0,8}))?$/;

/** The usual forms of amounts and shares: `250` and `.2`. Other forms take several times as long to parse. */
const wholePattern = /^(?:0|[1-9]\d{0,14})$/;
const sharePattern = /^0?\.\d{1,8}$/;

type Decimal = { negative: boolean; whole: string; fraction: string };

function parse(text: string): Decimal | null {
  const found = decimalPattern.exec(text) ?? decimalPattern.exec(text.replace(/[$,+\s]/g, ""));
  if (found === null) return null;
  const [, sign = "", whole = "", fraction = ""] = found;
  if (whole === "" && fraction === "") return null;
  return { negative: sign === "-", whole: whole.replace(/^0+(?=\d)/, ""), fraction };
}

function format({ negative, whole, fraction }: Decimal): string {
  return `${negative ? "-" : ""}${whole === "" ? "0" : whole}.${fraction.padEnd(2, "0")}`;
}

/** An amount with at least two decimals; undefined if the text is not a number. */
export function amountOf(text: string): string | undefined {
  if (text === "") return undefined;
  if (wholePattern.test(text)) return `${text}.00`;
  const decimal = parse(text);
  return decimal === null ? undefined : format(decimal);
}

/** Converts a share to a fraction. A value over 1 is a percentage. */
export function fractionOf(text: string): string | undefined {
  if (text === "") return undefined;
  if (sharePattern.test(text)) return `0${text.slice(text.indexOf("."))}`.padEnd(4, "0");
  const decimal = parse(text);
  if (decimal === null || decimal.negative) return undefined;
  const { whole, fraction } = decimal;
  const isMoreThanOne = !["", "0", "1"].includes(whole) || (whole === "1" && /[1-9]/.test(fraction));
  if (!isMoreThanOne) return format(decimal);
  const digits = whole.padStart(3, "0");
  const moved = `${digits.slice(-2)}${fraction}`.replace(/0+$/, "");
  return format({ negative: false, whole: digits.slice(0, -2).replace(/^0+(?=\d)/, ""), fraction: moved });
}

/** `total` minus `used`, but at least zero. Both are in the format of `amountOf`. */
export function less(total: string, used: string): string {
  const places = Math.max(decimals(total), decimals(used));
  const left = scaled(total, places) - scaled(used, places);
  const digits = (left < 0n ? 0n : left).toString().padStart(places + 1, "0");
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

const decimals = (text: string) => text.length - text.indexOf(".") - 1;
const scaled = (text: string, places: number) => BigInt(text.replace(".", "") + "0".repeat(places - decimals(text)));
