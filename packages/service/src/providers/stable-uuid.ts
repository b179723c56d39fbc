/** A v4 UUID from the digits of a hash, so that the same input always gets the same one. */
export function stableUuid(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
