/** A URL without its query, which may contain secrets. The service writes the receivers of deliveries in the same way. */
export function maskedUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === "" ? "" : "?…"}`;
}
