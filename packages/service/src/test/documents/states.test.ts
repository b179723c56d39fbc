import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { journeys } from "../../domain/journey.ts";
import { oneClickEdges } from "../../domain/signup/one-click.ts";
import { verificationEdges } from "../../domain/verification/verification.ts";

const page = readFileSync(new URL("../../../../../docs/how/states.md", import.meta.url), "utf8");

/** Returns the edges of the diagram under a heading, without its start edges. */
function diagramEdges(heading: string): string[] {
  const [, section = ""] = page.split(`## ${heading}\n`);
  const [diagram = ""] = section.split("```\n");
  return [...diagram.matchAll(/^ {2}(\w+) --> (\w+)$/gm)].map(([, from, to]) => `${from} → ${to}`).sort();
}

function codeEdges(edges: Record<string, readonly string[]>): string[] {
  return Object.entries(edges)
    .flatMap(([from, all]) => all.map((to) => `${from} → ${to}`))
    .sort();
}

test("the 1-Click diagram matches the code's table", () => {
  assert.deepEqual(diagramEdges("1-Click"), codeEdges(oneClickEdges));
});
test("the verification diagram matches the code's table", () => {
  assert.deepEqual(diagramEdges("Verification"), codeEdges(verificationEdges));
});

test("the table of journeys matches the code", () => {
  const rows = page
    .split("\n")
    .filter((line) => /^\| (v\d|openid)/.test(line))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const expected = Object.entries(journeys).map(([name, one]) => [
    name,
    one.proof,
    one.sms,
    one.review,
    one.answers,
    one.comesBackAs ?? "–",
    one.readableAfterFirstReadMs === null ? "–" : `${one.readableAfterFirstReadMs / 60_000} min`,
    one.codeStyle,
    one.pushed ? "yes" : "no",
    one.comparesBirthDate ? "yes" : "no",
    one.offersHealth ? "yes" : "no",
  ]);
  assert.deepEqual(rows, expected);
});
