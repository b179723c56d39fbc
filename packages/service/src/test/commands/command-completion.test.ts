/** The scripts that complete commands in a shell. Bash runs here; zsh and fish are checked as text. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { countersign } from "../../commands/commands.ts";
import { completionFor } from "../../commands/completion.ts";

function completed(...words: string[]): string[] {
  const script = `${completionFor("bash", countersign)}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _countersign; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", script, "bash", "countersign", ...words], { encoding: "utf8" })
    .trim()
    .split("\n");
}

test("bash completes nouns, then their verbs, then their options", () => {
  assert.deepEqual(completed("l"), ["listen", "logs"]);
  assert.deepEqual(completed("keys", "r"), ["revoke", "rotate-master"]);
  assert.deepEqual(completed("keys", "revoke", "--k"), ["--key"]);
  assert.deepEqual(completed("keys", "revoke", "--brand", "x", "--e"), ["--environment"]);
});

test("the scripts of zsh and fish name every command", () => {
  const scripts = [completionFor("zsh", countersign), completionFor("fish", countersign)];
  for (const noun of countersign.commands)
    for (const word of [noun.name(), ...noun.commands.map((one) => one.name())])
      for (const script of scripts) assert.match(script, new RegExp(`\\b${word}\\b`));
  assert.match(scripts[0] ?? "", /^autoload/);
});
