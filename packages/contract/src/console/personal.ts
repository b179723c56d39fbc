/** Personal values that people must not write into reasons and searches, because logs and URLs keep these. */

const phone = /(?<!\d)(?:\+?1[\s.-]*)?\(?[2-9]\d{2}\)?[\s.-]*[2-9]\d{2}[\s.-]*\d{4}(?!\d)/;
const email = /[^\s@]@[^\s@]+\.[^\s@]/;

/** Whether a text has a US phone number or an email address. */
export function namesPerson(text: string): boolean {
  return phone.test(text) || email.test(text);
}
