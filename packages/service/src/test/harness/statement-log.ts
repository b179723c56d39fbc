import { AsyncLocalStorage } from "node:async_hooks";
import { mock } from "node:test";
import pg from "pg";
import { sentStatements } from "./sent-statements.ts";

const log = new AsyncLocalStorage<string[]>();
const { query } = pg.Client.prototype;
mock.method(pg.Client.prototype, "query", function (this: pg.Client, ...args: unknown[]) {
  for (const { text } of sentStatements(args[0])) if (text !== "discard plans") log.getStore()?.push(text);
  return Reflect.apply(query, this, args);
});

/**
 * Runs `run`, and adds its SQL statements to `statements`. Statements that a connection runs for itself are skipped.
 * Import this file before the sandbox starts.
 */
export async function recordStatements<Result>(statements: string[], run: () => Promise<Result>): Promise<Result> {
  return await log.run(statements, run);
}
