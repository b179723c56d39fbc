import type { TestPerson } from "@countersign/contract/dashboard-start";
import type { ChallengeInput } from "@countersign/contract/errors";
import type { RiskJudgment, RiskScorer } from "../../domain/ports.ts";

/** The one-time code of every fixed test person. */
export const sandboxCode = "111111";

export type SandboxAddress = { line1?: string; city?: string; state: string; zipCode: string; country: string };

/** Data that a fixed test person may lack. */
type SandboxPart = "fullName" | "address" | "birthDate" | "ssn";

export type SandboxRisk = "benign" | "mediumLow" | "medium" | "mediumHigh" | "high";

/** One fixed test person: only what differs from `primaryPerson`. */
export type SandboxPerson = {
  phone: string;
  family: "inputs" | "risk" | "credentials" | "failures" | "v2.0";
  /** Any one of these inputs identifies the person. Without `needs`, the phone is enough. */
  needs?: ChallengeInput[];
  /** Whether no source knows the person. If `needs` is set, this applies only once one of those inputs is given. */
  unknown?: true;
  risk?: SandboxRisk;
  address?: SandboxAddress;
  birthDate?: string;
  without?: SandboxPart;
};

const us = (line1: string, city: string, state: string, zipCode: string): SandboxAddress => ({
  line1,
  city,
  state,
  zipCode,
  country: "US",
});

/** The person behind every phone that the table below does not list. */
export const primaryPerson = {
  firstName: "Richard",
  middleName: "Harrison",
  lastName: "Hendricks",
  birthDate: "1989-08-01",
  ssn: "000456789",
  ssn4: "6789",
  email: "richard@piedpiper.net",
  sex: "Male",
  /** Newest first. The two older addresses appear only with `multi` and risk signals on. */
  addresses: [
    us("5320 Newell Rd", "Palo Alto", "CA", "94303"),
    us("100 Example Ave", "Tulsa", "OK", "74103"),
    us("22 Sample St", "Reno", "NV", "89501"),
  ],
};

const minorBirthDate = "2017-01-01";
const puertoRico = us("3167 Av Roosevelt", "Ponce", "PR", "00717");

/** Shared by the phones +13135550000… and +12225550000… */
const tenAddresses = [
  us("5320 Newell Rd", "Palo Alto", "CA", "94303"),
  us("811 Sycamore St", "Burlington", "IA", "52601"),
  us("3742 Horseshoe Mesa St", "Las Vegas", "NV", "89147"),
  us("4209 Englewood Blvd", "Johnson City", "TN", "37601"),
  us("3921 Dacotah View Ct", "Grand Forks", "ND", "58201"),
  us("852 Marschall Rd", "Shakopee", "MN", "55379"),
  us("456 Acorn St", "Slidell", "LA", "70458"),
  us("1111 W Touhy Ave", "Des Plaines", "IL", "60018"),
  us("12413 Lampton Ln", "Fort Washington", "MD", "20744"),
  us("7801 SW Blue Jay Ln", "Bentonville", "AR", "72712"),
];

/** All fixed test people. Those of v2.0 are served in every API generation. */
export const sandboxPeople: readonly SandboxPerson[] = [
  { family: "inputs", phone: "+12125550010" },
  { family: "inputs", phone: "+12125550020", needs: ["fullName.firstName", "birthDate", "ssn4"] },
  { family: "inputs", phone: "+12125550021", needs: ["ssn4"] },
  { family: "inputs", phone: "+12125550022", needs: ["birthDate"] },
  { family: "inputs", phone: "+12125550023", needs: ["fullName.firstName"] },

  { family: "risk", phone: "+16565550000", risk: "benign" },
  { family: "risk", phone: "+16565550301", risk: "mediumLow" },
  { family: "risk", phone: "+16565550500", risk: "medium" },
  { family: "risk", phone: "+14045551775", risk: "mediumHigh" },
  { family: "risk", phone: "+14045551799", risk: "high" },

  ...tenAddresses.map(
    (address, last): SandboxPerson => ({ family: "credentials", phone: `+1313555000${last}`, address }),
  ),
  { family: "credentials", phone: "+13135550010", address: puertoRico },
  { family: "credentials", phone: "+13135550030", without: "fullName" },
  { family: "credentials", phone: "+13135550031", without: "address" },
  { family: "credentials", phone: "+13135550032", address: { state: "CA", zipCode: "94303", country: "US" } },
  { family: "credentials", phone: "+13135550033", without: "ssn" },
  { family: "credentials", phone: "+13135550034", without: "birthDate" },
  { family: "credentials", phone: "+13135550100", birthDate: minorBirthDate },

  { family: "failures", phone: "+14045551300", unknown: true },

  { family: "v2.0", phone: "+10123456789" },
  { family: "v2.0", phone: "+15555550000", risk: "benign" },
  { family: "v2.0", phone: "+15555550001", risk: "medium" },
  { family: "v2.0", phone: "+15555550002", risk: "high" },
  { family: "v2.0", phone: "+10019999999", needs: ["birthDate", "ssn4"] },
  { family: "v2.0", phone: "+10019999997", needs: ["birthDate"] },
  { family: "v2.0", phone: "+10019999996", needs: ["ssn4"] },
  { family: "v2.0", phone: "+10019999998", needs: ["birthDate", "ssn4"], unknown: true },
  ...tenAddresses.map((address, last): SandboxPerson => ({ family: "v2.0", phone: `+1222555000${last}`, address })),
  { family: "v2.0", phone: "+12225550010", address: puertoRico },
  { family: "v2.0", phone: "+12225550012", birthDate: minorBirthDate },
];

const byPhone = new Map(sandboxPeople.map((person) => [person.phone, person]));

/** The fixed test person of a phone, if there is one. */
export function sandboxPerson(phone: string): SandboxPerson | undefined {
  return byPhone.get(phone);
}

/** The correct value of each input for this person, even if the person lacks the credential itself. */
export function challengeAnswers(person: SandboxPerson | undefined): Record<ChallengeInput, string> {
  return {
    "fullName.firstName": primaryPerson.firstName,
    birthDate: person?.birthDate ?? primaryPerson.birthDate,
    ssn4: primaryPerson.ssn4,
  };
}

/** Fixed judgments by phone. Unlisted phones are benign. */
export function sandboxRisk(): RiskScorer {
  return { score: async ({ phone }) => sandboxJudgments[sandboxPerson(phone)?.risk ?? "benign"] };
}

const safePhone = {
  carrier: { id: 0, name: "Example Carrier" },
  reasonCodes: ["OCR20004", "OCR20005", "OCR20007", "OCR20101"],
};
const riskyPhone = {
  carrier: { id: 1, name: "Risky Carrier" },
  reasonCodes: ["OCR20009", "OCR20107", "OCR21012", "OCR21003"],
};
const safeEmail = { reasonCodes: ["OCR60001", "OCR60002"] };
const riskyEmail = { reasonCodes: ["OCR60006"] };
/** The address belongs to the device instead of the phone, so it is the same for all fixed test people. */
const deviceIp = { reasonCodes: ["OCR50001", "OCR50002"] };

const safe = (score: number, reasonCode: string): RiskJudgment => ({
  score,
  reasonCodes: [reasonCode],
  phone: safePhone,
  email: safeEmail,
  deviceIp,
});
const risky = (score: number, reasonCode: string): RiskJudgment => ({
  score,
  reasonCodes: [reasonCode],
  phone: riskyPhone,
  email: riskyEmail,
  deviceIp,
});

/** The judgments, by the names in the table of people. */
const sandboxJudgments: Readonly<Record<SandboxRisk, RiskJudgment>> = {
  benign: safe(0, "OCR10021"),
  mediumLow: safe(301, "OCR10020"),
  medium: safe(500, "OCR10030"),
  mediumHigh: risky(775, "OCR10031"),
  high: risky(999, "OCR10032"),
};

/** A description of every fixed test person, generated from the tables that the sandbox answers from. */
export function testPeople(): TestPerson[] {
  return sandboxPeople.map((person) => {
    const { score } = sandboxJudgments[person.risk ?? "benign"];
    const { family, phone } = person;
    return { family, phone, code: sandboxCode, needs: needsText(person), score, outcome: outcome(person, score) };
  });
}

function needsText(person: SandboxPerson): string {
  const { needs } = person;
  if (!needs) return "the phone";
  if (person.unknown) return `any of ${needs.map((input) => `\`${input}\``).join(", ")}, with any value`;
  const answers = challengeAnswers(person);
  return needs.map((input) => `\`${input}\` = \`${answers[input]}\``).join(" or ");
}

/** The score above which a 1-Click is blocked (specification, "Limits"). */
const blockedAbove = 600;

function outcome(person: SandboxPerson, score: number): string {
  if (score > blockedAbove) return "OCE017 if risk signals are on, otherwise all data";
  if (person.unknown) return person.needs ? "OCE011 without an input, OCE013 with one" : "OCE013 with any input";
  const data = dataText(person);
  return person.needs ? `OCE011 without an input, ${data} with one` : data;
}

function dataText(person: SandboxPerson): string {
  if (person.without) return `all data except \`${person.without}\``;
  if (person.birthDate) return `all data; born \`${person.birthDate}\`, which is also the right input`;
  return person.address ? `all data; address ${addressText(person.address)}` : "all data";
}

export function addressText(address: SandboxPerson["address"]): string {
  if (!address) return "none";
  const { line1, city, state, zipCode, country } = address;
  return [line1, city, `${state} ${zipCode}`, country].filter((part) => part !== undefined).join(", ");
}
