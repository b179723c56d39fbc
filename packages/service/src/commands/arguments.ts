/** Reads the options and words of a command. Errors name the option. */
import { type Environment, environments } from "@countersign/contract/brand";
import { isUuid } from "@countersign/contract/primitives";
import { assertName } from "../domain/brand/name.ts";
import { invalid } from "../domain/failure.ts";

export type Values = Record<string, string | boolean | undefined>;
export type Command = (values: Values, rest: string[]) => Promise<number>;

export function maybeText(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function text(values: Values, name: string): string {
  const value = maybeText(values, name);
  if (value === undefined) throw invalid([{ path: `--${name}`, message: "is required" }]);
  return value;
}

/** A name that people see in texts and emails. */
export function name(values: Values): string {
  const given = text(values, "name").trim();
  assertName("--name", given);
  return given;
}

/** One of the given words. `path` names the option or word in the error. */
export function oneOf<Word extends string>(words: readonly Word[], given: unknown, path: string): Word {
  const found = words.find((word) => word === given);
  if (found === undefined) throw invalid([{ path, message: `must be one of ${words.join(", ")}` }]);
  return found;
}

export function environment(values: Values): Environment {
  return oneOf(environments, values.environment, "--environment");
}

export function email(values: Values): string {
  const value = text(values, "email");
  if (!/^[^\s@]+@[^\s@]+$/.test(value)) throw invalid([{ path: "--email", message: "must be an e-mail address" }]);
  return value;
}

export function uuid(values: Values, name: string): string {
  const value = text(values, name);
  if (!isUuid(value)) throw invalid([{ path: `--${name}`, message: "must be a UUID" }]);
  return value;
}

export function maybeUuid(values: Values, name: string): string | undefined {
  return values[name] === undefined ? undefined : uuid(values, name);
}

export function instant(values: Values, name: string): number {
  const at = Date.parse(text(values, name));
  if (Number.isNaN(at)) throw invalid([{ path: `--${name}`, message: "must be an instant such as 2026-11-21T08:00Z" }]);
  return at;
}

export function print(value: unknown): number {
  process.stdout.write(`${terminalSafe(JSON.stringify(value, null, 2))}\n`);
  return 0;
}

/** Escapes what JSON leaves as it is but a terminal obeys: C1 controls, and characters that hide or turn text around. */
export function terminalSafe(json: string): string {
  return json.replace(/[\x7f-\x9f\p{Cf}\u2028\u2029]/gu, (one) =>
    one
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
