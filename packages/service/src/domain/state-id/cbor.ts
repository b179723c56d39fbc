/**
 * Checks CBOR before the library decodes it. The library has no limits of its own, accepts extensions that no state ID
 * needs, and computes digests over what it encodes again. So only this subset passes: ISO/IEC 18013-5 demands it, and
 * encoding it again gives the same bytes.
 */

/** Limits of one answer. The largest answer to our requests has about 4 KB, and one with a portrait about 40 KB. */
export const bytesMax = 128 * 1_024;
const depthMax = 16;
const itemsMax = 4_000;

/** Date-time (0), COSE_Sign1 (18), embedded CBOR (24) and full-date (1004). */
const allowedTags = [0, 18, 24, 1004];
const embedded = 24;
/** The major type of what a tag contains. Others contain text. A bignum (2) is in certificates of signed lists only. */
const contentOfTag: Readonly<Record<number, number>> = { 2: 2, 18: 4 };

/** The message names what is wrong, without any content. */
export class UnsafeCbor extends Error {
  override name = "UnsafeCbor";
}

/** What was wrong with bytes that could not be decoded, for the log. Messages of the library can have content. */
export function decodingProblem(error: unknown): string {
  if (error instanceof UnsafeCbor) return error.message;
  return error instanceof Error ? error.name : "unknown";
}

/** Limits that differ from those of an answer. `tags`: further tags that are allowed. */
type Limits = { bytes?: number; items?: number; tags?: readonly number[] };

/** Throws `UnsafeCbor` unless the bytes are one item of the subset within the limits. */
export function assertSafeCbor(bytes: Uint8Array, limits: Limits = {}): void {
  if (bytes.length > (limits.bytes ?? bytesMax)) throw new UnsafeCbor("too long");
  walk(bytes, { left: limits.items ?? itemsMax, tags: [...allowedTags, ...(limits.tags ?? [])] }, 0);
}

/** How many items may follow. */
type Counter = { left: number; tags: readonly number[] };
type Item = { major: number; value: number; from: number; to: number };

function walk(bytes: Uint8Array, counter: Counter, depth: number): void {
  if (walkItem(bytes, 0, counter, depth).to !== bytes.length) throw new UnsafeCbor("bytes after the end");
}

function walkItem(bytes: Uint8Array, at: number, counter: Counter, depth: number): Item {
  counter.left -= 1;
  if (depth > depthMax) throw new UnsafeCbor("too deep");
  if (counter.left < 0) throw new UnsafeCbor("too many items");
  const { major, value, to } = readHead(bytes, at);
  const inner = { counter, depth: depth + 1 };
  const end = { ...{ major, value, from: to }, to };
  if (major === 2 || major === 3) return { ...end, to: walkString(bytes, { major, from: to, length: value }) };
  if (major === 4) return { ...end, to: walkArray(bytes, to, value, inner) };
  if (major === 5) return { ...end, to: walkMap(bytes, to, value, inner) };
  if (major === 6) return { ...end, to: walkTagged(bytes, to, value, inner) };
  // False, true, null and undefined.
  if (major === 7 && value < 20) throw new UnsafeCbor("an unknown simple value");
  return end;
}

/** A major type with its number. Only the shortest form of a number is read, and no indefinite length. */
function readHead(bytes: Uint8Array, at: number): { major: number; value: number; to: number } {
  const first = bytes[at];
  if (first === undefined) throw new UnsafeCbor("truncated");
  const [major, short] = [first >> 5, first & 31];
  if (short < 24) return { major, value: short, to: at + 1 };
  if (major === 7) throw new UnsafeCbor("a float or a long simple value");
  const size = { 24: 1, 25: 2, 26: 4, 27: 8 }[short];
  if (size === undefined) throw new UnsafeCbor("an indefinite length");
  if (at + 1 + size > bytes.length) throw new UnsafeCbor("truncated");
  const value = bytes.subarray(at + 1, at + 1 + size).reduce((sum, byte) => sum * 256 + byte, 0);
  const least = { 1: 24, 2: 0x100, 4: 0x1_0000, 8: 0x1_0000_0000 }[size] ?? 0;
  if (value < least || value > Number.MAX_SAFE_INTEGER) throw new UnsafeCbor("not the shortest form of a number");
  return { major, value, to: at + 1 + size };
}

function walkString(bytes: Uint8Array, { major, from, length }: { major: number; from: number; length: number }) {
  const to = from + length;
  if (to > bytes.length) throw new UnsafeCbor("truncated");
  if (major === 3) textOf(bytes.subarray(from, to));
  return to;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UnsafeCbor("not UTF-8");
  }
}

type Inner = { counter: Counter; depth: number };

function walkArray(bytes: Uint8Array, from: number, count: number, { counter, depth }: Inner): number {
  const items: Item[] = [];
  let at = from;
  for (let index = 0; index < count; index += 1) {
    const item = walkItem(bytes, at, counter, depth);
    items.push(item);
    at = item.to;
  }
  // The library also decodes what a COSE_Sign1 has as byte strings: its headers and its payload.
  const [headers, others, payload] = items;
  if (items.length === 4 && headers?.major === 2 && others?.major === 5)
    for (const one of [headers, payload])
      if (one?.major === 2 && one.to > one.from) walk(bytes.subarray(one.from, one.to), counter, depth + 1);
  return at;
}

function walkMap(bytes: Uint8Array, from: number, count: number, { counter, depth }: Inner): number {
  const keys = new Set<string>();
  let at = from;
  for (let index = 0; index < count; index += 1) {
    const key = walkItem(bytes, at, counter, depth);
    if (key.major !== 0 && key.major !== 1 && key.major !== 3) throw new UnsafeCbor("a key of a wrong type");
    const name = `${key.major} ${key.major === 3 ? textOf(bytes.subarray(key.from, key.to)) : key.value}`;
    if (keys.has(name)) throw new UnsafeCbor("a repeated key");
    keys.add(name);
    at = walkItem(bytes, key.to, counter, depth).to;
  }
  return at;
}

function walkTagged(bytes: Uint8Array, from: number, tag: number, { counter, depth }: Inner): number {
  if (!counter.tags.includes(tag)) throw new UnsafeCbor("an unknown tag");
  const content = walkItem(bytes, from, counter, depth);
  if (tag === embedded) {
    if (content.major !== 2) throw new UnsafeCbor("a tag with a wrong content");
    walk(bytes.subarray(content.from, content.to), counter, depth + 1);
  } else if (content.major !== (contentOfTag[tag] ?? 3)) throw new UnsafeCbor("a tag with a wrong content");
  return content.to;
}
