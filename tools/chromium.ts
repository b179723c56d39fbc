import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** `shell` is the headless shell, or the browser itself if there is none. */
export type FoundChromium = { kind: "found"; browser: string; shell: string } | { kind: "missing"; why: string };

const debian = { browser: "/usr/bin/chromium", shell: "/usr/bin/chromium-headless-shell" };

/**
 * The browsers for browser tests: `CHROMIUM_PATH`, or Debian's Chromium and its headless shell, which are installed if
 * this process is root.
 */
export function findChromium(): FoundChromium {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined) {
    return existsSync(named)
      ? { kind: "found", browser: named, shell: process.env.CHROMIUM_SHELL_PATH ?? named }
      : { kind: "missing", why: `CHROMIUM_PATH names ${named}, which does not exist` };
  }
  const areThere = existsSync(debian.browser) && existsSync(debian.shell);
  if (!areThere && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) install();
  if (existsSync(debian.browser))
    return { kind: "found", ...debian, ...(existsSync(debian.shell) ? {} : { shell: debian.browser }) };
  return {
    kind: "missing",
    why: `the browser tests need Chromium: there is none at ${debian.browser}; set CHROMIUM_PATH to one`,
  };
}

function install(): void {
  process.stdout.write("Installing Debian's chromium and chromium-headless-shell for the browser tests …\n");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = ["install", "-y", "--no-install-recommends"];
  // The shell is not in every release, so a second command installs it.
  for (const args of [["update"], [...install, "chromium"], [...install, "chromium-headless-shell"]]) {
    const done = spawnSync("apt-get", ["-qq", ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
    if (done.status !== 0) return;
  }
}
