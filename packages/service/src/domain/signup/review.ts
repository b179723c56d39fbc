import { type CredentialType, credentialKey } from "@countersign/contract/credential";
import type { ReviewField } from "@countersign/contract/wallet";
import type { SourcedCredential } from "../ports.ts";
import type { OneClick } from "./store.ts";

const hidden = "•";

/** What hides of a value that no screen needs: the year of a birth date, all but the last four digits of an SSN. */
const masks: Partial<Record<CredentialType, (value: string) => string>> = {
  SsnCredential: (value) => `${hidden.repeat(Math.max(0, value.length - 4))}${value.slice(-4)}`,
  BirthDateCredential: (value) => `${value.slice(5, 7)}/${value.slice(8, 10)}/${hidden.repeat(4)}`,
};

/** What the person reviews. Hidden digits are hidden here: they never leave the service. */
export function reviewOf({ facts }: OneClick): ReviewField[] {
  return facts.credentials.map(({ request, values }) => ({
    key: credentialKey(request.type),
    type: request.type,
    mandatory: request.mandatory,
    allowUserInput: request.allowUserInput,
    ...(request.description === undefined ? {} : { description: request.description }),
    choices: values.map((value) => ({ ...shown(value), verificationMethod: value.verificationMethod })),
  }));
}

function shown(credential: SourcedCredential): { text: string } | { parts: Record<string, string> } {
  if ("value" in credential) return { text: masked(credential.type, credential.value) };
  const parts = credential.children.flatMap((child) =>
    "value" in child ? [[credentialKey(child.type), masked(child.type, child.value)]] : [],
  );
  return { parts: Object.fromEntries(parts) };
}

function masked(type: CredentialType, value: string): string {
  return masks[type]?.(value) ?? value;
}
