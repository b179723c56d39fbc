import { createHash } from "node:crypto";
import type { Random } from "./ports.ts";

export const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A random word of letters and digits; 16 of them carry 95 bits, 43 carry 256. */
export function randomWord(random: Random, length: number): string {
  return Array.from({ length }, () => base62.charAt(random.integer(base62.length))).join("");
}

/** What is stored of a random word: it has too many values to be guessed back, so it needs no key and no slow hash. */
export function wordHash(word: string): Buffer {
  return createHash("sha256").update(word).digest();
}
