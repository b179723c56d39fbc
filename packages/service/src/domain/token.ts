import { createHash } from "node:crypto";
import type { Random } from "./ports.ts";

export const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** How many characters of a word name its cell. */
const markLength = 3;

/**
 * A string of letters and digits: the mark of the cell, if one stores the word, and random characters. 19 of them have
 * 113 bits of entropy, 40 have 238.
 */
export function randomWord(random: Random, length: number): string {
  const drawn = Array.from({ length }, () => base62.charAt(random.integer(base62.length))).join("");
  const rest = drawn.slice(markLength);
  const mark = random.markOf(rest);
  return mark === "" ? drawn : `${mark}${rest}`;
}

/** The hash to store of a random string. It has too much entropy to be guessed, so it needs no key and no slow hash. */
export function wordHash(word: string): Buffer {
  return createHash("sha256").update(word).digest();
}
