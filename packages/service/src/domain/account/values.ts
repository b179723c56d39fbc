/** Values as the person's page shows them: hidden by the service until the person proved who they are. */
import { type CredentialType, credentialKey } from "@countersign/contract/credential";
import { dataKeyOf, isCompositeType, schemaLibrary } from "@countersign/contract/schema-library";
import { dayOf } from "../day.ts";
import type { IssuedData } from "../issuance/issued-credential-rows.ts";
import type { SourcedCredential } from "../ports.ts";

export type ShownValue = { key: string; title: string; text: string };

const hidden = "••••";
/** Characters of a text that stay readable when it is hidden, at most; never more than a third of it. */
const shownMax = 4;

/** What brands issued, as values. Pictures are named, not sent. */
export function issuedValues(type: CredentialType, data: IssuedData, isOpen: boolean): ShownValue[] {
  if ("children" in data) return data.children.flatMap((child) => issuedValues(child.type, child, isOpen));
  const own = isCompositeType(type) ? null : dataKeyOf(type);
  return Object.entries(data.values).flatMap(([key, value]) =>
    value === "" ? [] : [shownValue(type, { key: key === own ? credentialKey(type) : key, value }, isOpen)],
  );
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
  const text = widget === "Date" ? dayOf(value) : value;
  return { ...about, text: isOpen ? text : masked(text) };
}

function widgetOf(type: CredentialType): string | undefined {
  const schema = schemaLibrary[type];
  const key = isCompositeType(type) ? null : dataKeyOf(type);
  if (schema === undefined || key === null || !("properties" in schema)) return undefined;
  return schema.properties[key]?.input?.type;
}

function masked(text: string): string {
  const shown = Math.min(shownMax, Math.floor(text.length / 3));
  return `${hidden}${shown === 0 ? "" : text.slice(-shown)}`;
}

function pictureWords(value: string): string {
  return `${Math.ceil((value.length * 3) / 4 / 1024)} KB`;
}
