/** Personal values that people must not write into reasons, because logs keep these. */

/** What may be between the groups of a number: anything but letters and digits. */
const gap = "[^\\p{L}\\p{N}]*";
/** A number that the Social Security Administration may have given, in its groups or in a row. */
const ssn = new RegExp(`(?<!\\d)(?!000|666)\\d{3}${gap}(?!00)\\d{2}${gap}(?!0000)\\d{4}(?!\\d)`, "u");
/** A US phone number in its groups or in a row, with or without the zeros and the 1 that some people dial before it. */
const phone = new RegExp(`(?<!\\d)(?:0${gap}){0,3}(?:1${gap})?[2-9]\\d{2}${gap}[2-9]\\d{2}${gap}\\d{4}(?!\\d)`, "u");
/** The host is a name, an IPv4 address, or an address in brackets. */
const email = /[^\s@]@(?:[^\s@]+\.[^\s@]|\[)/;
/** Groups of at most three digits with the same separator. Longer groups are case numbers and years. */
const spaced = /(?<!\d)\d{1,3}([^\p{L}\p{N}]{1,3})\d{1,3}(?:\1\d{1,3})*(?!\d)/gu;
const octet = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
/** An IPv4 address, also with a port, which an operator names when they limit or stop a brand. Nine digits with its dots count as one. */
const ipv4 = new RegExp(`(?<![\\d.])${octet}(?:\\.${octet}){3}(?!\\.?\\d)(?::\\d{1,5}(?!\\d))?`, "g");
const month = "(?:0?[1-9]|1[0-2])";
const day = "(?:0?[1-9]|[12]\\d|3[01])";
/** Dates, times, and the year with the number of a ticket: their digits beside other digits would look like a phone. */
const ordinary = [
  new RegExp(`(?<!\\d)(?:19|20)\\d{2}([-/.]?)${month}\\1${day}(?!\\d)`, "g"),
  new RegExp(`(?<!\\d[./-]?)(?:${month}([./-])${day}|${day}([./-])${month})[./-](?:20)?\\d{2}(?![./-]?\\d)`, "g"),
  /(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:])/g,
  /(?<!\d)20[0-3]\d-\d{3,7}(?!\d)/g,
];
/** Groups of digits with blanks, dashes or dots between them. Commas and slashes separate two numbers. */
const grouped = /\d+(?:[\s\p{Pd}\u2212.)]{1,3}\d+)+/gu;
/** The most digits of a phone, with the zeros and the 1 before it. */
const digitsMax = 14;
const uuid = /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/gi;

/**
 * Whether a text has a US phone number, a Social Security number or an email address, in any form of its characters.
 * Other numbers are allowed, such as a case number of up to eight digits, UUIDs and IP addresses.
 */
export function namesPerson(text: string): boolean {
  const visible = text.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  const written = asciiDigits(visible).replace(uuid, "x");
  // Before addresses are left out, because one can be the end of an email.
  if (email.test(written)) return true;
  const plain = written.replace(ipv4, "x");
  const joined = [...plain.matchAll(spaced)].map(([group]) => group.replace(/\D/g, ""));
  const rest = ordinary.reduce((left, pattern) => left.replace(pattern, "x"), plain);
  const inRows = [...rest.matchAll(grouped)].flatMap(([groups]) => rowsOf(groups.match(/\d+/g) ?? []));
  return [plain, ...joined, ...inRows].some((one) => [phone, ssn].some((pattern) => pattern.test(one)));
}

/** The digits of neighboring groups in a row, for each first group. */
function rowsOf(groups: readonly string[]): string[] {
  return groups.flatMap((_, from) => {
    const rows: string[] = [];
    let row = "";
    for (const group of groups.slice(from)) {
      row += group;
      if (row.length > digitsMax) break;
      rows.push(row);
    }
    return rows;
  });
}

/** Writes the digits of every script as ASCII digits. */
function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    // Each script has its ten digits in a row, from zero to nine.
    let zero = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return `${(code - zero) % 10}`;
  });
}
