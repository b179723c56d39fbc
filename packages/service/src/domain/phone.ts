/** Phone numbers that people and brands enter. */
import { type Deps, type HomeDeps, sourceDeadlineMs } from "./deps.ts";
import { type Failure, fail, invalid, orUnavailable } from "./failure.ts";
import type { Phone, SourceAnswer } from "./ports.ts";

/** A phone with only its last four digits. */
export function maskedPhone(phone: string): string {
  return `(•••) •••-${phone.slice(-4)}`;
}

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

/** What the outside source says about a phone alone. Throws 503 if the source is down. */
export async function askSourceAboutPhone(deps: HomeDeps, phone: Phone): Promise<SourceAnswer> {
  return await orUnavailable(
    deps.vendors.identity.lookUp({ phone, inputs: {}, compare: [], narrow: [], deadlineMs: sourceDeadlineMs }),
  );
}

/** Whether the source may know the phone's holder. */
export async function isKnownToSource(deps: HomeDeps, phone: Phone): Promise<boolean> {
  return (await askSourceAboutPhone(deps, phone)).kind !== "unknown";
}
