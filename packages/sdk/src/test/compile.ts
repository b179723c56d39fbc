/** Compiles code samples as a brand does: with the published names of the SDK, under `strict`. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { API } from "typescript/unstable/sync";
import { root } from "./samples.ts";

/** The folder of the files in memory. */
export const folder = join(root, "packages/sdk/samples-in-memory");

/** The compiler's messages about one program of all files. Nothing is written to the disk. */
export function problemsIn(files: Map<string, string>): string[] {
  const config = join(folder, "tsconfig.json");
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: "esnext",
    moduleResolution: "bundler",
    moduleDetection: "force",
    target: "es2022",
    lib: ["es2024", "dom", "dom.iterable"],
    jsx: "react-jsx",
    types: ["node", "svelte", "vue"],
    allowImportingTsExtensions: true,
    paths: { "@countersign/sdk": ["../src/index.ts"], "@countersign/sdk/*": ["../src/*.ts"] },
  };
  const all = new Map([...files, [config, JSON.stringify({ compilerOptions, files: [...files.keys()] })]]);
  const compiler = new API({
    cwd: root,
    fs: { readFile: (path) => all.get(path), fileExists: (path) => (all.has(path) ? true : undefined) },
  });
  try {
    const program = compiler.updateSnapshot({ openProjects: [config] }).getProject(config)?.program;
    assert.ok(program);
    const found = [program.getConfigFileParsingDiagnostics(), program.getSyntacticDiagnostics()];
    return [...found, program.getSemanticDiagnostics()]
      .flat()
      .map((one) => `${one.fileName?.replace(`${folder}/`, "") ?? "tsconfig"}: ${one.text}`);
  } finally {
    compiler.close();
  }
}
