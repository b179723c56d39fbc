import { closeSync, fsyncSync, openSync } from "node:fs";

/**
 * Writes a file or a directory's entries to disk, so that they survive a crash of the machine. It is synchronous, because
 * the promises of Yarn's Plug'n'Play cannot sync.
 */
export function syncFile(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
