import type { Brand } from "../deps.ts";
import type { OneTimeCode } from "../one-time-code.ts";

/** Name of a brand in a text; longer ones would push the code into a second text. */
const nameMax = 60;

/** The words of a text that carries a code. The last line binds it to the host that shows the field, where that is known. */
export function codeText(brand: Brand, code: OneTimeCode): string {
  const { externalName, otpOrigin } = brand.settings;
  const line = `${code.forText()} is your code to verify your phone for ${externalName.slice(0, nameMax)}. Do not share it.`;
  return otpOrigin === null ? line : `${line}\n@${otpOrigin} #${code.forText()}`;
}
