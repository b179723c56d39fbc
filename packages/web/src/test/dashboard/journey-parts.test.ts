import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import test from "node:test";
import type { JourneyStep } from "@countersign/contract/dashboard-journeys";
import { durationOf, partsOf } from "../../dashboard/reporting/journey-parts.ts";
import { referenceOf } from "../../dashboard/reporting/reference-link.ts";

const step = (from: number, to: number | null): JourneyStep => ({
  ...{ name: "call", from, to, tone: "plain", count: null, call: null, delivery: null },
});

test("a long pause begins a new part, each part has its own scale, and an open step lasts until its end", () => {
  const parts = partsOf([
    step(0, 500),
    step(500, 1_000),
    step(900, null),
    step(120_000, 120_000),
    step(120_000, 121_000),
  ]);
  assert.deepEqual(
    parts.map(({ from, to, pauseMs, bars }) => [from, to, pauseMs, bars.map(({ left, width }) => [left, width])]),
    [
      [
        0,
        1_000,
        null,
        [
          [0, 50],
          [50, 50],
          [90, 10],
        ],
      ],
      [
        120_000,
        121_000,
        119_000,
        [
          [0, 0],
          [0, 100],
        ],
      ],
    ],
  );
  assert.deepEqual(partsOf([]), []);
  // The bars end with the outcome, so that a later step does not make them invisible.
  const shared = { ...step(5, 5), name: "shared" as const };
  assert.deepEqual(
    partsOf([step(0, 20), shared, step(30, 60), step(17_000, 17_000), step(18_000, 19_000)]).map(({ from, to }) => [
      from,
      to,
    ]),
    [
      [0, 60],
      [17_000, 19_000],
    ],
  );
  // A part without a duration has no division by zero.
  assert.deepEqual(partsOf([step(5, 5)])[0]?.bars[0]?.width, 0);
});

test("durations have the two largest units", () => {
  assert.deepEqual([0, 999, 12_340, 59_999, 60_000, 245_000, 7_800_000, 90_000_000].map(durationOf), [
    "0 ms",
    "999 ms",
    "12.3 s",
    "59.9 s",
    "1 min",
    "4 min 5 s",
    "2 h 10 min",
    "1 d 1 h",
  ]);
});

test("each operation of the reference is found by the route that the log has", () => {
  for (const [name, page] of [
    ["v1", "api-v1"],
    ["v2", "api"],
  ]) {
    const { paths } = JSON.parse(
      readFileSync(resolve(import.meta.dirname, `../../../../../docs/api/${name}.json`), "utf8"),
    );
    for (const [path, methods] of Object.entries<Record<string, { tags: string[] }>>(paths))
      for (const [method, { tags }] of Object.entries(methods)) {
        const [tag = ""] = tags;
        // Webhooks are calls of the service, which the log does not have.
        const slug = tag
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, "-")
          .replace(/-$/, "");
        const line = { method: method.toUpperCase(), route: path.replace(/\{(\w+)\}/g, ":$1"), subjectUuid: null };
        const found = referenceOf(line, "http://api");
        if (tag === "Other prefixes")
          assert.match(found ?? "", /^http:..api.docs.reference.api#tag.[\w-]+.[A-Z]+.v2./, path);
        else assert.equal(found, `http://api/docs/reference/${page}#tag/${slug}/${line.method}${path}`);
      }
  }
  const uuid = "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21";
  const verify = { method: "GET", route: "/1-click/verifications/:uuid", subjectUuid: uuid };
  assert.equal(
    referenceOf(verify, "http://api"),
    `http://api/docs/reference/api?subject=${uuid}#tag/1-click-verify/GET/v2/1-click/verifications/{uuid}`,
  );
  assert.equal(referenceOf({ ...verify, route: "/elsewhere" }, "http://api"), null);
});
