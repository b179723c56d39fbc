import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { test } from "node:test";
import { isRepeatedOnDesktop, isRest, marksOf, testFiles } from "./test-files.ts";

const root = resolve(import.meta.dirname, "..");

test("a test file that runs alone, or only in the rest, says why", () => {
  for (const file of testFiles())
    for (const [mark, reason] of marksOf(file))
      assert.match(reason, /^\w.{15,}$/, `${file}: "// ${mark}:" needs a reason`);
});

test("a file has the mark for a desktop if it has tests for both sizes", () => {
  for (const file of testFiles()) {
    const text = readFileSync(resolve(root, file), "utf8");
    assert.equal(isRepeatedOnDesktop(file), /^it\.everywhere\(/m.test(text), file);
  }
});

test("CONTRIBUTING.md lists every file that only the rest runs", () => {
  const text = readFileSync(resolve(root, "CONTRIBUTING.md"), "utf8");
  const [, listed = ""] = /<!-- rest -->([\s\S]*?)<!-- \/rest -->/.exec(text) ?? [];
  const names = [...listed.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
  const rest = testFiles()
    .filter(isRest)
    .map((file) => basename(file, ".test.ts"));
  assert.deepEqual(names.sort(), rest.sort());
});
