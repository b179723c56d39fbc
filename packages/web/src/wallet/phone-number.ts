/** A US number as people read it: (212) 555-0010. Whatever else it is stays as it is. */
export function phoneText(e164: string): string {
  const found = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(e164);
  return found === null ? e164 : `(${found[1]}) ${found[2]}-${found[3]}`;
}

/** What was typed or pasted as a US number in E.164, in whatever form; null where it is none. */
export function readPhone(text: string): string | null {
  const digits = text.replace(/\D/g, "");
  // No US number begins with a 1: one that stands first is the country's.
  const national = digits.startsWith("1") ? digits.slice(1) : digits;
  return national.length === 10 && /^[\d\s().+-]*$/.test(text) ? `+1${national}` : null;
}
