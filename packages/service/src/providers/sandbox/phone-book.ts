import type { Phone, PhoneBook } from "../../domain/ports.ts";
import { primaryPerson, sandboxPerson } from "./people.ts";

/** Accepts `+1` and any ten digits, because many of the fixed numbers do not exist in the numbering plan. */
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

function isSupported(text: string): text is Phone {
  return /^\+1\d{10}$/.test(text);
}

/** Every email address of this domain belongs to a fixed test person. */
const testDomain = domainOf(primaryPerson.email);

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}
