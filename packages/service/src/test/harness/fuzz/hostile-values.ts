/** Almost valid and malicious input: changes to a document, to its JSON text, and to parts of a URL. */
import fc, { type Arbitrary } from "fast-check";

const deep = (open: string, close: string) => `${open.repeat(2_000)}${close.repeat(2_000)}`;
/** Keep this short, and send a megabyte only rarely: reading it costs more than a thousand other inputs. */
const long = "x".repeat(20_000);
// biome-ignore format: a table
export const hostileTexts: readonly string[] = [
  "", " ", "\0", "a\0b", "\ud800", "a\udfffb", "\u202egnp.exe", "\u200f\u05d0", "\ufeff", "\uffff", "é\u0301", "𝟘", "İ", "ß", long,
  "null", "undefined", "NaN", "true", "[object Object]", "__proto__", "constructor", "toString", "-0", "1e999", "0x10", "1_000", "٣",
  "'", "\"", "\\", "`", "';select 1;--", "' or '1'='1", "$1", "%s", "%00", "%", "{{7*7}}", "<script>alert(1)</script>",
  "../../etc/passwd", "..%2f", "\r\nX: y", "\n", "\t", "a".repeat(255), "a".repeat(256), "9".repeat(400), "2026-02-30", "0000-00-00",
  "+1", "+12125550010\0", "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "urn:uuid:5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21",
  "https://[::1]/", "javascript:alert(1)", "http://x@y", "https://\u0000", "a@b", "\"a b\"@example.com", "a@[127.0.0.1]", "::ffff:1.2.3.4", "fe80::1%eth0",
];
const hostileNumbers = [
  0,
  -0,
  -1,
  1.5,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  1e308,
  Number.MIN_VALUE,
  8.64e15 + 1,
];
const hostileKeys = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "",
  "\0",
  "\ud800",
  "x".repeat(300),
  "$where",
  "a.b",
  "0",
];

type Change = { at: number; how: number; text: string; number: number; key: string };
export const anyChange: Arbitrary<Change> = fc.record({
  at: fc.nat(),
  how: fc.nat(),
  text: fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: "binary", maxLength: 40 })),
  number: fc.oneof(
    fc.constantFrom(...hostileNumbers),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
  ),
  key: fc.constantFrom(...hostileKeys),
});

type Node = { holder: Record<string, unknown>; key: string };

/**
 * Returns a copy of a document in which one value is missing, has another type, is at its limit, or has a new sibling.
 */
export function changed(document: unknown, change: Change): unknown {
  const root: Record<string, unknown> = { document: structuredClone(document) };
  const all = nodesOf(root);
  const node = all[change.at % all.length];
  if (node !== undefined) apply(node, change);
  return root.document;
}

function nodesOf(holder: Record<string, unknown>): Node[] {
  return Object.keys(holder).flatMap((key): Node[] => {
    const value = holder[key];
    const below = typeof value === "object" && value !== null ? nodesOf(value as Record<string, unknown>) : [];
    return [{ holder, key }, ...below];
  });
}

function apply({ holder, key }: Node, { how, text, number, key: other }: Change): void {
  const value = holder[key];
  const set = (next: unknown) => {
    holder[key] = next;
  };
  const ways: (() => void)[] = [
    () => (Array.isArray(holder) ? set(null) : delete holder[key]),
    () => set(text),
    () => set(number),
    () => set(null),
    () => set([]),
    () => set({}),
    () => set([value]),
    () => set(typeof value === "string" ? value + text : (JSON.stringify(value) ?? text)),
    () => set(typeof value === "string" ? value.slice(0, -1) : [value, value]),
    () => set(Array.isArray(value) ? Array.from({ length: 120 }, () => value[0] ?? text) : !value),
    () => Object.defineProperty(holder, other, { value: text, enumerable: true, configurable: true, writable: true }),
  ];
  ways[how % ways.length]?.();
}

/** Changes a JSON text so that it is invalid or contains more than its document. */
export const anySpoiling: Arbitrary<(json: string) => string | Buffer> = fc
  .tuple(fc.nat(), fc.nat(), fc.constantFrom(...hostileTexts), fc.integer({ min: 0, max: 255 }))
  .map(([how, at, text, byte]) => (json: string) => {
    const here = json === "" ? 0 : at % json.length;
    const bytes = Buffer.from(json);
    const ways: (() => string | Buffer)[] = [
      () => json,
      () => `\ufeff${json}`,
      () => ` \n\t${json}\r\n`,
      () => json.slice(0, here),
      () => `${json}${json}`,
      () => json.replace(/^\{(?=")/, `{${json.slice(1, -1)},`),
      () => json.replace(/^\{/, `{"__proto__":{"a":1}${json === "{}" ? "" : ","}`),
      () => json.replace(/^\{/, `{"x":${deep("[", "]")}${json === "{}" ? "" : ","}`),
      () => json.replace(/^\{/, `{"x":1e999${json === "{}" ? "" : ","}`),
      () => `${json.slice(0, here)}${text}${json.slice(here)}`,
      () => Buffer.concat([bytes.subarray(0, here), Buffer.from([byte]), bytes.subarray(here)]),
      () => Buffer.concat([bytes.subarray(0, here), Buffer.from([byte]), bytes.subarray(here + 1)]),
      () => Buffer.from(json, "utf16le"),
      () => deep('{"a":', "}"),
      () => (byte === 0 ? `"${"x".repeat(1_100_000)}"` : ""),
    ];
    return ways[how % ways.length]?.() ?? json;
  });

/** Values for a parameter of a path or a query, with and without valid URL encoding. */
export const anyWord: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileTexts).map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 600)),
  fc.constantFrom(
    "%",
    "%zz",
    "%E0%A4%A",
    "%ED%A0%80",
    "%C0%AF",
    "%00",
    "..",
    ".",
    "%2e%2e",
    "%2F",
    "a/b",
    "?",
    "#",
    ";x=y",
    "x".repeat(250),
    "x=1&x=2",
    "[]",
    "x%5B%5D=1",
  ),
  fc.stringMatching(/^[A-Za-z0-9_-]{0,50}$/),
);
