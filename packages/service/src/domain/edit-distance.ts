/** Maximum length of a compared word. */
const wordMax = 64;
/**
 * The last three rows of the edit-distance matrix. They are reused, because a search compares every word of every name.
 */
const rows = [new Uint8Array(wordMax + 2), new Uint8Array(wordMax + 2), new Uint8Array(wordMax + 2)] as const;

/**
 * The known word that a word was meant to be, ignoring case and separators: one with few enough edits for a typo, or
 * one that begins with the word.
 */
export function nearestOf(given: string, known: readonly string[]): string | undefined {
  const word = folded(given.slice(0, wordMax));
  for (let edits = 0; edits <= wordMax; edits += 1) {
    const near = known.find((one) => isTypo(one, edits) && isNear(word, folded(one), edits));
    if (near !== undefined) return near;
  }
  return word.length < beginningMin ? undefined : known.find((one) => folded(one).startsWith(word));
}

/** Shorter words begin too many others. */
const beginningMin = 4;
const isTypo = (known: string, edits: number) => edits <= Math.max(1, Math.floor(known.length / 3));
const folded = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Whether two words are at most `max` edits apart. A swap of two neighboring letters is one edit. */
export function isNear(a: string, b: string, max: number): boolean {
  if (Math.abs(a.length - b.length) > max || a.length > wordMax || b.length > wordMax) return false;
  let [beforeLast, last, row] = rows;
  for (let j = 0; j <= b.length; j += 1) last[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    // Skip cells farther than `max` from the diagonal: they cost more than `max` insertions or deletions.
    const from = Math.max(1, i - max);
    const until = Math.min(b.length, i + max);
    row[from - 1] = from === 1 ? i : max + 1;
    let least = max + 1;
    for (let j = from; j <= until; j += 1) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      const swapped =
        i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (swapped) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row[j] = cost;
      least = Math.min(least, cost);
    }
    if (least > max) return false;
    row[until + 1] = max + 1;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return (last[b.length] ?? max + 1) <= max;
}
