/** Text from customers that a command prints must not control the operator's terminal. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { countersign } from "../../commands/commands.ts";
import { print, progressBar, tableOf, terminal, terminalSafe } from "../../commands/output.ts";

test("printed JSON contains no control characters and parses to the same value", () => {
  const note = "\u009b2J\u009d0;title\u202egnp\u200b\u{e0001}\x7f plain é 漢 🙂";
  const printed = terminalSafe(JSON.stringify({ note }));
  assert.doesNotMatch(printed, /[\p{Cc}\p{Cf}]/u);
  assert.deepEqual(JSON.parse(printed), { note });
  assert.match(printed, /plain é 漢 🙂/);
});

test("a file's text that a command prints contains no control characters", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-x12-"));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, "a\u009b2J.271");
  await writeFile(file, "no 271");
  const out = t.mock.method(terminal, "out", () => {});
  await countersign.parseAsync(["x12", "parse", file], { from: "user" });
  const [printed = ""] = out.mock.calls.map(({ arguments: [text] }) => text);
  assert.equal(JSON.parse(printed).file, file);
  assert.doesNotMatch(printed.trimEnd(), /\p{Cc}/u);
});

test("a list is an aligned table with titles, and an object is a line per value", () => {
  const rows = [
    { brand: "b1", name: "Piper", lastUsedAt: null },
    { brand: "b22", name: "x\ny", lastUsedAt: 5 },
  ];
  assert.equal(tableOf(rows), "BRAND  NAME   LAST USED AT\nb1     Piper  -\nb22    x y    5\n");
  assert.equal(tableOf({ brand: "b1", lastUsedAt: null }), "brand         b1\nlast used at  -\n");
  assert.equal(tableOf([]), "None.\n");
  const host = `www.bank.example.${"a".repeat(60)}.evil.example`;
  assert.ok(!tableOf([{ host }]).includes("evil"));
  assert.ok(tableOf([{ host }], Number.POSITIVE_INFINITY).includes(host));
});

test("people get the table on a terminal, and programs get JSON with --json or through a pipe", () => {
  let said = "";
  terminal.out = (text) => {
    said += text;
  };
  const printed = (isForPeople: boolean, json?: true) => {
    said = "";
    terminal.isForPeople = () => isForPeople;
    assert.equal(print([{ key: "k" }], { json }), 0);
    return said;
  };
  assert.equal(printed(true), "KEY\nk\n");
  for (const text of [printed(true, true), printed(false)]) assert.deepEqual(JSON.parse(text), [{ key: "k" }]);
});

test("a progress bar is drawn on a terminal only", () => {
  let said = "";
  terminal.err = (text) => {
    said += text;
  };
  terminal.showsProgress = () => true;
  progressBar({ done: 500, total: 1_000 }, "Rewrapped 500 keys; 500 are left.");
  assert.match(said, /\[█{12}░{12}\] 50 % {2}Rewrapped 500 keys/);
  said = "";
  progressBar({ done: 0, total: 0 }, "Nothing to do");
  assert.match(said, /\[█{24}\] 100 %/);
  terminal.showsProgress = () => false;
  said = "";
  progressBar({ done: 1, total: 2 }, "Unseen");
  assert.equal(said, "");
});
