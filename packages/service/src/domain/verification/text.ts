import type { SmsFormat } from "@countersign/contract/verification";
import type { Brand } from "../deps.ts";
import type { CodeStyle, OneTimeCode } from "../one-time-code.ts";

/** What one text holds in the GSM alphabet. */
const textMax = 160;

export type TextParts = { code: OneTimeCode; link: string; style: CodeStyle };

/** The words of a text. A link stands alone on its line; a last line binds the code to the host that shows its field. */
export function verificationText(brand: Brand, format: SmsFormat, parts: TextParts): string {
  const { externalName, otpOrigin } = brand.settings;
  const bound = format === "link" || otpOrigin === null ? "" : `\n@${otpOrigin} #${parts.code.forText()}`;
  const words = (name: string) => `${bodies[format](name, parts)}${bound}`;
  // A long name gives way, so that it does not push the code into a second text.
  const excess = words(externalName).length - textMax;
  const name =
    excess > 0 && excess < externalName.length ? externalName.slice(0, externalName.length - excess) : externalName;
  return words(name.trim());
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
