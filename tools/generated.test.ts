import assert from "node:assert/strict";
import { test } from "node:test";
import { staleFiles } from "./generate.ts";

test("every generated file is up to date with its source", async () => {
  assert.deepEqual(Object.keys(await staleFiles()), [], "run `npm run generate` and commit what it wrote");
});
