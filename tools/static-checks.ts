import { spawnSync } from "node:child_process";
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

/** Runs type checks and lint, and returns the names of the failed ones. Their output goes to the terminal. */
export function failedStaticChecks(): string[] {
  installIn(publishing);
  return programs.filter((program) => !passes(program)).map(({ name }) => name);
}

function passes({ name, script, args }: (typeof programs)[number]): boolean {
  process.stdout.write(`${name} …\n`);
  if (!existsSync(resolve(root, script))) {
    process.stdout.write(`${name}: ${script} is not installed. Is there a build of it for this platform?\n`);
    return false;
  }
  // Use this Node, because the script's shebang line would use the one on the PATH.
  const { status, error } = spawnSync(process.execPath, [resolve(root, script), ...args], {
    cwd: root,
    stdio: "inherit",
  });
  if (error !== undefined) process.stdout.write(`${name}: ${error.message}\n`);
  return status === 0;
}
