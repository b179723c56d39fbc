const shownMax = 4;
/** A segment of a path that is a word, such as `webhooks`. Secrets are longer, or have digits or capitals. */
const isWord = (segment: string) => /^[a-z](?:[a-z-]{0,10}[a-z])?$/.test(segment);

/**
 * A URL that is safe to show and log: its origin, the words that its path begins with, and its last characters, such as
 * `https://example.com/hooks/...Zx9k`. The rest of its path and its query may contain a secret, as those of chat services
 * do.
 */
export function maskedAddress(url: string): string {
  // The format of settings accepts some texts that are not URLs, such as one with the port 99999.
  if (!URL.canParse(url)) return `...${url.slice(-shownMax)}`;
  const { origin, pathname, search } = new URL(url);
  const segments = pathname.slice(1).split("/");
  const other = segments.findIndex((segment) => !isWord(segment));
  const words = other === -1 ? segments : segments.slice(0, other);
  const start = [origin, ...words].join("/");
  const rest = `${segments.slice(words.length).join("/")}${search}`;
  if (rest === "") return start;
  const end = rest.slice(-shownMax);
  // The end of a whole segment is shown with its slash.
  return end.includes("/") ? `${start}/...${end.slice(end.indexOf("/"))}` : `${start}/...${end}`;
}
