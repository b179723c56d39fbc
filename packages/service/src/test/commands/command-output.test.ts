/** Text from customers that a command prints must not control the operator's terminal. */
import assert from "node:assert/strict";
import test from "node:test";
import { terminalSafe } from "../../commands/arguments.ts";

test("printed JSON contains no control characters and parses to the same value", () => {
  const note = "\u009b2J\u009d0;title\u202egnp\u200b\u{e0001}\x7f plain é 漢 🙂";
  const printed = terminalSafe(JSON.stringify({ note }));
  assert.doesNotMatch(printed, /[\p{Cc}\p{Cf}]/u);
  assert.deepEqual(JSON.parse(printed), { note });
  assert.match(printed, /plain é 漢 🙂/);
});
