/** Names of details within a sentence or a list. */

/** A label without its first capital. SSN and Social Security keep their capitals. */
export function inSentence(label: string): string {
  const isName = /^\p{Lu}(\p{Lu}|\p{Ll}+ \p{Lu})/u.test(label);
  return isName ? label : label.replace(/^\p{Lu}/u, (first) => first.toLowerCase());
}

/** Different labels in one line, as in `Full name, phone, address`. */
export function inLine(labels: readonly string[]): string {
  const [first, ...more] = new Set(labels);
  return first === undefined ? "" : [first, ...more.map(inSentence)].join(", ");
}
