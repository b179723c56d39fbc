import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { systemErrorCode } from "./embedded/process-state.ts";
import { syncDirectory } from "./embedded/sync-directory.ts";

/** The development master key. It is generated once, and only its owner can read it. */
export async function developmentMasterKey(dataDir: string): Promise<Buffer> {
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
    const file = await open(partial, "wx", 0o600);
    try {
      await file.writeFile(`${randomBytes(32).toString("hex")}\n`);
      // Write the key to disk now: it must survive every crash that the data sealed with it survives.
      await file.sync();
    } finally {
      await file.close();
    }
    await link(partial, path).catch((error: unknown) => {
      // Another process was first, and its key counts.
      if (systemErrorCode(error) !== "EEXIST") throw error;
    });
  } finally {
    await rm(partial, { force: true });
  }
  await syncDirectory(dataDir);
}
