import { hash } from "node:crypto";
import type { Environment } from "@countersign/contract/brand";
import type { Random } from "../ports.ts";
import { base62, randomWord } from "../token.ts";

/** 22 base62 characters have 131 bits of entropy. */
const randomLength = 22;
const checksumLength = 6;

/** Makes a key: prefix, random characters, and a checksum by which secret scanners recognize keys. It is shown once. */
export function makeApiKey(random: Random, environment: Environment): string {
  const body = randomWord(random, randomLength);
  return `sk_${environment}_${body}${checksum(body)}`;
}

/** The stored hash of a key. With 131 random bits it needs no slow hash. */
export function hashApiKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

function checksum(body: string): string {
  const digest = hash("sha256", body, "buffer");
  let text = "";
  for (let i = 0; i < checksumLength; i += 1) text += base62.charAt((digest[i] ?? 0) % base62.length);
  return text;
}
