import { withoutMarks } from "@countersign/contract/typed-text";
import type { CodeMaker, Phone, PhoneBook, Random } from "../../domain/ports.ts";
import { isAreaServed } from "../numbering-plan/phone-book.ts";
import { primaryPerson, sandboxCode, sandboxPerson } from "./people.ts";

/**
 * Judges area codes as production does, so that a number that production refuses is refused here too. The only exception
 * is the numbers of the test people, some of which have area codes that do not exist.
 */
export function sandboxPhoneBook(): PhoneBook {
  return {
    judge: (given) => {
      const text = withoutMarks(given);
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

/** Area codes that were judged before. There are at most 1,000. */
const judged = new Map<string, boolean>();

function isSupported(text: string): text is Phone {
  if (!/^\+1\d{10}$/.test(text)) return false;
  if (sandboxPerson(text) !== undefined) return true;
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

/** The known code for fixed test people, who get no texts, and six random digits for all other phones. */
export function sandboxCodes(random: Random): CodeMaker {
  return {
    make: (phone) => (sandboxPerson(phone) ? sandboxCode : String(random.integer(1_000_000)).padStart(6, "0")),
  };
}
