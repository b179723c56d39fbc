import type { SmsFormat } from "@countersign/contract/verification";
import type { Brand } from "../deps.ts";
import type { CodeStyle, OneTimeCode } from "../one-time-code.ts";

/** What one text holds in the GSM alphabet. */
const textMax = 160;

export type TextParts = {
  code: OneTimeCode;
  link: string;
  style: CodeStyle;
  /** The host that shows the code's field, and the one of the page around it, where it is a frame. */
  host?: string;
  within?: string;
};

/** The words of a text. A link stands alone on its line; a last line binds the code to the host that shows its field. */
export function verificationText(brand: Brand, format: SmsFormat, parts: TextParts): string {
  const { externalName, otpOrigin } = brand.settings;
  const host = parts.host ?? otpOrigin;
  const bound = format === "link" || host === null ? "" : `\n${boundTo(host, parts)}`;
  const words = (name: string) => `${bodies[format](name, parts)}${bound}`;
  // A long name gives way, so that it does not push the code into a second text.
  const excess = words(externalName).length - textMax;
  const name =
    excess > 0 && excess < externalName.length ? externalName.slice(0, externalName.length - excess) : externalName;
  return words(name.trim());
}

/** The last line, by which a browser knows whose code it is; in a frame it names the page's host first. */
function boundTo(host: string, { code, within }: TextParts): string {
  return within === undefined ? `@${host} #${code.forText()}` : `@${within} #${code.forText()} @${host}`;
}

const bodies: Record<SmsFormat, (name: string, parts: TextParts) => string> = {
  code: (name, { code, style }) =>
    `${code.forText(style)} is your code to verify your phone for ${name}. Do not share it.`,
  link: (name, { link }) => `Open this link to verify your phone for ${name}:\n${link}`,
  codeAndLink: (name, { code, link, style }) =>
    `${code.forText(style)} is your code to verify your phone for ${name}. Or open this link:\n${link}`,
  linkAndCode: (name, { code, link, style }) =>
    `Open this link to verify your phone for ${name}:\n${link}\nor enter the code ${code.forText(style)}`,
};
