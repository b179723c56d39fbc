/** Preloaded into the service to record the statements that a request runs. The measured service runs without it. */
import { createRequire } from "node:module";

const pg = createRequire(new URL("../packages/service/package.json", import.meta.url))("pg");

type Statement = { text: string; values: unknown[] };

let told: Statement[] = [];
pg.Client.prototype.query = new Proxy(pg.Client.prototype.query, {
  apply(target: () => unknown, client: unknown, args: unknown[]) {
    told.push(...statementsOf(args));
    return Reflect.apply(target, client, args);
  },
});

/** The driver accepts a text and its values, one object with both, or several statements. */
function statementsOf([first, second]: unknown[]): Statement[] {
  const values = Array.isArray(second) ? second : [];
  if (typeof first !== "object" || first === null) return [{ text: String(first), values }];
  if ("statements" in first && Array.isArray(first.statements)) return first.statements;
  const text = "text" in first ? String(first.text) : "";
  return [{ text, values: "values" in first && Array.isArray(first.values) ? first.values : values }];
}

process.on("message", () => {
  const asked = told;
  told = [];
  // Convert values to text, because a message would not keep the type of a buffer.
  process.send?.(asked.map(({ text, values }) => ({ text, values: values.map(asText) })));
});

/** A parameter as text, which is how the driver sends most values. */
function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return bytesArrayIn(value) ?? `\\x${value.toString("hex")}`;
  if (Array.isArray(value)) return `{${value.map((one) => JSON.stringify(asText(one))).join(",")}}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The elements of an array of `bytea` in PostgreSQL's binary format, as text. Null for other bytes. */
function bytesArrayIn(bytes: Buffer): string | null {
  const isArray = bytes.length >= 20 && bytes.readInt32BE(0) === 1 && bytes.readInt32BE(8) === 17;
  if (!isArray) return null;
  const elements: (Buffer | null)[] = [];
  for (let at = 20; at < bytes.length; ) {
    const length = bytes.readInt32BE(at);
    at += 4;
    elements.push(length < 0 ? null : bytes.subarray(at, at + length));
    at += Math.max(0, length);
  }
  return asText(elements);
}
