import type { SmsFormat } from "@countersign/contract/verification";
import { nameProblem } from "../brand/name.ts";
import { otpHost } from "../brand/settings.ts";
import type { Brand } from "../deps.ts";
import type { CodeStyle, OneTimeCode } from "../one-time-code.ts";
import { isGsm, segmentsOf } from "./segments.ts";

/** Segments of one text. A GSM name is cut so that one is enough, unless links and hosts leave no room for it. */
const segmentsMax = 2;
/** Characters of a name by which people still recognize a brand. */
const nameKeptMin = 10;

export type TextParts = {
  code: OneTimeCode;
  link: string;
  style: CodeStyle;
  /** The host that shows the code's field, and the one of the page around it, where it is a frame. */
  host?: string;
  within?: string;
};

/** The words of a text. A link stands alone on its line; a last line binds the code to the host that shows its field. */
export function verificationText({ settings }: Brand, format: SmsFormat, parts: TextParts): string {
  const name = nameInTexts(settings.externalName);
  const host = parts.host ?? otpHost(settings);
  const bound = format === "link" || host === null ? "" : `\n${boundTo(host, parts)}`;
  const words = (shown: string) => bodies[format](shown === "" ? "" : ` for ${shown}`, parts);
  const whole = (shown: string) => `${words(shown)}${bound}`;
  return (
    (isGsm(name) ? fitted(name, { words: whole, segments: 1, keptMin: nameKeptMin }) : null) ??
    fitted(name, { words: whole, segments: segmentsMax, keptMin: nameKeptMin }) ??
    // Only where hosts are longer than a text: its code or link matters more than the line that binds the code.
    fitted(name, { words, segments: segmentsMax, keptMin: 0 }) ??
    words("")
  );
}

/** Names stored before they were checked are in no text. */
function nameInTexts(name: string): string {
  return nameProblem(name) === null ? name.normalize("NFC").trim() : "";
}

type Fit = { words(name: string): string; segments: number; keptMin: number };

/** The words with as much of the name as fits; null where that is less than `keptMin` characters of a longer name. */
function fitted(name: string, { words, segments, keptMin }: Fit): string | null {
  const all = words(name);
  if (segmentsOf(all) <= segments) return all;
  // What people see as one character stays whole, such as an emoji or a letter with its accents.
  const characters = Array.from(graphemes.segment(name), ({ segment }) => segment);
  for (let kept = characters.length - 1; kept >= Math.min(keptMin, characters.length); kept -= 1) {
    const text = words(characters.slice(0, kept).join("").trimEnd());
    if (segmentsOf(text) <= segments) return text;
  }
  return null;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The last line, by which a browser knows whose code it is; in a frame it names the page's host first. */
function boundTo(host: string, { code, within }: TextParts): string {
  return within === undefined ? `@${host} #${code.forText()}` : `@${within} #${code.forText()} @${host}`;
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
