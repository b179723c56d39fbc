/** Loaded before the service, so that it tells which statements a request runs. What is measured runs without it. */
import pg from "pg";

type Statement = { text: string; values: unknown[] };

let told: Statement[] = [];
const { query } = pg.Client.prototype;
pg.Client.prototype.query = new Proxy(query, {
  apply(target, client, args: unknown[]) {
    const [first, values] = args;
    const { text, values: inside } = typeof first === "string" ? { text: first } : (first as Partial<Statement>);
    told.push({ text: text ?? "", values: inside ?? (Array.isArray(values) ? values : []) });
    return Reflect.apply(target, client, args);
  },
});

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
