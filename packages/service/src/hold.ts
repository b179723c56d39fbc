import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lockDataDir } from "./store/embedded/data-dir.ts";

/** The lock on a data directory, and the file `ready.json` in it, which exists while the service is ready. */
export type Hold = { publish(ready: object): Promise<void>; withdraw(): Promise<void>; release(): void };

/** Throws `DataDirInUse` if another service uses the directory. */
export async function holdDataDir(dataDir: string): Promise<Hold> {
  const lock = await lockDataDir(dataDir);
  const path = join(dataDir, "ready.json");
  const withdraw = () => rm(path, { force: true });
  await withdraw();
  return { publish: (ready) => writeWhole(path, JSON.stringify(ready, null, 2)), withdraw, release: lock.release };
}

/** Writes a file atomically: a reader sees the whole file or none. */
async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  // A process that died may have left it. A new file follows no link.
  await rm(temporary, { force: true });
  await writeFile(temporary, `${text}\n`, { flag: "wx" });
  await rename(temporary, path);
}
