/** The problems of a refused request or command, one per line: `  --brand: must be a UUID`. */
export function problemLines(errors: unknown): string {
  if (!Array.isArray(errors)) return "";
  return errors.map(({ path, message }) => `  ${String(path).replace(/^body\./, "")}: ${String(message)}\n`).join("");
}
