import type { ErrorObject } from "ajv/dist/2020.js";
import { nearestOf } from "./edit-distance.ts";

/**
 * How to fix a value that a schema rejects: one sentence for people, by the schema's keyword. Brands and the dashboard
 * show it next to the field.
 */
export function problemWords({ keyword, params, instancePath, message, data }: ErrorObject): string {
  const words = sentences[keyword];
  const sentence = words === undefined ? `Use a valid value: ${message ?? keyword}.` : words(params, instancePath);
  // A list of allowed values or a form does not say that an empty text counts as a value.
  if (data === "") return keyword === "minLength" ? sentence : `This is empty. ${sentence}`;
  // v1 takes the name of a type, and developers keep it when they move.
  if (keyword === "type" && typeof data === "string" && /\/credentialRequests\/\d+$/.test(instancePath))
    return 'Use an object, such as {"type":"FullNameCredential"}.';
  const isChoice = keyword === "enum" && params.allowedValues.length > 1 && typeof data === "string";
  const meant = isChoice ? nearestOf(data, params.allowedValues) : undefined;
  return meant === undefined ? sentence : `Did you mean ${meant}? ${sentence}`;
}

/** The problem of a member that is missing. */
export const requiredWords = "This is required.";

type Words = (params: ErrorObject["params"], instancePath: string) => string;
const count = (limit: number, one: string) => `${limit} ${one}${limit === 1 ? "" : "s"}`;
/** The sentence of a pattern or format that has no sentence of its own. */
export const documentedFormat = "Use the documented format.";
/** Maximum number of words that one message lists. */
const listedMax = 60;

const sentences: Readonly<Record<string, Words>> = {
  required: () => requiredWords,
  type: ({ type }) => `Use ${[type].flat().map(typeName).join(" or ")}.`,
  enum: ({ allowedValues }) =>
    allowedValues.length === 1
      ? `Use ${allowedValues[0]}.`
      : `Use one of ${allowedValues.slice(0, listedMax).join(", ")}.`,
  const: ({ allowedValue }) => `Use ${JSON.stringify(allowedValue)}.`,
  minLength: ({ limit }, path) => (limit === 1 ? emptyWords(path) : `Use at least ${count(limit, "character")}.`),
  maxLength: ({ limit }) => `Use at most ${count(limit, "character")}.`,
  minItems: ({ limit }) => `Use at least ${count(limit, "item")}.`,
  maxItems: ({ limit }) => `Use at most ${count(limit, "item")}.`,
  uniqueItems: () => "Use each value only once.",
  minProperties: ({ limit }) => `Use at least ${count(limit, "member")}.`,
  maxProperties: ({ limit }) => `Use at most ${count(limit, "member")}.`,
  minimum: ({ limit }) => `Use ${limit} or more.`,
  exclusiveMinimum: ({ limit }) => `Use more than ${limit}.`,
  maximum: ({ limit }) => `Use ${limit} or less.`,
  exclusiveMaximum: ({ limit }) => `Use less than ${limit}.`,
  multipleOf: ({ multipleOf }) => `Use a multiple of ${multipleOf}.`,
  pattern: ({ pattern }) => patterns.get(pattern) ?? documentedFormat,
  format: ({ format }, path) =>
    path.includes("/allowedOrigins/") ? originWords : (formats[format] ?? documentedFormat),
  additionalProperties: ({ additionalProperty }) => `Remove “${additionalProperty}”: there is no such field.`,
  propertyNames: ({ propertyName }) => `Use a name other than “${propertyName}”.`,
  anyOf: () => "Use one of the documented forms.",
  oneOf: () => "Use one of the documented forms.",
};

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};
const typeName = (type: string) => typeNames[type] ?? type;

const nouns: Readonly<Record<string, string>> = { name: "a name", email: "an email address", url: "a URL" };

function emptyWords(path: string): string {
  return `Enter ${nouns[path.split("/").at(-1) ?? ""] ?? "a value"}.`;
}

export const originWords = "Use an origin without a path, such as https://shop.example.";

const formats: Readonly<Record<string, string>> = {
  uuid: "Use a UUID.",
  email: "Enter an email address, such as you@example.com.",
  uri: "Use a URL, such as https://example.com/path.",
  date: "Use a date such as 1989-08-01.",
  ipv4: "Use an IPv4 address.",
  ipv6: "Use an IPv6 address. Write IPv4 as ::ffff:203.0.113.7.",
};

export const sixDigits = "Enter the six digits.";
const code3 = "Use 1 to 3 letters or digits.";
const cursor = "Use the cursor from the previous page.";
const plainText = "Use letters, digits and punctuation, without accents or line breaks.";
/** The sentence of each pattern in the contract. A test finds patterns without one. */
export const patterns: ReadonlyMap<string, string> = new Map([
  ["^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", "Use a UUID."],
  ["^\\+1[0-9]{10}$", "Enter a US phone number such as +12125550010."],
  ["^[0-9]{6}$", sixDigits],
  ["^[0-9]{3}-?[0-9]{3}$", sixDigits],
  ["^[0-9]{4}$", "Enter four digits."],
  ["^#[0-9A-Fa-f]{6}$", "Use a color such as #0B6E4F."],
  ["^[0-9]{10}$", "Use the ten digits of an NPI."],
  ["^(unixTimestamp|[yMd/-]{1,20})$", "Use unixTimestamp, or a form such as yyyy-MM-dd."],
  ["^[A-Za-z0-9]{1,3}$", code3],
  ["^[A-Za-z]{2}$", "Use a two-letter state code."],
  ["^[A-Za-z0-9]{2}$", "Use two letters or digits."],
  ["^[0-9]{5}$", "Use a five-digit ZIP code."],
  ["^[0-9]{5}(-[0-9]{4})?$", "Use a ZIP code such as 94105 or 94105-1234."],
  ["^[0-9]{9}$", "Use the nine digits of an SSN."],
  ["^[A-Za-z0-9][A-Za-z0-9 -]*$", "Use letters, digits, spaces and hyphens."],
  ["^ *[A-Za-z0-9][A-Za-z0-9 -]{0,79}$", "Use letters, digits, spaces and hyphens."],
  ["^([1-9][0-9]?|100)$", "Use a number from 1 to 100."],
  ["^([1-9]|[1-4][0-9]|50)$", "Use a number from 1 to 50."],
  ["^[0-9]+$", "Use digits."],
  ["^-?[0-9]{1,16}$", "Use a Unix time in milliseconds, as text."],
  ["^[A-Za-z0-9.-]{1,253}$", "Use a host name, such as shop.example."],
  ["^[\\x20-\\x7e]+$", plainText],
  ["^[^\\x00-\\x1f\\x7f:]+$", "Use text without colons or line breaks."],
  ["^[^\\x00-\\x1f\\x7f]+$", "Use text without line breaks."],
  ["^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$", "Use the name of an HTTP header."],
  ["^[A-Za-z0-9_-]{22}$", cursor],
  ["^[0-9]{1,15}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", cursor],
  ["^[0-9]{1,4}-[0-9]{1,16}([.][0-9]{1,4}-[0-9]{1,16})*$", cursor],
  ["^[0-9]{1,4}-[0-9]{1,16}$", "Use the id of a log line."],
  ["^[0-9]{1,15}$", "Use a whole number with at most 15 digits."],
  ["^[1-9][0-9]{0,9}$", "Use a version number."],
  ["^[0-9A-Za-z]{43}$", "Use the whole link from the email."],
  ["^[A-Za-z0-9_-]{43}$", "Use an S256 PKCE challenge."],
  ["^[^\\s\\p{Cc}]([^\\p{Cc}]*[^\\s\\p{Cc}])?$", "Use one line, without leading or trailing spaces."],
]);
