import { type CredentialType, credentialKey } from "@countersign/contract/credential";
import { schemaLibrary } from "@countersign/contract/schema-library";
import type { ReviewField } from "@countersign/contract/wallet";
import type { SourcedCredential } from "../../ports.ts";
import type { OneClick } from "../one-click.ts";
import { typingInputs } from "../typing.ts";

const hidden = "•";

/** Masks what no screen needs: the year of a birth date, and all but the last four digits of an SSN. */
const masks: Partial<Record<CredentialType, (value: string) => string>> = {
  SsnCredential: (value) => `${hidden.repeat(Math.max(0, value.length - 4))}${value.slice(-4)}`,
  BirthDateCredential: (value) => `${value.slice(5, 7)}/${value.slice(8, 10)}/${hidden.repeat(4)}`,
};

/**
 * The fields that the person reviews: everything the brand asks for, found or not. Masked digits never leave the
 * service.
 */
export function reviewOf({ facts, requestTree }: OneClick): ReviewField[] {
  return requestTree.map((request) => {
    const values = facts.credentials.find((fact) => fact.request.type === request.type)?.values ?? [];
    return {
      key: credentialKey(request.type),
      type: request.type,
      title: schemaLibrary[request.type]?.title ?? request.type,
      mandatory: request.mandatory,
      allowUserInput: request.allowUserInput,
      ...(request.description === undefined ? {} : { description: request.description }),
      choices: values.map((value) => ({ ...shown(value), verificationMethod: value.verificationMethod })),
      inputs: typingInputs(request).map(({ type: _type, ...input }) => input),
    };
  });
}

function shown(credential: SourcedCredential): { text: string } | { parts: Record<string, string> } {
  if ("value" in credential) return { text: masked(credential.type, credential.value) };
  return { parts: Object.fromEntries(partsOf(credential.children)) };
}

function partsOf(children: SourcedCredential[]): [string, string][] {
  return children.flatMap((child): [string, string][] =>
    "value" in child ? [[credentialKey(child.type), masked(child.type, child.value)]] : partsOf(child.children),
  );
}

function masked(type: CredentialType, value: string): string {
  return masks[type]?.(value) ?? value;
}
