/** A segment, as an index into the table. Elements are sliced only when they are read, because most are never read. */
export class Segment {
  /** The first element. Known ids share one string, so that comparing them is cheap. */
  readonly id: string;
  private readonly table: SegmentTable;
  private readonly place: number;

  constructor(table: SegmentTable, place: number) {
    this.table = table;
    this.place = place;
    this.id = table.id(place);
  }

  /** An element without surrounding whitespace; "" if it is missing. */
  element(position: number): string {
    return this.table.element(this.place, position);
  }

  /** The raw text of the segment, including separators. */
  get raw(): string {
    return this.table.raw(this.place);
  }
}

/** An element of an optional segment. */
export function element(segment: Segment | undefined, position: number): string {
  return segment === undefined ? "" : segment.element(position);
}

/** Average length of an element, slightly less than in the samples so that the table rarely grows. */
const elementLength = 5;

/**
 * One table for all segments of a text. An array of strings per segment would take several times the memory of the
 * text. The entry of a segment has the number of elements, then the start of each element, then the end of the last
 * element plus one.
 */
export class SegmentTable {
  private readonly source: string;
  private numbers: Uint32Array;
  private size = 0;

  constructor(source: string) {
    this.source = source;
    this.numbers = new Uint32Array(Math.ceil(source.length / elementLength));
  }

  /** Adds the segment between two positions of the text, split at the separator. */
  cut(from: number, until: number, separator: number): Segment {
    const { source, size: place } = this;
    const numbers = this.reserve(until - from + 3);
    let at = place + 1;
    numbers[at] = from;
    for (let sign = from; sign < until; sign += 1)
      if (source.charCodeAt(sign) === separator) {
        at += 1;
        numbers[at] = sign + 1;
      }
    numbers[place] = at - place;
    numbers[at + 1] = until + 1;
    this.size = at + 2;
    return new Segment(this, place);
  }

  element(place: number, position: number): string {
    const { numbers } = this;
    if (position >= (numbers[place] ?? 0)) return "";
    return this.text(numbers[place + position + 1] ?? 0, (numbers[place + position + 2] ?? 0) - 1);
  }

  raw(place: number): string {
    const { numbers } = this;
    const elements = numbers[place] ?? 0;
    return this.text(numbers[place + 1] ?? 0, (numbers[place + elements + 1] ?? 0) - 1);
  }

  id(place: number): string {
    const { numbers } = this;
    return (
      ids.get(packed(this.source, numbers[place + 1] ?? 0, (numbers[place + 2] ?? 0) - 1)) ?? this.element(place, 0)
    );
  }

  private text(from: number, until: number): string {
    if (until <= from) return "";
    const text = this.source.slice(from, until);
    const isTrimmed = isVisible(this.source.charCodeAt(from)) && isVisible(this.source.charCodeAt(until - 1));
    return isTrimmed ? text : text.trim();
  }

  private reserve(more: number): Uint32Array {
    if (this.size + more <= this.numbers.length) return this.numbers;
    const larger = new Uint32Array(Math.ceil((this.size + more) * 1.5));
    larger.set(this.numbers);
    this.numbers = larger;
    return larger;
  }
}

/** Visible ASCII: no whitespace or control characters. */
const isVisible = (code: number) => code > 32 && code < 127;
const idLengthMax = 3;

/** Packs a short text of visible ASCII into a number; 0 for any other text. */
function packed(text: string, from: number, until: number): number {
  if (until - from > idLengthMax) return 0;
  let number = 0;
  for (let at = from; at < until; at += 1) {
    const code = text.charCodeAt(at);
    if (!isVisible(code)) return 0;
    number = number * 128 + code;
  }
  return number;
}

const ids = new Map(
  "ISA TA1 GS ST BHT HL TRN NM1 N2 N3 N4 PER PRV REF DMG INS HI DTP MPI AAA EB HSD MSG III LS LE SE GE IEA"
    .split(" ")
    .map((id) => [packed(id, 0, id.length), id]),
);
