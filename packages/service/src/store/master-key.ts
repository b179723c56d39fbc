import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assertOwnDataDir } from "./embedded/data-dir.ts";
import { systemErrorCode } from "./embedded/process-state.ts";
import { syncFile } from "./embedded/sync-file.ts";

/** The development master key. It is generated once, and only its owner can read it. */
export async function developmentMasterKey(dataDir: string): Promise<Buffer> {
  await assertOwnDataDir(dataDir);
  const path = join(dataDir, "master.key");
  if (!existsSync(path)) await createKey(dataDir, path);
  const key = Buffer.from((await readFile(path, "utf8")).trim(), "hex");
  if (key.length !== 32) throw new Error(`${path} does not contain a key of 32 bytes`);
  return key;
}

/** The file gets its name once it is complete, because no start succeeds with a file that a crash has left empty. */
async function createKey(dataDir: string, path: string): Promise<void> {
  const partial = `${path}.${randomUUID()}`;
  try {
    await writeFile(partial, `${randomBytes(32).toString("hex")}\n`, { flag: "wx", mode: 0o600 });
    // Write the key to disk now: it must survive every crash that the data sealed with it survives.
    syncFile(partial);
    await link(partial, path).catch((error: unknown) => {
      // Another process was first, and its key counts.
      if (systemErrorCode(error) !== "EEXIST") throw error;
    });
  } finally {
    await rm(partial, { force: true });
  }
  syncFile(dataDir);
}
