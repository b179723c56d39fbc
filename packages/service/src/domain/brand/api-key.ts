import { hash } from "node:crypto";
import { isIP } from "node:net";
import type { Environment } from "@countersign/contract/brand";
import type { Problem } from "../failure.ts";
import type { Random } from "../ports.ts";
import { base62, randomToken } from "../token.ts";

/** 22 base62 characters have 131 bits of entropy. */
const randomLength = 22;
const checksumLength = 6;

/** Makes a key: prefix, random characters, and a checksum by which secret scanners recognize keys. It is shown once. */
export function makeApiKey(random: Random, environment: Environment): string {
  const body = randomToken(random, randomLength);
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

/** Validates the IP addresses that a key may be used from. */
export function ipRangeProblems(ranges: readonly string[]): Problem[] {
  return ranges.flatMap((text, index) =>
    isRange(text)
      ? []
      : [{ path: `body.ipRanges.${index}`, message: "Use an IP address, or a range such as 203.0.113.0/24." }],
  );
}

/** An IP address or a CIDR range: 203.0.113.7, 203.0.113.0/24, 2001:db8::/32. */
function isRange(text: string): boolean {
  const [, address = "", prefix] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const family = isIP(address);
  // A prefix of 0 would allow every address. An empty list means that already.
  return family !== 0 && (prefix === undefined || (Number(prefix) > 0 && Number(prefix) <= (family === 4 ? 32 : 128)));
}
