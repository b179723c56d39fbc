/** The version of a consent text, as people read it. */

/** The version of a text, which is the day or the month of its change. Versions in other forms stay as they are. */
export function versionText(version: string, language: string): string {
  const [, month, day] = /^(\d{4}-\d{2})(-\d{2})?$/.exec(version) ?? [];
  const at = month === undefined ? Number.NaN : Date.parse(`${month}${day ?? "-01"}T12:00`);
  if (Number.isNaN(at)) return version;
  const format = { year: "numeric", month: "short", day: day === undefined ? undefined : "numeric" } as const;
  return unbroken(new Date(at).toLocaleDateString(`${language}-US`, format));
}

/** Keeps a date and its time on one line. */
export function unbroken(text: string): string {
  return text.replace(/\s/g, "\u00a0");
}
