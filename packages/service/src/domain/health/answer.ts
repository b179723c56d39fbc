import type { ParsedEdi271 } from "@countersign/contract/health";
import type { CheckAnswer } from "../ports.ts";
import { messages } from "./lookup.ts";
import {
  isPersonRejection,
  isServiceRejection,
  isTemporaryRejection,
  mayCorrect,
  mayRepeat,
  nobodyRejections,
  rejectionText,
  searchRejections,
} from "./x12/codes.ts";
import { type Eligibility, read271, readAnswer } from "./x12/eligibility.ts";
import { firstNameLikeness, lastNameLikeness } from "./x12/names.ts";
import { X12Error } from "./x12/segments.ts";

/** The details that a check asked with. A search that leaves out a detail does not compare it. */
export type AskedPerson = { lastName: string; birthDate?: string; firstName?: string; memberId?: string };

/** The meaning of a payer's answer for a plan. */
export type CheckReading =
  /**
   * The payer answered about the plan. `errors` lists what it could not answer. `x12`: null if the answer also has data
   * of other people.
   */
  | { kind: "plan"; x12: string | null; eligibility: ParsedEdi271; relatedEntities: string[]; errors: string[] }
  /**
   * The payer does not know the person. For some values of `code`, other search data may help. It is absent if the payer
   * forbids another question.
   */
  | { kind: "nobody"; code?: string; errors: string[] }
  /** The payer answered about another person. */
  | { kind: "withheld"; errors: string[] }
  /** No answer about the plan. */
  | { kind: "none"; errors: string[] };

export function readCheck(answer: CheckAnswer, asked: AskedPerson, trace: string): CheckReading {
  if (answer.kind === "failed") return { kind: "none", errors: [messages.payerUnavailable] };
  let answered: ReturnType<typeof readAnswer>;
  try {
    answered = readAnswer(Buffer.from(answer.x12), { ...asked, trace });
  } catch (error) {
    if (!(error instanceof X12Error)) throw error;
    return { kind: "none", errors: [`The payer's answer is not a 271: ${error.message}`] };
  }
  const { eligibility, rejections, relatedEntities, lines } = answered.read;
  if (lines === 0 && rejections.length > 0) return rejected(rejections);
  if (!answered.isOurs) return { kind: "withheld", errors: [messages.otherPerson] };
  const errors = [...new Set(rejections.map(({ code }) => rejectionText(code)))];
  const x12 = answered.hasOthers ? null : answer.x12;
  return { kind: "plan", x12, eligibility, relatedEntities, errors };
}

/** Whether an answer is temporary, so that a retry may help. */
export function isTemporary(answer: CheckAnswer): boolean {
  if (answer.kind === "failed") return answer.retryable;
  try {
    const { rejections, lines } = read271(Buffer.from(answer.x12));
    return lines === 0 && mayRepeat(rejections);
  } catch (error) {
    if (error instanceof X12Error) return false;
    throw error;
  }
}

function rejected(rejections: Eligibility["rejections"]): CheckReading {
  const texts = (list: Eligibility["rejections"]) => [...new Set(list.map(({ code }) => rejectionText(code)))];
  const ofPerson = rejections.filter((one) => isPersonRejection(one) && !isTemporaryRejection(one));
  const [first] = ofPerson;
  if (first === undefined || rejections.some(isTemporaryRejection)) {
    const decisive = rejections.filter((one) => !isServiceRejection(one));
    return { kind: "none", errors: texts(decisive.length > 0 ? decisive : rejections) };
  }
  const searchable = ofPerson.find(({ code }) => searchRejections.has(code)) ?? first;
  const maySearch = mayCorrect(rejections);
  const specific = texts(ofPerson.filter(({ code }) => !nobodyRejections.has(code)));
  return {
    kind: "nobody",
    ...(maySearch ? { code: searchable.code } : {}),
    errors: [messages.noCoverage, ...specific],
  };
}

/**
 * Whether an answer to a search without a rejected name or birth date repeats the other details. Relatives share a
 * member ID and a last name, so the answer may otherwise be about one of them.
 */
export function repeatsOtherDetails(
  { member }: ParsedEdi271,
  asked: Required<Pick<AskedPerson, "lastName" | "firstName" | "birthDate">>,
  searched: Partial<Pick<AskedPerson, "firstName" | "birthDate">>,
): boolean {
  const { firstName = "", lastName = "" } = member?.fullName ?? {};
  const likeness = firstNameLikeness(asked.firstName, { firstName, middleName: "" });
  const hasName =
    (likeness === "exact" || likeness === "loose") && lastNameLikeness(asked.lastName, lastName) === "same";
  return (
    (searched.birthDate !== undefined || hasName) &&
    (searched.firstName !== undefined || member?.birthDate === asked.birthDate)
  );
}
