import { safeLine } from "./output.ts";

/** The problems of a refused request or command, one per line: `  --brand: must be a UUID`. */
export function problemLines(errors: unknown): string {
  if (!Array.isArray(errors)) return "";
  return errors
    .map(({ path, message }) => `  ${safeLine(String(path).replace(/^body\./, ""))}: ${safeLine(String(message))}\n`)
    .join("");
}
