/** Canaries: unique test values, and every encoding in which one could appear. */
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const word = randomBytes(4)
  .toString("hex")
  .replaceAll(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)));
const digits = (count: number) => Array.from(randomBytes(count), (byte) => byte % 10).join("");
const [middle, last] = [digits(3), digits(4)];
/** At least 1000, so that it never equals a migration's number. */
const serial = String(1_000 + (Number(digits(5)) % 9_000));
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Personal data of a person who is in no source. */
export const person = {
  phone: `+1303${String(200 + (Number(middle) % 700))}${last}`,
  email: `${word}.mail@canary-${word}.example`,
  birthDate: `19${10 + (Number(last) % 80)}-0${1 + (Number(middle) % 9)}-17`,
  ssn: `000${10 + (Number(middle) % 90)}${serial}`,
  ssn4: serial,
  firstName: `${capital(word)}first`,
  middleName: `${capital(word)}middle`,
  lastName: `${capital(word)}last`,
  line1: `${middle} ${capital(word)} Street`,
  employer: `${capital(word)} Works`,
  memberId: `W${word.toUpperCase()}${last}`,
  reference: `order-${word}`,
};
/** Secrets of brands and operators. */
export const secrets = {
  webhookUser: `${word}-user`,
  webhookPassword: `${word}-password`,
  webhookHeader: `${word}-header-value`,
  masterKey: randomBytes(32).toString("hex"),
  metricsToken: `${word}-metrics-token-${word}`,
  idempotencyKey: `${word}-idempotency`,
};

/** Shorter digits occur in other numbers by chance, so they match only if no digit is next to them. */
const shortMax = 6;
export const isShort = (canary: string) => canary.length <= shortMax && /^\d+$/.test(canary);

/** Returns a value in each form that a file, a log line or a URL may use. */
function spellingsOf(canary: string): Buffer[] {
  const plain = new Set([canary, canary.toLowerCase(), canary.toUpperCase(), encodeURIComponent(canary)]);
  if (/^\+1\d{10}$/.test(canary)) {
    const [area, block, line] = [canary.slice(2, 5), canary.slice(5, 8), canary.slice(8)];
    for (const phone of [`${area}${block}${line}`, `${area}-${block}-${line}`, `(${area}) ${block}-${line}`])
      plain.add(phone);
  }
  if (/^\d{9}$/.test(canary)) plain.add(`${canary.slice(0, 3)}-${canary.slice(3, 5)}-${canary.slice(5)}`);
  if (/^\d{4}-\d\d-\d\d$/.test(canary)) {
    const [year, month, day] = canary.split("-");
    for (const date of [`${year}${month}${day}`, `${month}/${day}/${year}`, String(Date.parse(`${canary}T12:00:00Z`))])
      plain.add(date);
  }
  // Short canaries are not encoded: any four bytes match some base64 text by chance.
  const all = isShort(canary) ? [canary] : [...plain, ...[...plain].flatMap(coded)];
  return [...new Set(all)].map((text) => Buffer.from(text));
}

function coded(text: string): string[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString("hex");
  // Base64 encodes a text in three ways, depending on its offset modulo three. Cut the ends, which depend on adjacent
  // bytes.
  const base64 = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replaceAll("=", "");
    return whole.slice(before === 0 ? 0 : before + 1, whole.length - 2);
  });
  const urlSafe = base64.map((one) => one.replaceAll("+", "-").replaceAll("/", "_"));
  return [hex, hex.toUpperCase(), ...base64, ...urlSafe];
}

const known = new Map<string, Buffer[]>();
function spellings(canary: string): Buffer[] {
  const found = known.get(canary) ?? spellingsOf(canary);
  known.set(canary, found);
  return found;
}

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Returns whether some bytes contain a value in any encoding. */
export function standsIn(bytes: Buffer, canary: string): boolean {
  return spellings(canary).some((spelling) => {
    for (let at = bytes.indexOf(spelling); at >= 0; at = bytes.indexOf(spelling, at + 1))
      if (!isShort(canary) || !(isDigit(bytes[at - 1]) || isDigit(bytes[at + spelling.length]))) return true;
    return false;
  });
}

export function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
