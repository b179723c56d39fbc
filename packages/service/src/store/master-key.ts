import { randomBytes } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The development master key. It is generated once, and only its owner can read it. */
export async function developmentMasterKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, "master.key");
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(`${randomBytes(32).toString("hex")}\n`);
    // Write the key to disk now: it must survive every crash that the data sealed with it survives.
    await file.sync();
    await file.close();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const key = Buffer.from((await readFile(path, "utf8")).trim(), "hex");
  if (key.length !== 32) throw new Error(`${path} does not contain a key of 32 bytes`);
  return key;
}
