/** A collector on this machine receives the warnings and errors of the log. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import test, { after } from "node:test";
import { exportLog } from "../../exported-log.ts";
import type { Log } from "../../log.ts";

type Value = { stringValue?: string; intValue?: number; boolValue?: boolean };
type Sent = {
  resourceLogs: {
    resource: { attributes: { key: string; value: Value }[] };
    scopeLogs: {
      logRecords: { severityText: string; body: Value; attributes: { key: string; value: Value }[] }[];
    }[];
  }[];
};

const received: { url: string | undefined; sent: Sent }[] = [];
const collector = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  received.push({ url: request.url, sent: JSON.parse(Buffer.concat(parts).toString("utf8")) });
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
});
await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
after(() => new Promise((resolve) => collector.close(resolve)));

test("warnings and errors reach the collector with their fields, information does not, and all are in the log", async () => {
  const address = collector.address();
  assert.ok(typeof address === "object" && address !== null);
  const lines: string[] = [];
  const note = (message: string) => void lines.push(message);
  const own: Log = { info: note, warn: note, error: note };
  const { log, close } = exportLog(own, { url: `http://127.0.0.1:${address.port}` });
  log.info("started", { port: 4000 });
  log.warn("vendor call failed", { vendor: "twilio" });
  log.error("unexpected error", { requestId: "r-1", status: 500, frames: ["at a", "at b"] });
  await close();
  assert.deepEqual(lines, ["started", "vendor call failed", "unexpected error"]);
  assert.deepEqual([...new Set(received.map(({ url }) => url))], ["/v1/logs"]);
  const groups = received.flatMap(({ sent }) => sent.resourceLogs);
  assert.ok(
    groups.every(({ resource }) => resource.attributes.some(({ value }) => value.stringValue === "countersign")),
  );
  const records = groups.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords));
  assert.deepEqual(
    records.map(({ severityText, body }) => [severityText, body.stringValue]),
    [
      ["WARN", "vendor call failed"],
      ["ERROR", "unexpected error"],
    ],
  );
  assert.deepEqual(
    records[1]?.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]),
    [
      ["requestId", "r-1"],
      ["status", 500],
      ["frames", '["at a","at b"]'],
    ],
  );
});
