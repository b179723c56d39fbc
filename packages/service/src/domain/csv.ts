/** The columns of a file, each with its title and its cell. Null: an empty cell. */
export type FileColumns<Line> = readonly (readonly [title: string, cell: (line: Line) => string | null])[];
type Page<Line> = { lines: Line[]; hasOlder: boolean };

/** Maximum number of lines in a file, and of lines in one query for it. */
const linesMax = 10_000;
const queryMax = 100;
/** Characters after which a file ends, because one line can list 50 changed settings. */
const charactersMax = 4 * 1024 * 1024;

/**
 * A file of a log, newest first. `read` returns the lines older than `before`, the id of a line. `isWhole` is false if
 * the file ends before the oldest line.
 */
export async function logFile<Line extends { id: number }>(
  columns: FileColumns<Line>,
  read: (before: number | undefined, max: number) => Promise<Page<Line>>,
): Promise<{ csv: string; isWhole: boolean }> {
  let csv = csvOf([columns.map(([title]) => title)]);
  let before: number | undefined;
  for (let count = 0; count < linesMax && csv.length < charactersMax; count += queryMax) {
    const { lines, hasOlder } = await read(before, queryMax);
    csv += csvOf(lines.map((line) => columns.map(([, cell]) => cell(line) ?? "")));
    if (!hasOlder) return { csv, isWhole: true };
    before = lines.at(-1)?.id;
  }
  return { csv, isWhole: false };
}

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
