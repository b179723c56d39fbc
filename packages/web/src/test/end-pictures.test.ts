/** The pictures of the ends, which the applications and the pages without a script draw. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { endPictures } from "@countersign/contract/pictures";
import { ends } from "../wallet/screens/ends.ts";

const styles = readFileSync(new URL("../ui/layout.css", import.meta.url), "utf8");

test("each picture is its own, and has a color for each of its shapes", () => {
  const drawings = Object.values(endPictures).map(({ shapes }) => JSON.stringify(shapes));
  assert.equal(new Set(drawings).size, drawings.length);
  for (const { shapes } of Object.values(endPictures))
    for (const [, attributes] of shapes)
      for (const name of String(attributes.class).split(" ")) assert.match(styles, new RegExp(`\\.${name}\\b`));
});

test("an end by an error, by a stop, by time and without data have different pictures", () => {
  const { broken, stopped, expired, noData, risk } = ends;
  assert.equal(new Set([broken, stopped, expired, noData, risk].map(({ mark }) => mark)).size, 5);
});
