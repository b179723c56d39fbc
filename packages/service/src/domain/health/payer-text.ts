/** Abbreviations in payer names, with their long forms. */
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
/** Words that are common in names and do not help to find a payer. */
const fillers = new Set(["of", "the", "and"]);

/** Lowercases a name, removes accents and punctuation, and expands abbreviations. */
export function foldName(text: string): string {
  return tokensOf(text).join(" ");
}

export function tokensOf(text: string): string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("&", " and ");
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "" && !fillers.has(word));
  return words.flatMap((word, at) => {
    if (Object.hasOwn(longForms, word)) return (longForms[word] ?? word).split(" ");
    // A state abbreviation counts only as the last word, where "in" and "or" are not English words.
    const state = at > 0 && at === words.length - 1 ? stateNames.get(word) : undefined;
    return [state ?? word];
  });
}

/** How many letters of a word may differ, by its length. */
export function typosAllowed(word: string): number {
  if (word.length < 4 || /\d/.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}
