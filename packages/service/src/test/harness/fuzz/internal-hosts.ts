/** Internal hosts: addresses, their spellings, and ranges. These lists are independent of the service's own. */
import { below, type Chance, oneOf } from "./wire-bytes.ts";

/** Spellings that some address parser reads as an internal host. */
// biome-ignore format: a table
export const insideHosts: readonly string[] = [
  "127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "2130706433", "0x7f000001", "0x7f.0.0.1", "0x7f.1", "0177.0.0.1", "0177.1",
  "017700000001", "127.0.0.1.", "localhost", "LOCALHOST", "localhost.", "foo.localhost", "0", "0.0.0.0", "0x0", "00",
  "10.0.0.1", "10.255.255.255", "0xa.0.0.1", "012.0.0.1", "167772161", "172.16.0.1", "172.31.255.255", "172.20.1.1", "192.168.0.1", "192.168.1.254",
  "0xc0a80001", "3232235521", "169.254.169.254", "169.254.1.1", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.170.2", "100.64.0.1", "100.127.255.254",
  "192.0.0.1", "192.0.0.170", "192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.5", "192.88.99.1", "224.0.0.1", "239.255.255.250",
  "240.0.0.1", "255.255.255.255", "[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]", "[::0001]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:10.0.0.1]",
  "[::ffff:a00:1]", "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[0:0:0:0:0:ffff:c0a8:1]", "[::127.0.0.1]", "[::7f00:1]", "[::10.0.0.1]", "[::169.254.169.254]", "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]",
  "[64:ff9b::10.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2002:a00:1::1]", "[2002:a9fe:a9fe::]", "[2001::1]", "[2001:0:7f00:1::]", "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
  "[2001:db8::1]", "[2001:10::1]", "[2001:20::1]", "[fc00::1]", "[fd00:ec2::254]", "[fdff::1]", "[fe80::1]", "[febf::1]", "[fec0::1]", "[ff02::1]",
  "[ff0e::1]", "[100::1]", "[5f00::1]", "[3fff::1]", "[::ffff:0.0.0.0]", "[::ffff:192.168.1.1]", "[::ffff:172.16.0.1]", "[::ffff:100.64.0.1]", "１２７.0.0.1", "127。0。0。1",
  "①②⑦.0.0.1", "ｌｏｃａｌｈｏｓｔ", "metadata", "metadata.google.internal", "instance-data", "kubernetes.default.svc", "router.local", "printer.local", "intranet", "server.internal",
];

type Range = readonly [from: bigint, to: bigint];
const range4 = (first: string, bits: number): Range => {
  const from = numberOf4(first);
  return [from, from + (1n << BigInt(32 - bits)) - 1n];
};
const range6 = (head: bigint, bits: number): Range => {
  const from = head << BigInt(128 - bits);
  return [from, from + (1n << BigInt(128 - bits)) - 1n];
};
const numberOf4 = (text: string) => text.split(".").reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);

/** The registries of special-purpose addresses (RFC 6890 and later), copied independently of the service. */
const inside4: readonly Range[] = [
  range4("0.0.0.0", 8),
  range4("10.0.0.0", 8),
  range4("100.64.0.0", 10),
  range4("127.0.0.0", 8),
  range4("169.254.0.0", 16),
  range4("168.63.129.16", 32),
  range4("172.16.0.0", 12),
  range4("192.0.0.0", 24),
  range4("192.0.2.0", 24),
  range4("192.88.99.0", 24),
  range4("192.168.0.0", 16),
  range4("198.18.0.0", 15),
  range4("198.51.100.0", 24),
  range4("203.0.113.0", 24),
  range4("224.0.0.0", 3),
];
const inside6: readonly Range[] = [
  range6(0xfcn >> 1n, 7),
  range6(0xfe80n >> 6n, 10),
  range6(0xfec0n >> 6n, 10),
  range6(0xffn, 8),
  range6(0x20010db8n, 32),
  range6(0x2001n << 7n, 23),
  range6(0x3fffn << 4n, 20),
  range6(0x5f00n, 16),
  range6(0x0100n << 48n, 64),
  range6(0x0064ff9b0001n, 48),
  range6(0x4n, 4),
  range6(0x8n, 4),
];
/** Assigned to operators, except ranges that are listed above or have another meaning. */
const outside6 = range6(0x26n, 8);
/** AS112, TURN and others. Some lists call them public and others do not, so they are in neither group. */
const disputed4 = [range4("192.31.196.0", 24), range4("192.52.193.0", 24), range4("192.175.48.0", 24)];
const disputed6 = [range6(0x2620004f8000n, 48)];

const isIn = (ranges: readonly Range[], at: bigint) => ranges.some(([from, to]) => from <= at && at <= to);

function within(chance: Chance, [from, to]: Range): bigint {
  // Use the ends of a range often: they expose masks that are off by one.
  if (chance() < 0.2) return chance() < 0.5 ? from : to;
  let offset = 0n;
  for (let word = 0; word < 4; word += 1) offset = (offset << 32n) | BigInt(below(chance, 2 ** 32));
  return from + (offset % (to - from + 1n));
}

/** Returns an internal address in a random spelling. */
export function insideHost(chance: Chance): string {
  const four = within(chance, oneOf(chance, inside4));
  const kind = below(chance, 5);
  if (kind < 2) return written4(chance, four);
  if (kind === 2) return `[${written6(chance, within(chance, oneOf(chance, inside6)))}]`;
  return `[${written6(chance, oneOf(chance, embeddings)(four))}]`;
}

/** IPv6 addresses that contain an IPv4 address. Translators and tunnels route them to it. */
const embeddings: readonly ((four: bigint) => bigint)[] = [
  (four) => (0xffffn << 32n) | four,
  (four) => four,
  (four) => (0x0064ff9bn << 96n) | four,
  (four) => (0x2002n << 112n) | (four << 80n) | 1n,
  (four) => (0x20010000n << 96n) | (0x08080808n << 64n) | (four ^ 0xffffffffn),
  (four) => (0x20010000n << 96n) | (four << 64n),
];

/** Returns a public address in a random spelling. */
export function outsideHost(chance: Chance): string {
  for (;;) {
    const four = within(chance, [0n, 0xffffffffn]);
    if (isIn(inside4, four) || isIn(disputed4, four)) continue;
    const kind = below(chance, 4);
    if (kind < 2) return written4(chance, four);
    if (kind === 2) return `[${written6(chance, oneOf(chance, embeddings.slice(0, 3).toSpliced(1, 1))(four))}]`;
    const six = within(chance, outside6);
    if (!isIn(inside6, six) && !isIn(disputed6, six)) return `[${written6(chance, six)}]`;
  }
}

/**
 * Writes one to four parts, each in decimal, octal or hex, sometimes with other digits or encodings or a trailing dot.
 */
function written4(chance: Chance, address: bigint): string {
  const parts = 1 + below(chance, 4);
  const bytes = [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n);
  const first = bytes.slice(0, parts - 1);
  const rest = bytes.slice(parts - 1).reduce((sum, byte) => (sum << 8n) | byte, 0n);
  const text = [...first, rest].map((part) => writtenPart(chance, part)).join(".");
  const dotted = chance() < 0.1 ? `${text}.` : text;
  return chance() < 0.15 ? inOtherDigits(chance, dotted) : dotted;
}

function writtenPart(chance: Chance, part: bigint): string {
  const radix = oneOf(chance, [10, 10, 8, 16] as const);
  const zeros = radix === 10 ? "" : "0".repeat(below(chance, 4));
  if (radix === 16)
    return `${oneOf(chance, ["0x", "0X"])}${zeros}${oneOf(chance, [part.toString(16), part.toString(16).toUpperCase()])}`;
  return radix === 8 ? `0${zeros}${part.toString(8)}` : part.toString(10);
}

function inOtherDigits(chance: Chance, text: string): string {
  const way = below(chance, 3);
  return [...text]
    .map((letter) => {
      if (way === 0 && /\d/.test(letter)) return String.fromCodePoint(0xff10 + Number(letter));
      if (way === 1 && letter === ".") return oneOf(chance, ["\u3002", "\uff0e", "\uff61", "."]);
      if (way === 2 && chance() < 0.5) return `%${letter.charCodeAt(0).toString(16).padStart(2, "0")}`;
      return letter;
    })
    .join("");
}

/**
 * Writes eight groups, with or without leading zeros, with or without `::` for the first zeros, and with or without a
 * dotted end.
 */
function written6(chance: Chance, address: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) => ((address >> BigInt(112 - at * 16)) & 0xffffn).toString(16));
  const padded = chance() < 0.3 ? groups.map((group) => group.padStart(4, "0")) : groups;
  const cased = chance() < 0.3 ? padded.map((group) => group.toUpperCase()) : padded;
  const isDotted = chance() < 0.3;
  const low = address & 0xffffffffn;
  const dotted = [24n, 16n, 8n, 0n].map((shift) => (low >> shift) & 255n).join(".");
  const all = isDotted ? [...cased.slice(0, 6), dotted] : cased;
  if (chance() < 0.3) return all.join(":");
  const zeros = all.findIndex((group) => /^0+$/.test(group));
  if (zeros < 0) return all.join(":");
  let end = zeros;
  while (end < all.length && /^0+$/.test(all[end] ?? "")) end += 1;
  return `${all.slice(0, zeros).join(":")}::${all.slice(end).join(":")}`;
}
