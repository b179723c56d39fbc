import { type CredentialType, compositeChildren, credentialTypes } from "./credential.ts";
import { countryOptions, currencyCodes, usRegionCodes, usRegionOptions } from "./iso-codes.ts";
import { genders, type ValueRule, type ValueRuleName, valueRules } from "./value-rules.ts";

/** How a value is shown. */
type DisplayFormat = "String" | "Number" | "Date" | "Phone" | "SSN" | "State" | "CurrencyRange" | "Image";
/** The widget that collects a value. People cannot type values of a type without a widget. */
type InputWidget = {
  type: "Text" | "Date" | "Select" | "Email" | "Phone" | "SSN" | "Image";
  options?: readonly (string | { value: string; label: string })[];
  pattern?: string;
  default?: string;
};
type ValueSchema = ValueRule & { type: "string"; title?: string; displayFormat?: DisplayFormat; input?: InputWidget };
type Conditional = {
  if: { properties: Record<string, { const: string }>; required: string[] };
  then: { properties: Record<string, ValueSchema> };
};
type SchemaHead = { $schema: string; $id: CredentialType; title: string; type: "object" };
type Reference = { $ref: CredentialType };

/** Schema of a type with one value. Its data has one key. */
export type AtomicSchema = SchemaHead & { properties: Record<string, ValueSchema>; required: string[] } & (
    | Conditional
    | Record<never, never>
  );
/** Schema of a type whose data merges its children's data into one object. */
export type CompositeSchema = SchemaHead &
  ({ anyOf: Reference[]; unevaluatedProperties: false } | { allOf: Reference[] });
export type LibrarySchema = AtomicSchema | CompositeSchema;

export type CompositeType = keyof typeof compositeChildren;
export type AtomicType = Exclude<CredentialType, CompositeType>;

const dialect = "https://json-schema.org/draft/2019-09/schema";
/** Our own keywords in the published schemas. */
export const libraryKeywords = ["displayFormat", "input", "errorMessage"] as const;

// In a variable, because linters mistake an object literal with a `then` member for a promise.
const consequence = "then";

const select = (options: InputWidget["options"], preset?: string): InputWidget => ({
  type: "Select",
  options,
  ...(preset === undefined ? {} : { default: preset }),
});
const typed = { type: "Text" } as const;
const dated = { type: "Date" } as const;
const pictured = { type: "Image" } as const;
const incomes = [0, 25_000, 50_000, 100_000, 200_000, 300_000, 500_000, 1_200_000, 9_999_999];
const incomeRanges = incomes.slice(1).map((max, index) => {
  const min = incomes[index] ?? 0;
  return {
    value: `USD min${min}_max${max}`,
    label: `$${min.toLocaleString("en-US")} to $${max.toLocaleString("en-US")}`,
  };
});

type Row = readonly [key: string, title: string, rule: ValueRuleName, shown: DisplayFormat, input?: InputWidget];

// biome-ignore format: a table
const rows: Readonly<Record<Exclude<AtomicType, "IdentityCredential">, Row>> = {
  FirstNameCredential:            ["firstName",      "First Name",            "text",     "String", typed],
  MiddleNameCredential:           ["middleName",     "Middle Name",           "text",     "String", typed],
  LastNameCredential:             ["lastName",       "Last Name",             "text",     "String", typed],
  EmailCredential:                ["email",          "Email",                 "email",    "String", { type: "Email" }],
  PhoneCredential:                ["phone",          "Phone",                 "phone",    "Phone",  { type: "Phone" }],
  BirthDateCredential:            ["birthDate",      "Birthday",              "day",      "Date",   dated],
  SsnCredential:                  ["ssn",            "Social Security Number", "ssn",     "SSN",    { type: "SSN" }],
  GenderCredential:               ["gender",         "Gender",                "gender",   "String", select(genders)],
  SexCredential:                  ["sex",            "Sex",                   "gender",   "String", select(["Male", "Female"])],
  NationalityCredential:          ["nationality",    "Nationality",           "country",  "String", select(countryOptions)],
  CountryResidenceCredential:     ["country",        "Country",               "country",  "String", select(countryOptions)],
  FacialImageCredential:          ["image",          "Facial Image",          "image",    "Image",  pictured],
  Line1Credential:                ["line1",          "Address Line 1",        "text",     "String", typed],
  Line2Credential:                ["line2",          "Address Line 2",        "text",     "String", typed],
  CityCredential:                 ["city",           "City",                  "text",     "String", typed],
  StateCredential:                ["state",          "State or Region",       "region",   "State",  typed],
  ZipCodeCredential:              ["zipCode",        "Zip Code",              "text",     "String", typed],
  CountryCredential:              ["country",        "Country",               "country",  "String", select(countryOptions, "US")],
  EmployerNameCredential:         ["employer",       "Employer",              "text",     "String", typed],
  EmploymentStartDateCredential:  ["startDate",      "Employment Start Date", "day",      "Date",   dated],
  TitleCredential:                ["title",          "Job Title",             "text",     "String", typed],
  IncomeRangeCredential:          ["incomeRange",    "Income Range",          "currencyRange", "CurrencyRange", select(incomeRanges)],
  AmountCredential:               ["amount",         "Amount",                "digits",   "Number", typed],
  CurrencyCredential:             ["currency",       "Currency",              "currency", "String", select(currencyCodes, "USD")],
  DocumentTypeCredential:         ["documentType",   "Document Type",         "documentType", "String", select(valueRules.documentType.enum)],
  DocumentNumberCredential:       ["idNumber",       "Document ID",           "text",     "String", typed],
  DocumentImageCredential:        ["documentImage",  "Document Image",        "image",    "Image",  pictured],
  DocumentBackImageCredential:    ["documentBackImage", "Back of Document Image", "image", "Image", pictured],
  IssuanceDateCredential:         ["issuanceDate",   "Issuance Date",         "day",      "Date",   dated],
  ExpirationDateCredential:       ["expirationDate", "Expiration Date",       "day",      "Date",   dated],
  LineTypeCredential:             ["type",           "Phone Line Type",       "lineType", "String"],
  LivenessCredential:             ["confidence",     "Liveness Confidence",   "confidence", "String"],
  MatchCredential:                ["confidence",     "Match Confidence",      "confidence", "String"],
  // Older synonyms, kept because issuers still use them. The options of the region do not match its pattern, but the
  // published schema has both.
  GovernmentIdTypeCredential:     ["documentType",   "Government Document Type", "documentType", "String", select(valueRules.documentType.enum)],
  GovernmentIdStateCredential:    ["state",          "Government Document Region", "countryRegion", "State", select(usRegionCodes)],
  GovernmentIdNumberCredential:   ["idNumber",       "Government Document ID", "text",    "String"],
  GovernmentIdIssuanceDateCredential:      ["issuanceDate",   "Government Document Issuance Date",   "day",   "Date",  dated],
  GovernmentIdExpirationDateCredential:    ["expirationDate", "Government Document Expiration Date", "day",   "Date",  dated],
  GovernmentIdDocumentImageCredential:     ["image", "Government Document Image",      "image", "Image", pictured],
  GovernmentIdDocumentBackImageCredential: ["image", "Government Document Back Image", "image", "Image", pictured],
  IncomeCurrencyCredential:       ["currency",       "Income Currency",       "currency", "String", select(currencyCodes)],
  AnnualIncomeRangeCredential:    ["income",         "Annual Income Range",   "currencyRange", "CurrencyRange", select(incomeRanges)],
};

const compositeTitles: Readonly<Record<CompositeType, string>> = {
  FullNameCredential: "Full Name",
  AddressCredential: "Address",
  AnnualIncomeCredential: "Annual Income",
  EmployerCredential: "Employer",
  GovernmentIdCredential: "Government ID",
  PhoneInfoCredential: "Phone Information",
};

/** Adds the value's pattern to the widget, so clients can check input. A select list needs no pattern. */
function withPattern(input: InputWidget, { pattern }: ValueRule): InputWidget {
  return pattern === undefined || input.type === "Select" ? input : { ...input, pattern };
}

/** Stricter rules for these values if the country is US. */
const usRules: Partial<Record<AtomicType, ValueSchema>> = {
  StateCredential: { type: "string", ...valueRules.usRegion, input: select(usRegionOptions) },
  ZipCodeCredential: {
    type: "string",
    ...valueRules.usZip,
    input: withPattern(typed, valueRules.usZip),
  },
};

/** The key of an atomic type's value in its data; null for the one type that has none. */
export function dataKeyOf(type: AtomicType): string | null {
  return type === "IdentityCredential" ? null : rows[type][0];
}

/** Whether the values of an atomic type are images. All other values are short texts. */
export function isImageType(type: AtomicType): boolean {
  return type !== "IdentityCredential" && rows[type][2] === "image";
}

export function isCompositeType(type: CredentialType): type is CompositeType {
  return Object.hasOwn(compositeChildren, type);
}

export function isCredentialType(name: string): name is CredentialType {
  return credentialTypes.some((type) => type === name);
}

/** Every schema of the library, by type: JSON Schema 2019-09. The schema of a name never changes. */
export const schemaLibrary: Readonly<Record<string, LibrarySchema>> = Object.fromEntries(
  credentialTypes.map((type) => [type, isCompositeType(type) ? compositeSchema(type) : atomicSchema(type)]),
);

function compositeSchema(type: CompositeType): CompositeSchema {
  const head: SchemaHead = { $schema: dialect, $id: type, title: compositeTitles[type], type: "object" };
  const children = compositeChildren[type].map(($ref): Reference => ({ $ref }));
  // A currency without an amount is meaningless, so both are required. The schema stays open because an employer object
  // also contains it.
  if (type === "AnnualIncomeCredential") return { ...head, allOf: children };
  // `unevaluatedProperties` rejects the key of an invalid child, even if another child is valid.
  return { ...head, anyOf: children, unevaluatedProperties: false };
}

function atomicSchema(type: AtomicType): AtomicSchema {
  if (type === "IdentityCredential") {
    return { $schema: dialect, $id: type, title: "Identity", type: "object", properties: {}, required: [] };
  }
  const [key, title, rule, displayFormat, input] = rows[type];
  const value: ValueSchema = { type: "string", title, ...valueRules[rule], displayFormat };
  const widget = input === undefined ? {} : { input: withPattern(input, valueRules[rule]) };
  const us = usRules[type];
  return {
    $schema: dialect,
    $id: type,
    title,
    type: "object",
    properties: { [key]: { ...value, ...widget } },
    required: [key],
    ...(us === undefined
      ? {}
      : {
          if: { properties: { country: { const: "US" } }, required: ["country"] },
          [consequence]: { properties: { [key]: us } },
        }),
  };
}
