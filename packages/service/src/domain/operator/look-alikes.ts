/** Finds names that people could confuse with a requested one. */
import { isNear } from "../edit-distance.ts";

/** Letters of other scripts, digits and pairs that look like Latin letters. */
const sameLook: Readonly<Record<string, string>> = {
  ...{ а: "a", в: "b", с: "c", ԁ: "d", е: "e", ё: "e", һ: "h", н: "h", і: "i", ї: "i", ј: "j", к: "k", м: "m" },
  ...{ о: "o", р: "p", ԛ: "q", ѕ: "s", т: "t", ѵ: "v", ԝ: "w", х: "x", у: "y", з: "3", ӏ: "l" },
  ...{ α: "a", β: "b", ε: "e", η: "n", ι: "i", κ: "k", ν: "v", ο: "o", ρ: "p", τ: "t", υ: "u", χ: "x", γ: "y" },
  ...{ ı: "i", ɡ: "g", ł: "l", ø: "o", đ: "d", ß: "ss", "0": "o", "1": "l", "3": "e", "5": "s", $: "s", "@": "a" },
};
const pairs: readonly (readonly [RegExp, string])[] = [
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/cl/g, "d"],
  [/i/g, "l"],
];
/** Words that do not tell companies apart. */
const ofAnyCompany = /\b(?:inc|llc|ltd|corp|co|company|gmbh|the|app|online|official|support)\b/g;
/** Shorter names differ from too many others by one letter. */
const nearMin = 5;

/** What a name looks like: Latin lower case letters without marks, blanks and words of any company. */
export function lettersOf(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const latin = [...plain].map((letter) => sameLook[letter] ?? letter).join("");
  const short = latin.replace(ofAnyCompany, "").replace(/[^\p{L}\p{N}]/gu, "");
  return pairs.reduce((text, [pair, one]) => text.replace(pair, one), short);
}

/** Latin names contain letters of the East Asian scripts, so those count as no other script. */
const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Common}])\p{L}/u,
];

/** Whether a name mixes letters of two scripts, such as a Cyrillic letter in a Latin name. */
export function mixesScripts(name: string): boolean {
  return scripts.filter((script) => script.test(name)).length > 1;
}

/** `waits`: whether the name is only requested, and not in use yet. */
type Named = { name: string; customerUuid: string; customerName: string; waits: boolean };

/** The names of other customers, in use or waiting, that look like this one, each once. */
export function lookAlikesOf(
  requested: { name: string; customerUuid: string },
  names: readonly Named[],
): { name: string; customerName: string; waits: boolean }[] {
  const look = lettersOf(requested.name);
  if (look === "") return [];
  const found = names.filter(({ name, customerUuid }) => {
    if (customerUuid === requested.customerUuid) return false;
    const other = lettersOf(name);
    return other === look || (Math.min(look.length, other.length) >= nearMin && isNear(look, other, 1));
  });
  const lines = found.map(({ name, customerName, waits }) => ({ name, customerName, waits }));
  // A name in use is not also listed as one that waits.
  lines.sort((a, b) => Number(a.waits) - Number(b.waits));
  const isFirst = (line: (typeof lines)[number]) =>
    lines.find(({ name, customerName }) => name === line.name && customerName === line.customerName) === line;
  return lines.filter(isFirst).slice(0, 10);
}
