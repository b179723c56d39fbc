import { dayMs } from "../time.ts";
import { countryCodes, currencyCodes, militaryRegionCodes, usRegionCodes } from "./iso-codes.ts";

/** The format of a value in the schema library, as JSON Schema members. All values are strings. */
export type ValueRule = {
  pattern?: string;
  enum?: readonly string[];
  format?: typeof dayFormat;
  /** The error for an invalid value. Never contains the value. */
  errorMessage?: string;
};

/** The format that no pattern can express: a day as the Unix milliseconds of noon UTC. */
export const dayFormat = "day-in-ms";

/** The range of ECMAScript dates, in milliseconds. */
const instantMax = 8.64e15;

/** Whether a text is an instant of exactly 12:00:00.000 UTC, which is the same day in every US time zone. */
export function isDayInMillis(text: string): boolean {
  if (!/^-?[0-9]{1,16}$/.test(text)) return false;
  const millis = Number(text);
  return Math.abs(millis) <= instantMax && (((millis % dayMs) + dayMs) % dayMs) * 2 === dayMs;
}

const oneOf = (...codes: readonly string[]) => `(?:${codes.join("|")})`;
const abroad = countryCodes.filter((code) => code !== "US");
const documentTypes = [
  "Drivers License",
  "Passport",
  "State ID",
  "Military ID",
  "National ID",
  "Birth Certificate",
  "Voter Registration Card",
  "Other",
];
export const genders = ["Male", "Female", "Non-Binary", "Other"];
const confidences = ["Very High", "High", "Medium", "Low", "Very Low"];

const words = (options: readonly string[]): ValueRule => ({
  enum: options,
  errorMessage: `must be one of ${options.join(", ")}`,
});
const pattern = (text: string, errorMessage: string): ValueRule => ({ pattern: text, errorMessage });

export const valueRules = {
  text: {},
  // A domain may have letters outside ASCII.
  email: pattern(
    "^[^@\\s]+@[A-Za-z0-9\\u00a1-\\ud7ff\\ue000-\\uffff-]+(?:\\.[A-Za-z0-9\\u00a1-\\ud7ff\\ue000-\\uffff-]+)+$",
    "must be an email address",
  ),
  phone: pattern("^\\+[1-9][0-9]{1,14}$", "must be a phone number in E.164"),
  ssn: pattern("^[0-9]{9}$", "must be nine digits without dashes"),
  day: {
    pattern: "^-?[0-9]+$",
    format: dayFormat,
    errorMessage: "must be Unix milliseconds, as text, of 12:00:00.000 UTC of the day",
  },
  digits: pattern("^-?[0-9]+$", "must be digits, with a minus where it is negative"),
  country: { enum: countryCodes, errorMessage: "must be an ISO 3166-1 alpha-2 code" },
  region: pattern("^[A-Za-z0-9]{1,3}$", "must be a region's code of one to three letters or digits"),
  usRegion: {
    enum: [...usRegionCodes, ...militaryRegionCodes],
    errorMessage: "must be the two-letter code of a US state or territory, or AA, AE or AP",
  },
  usZip: pattern("^[0-9]{5}(?:-[0-9]{4})?$", "must be five digits, or five and four with a hyphen"),
  countryRegion: pattern(
    `^(?:US-${oneOf(...usRegionCodes)}|${oneOf(...abroad)}-[A-Za-z0-9]{1,3})$`,
    "must be a country and its region, such as US-CA",
  ),
  currency: { enum: currencyCodes, errorMessage: "must be an ISO 4217 code" },
  currencyRange: pattern(
    `^${oneOf(...currencyCodes)} min[0-9]+_max[0-9]+$`,
    "must be a currency, one space and a range such as min0_max25000",
  ),
  image: pattern(
    "^data:image/[A-Za-z]+;base64,[A-Za-z0-9+/]+={0,2}$",
    "must be an image as a data URI with base64 content",
  ),
  gender: words(genders),
  documentType: words(documentTypes),
  lineType: words(["Mobile", "Landline", "FixedVoIP", "NonFixedVoIP", "Unknown", "Unlisted"]),
  confidence: words(confidences),
} as const satisfies Record<string, ValueRule>;
export type ValueRuleName = keyof typeof valueRules;
