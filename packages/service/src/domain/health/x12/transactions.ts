import { element, type Segment } from "./segment.ts";
import { X12Error } from "./segments.ts";

/** The segments between ST and SE of each 271. Wrong counts and control numbers are ignored. */
export function transactions271(segments: readonly Segment[]): Segment[][] {
  const sets: Segment[][] = [];
  const others = new Set<string>();
  let current: Segment[] | null = null;
  for (const segment of segments) {
    const { id } = segment;
    if (id === "ST") {
      const kind = element(segment, 1);
      current = kind === "271" ? [] : null;
      if (current === null) others.add(kind);
      else sets.push(current);
    } else if (ends.has(id)) current = null;
    else current?.push(segment);
  }
  if (sets.length === 0) throw errorOf(segments, others);
  return sets;
}

const ends = new Set(["SE", "GE", "GS", "IEA", "ISA"]);

/** An error that says what was received instead of a 271. */
function errorOf(segments: readonly Segment[], others: ReadonlySet<string>): X12Error {
  if (others.has("999") || others.has("997"))
    return new X12Error("ack999", "999 acknowledgement received: the payer rejected the request's syntax");
  const ta1 = segments.find(({ id }) => id === "TA1");
  if (ta1 !== undefined) return new X12Error("ta1", `TA1 interchange refused, TA105=${noteCode(ta1)}`);
  if (others.has("270")) return new X12Error("request270", "received a 270 request instead of a 271");
  if (others.size > 0) return new X12Error("otherTransaction", "received another transaction instead of a 271");
  return new X12Error("onlyIsa", "the interchange contains no transaction");
}

/** TA105 has three digits. Other text is not repeated in the message, because it may be personal. */
function noteCode(ta1: Segment): string {
  const code = element(ta1, 5);
  return /^\d{3}$/.test(code) ? code : "unknown";
}
