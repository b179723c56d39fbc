import { AsyncLocalStorage } from "node:async_hooks";
import { mock } from "node:test";
import pg from "pg";

const log = new AsyncLocalStorage<string[]>();
const { query } = pg.Client.prototype;
mock.method(pg.Client.prototype, "query", function (this: pg.Client, ...args: unknown[]) {
  const [first] = args;
  const text = typeof first === "object" && first !== null && "text" in first ? first.text : first;
  if (typeof text === "string" && text !== "discard plans") log.getStore()?.push(text);
  return Reflect.apply(query, this, args);
});

/**
 * Runs `run`, and adds its SQL statements to `statements`. Statements that a connection runs for itself are skipped.
 * Import this file before the sandbox starts.
 */
export async function recordStatements<Result>(statements: string[], run: () => Promise<Result>): Promise<Result> {
  return await log.run(statements, run);
}
