/**
 * Letters that Unicode does not decompose, with their ASCII forms.
 * Source: the transform Latin-ASCII of the Unicode CLDR, release 44, https://github.com/unicode-org/cldr
 * (common/transforms/Latin-ASCII.xml). It lacks Ə and Ɔ: Ə is E in ICAO Doc 9303, part 3, and Ɔ looks like an O.
 */
const letters: Readonly<Record<string, string>> = {
  Æ: "AE",
  Œ: "OE",
  Ø: "O",
  Đ: "D",
  Ð: "D",
  Ɖ: "D",
  Ɗ: "D",
  Þ: "TH",
  ẞ: "SS",
  Ł: "L",
  Ƚ: "L",
  Ħ: "H",
  Ŋ: "N",
  Ɲ: "N",
  Ŧ: "T",
  Ɓ: "B",
  Ƈ: "C",
  Ɛ: "E",
  Ə: "E",
  Ɠ: "G",
  Ǥ: "G",
  Ɨ: "I",
  Ƙ: "K",
  Ɔ: "O",
  Ƥ: "P",
  Ʋ: "V",
  Ƴ: "Y",
  Ƶ: "Z",
  ĸ: "Q",
  ʼ: "'",
  "\u2044": "/",
};

/** Punctuation with its ASCII forms: quotes, apostrophes, the Hawaiian okina and dashes. */
const marks: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201a\u201b\u2032\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\ua78b\ua78c\u00b4`\uff07]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/g, '"'],
  [/[\u2010-\u2015\u2212\u2043\ufe58]/g, "-"],
];
/** A fraction that is one character, such as ½. Its digits must not join a number before it. */
const fraction = /(\d?)([\u00bc-\u00be\u2150-\u215e\u2189])/g;
const nonAscii = /[^\0-\x7f]/;

/** Uppercase text in ASCII, as far as a Latin alphabet can be written in it. Other characters stay as they are. */
export function latinUppercase(text: string): string {
  if (!nonAscii.test(text)) return text.toUpperCase().replaceAll("`", "'");
  let plain = text.replace(fraction, (_, digit: string, sign: string) => (digit === "" ? sign : `${digit} ${sign}`));
  // Spacing accents such as ´ would decompose to a blank and an accent.
  for (const [pattern, sign] of marks) plain = plain.replace(pattern, sign);
  return plain
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toUpperCase()
    .replace(/\P{ASCII}/gu, (sign) => letters[sign] ?? sign);
}
