// rest: checks a copy of the project without API v1
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test from "node:test";
import { promisify } from "node:util";

const root = resolve(import.meta.dirname, "..");
const run = promisify(execFile);

/** Copies the project without API v1: without its folder, its test, and the lines that mount it. */
function withoutV1(): string {
  const copy = mkdtempSync(join(tmpdir(), "countersign-without-v1-"));
  for (const path of ["packages", "docs", "tools", "bench", "tsconfig.json", "package.json"]) {
    cpSync(join(root, path), join(copy, path), {
      recursive: true,
      filter: (source) => !source.includes("/node_modules"),
    });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  rmSync(join(copy, "packages/service/src/http/v1"), { recursive: true });
  rmSync(join(copy, "packages/service/src/test/signup/journey-v1.test.ts"));
  const compose = join(copy, "packages/service/src/compose/listeners.ts");
  const lines = readFileSync(compose, "utf8").split("\n");
  writeFileSync(compose, lines.filter((line) => !line.includes("routesV1")).join("\n"));
  return copy;
}

test("the project compiles and the v2.0 journeys pass without http/v1", async (t) => {
  const copy = withoutV1();
  t.after(() => rmSync(copy, { recursive: true, force: true }));
  await run(join(root, "node_modules/.bin/tsc"), ["-p", "."], { cwd: copy });
  const journeys = join(copy, "packages/service/src/test/signup/journey-v2-0.test.ts");
  const { stdout } = await run(process.execPath, ["--test", journeys], {
    cwd: copy,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  assert.match(stdout, /\bpass [1-9]/);
  assert.match(stdout, /\bfail 0\b/);
});
