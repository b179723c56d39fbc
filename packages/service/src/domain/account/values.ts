/** Values as the person's page shows them: masked by the service until the person has proven who they are. */

import { type CredentialType, credentialKey } from "@countersign/contract/credential";
import { dataKeyOf, isCompositeType, schemaLibrary } from "@countersign/contract/schema-library";
import { dayOfIssued } from "../day.ts";
import type { IssuedData } from "../issuance/issued-credential-rows.ts";
import { maskedPhone } from "../phone.ts";
import type { SourcedCredential } from "../ports.ts";

export type ShownValue = { key: string; title: string; text: string };
/** Whether the person has proven who they are, and sees values in full. */
export type Visibility = "full" | "masked";

/** Stands for a hidden text. It has a fixed length, so it does not reveal the value's length. */
const hidden = "••••••";

/** Issued values for the page. Pictures are named but not sent. */
export function issuedValues(type: CredentialType, data: IssuedData, visibility: Visibility): ShownValue[] {
  if ("children" in data) return data.children.flatMap((child) => issuedValues(child.type, child, visibility));
  const own = isCompositeType(type) ? null : dataKeyOf(type);
  return Object.entries(data.values).flatMap(([key, value]) =>
    value === "" ? [] : [shownValue(type, { key: key === own ? credentialKey(type) : key, value }, visibility)],
  );
}

/** Issued values as claims of a credential, without pictures, which are too large. */
export function issuedClaims(type: CredentialType, data: IssuedData): Record<string, string> {
  if ("children" in data) return Object.assign({}, ...data.children.map((child) => issuedClaims(child.type, child)));
  if (widgetOf(type) === "Image") return {};
  return Object.fromEntries(issuedValues(type, data, "full").map(({ key, text }) => [key, text]));
}

/** Shared values for the page. */
export function sourcedValues(credential: SourcedCredential, visibility: Visibility): ShownValue[] {
  if ("children" in credential) return credential.children.flatMap((child) => sourcedValues(child, visibility));
  if (credential.value === "") return [];
  const { type, value } = credential;
  return [shownValue(type, { key: credentialKey(type), value }, visibility)];
}

export function titleOf(type: CredentialType): string {
  return schemaLibrary[type]?.title ?? type;
}

function shownValue(
  type: CredentialType,
  { key, value }: { key: string; value: string },
  visibility: Visibility,
): ShownValue {
  const shown = { key, title: titleOf(type) };
  const widget = widgetOf(type);
  if (widget === "Image") return { ...shown, text: visibility === "full" ? pictureSize(value) : hidden };
  if (visibility === "full") return { ...shown, text: widget === "Date" ? dayOfIssued(value) : value };
  return { ...shown, text: widget === "Date" ? "••/••/••••" : (masks[type]?.(value) ?? hidden) };
}

function widgetOf(type: CredentialType): string | undefined {
  const schema = schemaLibrary[type];
  const key = isCompositeType(type) ? null : dataKeyOf(type);
  if (schema === undefined || key === null || !("properties" in schema)) return undefined;
  return schema.properties[key]?.input?.type;
}

/**
 * Masks per type. An SSN and a date are hidden completely, because the person proves who they are with them. The page
 * already shows the last digits of the phone.
 */
const masks: Partial<Record<CredentialType, (value: string) => string>> = {
  SsnCredential: () => "•••-••-••••",
  PhoneCredential: maskedPhone,
};

function pictureSize(value: string): string {
  return `${Math.ceil((value.length * 3) / 4 / 1024)} KB`;
}
