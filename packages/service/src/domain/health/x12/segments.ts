import { isAscii, isUtf8 } from "node:buffer";
import { Segment, Source } from "./segment.ts";

/** What was received instead of a 271. */
type NotA271 =
  | "empty"
  | "html"
  | "json"
  | "notX12"
  | "onlyIsa"
  | "ack999"
  | "ta1"
  | "request270"
  | "otherTransaction"
  | "tooLarge";

/** Thrown for bytes without a 271. The message never contains text from the bytes. */
export class X12Error extends Error {
  override name = "X12Error";
  readonly kind: NotA271;

  constructor(kind: NotA271, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Maximum size of a response, in bytes. The largest sample has 6 KB; a payer that lists every code sends 200 KB. */
const responseBytesMax = 4 * 1024 * 1024;
const isaElements = 16;
/** Maximum length of an ISA. The standard length is 106 characters, but some payers send longer fields. */
const isaReachMax = 1_000;
const letterI = 73;
const utf8 = new TextDecoder();

/** The characters of the bytes 0x80 to 0x9f in Windows-1252. Elsewhere it equals Latin-1. */
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Decodes UTF-8 with or without a BOM. Otherwise Windows-1252, because some payers send accents and quotes as one byte. */
export function decodeX12(bytes: Uint8Array): string {
  if (bytes.length > responseBytesMax) throw new X12Error("tooLarge", `longer than ${responseBytesMax} bytes`);
  // Most responses are ASCII, which Latin-1 decoding only copies.
  const isPlain = isAscii(bytes);
  if (!isPlain && isUtf8(bytes)) return utf8.decode(bytes);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (isPlain) return text;
  // The TextDecoder of some versions of Node decodes Windows-1252 as Latin-1.
  return text.replace(/[\u0080-\u009f]/g, (sign) => windows1252.charAt(sign.charCodeAt(0) - 0x80));
}

/**
 * Splits a text into the segments of all its interchanges, each with its own delimiters. One pass, without regular
 * expressions over the whole text.
 */
export function readSegments(text: string): Segment[] {
  const begin = skipBlanks(text, 0);
  if (!text.startsWith("ISA", begin)) throw notX12(text, begin);
  const reading = { text, segments: [] };
  let at = begin;
  while (at < text.length && text.startsWith("ISA", at)) at = readInterchange(reading, readIsa(reading, at));
  return reading.segments;
}

type Reading = { text: string; segments: Segment[] };
/** Where the segments after the ISA start, and the delimiters of the interchange. */
type Head = { end: number; source: Source; terminator: string };

/** Reads segments up to the next interchange or the end, and returns that position. */
function readInterchange({ text, segments }: Reading, { end: begin, source, terminator }: Head): number {
  let at = skipBlanks(text, begin);
  while (at < text.length) {
    if (text.charCodeAt(at) === letterI && text.startsWith("ISA", at) && !isWordCharacter(text.charCodeAt(at + 3)))
      return at;
    const found = text.indexOf(terminator, at);
    const end = found === -1 ? text.length : found;
    const last = trimBlanks(text, at, end);
    if (last > at) segments.push(new Segment(source, at, last));
    at = skipBlanks(text, end + 1);
  }
  return at;
}

function readIsa({ text, segments }: Reading, at: number): Head {
  const element = text.charAt(at + 3);
  const separator = text.charCodeAt(at + 3);
  if (element === "" || isWordCharacter(separator))
    throw new X12Error("notX12", "the element separator after ISA is missing");
  // Fields may be trimmed or too long, so count separators instead of characters.
  let last = at + 3;
  for (let count = 1; count < isaElements && last !== -1; count += 1) last = text.indexOf(element, last + 1);
  if (last === -1 || last - at > isaReachMax)
    throw new X12Error("notX12", "the interchange header has fewer than 16 elements");
  const source = new Source(text, separator);
  segments.push(new Segment(source, at, Math.min(last + 2, text.length)));
  return { source, ...findTerminator(text, last + 1, element) };
}

/**
 * The terminator is the character after ISA16. If that is a blank or a letter, the terminator is the last punctuation
 * mark before the next segment, or a newline.
 */
function findTerminator(text: string, isa16: number, element: string): { terminator: string; end: number } {
  const next = text.charAt(isa16 + 1);
  if (next !== "" && next !== " " && next !== "\t" && !isWordCharacter(next.charCodeAt(0)))
    return { terminator: next, end: isa16 + 2 };
  const following = ["GS", "TA1", "IEA"]
    .map((id) => text.slice(isa16, isa16 + isaReachMax).indexOf(`${id}${element}`))
    .filter((found) => found >= 0)
    .map((found) => isa16 + found);
  const until = following.length === 0 ? Math.min(text.length, isa16 + isaReachMax) : Math.min(...following);
  for (let at = until - 1; at >= isa16; at -= 1) {
    const sign = text.charAt(at);
    if (sign.trim() !== "" && !isWordCharacter(sign.charCodeAt(0)) && (at > isa16 || following.length > 0))
      return { terminator: at === isa16 ? "\n" : sign, end: at === isa16 ? isa16 + 1 : at + 1 };
  }
  return { terminator: "\n", end: isa16 + 1 };
}

export function isWordCharacter(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

const isBlank = (code: number) => code === 32 || code === 10 || code === 13 || code === 9 || code === 0;

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function trimBlanks(text: string, from: number, end: number): number {
  let last = end;
  while (last > from && isBlank(text.charCodeAt(last - 1))) last -= 1;
  return last;
}

function notX12(text: string, begin: number): X12Error {
  const first = text.charAt(begin);
  if (first === "") return new X12Error("empty", "the body is empty");
  if (first === "<") return new X12Error("html", "received markup instead of a 271");
  if (first === "{" || first === "[") return new X12Error("json", "received JSON instead of a 271");
  return new X12Error("notX12", "the body does not begin with ISA");
}
