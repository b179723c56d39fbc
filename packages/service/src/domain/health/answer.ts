import type { ParsedEdi271 } from "@countersign/contract/health";
import type { CheckAnswer } from "../ports.ts";
import { messages } from "./lookup.ts";
import {
  isPersonRejection,
  isServiceRejection,
  nobodyRejections,
  rejectionText,
  searchRejections,
  temporaryRejections,
} from "./x12/codes.ts";
import { type Eligibility, read271 } from "./x12/eligibility.ts";
import { X12Error } from "./x12/x12-error.ts";

/** The person that a check asked about. */
export type AskedPerson = { lastName: string; birthDate: string; firstName: string; memberId?: string };

/** The meaning of a payer's answer for a plan. */
export type CheckReading =
  /** The payer answered about the plan. `errors` lists what it could not answer. */
  | { kind: "plan"; x12: string; eligibility: ParsedEdi271; relatedEntities: string[]; errors: string[] }
  /** The payer does not know the person. For some values of `code`, other search data may help. */
  | { kind: "nobody"; code: string; errors: string[] }
  /** The payer answered about another person. */
  | { kind: "withheld"; errors: string[] }
  /** No answer about the plan. */
  | { kind: "none"; errors: string[] };

export function readCheck(answer: CheckAnswer, asked: AskedPerson, trace: string): CheckReading {
  if (answer.kind === "failed") return { kind: "none", errors: [messages.payerUnavailable] };
  let read: ReturnType<typeof read271>;
  try {
    read = read271(Buffer.from(answer.x12), { trace, birthDate: asked.birthDate, firstName: asked.firstName });
  } catch (error) {
    if (!(error instanceof X12Error)) throw error;
    return { kind: "none", errors: [`The payer's answer is not a 271: ${error.message}`] };
  }
  const { eligibility, rejections, relatedEntities, lines } = read;
  if (lines === 0 && rejections.length > 0) return rejected(rejections);
  if (isAboutSomebodyElse(eligibility, asked)) return { kind: "withheld", errors: [messages.otherPerson] };
  const errors = [...new Set(rejections.map(({ code }) => rejectionText(code)))];
  return { kind: "plan", x12: answer.x12, eligibility, relatedEntities, errors };
}

/** Whether an answer is temporary, so that a retry may help. */
export function isTemporary(answer: CheckAnswer): boolean {
  if (answer.kind === "failed") return answer.retryable;
  try {
    const { rejections, lines } = read271(Buffer.from(answer.x12));
    return lines === 0 && rejections.some(({ code }) => temporaryRejections.has(code));
  } catch (error) {
    if (error instanceof X12Error) return false;
    throw error;
  }
}

function rejected(rejections: Eligibility["rejections"]): CheckReading {
  const texts = (list: Eligibility["rejections"]) => [...new Set(list.map(({ code }) => rejectionText(code)))];
  const ofPerson = rejections.filter((one) => isPersonRejection(one) && !temporaryRejections.has(one.code));
  const [first] = ofPerson;
  if (first === undefined || rejections.some(({ code }) => temporaryRejections.has(code))) {
    const decisive = rejections.filter((one) => !isServiceRejection(one));
    return { kind: "none", errors: texts(decisive.length > 0 ? decisive : rejections) };
  }
  const searchable = ofPerson.find(({ code }) => searchRejections.has(code)) ?? first;
  const specific = texts(ofPerson.filter(({ code }) => !nobodyRejections.has(code)));
  return { kind: "nobody", code: searchable.code, errors: [messages.noCoverage, ...specific] };
}

/**
 * Whether neither the last name nor the birth date matches the requested person. If a response has neither, the member
 * id is compared.
 */
function isAboutSomebodyElse({ member }: ParsedEdi271, asked: AskedPerson): boolean {
  const lastName = member?.fullName?.lastName;
  const birthDate = member?.birthDate;
  if (lastName === undefined && birthDate === undefined)
    return member?.memberId === undefined || fold(member.memberId) !== fold(asked.memberId ?? "");
  return !(lastName !== undefined && fold(lastName) === fold(asked.lastName)) && birthDate !== asked.birthDate;
}

/**
 * Whether an answer to a search without a rejected name or birth date repeats the other details. Relatives share a
 * member ID and a last name, so the answer may otherwise be about one of them.
 */
export function repeatsOtherDetails(
  { member }: ParsedEdi271,
  asked: AskedPerson,
  searched: Partial<Pick<AskedPerson, "firstName" | "birthDate">>,
): boolean {
  const isSame = (one: string | undefined, other: string) => one !== undefined && fold(one) === fold(other);
  const { firstName, lastName } = member?.fullName ?? {};
  const hasName = isSame(firstName, asked.firstName) && isSame(lastName, asked.lastName);
  return (
    (searched.birthDate !== undefined || hasName) &&
    (searched.firstName !== undefined || isSame(member?.birthDate, asked.birthDate))
  );
}

/** Ignores case, accents, whitespace and punctuation. */
function fold(text: string): string {
  return text
    .normalize("NFKD")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
