/** A US provider's number: ten digits, the first 1 or 2, with the Luhn check over `80840` and the number. */
export function isNpi(text: string): boolean {
  if (!/^[12]\d{9}$/.test(text)) return false;
  // 24 is what the prefix adds to the sum.
  let sum = 24;
  for (let index = 0; index < 10; index += 1) {
    const digit = Number(text.charAt(9 - index));
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
