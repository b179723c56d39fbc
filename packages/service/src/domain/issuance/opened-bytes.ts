/**
 * Limits on the bytes that a lookup decrypts, for one issuer and for all, so issuers of images cannot slow down a
 * phone's 1-Clicks. Statements compare the limits with the stored length, which is shorter because content is
 * compressed.
 */
export const perIssuerBytesMax = 16 * 1024 * 1024;
export const allIssuersBytesMax = 4 * perIssuerBytesMax;

/** Opens rows, newest first, and leaves out those past a limit. `open` returns null for a row without a key. */
export function openWithinLimits<Row extends { brand_uuid: string }, Opened extends { data: unknown }>(
  rows: readonly Row[],
  open: (row: Row) => Opened | null,
): Opened[] {
  const lengths = new Map<string, number>();
  let all = 0;
  return rows.flatMap((row) => {
    const before = lengths.get(row.brand_uuid) ?? 0;
    if (before > perIssuerBytesMax || all > allIssuersBytesMax) return [];
    const opened = open(row);
    if (opened === null) return [];
    const length = lengthOf(opened.data);
    all += length;
    lengths.set(row.brand_uuid, before + length);
    return before + length > perIssuerBytesMax || all > allIssuersBytesMax ? [] : [opened];
  });
}

/** The length of all texts in a value. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + lengthOf(one), 0);
}
