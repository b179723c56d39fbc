/** The development master key: written once, complete or not at all. */
import assert from "node:assert/strict";
import fs from "node:fs";
import promises, { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { developmentMasterKey } from "../../store/master-key.ts";

async function directoryFor(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "countersign-key-"));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
}

test("processes that start together get the same key, which only its owner can read", async (t) => {
  const directory = await directoryFor(t);
  const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => developmentMasterKey(directory)));
  for (const key of [...others, await developmentMasterKey(directory)]) assert.deepEqual(key, first);
  assert.deepEqual(await readdir(directory), ["master.key"]);
  assert.equal((await stat(join(directory, "master.key"))).mode & 0o777, 0o600);
});

test("a start that ends before the key is written leaves no key file, and the next start creates one", async (t) => {
  const directory = await directoryFor(t);
  const write = t.mock.method(promises, "writeFile", async () => {
    throw new Error("the disk is full");
  });
  syncBuiltinESMExports();
  await assert.rejects(developmentMasterKey(directory), /the disk is full/);
  write.mock.restore();
  syncBuiltinESMExports();
  assert.deepEqual(await readdir(directory), []);
  assert.equal((await developmentMasterKey(directory)).length, 32);
});

test("the key is on disk before the first start continues, and so is the directory's entry for it", async (t) => {
  const directory = await directoryFor(t);
  const seen: string[][] = [];
  const { fsyncSync } = fs;
  const sync = t.mock.method(fs, "fsyncSync", (file: number) => {
    seen.push(fs.readdirSync(directory));
    fsyncSync(file);
  });
  syncBuiltinESMExports();
  await developmentMasterKey(directory);
  sync.mock.restore();
  syncBuiltinESMExports();
  const [[partial = "", ...others] = [], ...later] = seen;
  assert.match(partial, /^master\.key\../);
  assert.deepEqual([others, later], [[], [["master.key"]]]);
});
