/** Phone numbers that people and brands enter. */
import type { Deps } from "./deps.ts";
import { type Failure, fail, invalid } from "./failure.ts";
import type { Phone } from "./ports.ts";

/** The phone number in E.164 form. Throws OCE002 if it is not a US number that this environment supports. */
export function supportedPhone({ phones }: Pick<Deps, "phones">, text: string): Phone {
  const judged = phones.judge(text);
  if (judged.kind !== "supported") throw fail("OCE002", {});
  return judged.phone;
}

/** OCE003, in the words of what was sent instead of a phone. */
export function phoneMissing({ email }: { email?: string | undefined }): Failure {
  return fail("OCE003", {}, email === undefined ? undefined : "'phone' is required: 'email' alone identifies nobody");
}

/** Like `supportedPhone`, for calls that name the wrong input: throws ERR001 with its path, such as `body.phone`. */
export function phoneAt({ phones }: Pick<Deps, "phones">, text: string, path: string): Phone {
  const judged = phones.judge(text);
  if (judged.kind !== "supported") throw invalid([{ path, message: "Enter a US phone number such as +12125550010." }]);
  return judged.phone;
}
