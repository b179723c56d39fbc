import type { FoundCoverage, InsuredPerson } from "../../domain/ports.ts";
import { asObject, type Json, listOf, textOf } from "../json.ts";

const coveragesMax = 20;
const medicareTypes = ["MA", "MB", "HN"];
const memberIdForm = /^[\w .-]{1,80}$/;

/** The plans that a discovery found for this person, likeliest first, each plan once. */
export function coveragesOf(
  items: readonly Json[],
  filter: { person: InsuredPerson; payerIds?: readonly string[] | undefined },
): FoundCoverage[] {
  const found = items
    .filter((item) => isAboutPerson(item, filter.person))
    .map((item) => ({ coverage: coverageOf(item), rank: rankOf(item) }))
    .sort((a, b) => a.rank - b.rank)
    .flatMap(({ coverage }) => (coverage === null ? [] : [coverage]))
    .filter(({ payerId }) => filter.payerIds === undefined || filter.payerIds.includes(payerId));
  const seen = new Set<string>();
  const isNew = ({ payerId, memberId }: FoundCoverage) => seen.size < seen.add(`${payerId}|${memberId}`).size;
  return found.filter(isNew).slice(0, coveragesMax);
}

function memberOf(item: Json): Json | null {
  const dependent = asObject(item.dependent);
  return dependent !== null && textOf(dependent, "firstName") !== null ? dependent : asObject(item.subscriber);
}

/**
 * Whether an item is about this person. As in payers' answers, it is about another person if both the last name and the
 * birth date differ.
 */
function isAboutPerson(item: Json, person: InsuredPerson): boolean {
  const member = memberOf(item);
  const lastName = textOf(member, "lastName");
  const born = textOf(member, "dateOfBirth")?.replaceAll("-", "") ?? null;
  const isSameName = lastName !== null && fold(lastName) === fold(person.lastName ?? "");
  return isSameName || (born !== null && born === person.birthDate?.replaceAll("-", ""));
}

/**
 * The rank for sorting. No confidence ranks like high confidence, and items that the vendor marks for review rank last.
 */
function rankOf(item: Json): number {
  const level = textOf(asObject(item.confidence), "level");
  return level === null || level === "HIGH" ? 0 : level === "REVIEW_NEEDED" ? 2 : 1;
}

function coverageOf(item: Json): FoundCoverage | null {
  const payer = asObject(item.payer);
  const payerId = textOf(payer, "payorIdentification");
  // Dependents without a member ID use the subscriber's.
  const memberId = textOf(memberOf(item), "memberId") ?? textOf(asObject(item.subscriber), "memberId");
  if (payerId === null || memberId === null || !memberIdForm.test(memberId)) return null;
  const active = listOf(item, "benefitsInformation").filter(({ code }) => code === "1");
  const codes = [...new Set(active.flatMap(({ serviceTypeCodes }) => textsOf(serviceTypeCodes)))];
  const isMedicare = active.some((one) => medicareTypes.includes(textOf(one, "insuranceTypeCode") ?? ""));
  return {
    payerId,
    memberId,
    ...(codes.length === 0 ? {} : { serviceTypeCodes: codes }),
    isMedicare,
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string" && /^\w{1,3}$/.test(one)) : [];
}

function fold(text: string): string {
  return text
    .normalize("NFKD")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
