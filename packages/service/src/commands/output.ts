/** The output of commands: a table for people, JSON for programs, and the progress of long work. */
import { isRecord } from "../domain/validate.ts";

/** The output streams. Tests replace them. */
export const terminal = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
  isForPeople: () => process.stdout.isTTY === true,
  showsProgress: () => process.stderr.isTTY === true,
};

/** Maximum length of a value in a table. Longer ones are cut. */
const cellMax = 60;

/** `isWhole`: a table cuts no value, for example because the operator approves it. */
export type Format = { json?: true | undefined; isWhole?: true };

const showsTable = ({ json }: Format) => json !== true && terminal.isForPeople();

/** Prints a result: a table on a terminal, or JSON with `--json` and if the output is a pipe or a file. */
export function print(value: unknown, { json, isWhole }: Format = {}): number {
  terminal.out(
    showsTable({ json })
      ? tableOf(value, isWhole === true ? Number.POSITIVE_INFINITY : cellMax)
      : `${terminalSafe(JSON.stringify(value, null, 2))}\n`,
  );
  return 0;
}

/** Prints a list of any length as `print` does, but never has it in memory as a whole. Each page is a table. */
export async function printPages<Row>(
  pages: AsyncIterable<readonly Row[]>,
  shown: (row: Row) => object,
  format: Format,
): Promise<number> {
  let isEmpty = true;
  for await (const page of pages) {
    if (showsTable(format)) terminal.out(tableOf(page.map(shown)));
    else
      for (const [index, row] of page.entries()) {
        const text = terminalSafe(JSON.stringify(shown(row), null, 2)).replaceAll(/^/gm, "  ");
        terminal.out(`${isEmpty && index === 0 ? "[" : ","}\n${text}`);
      }
    isEmpty = false;
  }
  if (isEmpty) return print([], format);
  if (!showsTable(format)) terminal.out("\n]\n");
  return 0;
}

/** Prints one line of continuous output: text for people, or JSON for programs. */
export function line(value: unknown, { json }: Format, said: string): void {
  terminal.out(
    `${json === true || !terminal.isForPeople() ? terminalSafe(JSON.stringify(value)) : terminalSafe(said)}\n`,
  );
}

/** Shows the progress of long work on the last line of a terminal. `null` removes it. */
export function progress(text: string | null): void {
  if (terminal.showsProgress()) terminal.err(`\r\u001b[2K${text === null ? "" : terminalSafe(text)}`);
}

/** Width of a progress bar, in characters. */
const barWidth = 24;

/** Shows progress as a bar, such as `[██████░░░░░░] 50 %  Rewrapped 500 keys; 500 are left.` */
export function progressBar({ done, total }: { done: number; total: number }, text: string): void {
  const share = total === 0 ? 1 : done / total;
  const filled = Math.round(share * barWidth);
  progress(`[${"█".repeat(filled)}${"░".repeat(barWidth - filled)}] ${Math.floor(share * 100)} %  ${text}`);
}

/** Formats a list as a table with titles, or an object as lines of names and values. */
export function tableOf(value: unknown, lengthMax = cellMax): string {
  if (!Array.isArray(value)) {
    const entries = isRecord(value) ? Object.entries(value) : [["", value] as const];
    return aligned(entries.map(([name, one]) => [wordsOf(name), textOf(one)]));
  }
  if (value.length === 0) return "None.\n";
  const records = value.filter(isRecord);
  const names = [...new Set(records.flatMap((one) => Object.keys(one)))];
  const rows = records.map((one) => names.map((name) => cut(textOf(one[name]), lengthMax)));
  return aligned([names.map((name) => wordsOf(name).toUpperCase()), ...rows]);
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

function cut(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;
}

/** `lastUsedAt` → `last used at`. */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "string") return safeLine(value);
  if (Array.isArray(value) && value.every((one) => typeof one === "string"))
    return value.length === 0 ? "-" : value.map(safeLine).join(", ");
  return terminalSafe(JSON.stringify(value));
}

/** A text of someone else in one line, with no characters that control a terminal. */
export function safeLine(text: string): string {
  return terminalSafe(text).replace(/\p{Cc}+/gu, " ");
}

/**
 * Escapes characters that JSON allows but that change what a terminal shows: C1 controls, and characters that hide or
 * reverse text.
 */
export function terminalSafe(json: string): string {
  return json.replace(/[\x7f-\x9f\p{Cf}\u2028\u2029]/gu, (one) =>
    one
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
