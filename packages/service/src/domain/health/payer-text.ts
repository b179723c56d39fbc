/** Words that payers shorten, in their long form. */
const longForms: Record<string, string> = {
  bcbs: "blue cross blue shield",
  bcbst: "blue cross blue shield tennessee",
  bc: "blue cross",
  bs: "blue shield",
  uhc: "unitedhealthcare",
};
const states =
  "al alabama ak alaska az arizona ar arkansas ca california co colorado ct connecticut de delaware fl florida ga georgia hi hawaii id idaho il illinois in indiana ia iowa ks kansas ky kentucky la louisiana me maine md maryland ma massachusetts mi michigan mn minnesota ms mississippi mo missouri mt montana ne nebraska nv nevada oh ohio ok oklahoma or oregon pa pennsylvania tn tennessee tx texas ut utah vt vermont va virginia wa washington wi wisconsin wy wyoming".split(
    " ",
  );
const stateNames = new Map<string, string>();
for (let at = 0; at + 1 < states.length; at += 2) {
  const short = states[at];
  const long = states[at + 1];
  if (short !== undefined && long !== undefined && long.length > 2) stateNames.set(short, long);
}
/** Words that are in many names and in no search that means one payer. */
const fillers = new Set(["of", "the", "and"]);

/** Case, accents and punctuation gone; short forms long. */
export function foldName(text: string): string {
  return tokensOf(text).join(" ");
}

export function tokensOf(text: string): string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("&", " and ");
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "" && !fillers.has(word));
  return words.flatMap((word, at) => {
    if (Object.hasOwn(longForms, word)) return (longForms[word] ?? word).split(" ");
    // A state's two letters count at the end, where "in" and "or" are no words.
    const state = at > 0 && at === words.length - 1 ? stateNames.get(word) : undefined;
    return [state ?? word];
  });
}

/** Letters that may differ in a word of this length. */
export function typosAllowed(word: string): number {
  if (word.length < 4 || /\d/.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

/** The last three rows of a comparison, one after the other's turn: searches compare with each word of each name. */
const wordMax = 64;
const rows = [new Uint8Array(wordMax + 2), new Uint8Array(wordMax + 2), new Uint8Array(wordMax + 2)] as const;

/** Whether two words are at most `max` edits apart, two swapped neighbours being one. Longer words than that are not compared. */
export function isNear(a: string, b: string, max: number): boolean {
  if (Math.abs(a.length - b.length) > max || a.length > wordMax || b.length > wordMax) return false;
  let [beforeLast, last, row] = rows;
  for (let j = 0; j <= b.length; j += 1) last[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    // Further than `max` from the diagonal nothing counts: that many letters would have to come or go.
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
