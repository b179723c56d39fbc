/** RFC 4180. Puts an apostrophe before text that a spreadsheet would run as a formula. */
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  // Some spreadsheets also run formulas that begin with a full-width character.
  const safe = /^[\s]*[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}
