import { fail, type Problem } from "../domain/failure.ts";

/** Maximum nesting of a body. The deepest shape of the contract needs six levels. */
const depthMax = 20;
const problemsMax = 20;
const poison = new Set(["__proto__", "constructor", "prototype"]);

/** Parses a body. Rejects what no endpoint can process safely, and names its path. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw fail("ERR001", {}, "The body is not valid JSON.");
  }
  const problems: Problem[] = [];
  inspect(value, "body", 0, problems);
  if (problems.length > 0) throw fail("ERR001", { errors: problems }, "validation failed");
  return value;
}

function inspect(value: unknown, path: string, depth: number, problems: Problem[]): void {
  if (problems.length >= problemsMax) return;
  if (typeof value === "string") {
    if (value.includes("\0")) problems.push({ path, message: "must not contain NUL" });
    else if (!value.isWellFormed()) problems.push({ path, message: "must be well-formed Unicode" });
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (depth >= depthMax) {
    problems.push({ path, message: `must not be nested deeper than ${depthMax}` });
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    // Do not repeat a key that may be hostile.
    if (poison.has(key) || key.includes("\0") || !key.isWellFormed())
      problems.push({ path, message: "has a member whose name is not allowed" });
    else inspect(member, Array.isArray(value) ? `${path}.${key}` : `${path}.${key.slice(0, 60)}`, depth + 1, problems);
    if (problems.length >= problemsMax) return;
  }
}
