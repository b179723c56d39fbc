/** The command line's options, errors and help. */
import assert from "node:assert/strict";
import test from "node:test";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { CommanderError } from "commander";
import { countersign } from "../../commands/commands.ts";

const all = (one: CommandUnknownOpts): CommandUnknownOpts[] => [one, ...one.commands.flatMap(all)];
const commands = all(countersign);
for (const one of commands) one.configureOutput({ writeOut: () => {}, writeErr: () => {} });

/** Returns the error of a command line that is refused before its command runs. */
async function refusal(line: string): Promise<string> {
  try {
    await countersign.parseAsync(line === "" ? [] : line.split(" "), { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return `${error.code.replace("commander.", "")} ${error.message}`;
    throw error;
  }
  return assert.fail(`${line} was accepted`);
}

const brand = "--brand b0000000-0000-4000-8000-000000000001";

test("the error for an unknown command, option or argument names it", async () => {
  for (const [line, expected] of [
    ["", /^help /],
    ["brands", /^help /],
    ["fly", /^unknownCommand .*'fly'/],
    ["brands fly", /^unknownCommand .*'fly'/],
    ["start --bogus", /^unknownOption .*'--bogus'/],
    ["health --email r@example.com", /^unknownOption .*'--email'/],
    ["keys rotate-master --check", /^unknownOption .*'--check'/],
    ["health more", /^excessArguments /],
    ["sessions end --email", /^optionMissingArgument .*--email/],
  ] as const)
    assert.match(await refusal(line), expected);
});

test("the error for a missing or wrong value names the option and the expected value", async () => {
  for (const [line, expected] of [
    ["keys create", /^missingMandatoryOptionValue .*--brand/],
    ["x12 parse", /^missingArgument .*files/],
    ["keys create --brand x", /^invalidArgument .*--brand.*must be a UUID/],
    [`keys create ${brand} --environment moon`, /--environment.*must be one of sandbox, production/],
    [`brands mode ${brand} asleep`, /'asleep'.*must be one of active, readOnly, stopped/],
    [`approvals grant ${brand} all`, /'all'.*must be one of production, /],
    ["customers create --name Piper --email nobody", /--email.*must be an email address/],
    ["audit disclosures --from today --to now", /--from.*must be a time/],
    ["listen --forward http://localhost:1 --brand x", /--brand.*must be a UUID/],
  ] as const)
    assert.match(await refusal(line), expected);
});

test("every command, option and argument has a description, and --help shows the help", async () => {
  for (const one of commands) {
    assert.notEqual(one.description(), "", one.name());
    for (const { flags, description } of one.options) assert.notEqual(description, "", `${one.name()} ${flags}`);
    for (const argument of one.registeredArguments) assert.notEqual(argument.description, "", one.name());
  }
  assert.match(await refusal("approvals grant --help"), /^helpDisplayed /);
});
