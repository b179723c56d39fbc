import { isNear } from "../edit-distance.ts";
import type { DirectoryPayer } from "../ports.ts";

type IndexedPayer = { entry: DirectoryPayer; isGroup: boolean; ids: string[]; size: number };
/** One name of a payer. */
type Name = { payer: number; isAlias: boolean; text: string; compact: string };

/** The search index of a payer directory, built once per directory. */
export type PayerIndex = {
  payers: IndexedPayer[];
  names: Name[];
  /** Word → indexes of the names that contain it. */
  postings: Map<string, number[]>;
  words: string[];
};

/** Better matches first: exact id, exact name, exact alias, id prefix, name prefix, prefixes of all words, typos. */
export const ranks = {
  id: 0,
  name: 1,
  alias: 2,
  idPrefix: 3,
  namePrefix: 4,
  words: 5,
  aliasWords: 6,
  typos: 7,
  aliasTypos: 8,
} as const;

const searchWordsMax = 12;
/** Minimum length of an id prefix that is searched. */
const idPrefixMin = 2;
/** Added to the size of national payers, because they have few ids for their size. */
const nationalSize = 5;

export function indexPayers(entries: readonly { entry: DirectoryPayer; isGroup: boolean }[]): PayerIndex {
  const payers = entries
    .map(({ entry, isGroup }) => ({
      entry,
      isGroup,
      ids: [entry.vendorId, ...entry.ids].map((id) => id.toLowerCase()),
      size: entry.ids.length + (entry.operatingStates.includes("NATIONAL") ? nationalSize : 0),
    }))
    .sort((a, b) => a.entry.name.localeCompare(b.entry.name, "en"));
  const names: Name[] = [];
  const postings = new Map<string, number[]>();
  for (const [payer, { entry }] of payers.entries()) {
    for (const [at, called] of [entry.name, ...entry.aliases].entries()) {
      const text = foldName(called);
      for (const word of new Set(spellings(called))) {
        const list = postings.get(word);
        if (list === undefined) postings.set(word, [names.length]);
        else list.push(names.length);
      }
      names.push({ payer, isAlias: at > 0, text, compact: text.replaceAll(" ", "") });
    }
  }
  return { payers, names, postings, words: [...postings.keys()] };
}

/** The payers and groups with an id in lower case, the largest first. */
export function withId({ payers }: PayerIndex, id: string): IndexedPayer[] {
  return payers.filter(({ ids }) => ids.includes(id)).sort((a, b) => b.size - a.size);
}

/** Indexes of the payers that match a text, with their rank, best first. */
export function lookUp(index: PayerIndex, search: string): { payer: number; rank: number }[] {
  const best = new Map<number, number>();
  const note = (payer: number, rank: number) => {
    if (rank < (best.get(payer) ?? Number.POSITIVE_INFINITY)) best.set(payer, rank);
  };
  noteIds(index, search.trim().toLowerCase(), note);
  const tokens = tokensOf(search).slice(0, searchWordsMax);
  const match = matcher(index);
  if (tokens.length > 0) {
    noteNames(index, tokens.join(" "), note);
    noteWords(index, tokens.map(match), note);
    // "Met Life" is one word in the payer's name.
    if (best.size === 0 || Math.min(...best.values()) >= ranks.typos)
      for (const joined of joinedPairs(tokens)) noteWords(index, joined.map(match), note);
  }
  // "Aetna Inc" and "Aetna PPO" are Aetna, unless a payer has that name.
  const core = tokens.filter((token) => !companyWords.has(token));
  const isExact = [...best.values()].some((rank) => rank <= ranks.alias);
  if (!isExact && core.length > 0 && core.length < tokens.length) {
    const noteExact = (payer: number, rank: number) =>
      rank <= ranks.alias || best.size === 0 ? note(payer, rank) : undefined;
    noteNames(index, core.join(" "), noteExact);
    if (best.size === 0) noteWords(index, core.map(match), note);
  }
  return [...best]
    .map(([payer, rank]) => ({ payer, rank }))
    .sort((a, b) => a.rank - b.rank || sizeOf(index, b.payer) - sizeOf(index, a.payer) || a.payer - b.payer);
}

/** Words of companies and products that people add to a payer's name. */
const companyWords = new Set(
  "inc llc ltd corp corporation co company companies insurance ins plan plans ppo hmo epo pos hdhp group".split(" "),
);

/** The words with one pair of adjacent words joined, for each pair. */
function joinedPairs(tokens: readonly string[]): string[][] {
  return tokens.slice(1).map((token, at) => [...tokens.slice(0, at), `${tokens[at]}${token}`, ...tokens.slice(at + 2)]);
}

/** Finds names that equal a text or begin with it, whatever its blanks are. */
function noteNames({ names }: PayerIndex, text: string, note: Note): void {
  const compact = text.replaceAll(" ", "");
  for (const name of names) {
    if (name.compact === compact) note(name.payer, name.isAlias ? ranks.alias : ranks.name);
    else if (!name.isAlias && (name.text.startsWith(text) || startsWithWords(name, compact)))
      note(name.payer, ranks.namePrefix);
  }
}

/** Whether the first words of a name are a text without blanks. */
function startsWithWords({ text, compact }: Name, start: string): boolean {
  if (!compact.startsWith(start)) return false;
  let length = 0;
  for (const word of text.split(" ")) {
    length += word.length;
    if (length >= start.length) break;
  }
  return length === start.length;
}

const sizeOf = (index: PayerIndex, payer: number) => index.payers[payer]?.size ?? 0;

type Note = (payer: number, rank: number) => void;

function noteIds({ payers }: PayerIndex, id: string, note: Note): void {
  if (id === "") return;
  for (const [payer, { ids }] of payers.entries()) {
    if (ids.includes(id)) note(payer, ranks.id);
    else if (id.length >= idPrefixMin && ids.some((other) => other.startsWith(id))) note(payer, ranks.idPrefix);
  }
}

/** The names with a word that a search word begins, or else that it is a typo of. */
type Matches = { names: Set<number>; isTypo: boolean };

/** Finds the matches of each search word once. A search tries the same words again and again, and anyone can search. */
function matcher(index: PayerIndex): (token: string) => Matches {
  const known = new Map<string, Matches>();
  const find = (token: string): Matches => {
    const begun = index.words.filter((word) => word.startsWith(token));
    const isTypo = begun.length === 0;
    const max = isTypo ? typosAllowed(token) : 0;
    const words = max > 0 ? index.words.filter((word) => isNear(token, word, max)) : begun;
    return { names: new Set(words.flatMap((word) => index.postings.get(word) ?? [])), isTypo };
  };
  return (token) => {
    const matches = known.get(token) ?? find(token);
    known.set(token, matches);
    return matches;
  };
}

/** Finds the names that match every search word. */
function noteWords(index: PayerIndex, matches: readonly Matches[], note: Note): void {
  const hasTypo = matches.some(({ isTypo }) => isTypo);
  const [fewest, ...others] = matches.map(({ names }) => names).sort((a, b) => a.size - b.size);
  for (const at of fewest ?? []) {
    const name = index.names[at];
    if (name === undefined || !others.every((names) => names.has(at))) continue;
    if (hasTypo) note(name.payer, name.isAlias ? ranks.aliasTypos : ranks.typos);
    else note(name.payer, name.isAlias ? ranks.aliasWords : ranks.words);
  }
}

/** The words of a name, and adjacent words joined: "united healthcare" and "unitedhealthcare" are one company. */
function spellings(name: string): string[] {
  const tokens = tokensOf(name);
  const pairs = tokens.slice(1).map((token, at) => `${tokens[at]}${token}`);
  const split = tokens.flatMap((token) => (token === "unitedhealthcare" ? ["united", "healthcare"] : []));
  return [...tokens, ...pairs, ...split];
}

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
function foldName(text: string): string {
  return tokensOf(text).join(" ");
}

function tokensOf(text: string): string[] {
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
function typosAllowed(word: string): number {
  if (word.length < 4 || /\d/.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}
