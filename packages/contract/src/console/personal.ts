/** Personal values that people must not write into reasons, because logs keep these. */

/** A Social Security number, and a US phone number with anything but letters between its groups. */
const ssn = /(?<!\d)\d{3}[ ./-]\d{2}[ ./-]\d{4}(?!\d)/;
const phone = /(?<!\d)(?:1[^\p{L}\p{N}]*)?[2-9]\d{2}[^\p{L}\p{N}]*[2-9]\d{2}[^\p{L}\p{N}]*\d{4}(?!\d)/u;
const email = /[^\s@]@[^\s@]+\.[^\s@]/;

/** Whether a text has a US phone number, a Social Security number or an email address, in any form of its characters. */
export function namesPerson(text: string): boolean {
  const visible = text.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  const plain = visible.replace(/\p{Pd}/gu, "-");
  return [phone, ssn, email].some((pattern) => pattern.test(plain));
}
