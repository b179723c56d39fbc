import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

export type FoundChromium = { kind: "found"; path: string } | { kind: "missing"; why: string };

const debianPath = "/usr/bin/chromium";

/** The browser for browser tests: `CHROMIUM_PATH`, or Debian's Chromium, which is installed if this process is root. */
export function findChromium(): FoundChromium {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined) {
    return existsSync(named)
      ? { kind: "found", path: named }
      : { kind: "missing", why: `CHROMIUM_PATH names ${named}, which does not exist` };
  }
  if (existsSync(debianPath)) return { kind: "found", path: debianPath };
  const isRoot = process.getuid?.() === 0;
  if (isRoot && existsSync("/usr/bin/apt-get")) install();
  if (existsSync(debianPath)) return { kind: "found", path: debianPath };
  return {
    kind: "missing",
    why: `the browser tests need Chromium: there is none at ${debianPath}; set CHROMIUM_PATH to one`,
  };
}

function install(): void {
  process.stdout.write("Installing Debian's chromium for the browser tests …\n");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]]) {
    const done = spawnSync("apt-get", ["-qq", ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
    if (done.status !== 0) return;
  }
}
