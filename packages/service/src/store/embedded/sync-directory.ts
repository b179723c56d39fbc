import { open } from "node:fs/promises";

/** Writes a directory's entries to disk, so that new and renamed files in it survive a crash of the machine. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
}
