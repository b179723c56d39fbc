import { choices, type SectionWords } from "./field-words.ts";

const abbreviated = choices(["abbreviation", "Abbreviation (CA)"], ["full", "Full name (California)"]);

/** The texts of the formats. Each choice shows an example, and its value is the pattern. */
export const formats: SectionWords = {
  id: "formats",
  title: "Formats",
  lead: "How values are written when we deliver them.",
  fields: [
    {
      path: "credentialFormats.birthDate",
      kind: "pattern",
      max: 20,
      choices: choices(
        ["MM/dd/yyyy", "08/01/1989 (MM/dd/yyyy)"],
        ["yyyy-MM-dd", "1989-08-01 (yyyy-MM-dd)"],
        ["dd/MM/yyyy", "01/08/1989 (dd/MM/yyyy)"],
        ["unixTimestamp", "Unix timestamp"],
      ),
      label: "Birthday",
      says: "A custom pattern has y, M and d, such as M/d/yy.",
    },
    {
      path: "credentialFormats.state",
      kind: "select",
      choices: abbreviated,
      label: "State",
      says: "Two letters, or the state’s name.",
    },
    {
      path: "credentialFormats.country",
      kind: "select",
      choices: choices(["abbreviation", "Abbreviation (US)"], ["full", "Full name (United States of America)"]),
      label: "Country",
      says: "Two letters, or the country’s name.",
    },
    {
      path: "credentialFormats.fullName",
      kind: "pattern",
      max: 100,
      choices: choices(
        ["object", "Separate parts (object)"],
        ["firstName lastName", "Richard Hendricks (firstName lastName)"],
        ["lastName, firstName", "Hendricks, Richard (lastName, firstName)"],
      ),
      label: "Full name",
      says: "A custom pattern has names of parts, such as firstName middleName lastName.",
    },
    {
      path: "credentialFormats.address",
      kind: "pattern",
      max: 100,
      choices: choices(
        ["object", "Separate parts (object)"],
        ["line1, city, state zipCode", "One line (line1, city, state zipCode)"],
      ),
      label: "Address",
      says: "A custom pattern has names of parts, such as line1, line2, city, state zipCode.",
    },
  ],
};
