/** A data directory that somebody else prepared: neither its links nor its keys are used. */
import assert from "node:assert/strict";
import promises, { mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { holdDataDir } from "../../hold.ts";
import { lockDataDir } from "../../store/embedded/data-dir.ts";
import { startEmbedded } from "../../store/embedded/server.ts";
import { developmentMasterKey } from "../../store/master-key.ts";

async function directoryFor(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "countersign-data-dir-"));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
}

test("a link in place of a file of the service is not followed, so the file that it names keeps its content", async (t) => {
  const directory = await directoryFor(t);
  const other = join(await directoryFor(t), "other");
  await writeFile(other, "content");
  const hold = await holdDataDir(directory);
  await symlink(other, join(directory, `ready.json.${process.pid}`));
  await hold.publish({ pid: process.pid });
  hold.release();
  await rm(join(directory, "lock"));
  await symlink(other, join(directory, "lock"));
  await assert.rejects(lockDataDir(directory), { code: "ELOOP" });
  assert.equal(await readFile(other, "utf8"), "content");
});

test("neither a key nor a database is used in a directory of another account", async (t) => {
  const directory = await directoryFor(t);
  const { uid } = await stat(directory);
  // Root's directories are accepted, such as volumes, so neither account is root.
  const account: { getuid?: () => number } = process;
  const { getuid } = account;
  account.getuid = () => uid + 1;
  const owner = t.mock.method(promises, "stat", async () => ({ uid: uid + 2 }));
  syncBuiltinESMExports();
  const isRefused = { message: /belongs to the user \d+, .* Set DATA_DIR to a folder of your own/ };
  await assert.rejects(developmentMasterKey(directory), isRefused);
  await assert.rejects(startEmbedded({ dataDir: directory, log: { info() {}, warn() {} } }), isRefused);
  if (getuid !== undefined) account.getuid = getuid;
  owner.mock.restore();
  syncBuiltinESMExports();
  assert.equal((await developmentMasterKey(directory)).length, 32);
});
