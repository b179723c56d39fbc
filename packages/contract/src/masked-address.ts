const shownMax = 4;

/**
 * A URL that is safe to show and log: its origin and last characters, such as `https://example.com/.../hook`. Its path and
 * query may contain a secret, as those of chat services do.
 */
export function maskedAddress(url: string): string {
  // The format of settings accepts some texts that are not URLs, such as one with the port 99999.
  if (!URL.canParse(url)) return `...${url.slice(-shownMax)}`;
  const { origin, pathname, search } = new URL(url);
  const rest = `${pathname}${search}`.slice(1);
  const end = rest.slice(-shownMax);
  // The end of a whole segment is shown with its slash.
  return end.includes("/") ? `${origin}/...${end.slice(end.indexOf("/"))}` : `${origin}/...${end}`;
}
