import assert from "node:assert/strict";
import test from "node:test";
import { versionText } from "@countersign/contract/text-version";
import { timeText } from "../../wallet/account/dates.ts";

test("the version of a text is its day or its month, on one line; other versions stay as they are", () => {
  const shown = (language: string) =>
    ["2026-11-25", "2026-11", "2026-13-45", "v3-2"].map((version) => versionText(version, language));
  assert.deepEqual(shown("en"), ["Nov\u00a025,\u00a02026", "Nov\u00a02026", "2026-13-45", "v3-2"]);
  assert.deepEqual(shown("es"), ["25\u00a0nov\u00a02026", "nov\u00a02026", "2026-13-45", "v3-2"]);
});

test("a date and its time stay on one line", () => {
  for (const language of ["en", "es"]) assert.doesNotMatch(timeText(Date.UTC(2025, 0, 1, 12), language), / /);
});
