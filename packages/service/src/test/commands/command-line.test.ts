/** The command line's options, errors and help. */
import assert from "node:assert/strict";
import test from "node:test";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { CommanderError } from "commander";
import { exampleLinesOf, pathOf } from "../../commands/arguments.ts";
import { countersign } from "../../commands/commands.ts";
import { terminal } from "../../commands/output.ts";
import { countersign as countersignProcess } from "../harness/service-process.ts";

const all = (one: CommandUnknownOpts): CommandUnknownOpts[] => [one, ...one.commands.flatMap(all)];
const commands = all(countersign);
let said = "";
const say = (text: string) => {
  said += text;
};
Object.assign(terminal, { out: say, err: say });

/** Returns the error of a command line that is refused before its command runs. */
async function refusal(line: string): Promise<string> {
  said = "";
  try {
    await countersign.parseAsync(line === "" ? [] : line.split(" "), { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return `${error.code.replace("commander.", "")} ${error.message}`;
    throw error;
  }
  return assert.fail(`${line} was accepted`);
}

const brand = "--brand b0000000-0000-4000-8000-000000000001";
const person = "a0000000-0000-4000-8000-000000000001";

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
    [`brands mode ${brand} --environment sandbox asleep`, /'asleep'.*must be one of active, readOnly, stopped/],
    [`approvals grant ${brand} --environment sandbox all`, /'all'.*must be one of production, /],
    ["customers create --name Piper --email nobody", /--email.*must be an email address/],
    ["audit disclosures --from today --to now", /--from.*must be a time/],
    ["listen --forward http://localhost:1 --brand x", /--brand.*must be a UUID/],
    ["logs tail --brand Aviato", /--brand.*'Aviato'.*`countersign brands list`/],
  ] as const)
    assert.match(await refusal(line), expected);
});

test("the error for a missing option says what the option is", async () => {
  assert.match(await refusal("keys list"), /^missingMandatoryOptionValue /);
  assert.match(
    said,
    /\n {2}--brand <uuid>: the brand, as `countersign brands list` shows it\n\nUsage: countersign keys list /,
  );
});

test("a command needs the environment if its answer could be evidence, or if it takes something away", async () => {
  // Otherwise the sandbox's answer, or a change in the sandbox, would pass for one in production.
  for (const line of [
    "audit disclosures --from 2026-11-01T00:00Z --to 2026-12-01T00:00Z",
    "keys list --brand b0000000-0000-4000-8000-000000000001",
    "brands mode --brand b0000000-0000-4000-8000-000000000001 stopped",
    `brands consent ${brand} withdrawn`,
    `approvals revoke ${brand} production`,
    `approvals grant ${brand} production`,
  ])
    assert.match(await refusal(line), /^missingMandatoryOptionValue .*--environment/s);
  assert.match(await refusal(`sessions end --person ${person}`), /--person needs --environment/);
});

test("`sessions end` is about a member or about a person, not about both", async () => {
  const member = "--email r@example.com";
  for (const line of [`${member} --person ${person}`, `${member} --person ${person} --environment sandbox`, ""])
    assert.match(await refusal(`sessions end ${line}`.trim()), /either --email, for a member, or --person/);
  assert.match(await refusal(`sessions end ${member} --environment production`), /--email has none/);
});

test("every command, option and argument has a description, and --help shows the help", async () => {
  for (const one of commands) {
    assert.notEqual(one.description(), "", one.name());
    for (const { flags, description } of one.options) assert.notEqual(description, "", `${one.name()} ${flags}`);
    for (const argument of one.registeredArguments) assert.notEqual(argument.description, "", one.name());
  }
  assert.match(await refusal("approvals grant --help"), /^helpDisplayed /);
});

test("the error for a typo has the intended command or option, the usage, and where to find help, but not the whole help", async () => {
  for (const [line, meant, help] of [
    ["lisen", "listen", "countersign --help"],
    ["brands lst", "list", "countersign brands --help"],
    ["brands list --cusomer x", "--customer", "countersign brands list --help"],
  ]) {
    assert.match(await refusal(line ?? ""), /^unknown/);
    assert.ok(said.includes(`(Did you mean ${meant}?)`), said);
    assert.ok(said.endsWith(`See \`${help}\`.\n`), said);
    assert.equal(said.split("\n").filter((one) => one.startsWith("Usage: ")).length, 1);
    assert.ok(!said.includes("Commands:"), said);
  }
});

test("the help of a command is about that command only, and --version prints the version", async () => {
  assert.match(await refusal("trigger --help"), /^helpDisplayed /);
  assert.match(said, /^Usage: countersign trigger \[options\] <event>/);
  for (const other of ["listen", "brands", "Exit codes"]) assert.ok(!said.includes(other), other);
  assert.match(await refusal("brands create --help"), /^helpDisplayed /);
  assert.match(said, /--name <name> [^<]*\(required\)/);
  assert.match(await refusal("--version"), /^version /);
  assert.match(said, /^\d+\.\d+\.\d+\n$/);
});

test("every command has an example in its help, with options and arguments that it accepts", async () => {
  for (const one of commands.filter((each) => each.commands.length === 0)) {
    const examples = exampleLinesOf(one);
    assert.ok(examples.length > 0, pathOf(one));
    for (const line of examples) {
      assert.ok(line.startsWith(pathOf(one)), line);
      const words = line.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', "")) ?? [];
      // Parses the words as the command does, and stops before it runs.
      const { operands, unknown } = one.parseOptions(words.slice(pathOf(one).split(" ").length));
      assert.deepEqual(unknown, [], line);
      const needed = one.registeredArguments.filter(({ required }) => required).length;
      assert.ok(operands.length >= needed, line);
    }
  }
});

test("a command whose reader closes the pipe ends without a stack trace", async () => {
  const { stdout, exit } = countersignProcess(["--help"], {});
  stdout.destroy();
  const { code, err } = await exit;
  assert.deepEqual({ code, err }, { code: 141, err: "" });
});
