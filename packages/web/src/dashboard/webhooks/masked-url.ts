/** A URL without its query, which may contain secrets. The service shows receivers in the same form. */
export function maskedUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === "" ? "" : "?…"}`;
}
