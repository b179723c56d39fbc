/** Values as the person's page shows them: hidden by the service until the person proved who they are. */
import { type CredentialType, credentialKey } from "@countersign/contract/credential";
import { dataKeyOf, isCompositeType, schemaLibrary } from "@countersign/contract/schema-library";
import { dayOf } from "../day.ts";
import type { IssuedData } from "../issuance/issued-credential-rows.ts";
import type { SourcedCredential } from "../ports.ts";

export type ShownValue = { key: string; title: string; text: string };

/** A hidden text. Its length says nothing about the value. */
const hidden = "••••••";

/** What brands issued, as values. Pictures are named, not sent. */
export function issuedValues(type: CredentialType, data: IssuedData, isOpen: boolean): ShownValue[] {
  if ("children" in data) return data.children.flatMap((child) => issuedValues(child.type, child, isOpen));
  const own = isCompositeType(type) ? null : dataKeyOf(type);
  return Object.entries(data.values).flatMap(([key, value]) =>
    value === "" ? [] : [shownValue(type, { key: key === own ? credentialKey(type) : key, value }, isOpen)],
  );
}

/** What brands issued, as claims of a credential. Pictures are too large for one. */
export function issuedClaims(type: CredentialType, data: IssuedData): Record<string, string> {
  if ("children" in data) return Object.assign({}, ...data.children.map((child) => issuedClaims(child.type, child)));
  if (widgetOf(type) === "Image") return {};
  return Object.fromEntries(issuedValues(type, data, true).map(({ key, text }) => [key, text]));
}

/** What was shared, as values. */
export function sourcedValues(credential: SourcedCredential, isOpen: boolean): ShownValue[] {
  if ("children" in credential) return credential.children.flatMap((child) => sourcedValues(child, isOpen));
  if (credential.value === "") return [];
  return [shownValue(credential.type, { key: credentialKey(credential.type), value: credential.value }, isOpen)];
}

export function titleOf(type: CredentialType): string {
  return schemaLibrary[type]?.title ?? type;
}

function shownValue(type: CredentialType, { key, value }: { key: string; value: string }, isOpen: boolean): ShownValue {
  const about = { key, title: titleOf(type) };
  const widget = widgetOf(type);
  if (widget === "Image") return { ...about, text: isOpen ? pictureWords(value) : hidden };
  if (isOpen) return { ...about, text: widget === "Date" ? dayOf(value) : value };
  return { ...about, text: widget === "Date" ? "••/••/••••" : (masks[type]?.(value) ?? hidden) };
}

function widgetOf(type: CredentialType): string | undefined {
  const schema = schemaLibrary[type];
  const key = isCompositeType(type) ? null : dataKeyOf(type);
  if (schema === undefined || key === null || !("properties" in schema)) return undefined;
  return schema.properties[key]?.input?.type;
}

/**
 * Hidden values in their usual form. An SSN shows no digit and a date no part, because the person proves who they are
 * with these. The page already shows the end of the phone.
 */
const masks: Partial<Record<CredentialType, (value: string) => string>> = {
  SsnCredential: () => "•••-••-••••",
  PhoneCredential: (value) => `(•••) •••-${value.slice(-4)}`,
};

function pictureWords(value: string): string {
  return `${Math.ceil((value.length * 3) / 4 / 1024)} KB`;
}
