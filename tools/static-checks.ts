import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { installIn, publishing } from "./installed.ts";
import { openapiDocuments } from "./openapi.ts";

const root = resolve(import.meta.dirname, "..");

/** Programs that check the sources without running them. */
const programs = [
  { name: "types", script: "node_modules/typescript/bin/tsc", args: ["-p", "."] },
  { name: "types in browsers", script: "node_modules/typescript/bin/tsc", args: ["-p", "packages/web"] },
  { name: "types of the SDK", script: "node_modules/typescript/bin/tsc", args: ["-p", "packages/sdk"] },
  { name: "types of its tests", script: "node_modules/typescript/bin/tsc", args: ["-p", "packages/sdk/src/test"] },
  { name: "lint", script: "node_modules/@biomejs/biome/bin/biome", args: ["check", "--error-on-warnings"] },
  {
    name: "OpenAPI documents",
    script: "tools/publishing/lint.mjs",
    args: Object.keys(openapiDocuments()),
  },
  { name: "unused code", script: "node_modules/knip/bin/knip.js", args: ["--no-progress"] },
];

/**
 * Runs type checks and lint one after another, beside the tests, and returns the names of the failed ones. Each prints
 * its output when it ends.
 */
export async function failedStaticChecks(signal?: AbortSignal): Promise<string[]> {
  installIn(publishing);
  const failed: string[] = [];
  for (const program of programs) {
    if (signal?.aborted === true) break;
    if (!(await passes(program))) failed.push(program.name);
  }
  return failed;
}

async function passes({ name, script, args }: (typeof programs)[number]): Promise<boolean> {
  if (!existsSync(resolve(root, script))) {
    process.stdout.write(`✖ ${name}: ${script} is not installed. Is there a build of it for this platform?\n`);
    return false;
  }
  // Use this Node, because the script's shebang line would use the one on the PATH.
  const child = spawn(process.execPath, [resolve(root, script), ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part) => {
      said += part;
    });
  const code = await once(child, "close").then(([code]) => code, String);
  process.stdout.write(code === 0 ? `✔ ${name}\n` : `✖ ${name}: ended with ${code}\n${said}`);
  return code === 0;
}
