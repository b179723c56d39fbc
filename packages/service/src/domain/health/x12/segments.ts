import { X12Error } from "./x12-error.ts";

/** A segment's elements as they stand; `[0]` is its id. */
export type Segment = readonly string[];
export type Delimiters = { element: string; component: string; repetition: string | null; segment: string };

/** The largest response that is read, bytes. The largest sample has 6 KB; a payer that lists every code sends 200 KB. */
export const responseBytesMax = 4 * 1024 * 1024;
const isaElements = 16;
/** How far an ISA may reach. By the standard it has 106 characters; over-long fields are seen. */
const isaReachMax = 1_000;

/** Bytes → text: UTF-8 with or without its mark, else Latin-1, as payers send accents in one byte. */
export function decodeX12(bytes: Uint8Array): string {
  if (bytes.length > responseBytesMax) throw new X12Error("tooLarge", `longer than ${responseBytesMax} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString("latin1");
  }
}

/** Text → segments of all its interchanges, each with delimiters of its own. One pass; nothing is matched over the whole. */
export function readSegments(text: string): Segment[] {
  const begin = skipBlanks(text, 0);
  if (!text.startsWith("ISA", begin)) throw notX12(text, begin);
  const segments: Segment[] = [];
  let at = begin;
  while (at < text.length && text.startsWith("ISA", at)) {
    const head = readIsa(text, at);
    segments.push(head.isa);
    at = readInterchange(text, head.end, head.delimiters, segments);
  }
  return segments;
}

/** Splits up to the next interchange or the end; answers where that is. */
function readInterchange(text: string, begin: number, delimiters: Delimiters, into: Segment[]): number {
  let at = skipBlanks(text, begin);
  while (at < text.length) {
    if (text.startsWith("ISA", at) && !isWordCharacter(text.charCodeAt(at + 3))) return at;
    const found = text.indexOf(delimiters.segment, at);
    const end = found === -1 ? text.length : found;
    const last = trimBlanks(text, at, end);
    if (last > at) into.push(text.slice(at, last).split(delimiters.element));
    at = skipBlanks(text, end + 1);
  }
  return at;
}

function readIsa(text: string, at: number): { isa: Segment; end: number; delimiters: Delimiters } {
  const element = text.charAt(at + 3);
  if (element === "" || isWordCharacter(element.charCodeAt(0)))
    throw new X12Error("notX12", "the element separator after ISA is missing");
  // Fields may be trimmed or over-long, so separators are counted, not characters.
  let separator = at + 3;
  for (let count = 1; count < isaElements && separator !== -1; count += 1) {
    separator = text.indexOf(element, separator + 1);
  }
  if (separator === -1 || separator - at > isaReachMax)
    throw new X12Error("notX12", "the interchange header has fewer than 16 elements");
  const component = text.charAt(separator + 1);
  const { terminator, end } = findTerminator(text, separator + 1, element);
  const isa = text.slice(at, separator + 2).split(element);
  return {
    isa,
    end,
    delimiters: { element, component, repetition: repetitionOf(isa), segment: terminator },
  };
}

/** The character after ISA16. Where that is a blank or a letter, the last sign before the next segment; else a new line. */
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

/** ISA11 has been the repetition separator since 00402; before, it was a `U`. */
function repetitionOf(isa: Segment): string | null {
  const sign = element(isa, 11);
  const version = element(isa, 12);
  return version >= "00402" && sign.length === 1 && !isWordCharacter(sign.charCodeAt(0)) ? sign : null;
}

/** An element without the blanks around it; "" where there is none. */
export function element(segment: Segment, position: number): string {
  return (segment[position] ?? "").trim();
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
  if (first === "<") return new X12Error("html", "markup was received in place of a 271");
  if (first === "{" || first === "[") return new X12Error("json", "JSON was received in place of a 271");
  return new X12Error("notX12", "the body does not begin with ISA");
}
