import { invalid } from "../failure.ts";

/** Control, formatting and bidirectional characters, line ends, and everything that is drawn without a width. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const letter = /\p{L}/u;

/** A scheme, `www.`, an IPv4 address, an e-mail address, or a domain followed by a path, port, query or fragment. */
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

/** Dots and slashes that NFKC leaves alone, and that browsers or readers take for the plain ones. */
const otherDots = /[\u3002\u06d4\ua4f8]/g;
const otherSlashes = /[\u2044\u2215\u29f8\u2571]/g;

/** What is wrong with a name that people read in texts and e-mails, as a sentence; null where nothing is. */
export function nameProblem(name: string): string | null {
  if (hidden.test(name)) return "Use one line, without hidden or control characters.";
  if (!letter.test(name)) return "Use at least one letter.";
  // Full-width letters, dots and slashes become plain ones first.
  const plain = name.normalize("NFKC").toLowerCase().replace(otherDots, ".").replace(otherSlashes, "/");
  return webAddress.test(plain) ? "A name can't contain a web address." : null;
}

/** Refuses a name at the member of the request that holds it. */
export function assertName(path: string, name: string): void {
  const message = nameProblem(name);
  if (message !== null) throw invalid([{ path, message }]);
}
