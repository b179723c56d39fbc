import type { CredentialType } from "@countersign/contract/credential";

/** Noon UTC on August 1, 1989, in milliseconds. It represents that day. */
export const noon = "617976000000";
const image = "data:image/png;base64,iVBORw0KGgo=";

type Data = Record<string, unknown>;
/** A composite's data is the merged data of its children, as the published schema validates it. */
export type Values = { good: Data[]; bad: Data[] };

const text = (key: string): Values => ({
  good: [{ [key]: "Ada" }, { [key]: "" }, { [key]: "Ōtāhuhu 東京 🙂" }],
  bad: [{}, { other: "Ada" }, { [key]: ["Ada"] }, { [key]: { a: 1 } }, { [key]: true }],
});
const enumerated = (key: string, words: string[], bad: string[]): Values => ({
  good: words.map((word) => ({ [key]: word })),
  bad: [{}, { [key]: "" }, { [key]: 7 }, ...bad.map((word) => ({ [key]: word }))],
});
const day = (key: string): Values => ({
  good: [{ [key]: noon }, { [key]: "-43200000" }, { [key]: "43200000" }],
  bad: [
    {},
    { [key]: "" },
    { [key]: "1989-08-01" },
    { [key]: "617947200000" },
    { [key]: "617976000001" },
    { [key]: "617976000000.5" },
    { [key]: "9007199254740993000000" },
    { [key]: " 617976000000" },
  ],
});
const picture = (key: string): Values => ({
  good: [{ [key]: image }, { [key]: "data:image/jpeg;base64,/9j/4AAQ" }],
  bad: [
    {},
    { [key]: "https://example.com/a.png" },
    { [key]: "data:image/png;base64," },
    { [key]: "data:image/svg+xml;base64,PHN2Zz4=" },
    { [key]: "data:text/html;base64,PGI+" },
    { [key]: `${image}\n` },
  ],
});
const country = (key: string) => enumerated(key, ["US", "CA", "AX", "GB"], ["USA", "us", "XX", "United States"]);
const currency = enumerated("currency", ["USD", "CAD", "EUR", "XUA"], ["usd", "XXX", "XAU", "US"]);
const range = (key: string): Values => ({
  good: [{ [key]: "USD min0_max25000" }, { [key]: "EUR min1_max2" }],
  bad: [
    {},
    { [key]: "" },
    { [key]: "USD 0-25000" },
    { [key]: "USD  min0_max1" },
    { [key]: "ZZZ min0_max1" },
    { [key]: "min0_max1" },
  ],
});
const documents = enumerated(
  "documentType",
  [
    "Drivers License",
    "Passport",
    "State ID",
    "Military ID",
    "National ID",
    "Birth Certificate",
    "Voter Registration Card",
    "Other",
  ],
  ["passport", "Driver's License"],
);
const confidence = enumerated("confidence", ["Very High", "High", "Medium", "Low", "Very Low"], ["high", "0.9"]);
const genders = enumerated("gender", ["Male", "Female", "Non-Binary", "Other"], ["male", "M", "Nonbinary"]);
const sexes = enumerated("sex", ["Male", "Female", "Non-Binary", "Other"], ["male", "F"]);

/** Valid and invalid data for each type of the library. */
export const libraryValues: Record<CredentialType, Values> = {
  FirstNameCredential: text("firstName"),
  MiddleNameCredential: text("middleName"),
  LastNameCredential: text("lastName"),
  EmailCredential: {
    good: [{ email: "ada@example.com" }, { email: "a+b.c@sub.example-site.co.uk" }],
    bad: [
      {},
      { email: "" },
      { email: "a@b" },
      { email: "a b@example.com" },
      { email: "a@@b.c" },
      { email: "a@b..c" },
      { email: "a@b_c.d" },
    ],
  },
  PhoneCredential: {
    good: [{ phone: "+12125550010" }, { phone: "+442079460000" }, { phone: "+12" }],
    bad: [
      {},
      { phone: "" },
      { phone: "2125550010" },
      { phone: "+0125550010" },
      { phone: "+1234567890123456" },
      { phone: "+1 212" },
    ],
  },
  BirthDateCredential: day("birthDate"),
  SsnCredential: {
    good: [{ ssn: "000456789" }],
    bad: [{}, { ssn: "" }, { ssn: "123-45-6789" }, { ssn: "12345678" }, { ssn: "1234567890" }, { ssn: "12345678９" }],
  },
  GenderCredential: genders,
  SexCredential: sexes,
  NationalityCredential: country("nationality"),
  CountryResidenceCredential: country("country"),
  FacialImageCredential: picture("image"),
  Line1Credential: text("line1"),
  Line2Credential: text("line2"),
  CityCredential: text("city"),
  StateCredential: {
    good: [
      { state: "CA" },
      { state: "ZZ" },
      { state: "9" },
      { state: "ENG", country: "GB" },
      { state: "PR", country: "US" },
    ],
    bad: [
      {},
      { state: "" },
      { state: "California" },
      { state: "C-A" },
      { state: "ZZ", country: "US" },
      { state: "ca", country: "US" },
    ],
  },
  ZipCodeCredential: {
    good: [
      { zipCode: "X1" },
      { zipCode: "" },
      { zipCode: "94303", country: "US" },
      { zipCode: "94303-0001", country: "US" },
    ],
    bad: [{}, { zipCode: ["94303"] }, { zipCode: "8950", country: "US" }, { zipCode: "943030001", country: "US" }],
  },
  CountryCredential: country("country"),
  EmployerNameCredential: text("employer"),
  EmploymentStartDateCredential: day("startDate"),
  TitleCredential: text("title"),
  IncomeRangeCredential: range("incomeRange"),
  AmountCredential: {
    good: [{ amount: "85000" }, { amount: "-1" }],
    bad: [{}, { amount: "" }, { amount: "85000.50" }, { amount: "85,000" }, { amount: "+1" }],
  },
  CurrencyCredential: currency,
  DocumentTypeCredential: documents,
  DocumentNumberCredential: text("idNumber"),
  DocumentImageCredential: picture("documentImage"),
  DocumentBackImageCredential: picture("documentBackImage"),
  IssuanceDateCredential: day("issuanceDate"),
  ExpirationDateCredential: day("expirationDate"),
  LineTypeCredential: enumerated(
    "type",
    ["Mobile", "Landline", "FixedVoIP", "NonFixedVoIP", "Unknown", "Unlisted"],
    ["mobile", "VoIP"],
  ),
  LivenessCredential: confidence,
  MatchCredential: confidence,
  IdentityCredential: { good: [{}, { anything: "else" }], bad: [] },
  GovernmentIdTypeCredential: documents,
  GovernmentIdStateCredential: {
    good: [{ state: "US-CA" }, { state: "US-PR" }, { state: "GB-ENG" }, { state: "AX-1" }],
    bad: [{}, { state: "CA" }, { state: "US-ZZ" }, { state: "XX-1" }, { state: "GB-ENGL" }, { state: "us-ca" }],
  },
  GovernmentIdNumberCredential: text("idNumber"),
  GovernmentIdIssuanceDateCredential: day("issuanceDate"),
  GovernmentIdExpirationDateCredential: day("expirationDate"),
  GovernmentIdDocumentImageCredential: picture("image"),
  GovernmentIdDocumentBackImageCredential: picture("image"),
  IncomeCurrencyCredential: currency,
  AnnualIncomeRangeCredential: range("income"),
  FullNameCredential: {
    good: [{ firstName: "Ada" }, { firstName: "Ada", middleName: "K", lastName: "Lovelace" }],
    bad: [
      {},
      { fullName: "Ada Lovelace" },
      { firstName: "Ada", nickname: "A" },
      { firstName: "Ada", email: "ada@example.com" },
    ],
  },
  AddressCredential: {
    good: [
      { line1: "5320 Newell Rd", city: "Palo Alto", state: "CA", zipCode: "94303", country: "US" },
      { country: "CA", state: "ZZ", zipCode: "X1" },
      { state: "ZZ" },
      { city: "Palo Alto" },
    ],
    bad: [
      {},
      { address: "1 Main St, Reno, US-NV 89501" },
      { country: "US", state: "ZZ" },
      { country: "US", zipCode: "8950" },
      { country: "USA", city: "Reno" },
      { city: "Reno", planet: "Earth" },
    ],
  },
  AnnualIncomeCredential: {
    good: [{ currency: "USD", amount: "85000" }],
    bad: [{}, { currency: "USD" }, { amount: "85000" }, { currency: "usd", amount: "1" }, { income: "USD 85000" }],
  },
  EmployerCredential: {
    good: [
      { employer: "Pied Piper" },
      { title: "CTO", startDate: noon, currency: "USD", amount: "85000" },
      { incomeRange: "USD min0_max25000" },
    ],
    bad: [
      {},
      { employer: "Pied Piper", currency: "USD" },
      { employer: "Pied Piper", boss: "R" },
      { startDate: "2020" },
    ],
  },
  GovernmentIdCredential: {
    good: [
      { documentType: "Passport", idNumber: "X1" },
      { documentImage: image, documentBackImage: image },
      { state: "CA", issuanceDate: noon, expirationDate: noon },
    ],
    bad: [{}, { documentType: "passport" }, { idNumber: "X1", image }, { idNumber: "X1", issuanceDate: "2020-01-01" }],
  },
  PhoneInfoCredential: {
    good: [{ phone: "+12125550010", type: "Mobile" }, { type: "Landline" }],
    bad: [{}, { phone: "2125550010" }, { phone: "+12125550010", type: "mobile" }, { type: "Mobile", carrier: "A" }],
  },
};
