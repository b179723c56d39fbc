/** What the commands have in common: how they report their exit code, and the options and values that they accept. */

import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { type Environment, environments } from "@countersign/contract/brand";
import { isUuid } from "@countersign/contract/primitives";

/** A command that throws if it is used wrongly, after it has shown its help. It never ends the process. */
export function command(name: string) {
  return new Command(name).exitOverride().showHelpAfterError();
}

/** An action whose result becomes the exit code of the process. */
export function exits<Given extends unknown[]>(work: (...given: Given) => Promise<number>) {
  return async (...given: Given): Promise<void> => {
    process.exitCode = await work(...given);
  };
}

export function environmentOption() {
  return new Option("--environment <environment>", environments.join(" or "))
    .argParser(oneOf(environments))
    .default<Environment>("sandbox");
}

export function text(given: string): string {
  if (given === "") throw new InvalidArgumentError("must not be empty");
  return given;
}

export function oneOf<Word extends string>(words: readonly Word[]): (given: string) => Word {
  return (given) => {
    const found = words.find((word) => word === given);
    if (found === undefined) throw new InvalidArgumentError(`must be one of ${words.join(", ")}`);
    return found;
  };
}

export function email(given: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(given)) throw new InvalidArgumentError("must be an email address");
  return given;
}

export function uuid(given: string): string {
  if (!isUuid(given)) throw new InvalidArgumentError("must be a UUID");
  return given;
}

export function instant(given: string): number {
  const at = Date.parse(given);
  if (Number.isNaN(at)) throw new InvalidArgumentError("must be a time such as 2026-11-21T08:00Z");
  return at;
}

export function print(value: unknown): number {
  process.stdout.write(`${terminalSafe(JSON.stringify(value, null, 2))}\n`);
  return 0;
}

/**
 * Escapes characters that JSON allows but that change what a terminal shows: C1 controls, and characters that hide or
 * reverse text.
 */
export function terminalSafe(json: string): string {
  return json.replace(/[\x7f-\x9f\p{Cf}\u2028\u2029]/gu, (one) =>
    one
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
