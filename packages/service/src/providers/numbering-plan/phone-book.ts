import { withoutMarks } from "@countersign/contract/typed-text";
import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Phone, PhoneBook } from "../../domain/ports.ts";
import { newAreaCodes } from "./new-area-codes.ts";

/**
 * The United States and its territories, which are separate regions in the numbering plan. Texts to some territories
 * cost many times as much.
 */
const usRegions = ["US", "PR", "VI", "GU", "AS", "MP"] as const;
export type UsRegion = (typeof usRegions)[number];

/** The exchange 555 is used by directory services, films and the sandbox, but not by people. */
const nobodysExchange = /^\+1\d{3}555/;

/**
 * The North American numbering plan, from its metadata. Accepts only numbers that may be mobile. The plan cannot
 * distinguish mobile from fixed lines, but it identifies premium, toll-free, personal, VoIP and pager numbers.
 */
export function numberingPlan(options: { regions: readonly UsRegion[] }): PhoneBook {
  const served = new Set<CountryCode>(options.regions);
  return {
    judge(given) {
      const text = withoutMarks(given);
      if (!/^\+[1-9]\d{1,14}$/.test(text)) return { kind: "malformed" };
      if (!text.startsWith("+1")) return { kind: "foreign" };
      return isServed(text, served) ? { kind: "supported", phone: text } : { kind: "unsupported" };
    },
    // Every number belongs to a real person, so customers share no test numbers.
    sharesNumbers: false,
    isFixed: () => false,
    isFixedEmail: () => false,
  };
}

/** Whether the area code of `+1` and ten digits is in service in these regions. */
export function isAreaServed(text: string, options: { regions: readonly UsRegion[] }): boolean {
  // Every area code in service has these exchanges; the library knows no better question.
  const served = new Set<CountryCode>(options.regions);
  return sampleExchanges.some((exchange) => isServed(`${text.slice(0, 5)}${exchange}0123`, served));
}
const sampleExchanges = ["234", "456", "789"];

const mobileTypes = ["MOBILE", "FIXED_LINE_OR_MOBILE"];

/** A number of an area code that the library does not know: the exchange does not begin with 0 or 1, or end in 11. */
const inNewArea = /^\+1(\d{3})[2-9](?!11)\d{2}\d{4}$/;

/** Whether the plan has a number in these regions that may be mobile. */
function isServed(text: string, served: ReadonlySet<CountryCode>): text is Phone {
  const areaCode = inNewArea.exec(text)?.[1] ?? "";
  if (served.has("US") && newAreaCodes.has(areaCode)) return !nobodysExchange.test(text);
  const number = parsePhoneNumberFromString(text);
  if (number === undefined || number.number !== text || !number.isValid()) return false;
  // Canada and some islands also use +1, but they are other countries.
  if (number.country === undefined || !served.has(number.country)) return false;
  return mobileTypes.includes(number.getType() ?? "") && !nobodysExchange.test(text);
}
