/** A US provider's number (NPI): ten digits, the first 1 or 2, with a Luhn check digit over `80840` and the number. */
export function isNpi(text: string): boolean {
  if (!/^[12]\d{9}$/.test(text)) return false;
  // The prefix adds 24 to the sum.
  let sum = 24;
  for (let index = 0; index < 10; index += 1) {
    const digit = Number(text.charAt(9 - index));
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The problem of ten digits that are no NPI. */
export const npiWords = "Use a valid NPI: the check digit of this one is wrong.";
