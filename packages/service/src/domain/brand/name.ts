import { invalid } from "../failure.ts";
import { hasHidden } from "../hidden-characters.ts";

const hiddenProblem = "Use one line, without hidden or control characters.";
const letter = /\p{L}/u;

/** A scheme, `www.`, an IPv4 address, an email address, or a domain followed by a path, port, query or fragment. */
const webAddress = new RegExp(
  [
    "://",
    "\\bhttps?\\b",
    "\\bwww\\d*\\.",
    "\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b",
    "@[\\p{L}\\p{N}-]+\\.",
    "[\\p{L}\\p{N}]\\.(?:xn--[a-z0-9-]+|[\\p{L}\\p{M}]{2,})\\.?(?:[/\\\\]|:\\d|[?#]\\S)",
  ].join("|"),
  "u",
);

/** Dots and slashes that NFKC does not normalize and that browsers or people mistake for `.` and `/`. */
const otherDots = /[\u3002\u06d4\ua4f8]/g;
const otherSlashes = /[\u2044\u2215\u29f8\u2571]/g;

/** Validates a name that people read in texts and emails. Returns a message, or null if the name is valid. */
export function nameProblem(name: string): string | null {
  if (hasHidden(name)) return hiddenProblem;
  if (!letter.test(name)) return "Use at least one letter.";
  // NFKC turns full-width letters, dots and slashes into plain ones.
  const plain = name.normalize("NFKC").toLowerCase().replace(otherDots, ".").replace(otherSlashes, "/");
  return webAddress.test(plain) ? "A name can't contain a web address." : null;
}

/** Rejects a label with hidden characters. Only members and operators read labels, so they may contain an address. */
export function assertLabel(path: string, label: string): void {
  if (hasHidden(label)) throw invalid([{ path, message: hiddenProblem }]);
}

/** Rejects an invalid name. `path` is the name's member in the request. */
export function assertName(path: string, name: string): void {
  const message = nameProblem(name);
  if (message !== null) throw invalid([{ path, message }]);
}
