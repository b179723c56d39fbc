/**
 * A scanner that recognizes only comments, strings, templates and regular expressions, so that rules find tokens in
 * code and not in prose. Blanked text becomes spaces, so that positions stay the same.
 */
type Kind = "code" | "comment" | "string";

/** Blanks comments. */
export function withoutComments(text: string): string {
  return mask(text, (kind) => kind === "comment");
}

/** Blanks comments and the contents of strings, templates and regular expressions. Their quotes stay. */
export function withoutCommentsAndStrings(text: string): string {
  return mask(text, (kind) => kind !== "code");
}

/** Blanks everything except comments. */
export function commentsOnly(text: string): string {
  return mask(text, (kind) => kind !== "comment");
}

function mask(text: string, hides: (kind: Kind) => boolean): string {
  const masked: string[] = [];
  for (const { kind, from, to } of pieces(text)) {
    const piece = text.slice(from, to);
    masked.push(hides(kind) ? piece.replace(/[^\n]/g, " ") : piece);
  }
  // Appending single characters to a string would keep an object for each of them.
  return masked.join("");
}

type Piece = { kind: Kind; from: number; to: number };

function* pieces(text: string): Generator<Piece> {
  /** Brace depth inside each open `${`. */
  const holes: number[] = [];
  let at = 0;
  while (at < text.length) {
    const start = at;
    const two = text.slice(at, at + 2);
    const one = text.charAt(at);
    const hole = holes.at(-1);
    if (two === "//" || two === "/*" || (at === 0 && two === "#!")) {
      at = commentEnd(text, at, two);
      yield { kind: "comment", from: start, to: at };
    } else if (one === "`" || (one === "}" && hole === 0)) {
      if (one === "}") holes.pop();
      at = templateEnd(text, at + 1);
      yield* quoted(text, start, at);
      if (text.startsWith("${", at - 2)) holes.push(0);
    } else if (one === '"' || one === "'") {
      at = lineQuoteEnd(text, at + 1, one);
      yield* quoted(text, start, at);
    } else if (one === "/" && beginsRegExp(text, at)) {
      at = regExpEnd(text, at + 1);
      yield* quoted(text, start, at);
    } else {
      if (hole !== undefined && (one === "{" || one === "}")) holes[holes.length - 1] = hole + (one === "{" ? 1 : -1);
      at += 1;
      yield { kind: "code", from: start, to: at };
    }
  }
}

/** The delimiters are code; the text between them is a string. */
function* quoted(text: string, from: number, to: number): Generator<Piece> {
  const closing = text.startsWith("${", to - 2) ? 2 : 1;
  const inner = Math.max(from + 1, to - closing);
  yield { kind: "code", from, to: from + 1 };
  yield { kind: "string", from: from + 1, to: inner };
  yield { kind: "code", from: inner, to };
}

function commentEnd(text: string, at: number, opening: string): number {
  const end = opening === "/*" ? text.indexOf("*/", at + 2) + 2 : text.indexOf("\n", at);
  return end < at + 2 ? text.length : end;
}

function lineQuoteEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    const one = text.charAt(at);
    if (one === "\\") at += 1;
    else if (one === quote || one === "\n") return at + 1;
  }
  return text.length;
}

/** The position after the closing backtick, or after the `${` of the next expression. */
function templateEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const one = text.charAt(at);
    if (one === "\\") at += 1;
    else if (one === "`") return at + 1;
    else if (text.startsWith("${", at)) return at + 2;
  }
  return text.length;
}

/** A slash after a value is a division; after anything else, it starts a regular expression. */
function beginsRegExp(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 200), at).trimEnd();
  return before === "" || /(?:[([{}<>,;:=!&|?+\-*%~^]|\b(?:return|typeof|case|in|of|yield|await))$/.test(before);
}

function regExpEnd(text: string, from: number): number {
  let inClass = false;
  for (let at = from; at < text.length; at += 1) {
    const one = text.charAt(at);
    if (one === "\\") at += 1;
    else if (one === "\n") return at;
    else if (one === "[") inClass = true;
    else if (one === "]") inClass = false;
    else if (one === "/" && !inClass) return at + 1;
  }
  return text.length;
}
