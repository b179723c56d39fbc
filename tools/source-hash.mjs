// The hash of the sources that a build is made from. Plain JavaScript, because `npm start` compares it before it starts
// the pinned Node.
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** What each build is made from: files, and folders without their tests. */
const sourcesOf = {
  sdk: ["packages/sdk/src", "packages/sdk/build.ts", "packages/sdk/package.json", "packages/sdk/tsconfig.json"],
  web: [
    "packages/web/src",
    "packages/web/build.ts",
    "packages/web/package.json",
    "packages/web/tsconfig.json",
    "packages/contract/src",
  ],
  service: ["package-lock.json", "packages/service/build.ts", "packages/service/src", "packages/contract/src"],
};

export function sourceHash(build) {
  const made = createHash("sha256");
  for (const path of sourcesOf[build]) add(path);
  return made.digest("hex").slice(0, 16);

  function add(path) {
    if (path.endsWith("/src/test")) return;
    const full = join(root, path);
    if (lstatSync(full).isDirectory()) for (const name of readdirSync(full).sort()) add(`${path}/${name}`);
    else made.update(`${path}\n`).update(readFileSync(full));
  }
}
