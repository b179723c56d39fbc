import { stateCodeOf } from "../../credential/us-regions.ts";
import { isFederal } from "./federal.ts";
import { latinUppercase } from "./latin.ts";

/** The values of a 270 (005010X279A1). Delimiters are removed from text that a person or a brand typed. */
export type Request270 = {
  /** ISA15: `T` is a test, which no payer answers with a real person's data. */
  usage: "T" | "P";
  sender: string;
  receiver: string;
  /** 1 to 999,999,999, never reused. */
  controlNumber: number;
  /** Returned in the 271, where it identifies the person that was asked about. Never reused. */
  trace: string;
  /** Unix milliseconds. */
  at: number;
  payer: { name: string; id: string; isFederal?: boolean };
  /** The name of an individual is the last name. */
  provider: { npi: string; name: string; type?: "individual" | "organization" };
  person: Person270;
  serviceTypeCodes: readonly string[];
  procedureCodes: readonly { code: string; qualifier: string; modifiers: readonly string[] }[];
};
export type Person270 = {
  memberId?: string;
  firstName?: string;
  middleName?: string;
  lastName?: string;
  birthDate?: string;
  sex?: string;
  ssn?: string;
  address?: { line1?: string; line2?: string; city?: string; state?: string; zipCode?: string };
};

const ends = { element: "*", component: ":", repetition: "^", segment: "~" };
/** Maximum lengths, from the implementation guide. */
const lengths = { organization: 60, last: 60, first: 35, middle: 25, id: 80, line: 55, city: 30, zip: 15, text: 50 };
/** Our TRN03: ten characters, beginning with 1, 3 or 9. */
const originator = "9COUNTERSN";
const sexes: Record<string, string> = { Male: "M", Female: "F" };

export function compose270(request: Request270): string {
  const { day, time } = stamp(request.at);
  const control = String(request.controlNumber).padStart(9, "0");
  const group = String(request.controlNumber);
  const { payer, provider } = request;
  const payerId = clean(payer.id, lengths.id);
  const npi = clean(provider.npi, 10);
  const body = [
    ["ST", "270", "0001", "005010X279A1"],
    ["BHT", "0022", "13", clean(request.trace, lengths.text), day, time],
    ["HL", "1", "", "20", "1"],
    ["NM1", "PR", "2", nameOr(payer.name, payerId), "", "", "", "", "PI", payerId],
    ["HL", "2", "1", "21", "1"],
    ["NM1", "1P", provider.type === "individual" ? "1" : "2", nameOr(provider.name, npi), "", "", "", "", "XX", npi],
    ["HL", "3", "2", "22", "0"],
    ["TRN", "1", clean(request.trace, lengths.text), originator],
    ...personSegments(request),
    ...serviceSegments(request),
  ];
  const segments = [
    isa({ request, control, day, time }),
    ["GS", "HS", clean(request.sender, 15), clean(request.receiver, 15), day, time, group, "X", "005010X279A1"],
    ...body,
    ["SE", String(body.length + 1), "0001"],
    ["GE", "1", group],
    ["IEA", "1", control],
  ];
  return segments.map((segment) => `${trimmed(segment).join(ends.element)}${ends.segment}`).join("");
}

/** ISA has a fixed width, so elements are padded with blanks. */
function isa(interchange: { request: Request270; control: string; day: string; time: string }): string[] {
  const fixed = (text: string) => clean(text, 15).padEnd(15, " ");
  const { request } = interchange;
  const blanks = " ".repeat(10);
  return [
    ...["ISA", "00", blanks, "00", blanks, "ZZ", fixed(request.sender), "ZZ", fixed(request.receiver)],
    ...[
      interchange.day.slice(2),
      interchange.time,
      ends.repetition,
      "00501",
      interchange.control,
      "0",
      request.usage,
      ends.component,
    ],
  ];
}

/** A 270 requires a name. The id replaces a name without Latin letters. */
const nameOr = (name: string, id: string) => (hasLetter(name) ? clean(name, lengths.organization) : id);

/** Minimum length of a member id. */
export const memberIdMin = 2;
export const latinWords = "Use Latin letters: payers receive no others.";

/** Whether a 270 can contain a letter of this name. */
export function hasLetter(name: string): boolean {
  return /[A-Z]/.test(clean(name, lengths.organization));
}

/** What a request leaves out of what is known about the person. */
export type LeftOut = { detail: "ssn" | "address" | "street" | "state" | "sex" | "middleName"; why: string };

/** The parts of a person that a 270 contains, in its spelling, and what it leaves out. */
export function personOf({ payer, person }: Pick<Request270, "payer" | "person">) {
  const memberId = memberIdOf(person.memberId ?? "");
  const ssn = (person.ssn ?? "").replace(/\D/g, "");
  const { line1, line2, city, state, zipCode } = person.address ?? {};
  const street = clean(line1 ?? "", lengths.line);
  const town = clean(city ?? "", lengths.city);
  const sex = sexes[person.sex ?? ""];
  const middleName = hasLetter(person.middleName ?? "") ? clean(person.middleName ?? "", lengths.middle) : "";
  const leftOut: LeftOut[] = [];
  const leaveOut = (detail: LeftOut["detail"], why: string) => leftOut.push({ detail, why });
  const noSsn = isFederal(payer)
    ? "federal payers must not get it"
    : memberId !== ""
      ? "the member ID is enough"
      : ssn.length === 9
        ? undefined
        : "it has not nine digits";
  if (ssn !== "" && noSsn !== undefined) leaveOut("ssn", noSsn);
  const code = stateCodeOf(state ?? "");
  if (town === "" && person.address !== undefined) leaveOut("address", "it has no city in Latin letters");
  else {
    if (line1 !== undefined && street === "") leaveOut("street", "it has no Latin letters or digits");
    if (state !== undefined && code === undefined) leaveOut("state", "it is not a state of the United States");
  }
  if (person.sex !== undefined && sex === undefined) leaveOut("sex", "a 270 knows only Male and Female");
  if ((person.middleName ?? "") !== "" && middleName === "") leaveOut("middleName", "it has no Latin letter");
  return {
    memberId,
    lastName: clean(person.lastName ?? "", lengths.last),
    firstName: clean(person.firstName ?? "", lengths.first),
    middleName,
    ssn: noSsn === undefined ? ssn : "",
    // An address needs a city, and a street needs an address.
    address:
      town === "" ? undefined : { street, unit: clean(line2 ?? "", lengths.line), town, code, zip: zipOf(zipCode) },
    birthDate: (person.birthDate ?? "").replace(/\D/g, "").slice(0, 8),
    sex: sex ?? "",
    leftOut,
  };
}

/** The letters and digits of a member id. Cards show it in groups, and payers store it without blanks and hyphens. */
export function memberIdOf(text: string): string {
  return clean(text, lengths.id).replace(/[ -]/g, "");
}

/** A ZIP code contains no hyphen in X12. */
const zipOf = (text = "") => clean(text, lengths.zip).replace(/[^A-Z0-9]/g, "");

function personSegments(request: Request270): string[][] {
  const { memberId, lastName, firstName, middleName, ssn, address, birthDate, sex } = personOf(request);
  return [
    ["NM1", "IL", "1", lastName, firstName, middleName, "", "", ...(memberId === "" ? [] : ["MI", memberId])],
    ...(ssn === "" ? [] : [["REF", "SY", ssn]]),
    ...(address === undefined
      ? []
      : [
          ...(address.street === "" ? [] : [["N3", address.street, address.unit]]),
          ["N4", address.town, address.code ?? "", address.zip],
        ]),
    ...(birthDate === "" ? [] : [["DMG", "D8", birthDate, sex]]),
  ];
}

/**
 * One EQ with all service types, and one per procedure. Payers that do not support procedures still answer the first.
 */
function serviceSegments({ serviceTypeCodes, procedureCodes }: Request270): string[][] {
  const types = serviceTypeCodes.map((code) => clean(code, 3)).filter((code) => code !== "");
  return [
    ["EQ", (types.length === 0 ? ["30"] : types).join(ends.repetition)],
    ...procedureCodes.map(({ qualifier, code, modifiers }) => [
      "EQ",
      "",
      [clean(qualifier, 2), clean(code, 48), ...modifiers.map((modifier) => clean(modifier, 2))].join(ends.component),
    ]),
  ];
}

/**
 * Uppercase ASCII, without any character that could end an element, a segment or a line. Such a character, like every run
 * of white space, becomes one blank, so that it still separates words. Letters of other alphabets are left out.
 */
function clean(text: string, lengthMax: number): string {
  return latinUppercase(text.slice(0, 500))
    .replace(/[^\0-\x7f]/gu, (sign) => (/[\p{L}\p{N}\u00b7]/u.test(sign) ? "" : " "))
    .replace(/[^A-Z0-9!"&'()+,\-./;?=%@_#$]+/g, " ")
    .trim()
    .slice(0, lengthMax)
    .trim();
}

/** Removes empty elements at the end of a segment. */
function trimmed(segment: string[]): string[] {
  const last = segment.findLastIndex((element) => element !== "");
  return segment.slice(0, last + 1);
}

function stamp(at: number): { day: string; time: string } {
  const text = new Date(at).toISOString();
  return { day: text.slice(0, 10).replaceAll("-", ""), time: text.slice(11, 16).replace(":", "") };
}
