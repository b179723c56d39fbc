/** Shared parts of the commands: exit codes, options and values. */

import { Command, type CommandUnknownOpts, Help, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { type Environment, environments } from "@countersign/contract/brand";
import { isUuid } from "@countersign/contract/primitives";
import { terminal } from "./output.ts";

/** A command that throws on wrong usage and never ends the process. `examples` appear in its help. */
export function command(name: string, ...examples: string[]) {
  const made = new Command(name).exitOverride().configureHelp({ optionDescription });
  made.configureOutput({
    writeOut: (text) => terminal.out(text),
    writeErr: (text) => terminal.err(text),
    // Do not print the whole help, because the error would scroll off the screen.
    outputError: (text, write) =>
      write(
        `${text}${missingOption(made, text)}\nUsage: ${pathOf(made)} ${made.usage()}\nSee \`${pathOf(made)} --help\`.\n`,
      ),
  });
  examplesByCommand.set(made, examples);
  if (examples.length > 0)
    made.addHelpText(
      "after",
      () =>
        `\nExamples:\n${exampleLinesOf(made)
          .map((line) => `  ${line}\n`)
          .join("")}`,
    );
  return made;
}

/** The error for a missing option, with the option's description. */
function missingOption(one: CommandUnknownOpts, error: string): string {
  const option = one.options.find(({ flags }) => error.includes(`required option '${flags}' not specified`));
  return option === undefined ? "" : `  ${option.flags}: ${option.description}\n`;
}

/** The description of an option in the help and the documents. */
export function optionDescription(option: Option): string {
  return `${new Help().optionDescription(option)}${option.mandatory ? " (required)" : ""}`;
}

/** The brand's uuid in examples. */
export const exampleBrand = "b0000000-0000-4000-8000-000000000001";

const examplesByCommand = new WeakMap<object, readonly string[]>();

/** The examples of a command, as users type them. */
export function exampleLinesOf(one: CommandUnknownOpts): string[] {
  return (examplesByCommand.get(one) ?? []).map((rest) => `${pathOf(one)} ${rest}`.trimEnd());
}

/** The full name of a command, without options: `countersign brands list`. */
export function pathOf(one: CommandUnknownOpts): string {
  return one.parent === null ? one.name() : `${pathOf(one.parent)} ${one.name()}`;
}

/** A command that prints a result. */
export function printing(name: string, ...examples: string[]) {
  return command(name, ...examples).option("--json", "print JSON instead of a table");
}

/** Makes the result of an action the exit code of the process. */
export function exits<Given extends unknown[]>(work: (...given: Given) => Promise<number>) {
  return async (...given: Given): Promise<void> => {
    process.exitCode = await work(...given);
  };
}

/** A signal that aborts on Ctrl-C and on the usual termination signals. */
export function untilInterrupted(): AbortSignal {
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => interrupted.abort());
  return interrupted.signal;
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

/** Validates a brand's uuid. Users often try the brand's name. */
export function brandId(given: string): string {
  if (!isUuid(given)) throw new InvalidArgumentError(`must be a UUID. ${brandsListHint}`);
  return given;
}
export const brandsListHint = "`countersign brands list` shows them.";

export function uuid(given: string): string {
  if (!isUuid(given)) throw new InvalidArgumentError("must be a UUID");
  return given;
}

export function whole(given: string): number {
  if (!/^\d{1,5}$/.test(given)) throw new InvalidArgumentError("must be a whole number");
  return Number(given);
}

export function percent(given: string): number {
  const share = Number(given);
  if (!/^\d{1,3}(\.\d)?$/.test(given) || share <= 0 || share > 100)
    throw new InvalidArgumentError("must be a percentage from 0.1 to 100");
  return share;
}

export function instant(given: string): number {
  const at = Date.parse(given);
  if (Number.isNaN(at)) throw new InvalidArgumentError("must be a time such as 2026-11-21T08:00Z");
  return at;
}
