/** Email addresses, which may have letters outside ASCII, such as ada@münchen.de. */
import { domainToASCII } from "node:url";

/** The characters before the @ that mail servers agree on, and letters outside ASCII (RFC 6531). */
const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~\u00a1-\uffff-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~\u00a1-\uffff-]+)*$/i;
const localMax = 64;
const host = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  return at <= localMax && local.test(text.slice(0, Math.max(at, 0))) && host.test(domainToASCII(text.slice(at + 1)));
}

/** One text for all ways to write an address: lower case, with the ASCII form of the domain. */
export function plainEmail(text: string): string {
  const email = text.trim();
  const at = email.lastIndexOf("@") + 1;
  const domain = email.slice(at);
  return (email.slice(0, at) + (domainToASCII(domain) || domain)).toLowerCase();
}
