import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Phone, PhoneBook } from "../../domain/ports.ts";

/** Parts of the United States whose numbers the plan keeps apart. Texts to some of them cost many times as much. */
export const usRegions = ["US", "PR", "VI", "GU", "AS", "MP"] as const;
export type UsRegion = (typeof usRegions)[number];

/** Exchange of directory services, of films and of the sandbox: nobody's phone. */
const nobodysExchange = /^\+1\d{3}555/;

/**
 * The numbering plan of North America, as its metadata has it. Only what can be somebody's mobile passes: in this plan
 * mobile and fixed lines look alike, and everything else (premium, toll-free, personal, VoIP, pagers) is told apart.
 */
export function numberingPlan(about: { regions: readonly UsRegion[] }): PhoneBook {
  const served = new Set<CountryCode>(about.regions);
  return {
    judge(text) {
      if (!/^\+[1-9]\d{1,14}$/.test(text)) return { kind: "malformed" };
      if (!text.startsWith("+1")) return { kind: "foreign" };
      return isServed(text, served) ? { kind: "supported", phone: text } : { kind: "unsupported" };
    },
    // A number is whoever holds it.
    sharesNumbers: false,
    isFixed: () => false,
    isFixedEmail: () => false,
  };
}

const mobileTypes = ["MOBILE", "FIXED_LINE_OR_MOBILE"];

function isServed(text: string, served: ReadonlySet<CountryCode>): text is Phone {
  const number = parsePhoneNumberFromString(text);
  if (number === undefined || number.number !== text || !number.isValid()) return false;
  // Canada and the islands share the country code; they are other countries.
  if (number.country === undefined || !served.has(number.country)) return false;
  return mobileTypes.includes(number.getType() ?? "") && !nobodysExchange.test(text);
}
