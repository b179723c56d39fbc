/** Compiles every TypeScript sample of the documents, each as it is pasted, under `strict`. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { API } from "typescript/unstable/sync";
import { root, samples } from "./samples.ts";

const extensions: Readonly<Record<string, string>> = { ts: ".ts", tsx: ".tsx", vue: ".ts", svelte: ".svelte.ts" };
const folder = join(root, "packages/sdk/samples-in-memory");

/** The files of the program, by path. Of a component only the script is TypeScript. */
function filesOf(blocks: ReturnType<typeof samples>): Map<string, string> {
  return new Map(
    blocks.map(({ from, language, code }, index) => {
      const [, script = code] = /<script[^>]*>\n([\s\S]*)<\/script>/.exec(code) ?? [];
      return [join(folder, `${index}-${from.replaceAll("/", "-")}${extensions[language]}`), script];
    }),
  );
}

/** The compiler's messages about one program of all files. Nothing is written to the disk. */
function problemsIn(files: Map<string, string>): string[] {
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

test("every TypeScript sample of the documents compiles under strict", () => {
  const blocks = samples().filter(({ language }) => language in extensions);
  const count = (one: string) => blocks.filter(({ language }) => language === one).length;
  assert.deepEqual([count("ts") >= 4, count("tsx"), count("vue"), count("svelte")], [true, 1, 1, 1]);
  assert.deepEqual(problemsIn(filesOf(blocks)), []);
});

test("a sample with an unknown name or a value that may be null does not compile", () => {
  const wrong = [
    "export const show = (place: string) => sdk.show(place);",
    `import type { SdkResult } from "@countersign/sdk";\nexport const uuid = (one: SdkResult): string => one.identityUuid;`,
  ];
  const files = filesOf(wrong.map((code) => ({ from: "wrong", language: "ts", code })));
  const problems = problemsIn(files).map((one) => one.replace(/'(.*?)'.*/s, "$1"));
  assert.deepEqual(problems.sort(), ["0-wrong.ts: Cannot find name sdk", "1-wrong.ts: Type string | null"]);
});
