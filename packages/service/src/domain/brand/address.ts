/** A URL that is safe to show and log. The query may contain a secret. */
export function addressWithoutQuery(url: string): string {
  // The format of settings accepts some texts that are not URLs, such as one with the port 99999.
  if (!URL.canParse(url)) return url.split("?")[0] ?? "";
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === "" ? "" : "?…"}`;
}
