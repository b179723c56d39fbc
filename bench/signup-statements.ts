/** Loaded before the service, so that it tells which statements a request runs. What is measured runs without it. */
import { createRequire } from "node:module";

const pg = createRequire(new URL("../packages/service/package.json", import.meta.url))("pg");

type Statement = { text: string; values: unknown[] };

let told: Statement[] = [];
pg.Client.prototype.query = new Proxy(pg.Client.prototype.query, {
  apply(target: () => unknown, client: unknown, args: unknown[]) {
    told.push(statementOf(args));
    return Reflect.apply(target, client, args);
  },
});

/** The driver takes a text and its values, or both in one object. */
function statementOf([first, second]: unknown[]): Statement {
  const values = Array.isArray(second) ? second : [];
  if (typeof first !== "object" || first === null) return { text: String(first), values };
  const text = "text" in first ? String(first.text) : "";
  return { text, values: "values" in first && Array.isArray(first.values) ? first.values : values };
}

process.on("message", () => {
  const asked = told;
  told = [];
  // A buffer would not arrive as one.
  process.send?.(asked.map(({ text, values }) => ({ text, values: values.map(asText) })));
});

/** As a text parameter, which is how the driver sends most. */
function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return `\\x${value.toString("hex")}`;
  if (Array.isArray(value)) return `{${value.map((one) => JSON.stringify(asText(one))).join(",")}}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
