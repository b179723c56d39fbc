import { hash } from "node:crypto";
import type { Environment } from "@countersign/contract/brand";
import type { Random } from "../ports.ts";
import { base62, randomWord } from "../token.ts";

/** 22 base62 characters carry 131 bits. */
const randomLength = 22;
const checksumLength = 6;

/** A new key: prefix, randomness, and a checksum by which scanners tell a key from a look-alike. Shown once. */
export function makeApiKey(random: Random, environment: Environment): string {
  const body = randomWord(random, randomLength);
  return `sk_${environment}_${body}${checksum(body)}`;
}

/** What is stored of a key. 131 random bits need no slow hash. */
export function hashApiKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

function checksum(body: string): string {
  const digest = hash("sha256", body, "buffer");
  let text = "";
  for (let i = 0; i < checksumLength; i += 1) text += base62.charAt((digest[i] ?? 0) % base62.length);
  return text;
}
