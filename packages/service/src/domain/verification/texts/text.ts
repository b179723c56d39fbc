import type { SmsFormat } from "@countersign/contract/verification";
import { otpHost } from "../../brand/settings.ts";
import type { Brand, Policy } from "../../deps.ts";
import type { CodeStyle, OneTimeCode } from "../../one-time-code.ts";

/**
 * Maximum number of segments of one text. A GSM name is shortened to fit one segment, unless links and hosts leave no
 * room.
 */
const segmentsMax = 2;
/** Minimum number of characters of a name by which people still recognize a brand. */
const nameKeptMin = 10;

export type TextParts = {
  code: OneTimeCode;
  link: string;
  style: CodeStyle;
  /** `host`: shows the input field of the code. `within`: the host of the page around it, if it is a frame. */
  host?: string;
  within?: string;
};

/**
 * The words of a text. A link has its own line. The last line binds the code to the host that shows its input field.
 */
export function verificationText(
  { isTest }: Pick<Policy, "isTest">,
  { settings }: Brand,
  { format, ...parts }: TextParts & { format: SmsFormat },
): string {
  const name = settings.externalName.normalize("NFC").trim();
  const host = parts.host ?? otpHost(settings);
  const bound = format === "link" || host === null ? "" : `\n${boundTo(host, parts)}`;
  const test = isTest ? " (test)" : "";
  const words = (shown: string) => bodies[format](shown === "" ? test : ` for ${shown}${test}`, parts);
  const whole = (shown: string) => `${words(shown)}${bound}`;
  return (
    (isGsm(name) ? fitted(name, { words: whole, segments: 1, keptMin: nameKeptMin }) : null) ??
    fitted(name, { words: whole, segments: segmentsMax, keptMin: nameKeptMin }) ??
    // Only if the hosts alone are longer than a text. The code or link is more important than the line that binds the
    // code.
    fitted(name, { words, segments: segmentsMax, keptMin: 0 }) ??
    words("")
  );
}

type Fit = { words(name: string): string; segments: number; keptMin: number };

/** The text with as much of the name as fits. Null if fewer than `keptMin` characters of a longer name would remain. */
function fitted(name: string, { words, segments, keptMin }: Fit): string | null {
  const all = words(name);
  if (segmentsOf(all) <= segments) return all;
  // Never split a grapheme, such as an emoji or a letter with its accents.
  const characters = Array.from(graphemes.segment(name), ({ segment }) => segment);
  for (let length = characters.length - 1; length >= Math.min(keptMin, characters.length); length -= 1) {
    const text = words(characters.slice(0, length).join("").trimEnd());
    if (segmentsOf(text) <= segments) return text;
  }
  return null;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The last line, which tells a browser the host of the code. In a frame, it names the page's host first, unless both are the same. */
function boundTo(host: string, { code, within }: TextParts): string {
  const bound = `@${within ?? host} #${code.forText()}`;
  return within === undefined || within === host ? bound : `${bound} @${host}`;
}

const bodies: Record<SmsFormat, (forName: string, parts: TextParts) => string> = {
  code: (forName, { code, style }) =>
    `${code.forText(style)} is your code to verify your phone${forName}. Do not share it.`,
  link: (forName, { link }) => `Open this link to verify your phone${forName}:\n${link}`,
  codeAndLink: (forName, { code, link, style }) =>
    `${code.forText(style)} is your code to verify your phone${forName}. Or open this link:\n${link}`,
  linkAndCode: (forName, { code, link, style }) =>
    `Open this link to verify your phone${forName}:\n${link}\nor enter the code ${code.forText(style)}`,
};

/** GSM 03.38, basic alphabet: one septet per character. Without the escape character, which no text contains. */
const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** GSM 03.38, extension table: two septets per character (an escape and a character), which stay in one segment. */
const extension = new Set("\f^{}\\[~]|€");

/** Size of the only segment of a text, and of each segment of a longer one, in septets or UTF-16 units. */
const gsmSizes = { single: 160, part: 153 };
const ucs2Sizes = { single: 70, part: 67 };

/** Whether a text is sent in septets. One character outside the alphabet makes the whole text UCS-2. */
export function isGsm(text: string): boolean {
  return [...text].every((one) => basic.has(one) || extension.has(one));
}

/** The number of segments that a gateway sends and charges for a text. */
export function segmentsOf(text: string): number {
  const characters = [...text];
  const inSeptets = isGsm(text);
  const { single, part } = inSeptets ? gsmSizes : ucs2Sizes;
  // An extension character or a surrogate pair is never split between two segments.
  const sizes = characters.map((one) => (inSeptets ? (extension.has(one) ? 2 : 1) : one.length));
  if (sizes.reduce((sum, size) => sum + size, 0) <= single) return 1;
  let segments = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > part) {
      segments += 1;
      used = 0;
    }
    used += size;
  }
  return segments;
}
