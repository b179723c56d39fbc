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
  payer: { name: string; id: string };
  provider: { npi: string; name: string };
  person: Person270;
  serviceTypeCodes: readonly string[];
  procedureCodes: readonly { code: string; qualifier: string; modifiers: readonly string[] }[];
};
type Person270 = {
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
  const body = [
    ["ST", "270", "0001", "005010X279A1"],
    ["BHT", "0022", "13", clean(request.trace, lengths.text), day, time],
    ["HL", "1", "", "20", "1"],
    [
      "NM1",
      "PR",
      "2",
      clean(request.payer.name, lengths.organization),
      "",
      "",
      "",
      "",
      "PI",
      clean(request.payer.id, lengths.id),
    ],
    ["HL", "2", "1", "21", "1"],
    [
      "NM1",
      "1P",
      "2",
      clean(request.provider.name, lengths.organization),
      "",
      "",
      "",
      "",
      "XX",
      clean(request.provider.npi, 10),
    ],
    ["HL", "3", "2", "22", "0"],
    ["TRN", "1", clean(request.trace, lengths.text), originator],
    ...personSegments(request.person),
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

function personSegments(person: Person270): string[][] {
  const { address = {} } = person;
  const memberId = clean(person.memberId ?? "", lengths.id);
  const birthDate = (person.birthDate ?? "").replace(/\D/g, "").slice(0, 8);
  const line1 = clean(address.line1 ?? "", lengths.line);
  const place = [
    clean(address.city ?? "", lengths.city),
    clean(address.state ?? "", 2),
    clean(address.zipCode ?? "", lengths.zip),
  ];
  const ssn = (person.ssn ?? "").replace(/\D/g, "");
  return [
    [
      ...["NM1", "IL", "1", clean(person.lastName ?? "", lengths.last), clean(person.firstName ?? "", lengths.first)],
      ...[clean(person.middleName ?? "", lengths.middle), "", "", ...(memberId === "" ? [] : ["MI", memberId])],
    ],
    ...(ssn === "" ? [] : [["REF", "SY", ssn]]),
    ...(line1 === "" ? [] : [["N3", line1, clean(address.line2 ?? "", lengths.line)]]),
    ...(place.join("") === "" ? [] : [["N4", ...place]]),
    ...(birthDate === "" ? [] : [["DMG", "D8", birthDate, sexes[person.sex ?? ""] ?? ""]]),
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

/** Uppercase, without accents and without any character that could end an element, a segment or a line. */
function clean(text: string, lengthMax: number): string {
  return text
    .slice(0, 500)
    .normalize("NFKD")
    .toUpperCase()
    .replace(/[^A-Z0-9 !"&'()+,\-./;?=%@_#$]/g, "")
    .replace(/ {2,}/g, " ")
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
