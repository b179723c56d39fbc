/** The text of an interchange, and the code of the character between elements. */
export class Source {
  readonly text: string;
  readonly separator: number;
  /** The element that was found last: its segment's start, its position in the segment, and its own start. */
  private segment = -1;
  private position = 0;
  private start = 0;

  constructor(text: string, separator: number) {
    this.text = text;
    this.separator = separator;
  }

  /**
   * The start of an element, or more than `until` if it is missing. Continues from the last element found, so reading a
   * segment's elements in order is one pass.
   */
  startOf(position: number, segment: number, until: number): number {
    const { text, separator } = this;
    const continues = segment === this.segment && position >= this.position;
    let start = continues ? this.start : segment;
    for (let left = position - (continues ? this.position : 0); left > 0; left -= 1) {
      while (start < until && text.charCodeAt(start) !== separator) start += 1;
      if (start >= until) return until + 1;
      start += 1;
    }
    this.segment = segment;
    this.position = position;
    this.start = start;
    return start;
  }
}

/**
 * A segment of the source. Elements are cut out only when they are read, because most never are. An array of strings
 * per segment would take several times the memory of the text.
 */
export class Segment {
  /** The first element. Known ids share one string, so they are cheap to compare. */
  readonly id: string;
  private readonly source: Source;
  private readonly from: number;
  private readonly until: number;

  /** The segment between two positions of the text. */
  constructor(source: Source, from: number, until: number) {
    this.source = source;
    this.from = from;
    this.until = until;
    this.id = knownId(source, from, until) ?? this.element(0);
  }

  /** An element without surrounding whitespace; "" if it is missing. */
  element(position: number): string {
    const { text, separator } = this.source;
    const start = this.source.startOf(position, this.from, this.until);
    let end = start;
    while (end < this.until && text.charCodeAt(end) !== separator) end += 1;
    return trimmed(text, start, end);
  }

  /** The raw text of the segment, including separators. */
  get raw(): string {
    return trimmed(this.source.text, this.from, this.until);
  }
}

/** An element of an optional segment. */
export function element(segment: Segment | undefined, position: number): string {
  return segment === undefined ? "" : segment.element(position);
}

function trimmed(text: string, from: number, until: number): string {
  if (until <= from) return "";
  const part = text.slice(from, until);
  return isVisible(text.charCodeAt(from)) && isVisible(text.charCodeAt(until - 1)) ? part : part.trim();
}

/** Visible ASCII: no whitespace or control characters. */
const isVisible = (code: number) => code > 32 && code < 127;
const idLengthMax = 3;

const known = "ISA TA1 GS ST BHT HL TRN NM1 N2 N3 N4 PER PRV REF DMG INS HI DTP MPI AAA EB HSD MSG III LS LE SE GE IEA";
/** Known ids by their packed characters. They come from object keys, because JavaScript compares those by address. */
const ids = new Map(
  Object.keys(Object.fromEntries(known.split(" ").map((id) => [id, true]))).map((id) => [packed(id), id]),
);

function packed(id: string): number {
  return [...id].reduce((number, sign) => number * 128 + sign.charCodeAt(0), 0);
}

/** The id at the start of a segment, if it is a known one. */
function knownId({ text, separator }: Source, from: number, until: number): string | undefined {
  let number = 0;
  for (let at = from; at < until && at <= from + idLengthMax; at += 1) {
    const code = text.charCodeAt(at);
    if (code === separator) break;
    if (!isVisible(code)) return undefined;
    number = number * 128 + code;
  }
  return ids.get(number);
}
