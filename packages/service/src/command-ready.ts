/** What the service that runs on this machine has written down about itself, for commands beside it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Ready } from "./main.ts";

/** Null where none runs on the directory, or what it wrote cannot be read. */
export async function readReady(dataDir: string): Promise<Ready | null> {
  try {
    const written: Ready = JSON.parse(await readFile(join(dataDir, "ready.json"), "utf8"));
    return written;
  } catch {
    return null;
  }
}
