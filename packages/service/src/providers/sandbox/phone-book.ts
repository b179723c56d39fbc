import type { Phone, PhoneBook } from "../../domain/ports.ts";
import { isAreaServed } from "../numbering-plan/phone-book.ts";
import { primaryPerson, sandboxPerson } from "./people.ts";

/**
 * Judges area codes as production does, so that a number that production refuses is refused here too. Numbers that nobody
 * can have are accepted, because the test people's are such: the exchange 555, and area codes that begin with 0 or 1.
 */
export function sandboxPhoneBook(): PhoneBook {
  return {
    judge: (text) => {
      if (!/^\+[1-9]\d{1,14}$/.test(text)) return { kind: "malformed" };
      if (!text.startsWith("+1")) return { kind: "foreign" };
      return isSupported(text) ? { kind: "supported", phone: text } : { kind: "unsupported" };
    },
    sharesNumbers: true,
    isFixed: (phone) => sandboxPerson(phone) !== undefined,
    isFixedEmail: (email) => domainOf(email) === testDomain,
  };
}

/** The region that production serves by default. */
const regions = ["US"] as const;
const nobodysNumber = /^\+1(?:[01]\d{9}|\d{3}555\d{4})$/;

/** Area codes that were judged before. There are at most 1,000. */
const judged = new Map<string, boolean>();

function isSupported(text: string): text is Phone {
  if (!/^\+1\d{10}$/.test(text)) return false;
  if (nobodysNumber.test(text)) return true;
  const areaCode = text.slice(2, 5);
  const isServed = judged.get(areaCode) ?? isAreaServed(text, { regions });
  judged.set(areaCode, isServed);
  return isServed;
}

/** Every email address of this domain belongs to a fixed test person. */
const testDomain = domainOf(primaryPerson.email);

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}
