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
