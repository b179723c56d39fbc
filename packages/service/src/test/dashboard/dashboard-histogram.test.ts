/** The bars above the log, and how much of the log they and a search read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type LogHistogram, type LogLine, logSearchedMax } from "@countersign/contract/dashboard-reporting";
import { signedIn } from "../harness/dashboard-member.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const viewer = await signedIn(it, { role: "viewer" });
const minuteMs = 60_000;

const pathOf = (brand: string, rest: string) => `/api/brands/${brand}/sandbox/${rest}`;
async function search(brand: string, filter: object): Promise<{ data: LogLine[] }> {
  const { status, body } = await viewer.call("POST", pathOf(brand, "log"), { filter });
  assert.equal(status, 200, JSON.stringify(body));
  return body as { data: LogLine[] };
}
async function count(brand: string, filter: object = {}): Promise<LogHistogram> {
  const { status, body } = await viewer.call("POST", pathOf(brand, "log/histogram"), { filter });
  assert.equal(status, 200, JSON.stringify(body));
  return body as LogHistogram;
}

test("the histogram counts the same calls that a search finds, by their time", async () => {
  const { uuid: brand } = await it.brand();
  const empty = await count(brand);
  assert.deepEqual([empty.bars, empty.isWhole], [[], true]);
  const { environment } = it.deps;
  const start = Math.floor(it.deps.clock.now() / minuteMs) * minuteMs - 10 * minuteMs;
  const line = (minute: number, status: number) => ({
    ...{ environment, at: start + minute * minuteMs, request_id: "r", brand_uuid: brand, method: "GET", route: "/x" },
    ...{ status, latency_ms: 1, error_code: status < 400 ? null : "OCE001" },
  });
  const statuses = [200, 200, 302, 404, 429, 500];
  const rows = [...statuses.map((status) => line(0, status)), line(3, 200)];
  await it.deps.db.insertInto("request_log").values(rows).execute();
  const found = await count(brand);
  assert.deepEqual(found.bars, [
    { at: start, succeeded: 3, refused: 2, broken: 1 },
    { at: start + 3 * minuteMs, succeeded: 1, refused: 0, broken: 0 },
  ]);
  assert.deepEqual([found.from, found.bucketMs, found.isWhole], [start, 15_000, true]);
  const sumOf = ({ bars }: LogHistogram) =>
    bars.reduce((sum, one) => sum + one.succeeded + one.refused + one.broken, 0);
  for (const filter of [
    ...[
      { status: "refused" },
      { status: "broken" },
      { status: "succeeded" },
      { statusCode: 404 },
      { errorCode: "OCE001" },
    ],
    ...[{ method: "POST" }, { route: "/x" }, { from: start + minuteMs }, { to: start + minuteMs }, { range: "hour" }],
  ])
    assert.equal(sumOf(await count(brand, filter)), (await search(brand, filter)).data.length, JSON.stringify(filter));
});

test("a histogram and a search without an index read a bounded number of lines", async () => {
  const { uuid: brand } = await it.brand();
  const { environment } = it.deps;
  const start = it.deps.clock.now() - 60 * minuteMs;
  const line = (at: number, route: string) => ({
    ...{ environment, at, request_id: "r", brand_uuid: brand, method: "GET", route, status: 200, latency_ms: 1 },
  });
  const rows = [
    line(start, "/rare"),
    ...Array.from({ length: logSearchedMax }, (_, n) => line(start + 1 + n, "/often")),
  ];
  for (let at = 0; at < rows.length; at += 1_000)
    await it.deps.db
      .insertInto("request_log")
      .values(rows.slice(at, at + 1_000))
      .execute();
  const { bars, isWhole } = await count(brand);
  assert.deepEqual([bars.reduce((sum, { succeeded }) => sum + succeeded, 0), isWhole], [logSearchedMax, false]);
  assert.deepEqual((await search(brand, { route: "/rare" })).data, []);
  assert.equal((await search(brand, { route: "/rare", to: start + 10 })).data.length, 1);
});
