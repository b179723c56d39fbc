import type { Authority } from "../ports.ts";

/**
 * The states of US addresses by their two-letter codes: those of ISO 3166-2:US, and AA, AE and AP, which the postal
 * service uses for military addresses.
 */
export const usRegions: Readonly<Record<string, string>> = {
  AL: "Alabama",
  AK: "Alaska",
  AS: "American Samoa",
  AZ: "Arizona",
  AA: "Armed Forces Americas",
  AE: "Armed Forces Europe",
  AP: "Armed Forces Pacific",
  AR: "Arkansas",
  CA: "California",
  CO: "Colorado",
  CT: "Connecticut",
  DE: "Delaware",
  DC: "District of Columbia",
  FL: "Florida",
  GA: "Georgia",
  GU: "Guam",
  HI: "Hawaii",
  ID: "Idaho",
  IL: "Illinois",
  IN: "Indiana",
  IA: "Iowa",
  KS: "Kansas",
  KY: "Kentucky",
  LA: "Louisiana",
  ME: "Maine",
  MD: "Maryland",
  MA: "Massachusetts",
  MI: "Michigan",
  MN: "Minnesota",
  MS: "Mississippi",
  MO: "Missouri",
  MT: "Montana",
  NE: "Nebraska",
  NV: "Nevada",
  NH: "New Hampshire",
  NJ: "New Jersey",
  NM: "New Mexico",
  NY: "New York",
  NC: "North Carolina",
  ND: "North Dakota",
  MP: "Northern Mariana Islands",
  OH: "Ohio",
  OK: "Oklahoma",
  OR: "Oregon",
  PA: "Pennsylvania",
  PR: "Puerto Rico",
  RI: "Rhode Island",
  SC: "South Carolina",
  SD: "South Dakota",
  TN: "Tennessee",
  TX: "Texas",
  UM: "United States Minor Outlying Islands",
  UT: "Utah",
  VT: "Vermont",
  VI: "Virgin Islands, U.S.",
  VA: "Virginia",
  WA: "Washington",
  WV: "West Virginia",
  WI: "Wisconsin",
  WY: "Wyoming",
};

/** Other names of states that sources and people use. */
const otherNames: Readonly<Record<string, string>> = {
  "washington dc": "DC",
  "virgin islands": "VI",
  "us virgin islands": "VI",
  "armed forces the americas": "AA",
  "armed forces africa": "AE",
  "armed forces canada": "AE",
  "armed forces middle east": "AE",
};
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[.,]/g, "")
    .replace(/[\s-]+/g, " ")
    .trim();
const codes = new Map([
  ...Object.entries(otherNames),
  ...Object.entries(usRegions).flatMap(([code, name]): [string, string][] => [
    [plain(code), code],
    [`us ${plain(code)}`, code],
    [plain(name), code],
  ]),
]);

/** The two-letter code of a state that is written as a code or as a name; undefined if there is no such state. */
export function stateCodeOf(text: string): string | undefined {
  return codes.get(plain(text));
}

/** The name of the state that issued an ID, such as California; otherwise the name of its authority. */
export function stateNameOf({ name, jurisdiction }: Authority): string {
  const code = stateCodeOf(jurisdiction);
  return code === undefined ? name : (usRegions[code] ?? name);
}
