import { compositeChildren, credentialTypes } from "@countersign/contract/credential";
import { type AtomicType, dataKeyOf, isCompositeType, schemaLibrary } from "@countersign/contract/schema-library";

/** Longer lists, such as countries, become `string` in TypeScript. */
const literalsMax = 10;

/** The schema library as TypeScript: the data of each atomic type, and the children of each composite type. */
export function credentialTypesText(): string {
  const atomic = credentialTypes.filter((type) => !isCompositeType(type));
  const values = atomic.map((type) => `${type}: ${dataOf(type)};`);
  const children = Object.entries(compositeChildren).map(
    ([type, types]) => `${type}: ${types.map((one) => JSON.stringify(one)).join(" | ")};`,
  );
  return `/** The data of each credential type that has one value. Every value is text. */
export type CredentialValues = {${values.join("\n")}};

/** The children of each credential type that has parts. */
export type CredentialChildren = {${children.join("\n")}};
`;
}

function dataOf(type: AtomicType): string {
  const key = dataKeyOf(type);
  if (key === null) return "Record<never, never>";
  const schema = schemaLibrary[type];
  const rule = schema !== undefined && "properties" in schema ? schema.properties[key] : undefined;
  const words = rule?.enum ?? [];
  const isShort = words.length > 0 && words.length <= literalsMax;
  return `{ ${key}: ${isShort ? words.map((word) => JSON.stringify(word)).join(" | ") : "string"} }`;
}
