/** Compiles every TypeScript sample of the documents, each as it is pasted, under `strict`. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { folder, problemsIn } from "./compile.ts";
import { samples } from "./samples.ts";

const extensions: Readonly<Record<string, string>> = { ts: ".ts", tsx: ".tsx", vue: ".ts", svelte: ".svelte.ts" };

/** The files of the program, by path. Of a component only the script is TypeScript. */
function filesOf(blocks: ReturnType<typeof samples>): Map<string, string> {
  return new Map(
    blocks.map(({ from, language, code }, index) => {
      const [, script = code] = /<script[^>]*>\n([\s\S]*)<\/script>/.exec(code) ?? [];
      return [join(folder, `${index}-${from.replaceAll("/", "-")}${extensions[language]}`), script];
    }),
  );
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
