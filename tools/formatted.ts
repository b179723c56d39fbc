import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** Adds the name of the source to a generated file and formats it with Biome, so that the usual checks pass. */
export function formatted(name: string, source: string, text: string): string {
  const biome = resolve(root, "node_modules/@biomejs/biome/bin/biome");
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, "format", `--stdin-file-path=${name}`], {
    cwd: root,
    input: `// Generated from ${source}: \`npm run generate\` writes it.\n\n${text}`,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${name} could not be formatted: ${stderr}`);
  return stdout;
}
