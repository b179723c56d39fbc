import { fail, invalid, type Problem, refuse } from "../domain/failure.ts";

/** Maximum nesting of a body. The deepest shape of the contract needs six levels. */
const depthMax = 20;
const problemsMax = 20;
const utf8 = new TextDecoder("utf-8", { fatal: true });
const forbiddenNames = new Set(["__proto__", "constructor", "prototype"]);

/** Parses a body. Rejects values that no endpoint can process safely, and names their paths. */
export function parseJsonBody(bytes: Buffer, valuesMax: number): unknown {
  if (bytes.length === 0) return undefined;
  if (hasMoreValues(bytes, valuesMax)) throw refuse(413, `The body must not have more than ${valuesMax} values.`);
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw fail("ERR001", {}, "The body is not valid JSON.");
  }
  const problems: Problem[] = [];
  inspect(value, ["body"], problems);
  if (problems.length > 0) throw invalid(problems);
  return value;
}

const [comma, brace, bracket] = [",", "{", "["].map((one) => one.charCodeAt(0));

/**
 * Counts the characters that can begin a value, before anything is parsed. Parsing many tiny values would block the
 * process for seconds. Commas and brackets in strings count too; the limits allow for that.
 */
function hasMoreValues(bytes: Buffer, valuesMax: number): boolean {
  let values = 0;
  for (const byte of bytes) {
    if (byte !== comma && byte !== brace && byte !== bracket) continue;
    values += 1;
    if (values > valuesMax) return true;
  }
  return false;
}

/** `keys` is the path to the value. It is joined only for a problem, because most bodies have none. */
function inspect(value: unknown, keys: string[], problems: Problem[]): void {
  const note = (message: string) => problems.push({ path: keys.map((key) => key.slice(0, 60)).join("."), message });
  if (problems.length >= problemsMax) return;
  if (typeof value === "string") {
    if (value.includes("\0")) note("Use text without NUL characters.");
    else if (!value.isWellFormed()) note("Use well-formed Unicode.");
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (keys.length > depthMax) {
    note(`must not be nested more than ${depthMax} levels deep`);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    // Do not repeat a key that may be hostile.
    if (forbiddenNames.has(key) || key.includes("\0") || !key.isWellFormed())
      note("has a member with a forbidden name");
    else {
      keys.push(key);
      inspect(member, keys, problems);
      keys.pop();
    }
    if (problems.length >= problemsMax) return;
  }
}
