import assert from "node:assert/strict";
import test from "node:test";
import { loggedNotes } from "../../compose/adapters.ts";
import { openMetrics } from "../../http/metrics.ts";
import { noNotes, openVendor, type Repeats } from "../../providers/vendor.ts";
import { fakeTime } from "../harness/fake-time.ts";
import { type FaultName, fakeVendor } from "../harness/vendors/fake-vendor.ts";

async function world() {
  const time = fakeTime();
  const metrics = openMetrics();
  const server = await fakeVendor(time, () => ({ body: { fine: true } }));
  const vendor = openVendor("example", { ...time.tools, notes: metrics.vendors });
  const ask = (repeats: Repeats = "always", deadlineMs = 10_000) =>
    vendor.call({
      operation: "ask",
      method: "POST",
      url: `${server.url}/a?phone=6502530000`,
      body: "{}",
      deadlineMs,
      repeats,
    });
  return { time, metrics, server, vendor, ask };
}

const requestsAt: Record<FaultName | string, Record<Repeats, number>> = {
  slow: { always: 1, untouched: 1, never: 1 },
  reset: { always: 3, untouched: 1, never: 1 },
  "half an answer": { always: 3, untouched: 1, never: 1 },
  "500": { always: 3, untouched: 1, never: 1 },
  "503, Retry-After 1": { always: 3, untouched: 3, never: 1 },
  "429": { always: 3, untouched: 3, never: 1 },
  "429, Retry-After 3600": { always: 1, untouched: 1, never: 1 },
  "401": { always: 1, untouched: 1, never: 1 },
  "a redirect": { always: 1, untouched: 1, never: 1 },
};
for (const [fault, counts] of Object.entries(requestsAt)) {
  for (const repeats of ["always", "untouched", "never"] as const) {
    test(`${fault} with retry mode ${repeats} sends ${counts[repeats]} requests`, async () => {
      const { server, vendor, ask } = await world();
      server.break(fault as FaultName);
      await ask(repeats);
      assert.equal(server.requests.length, counts[repeats]);
      await vendor.close();
    });
  }
}

test("the deadline covers all attempts and the pauses between them", async () => {
  const { time, server, vendor, ask } = await world();
  server.break("429, Retry-After 1");
  const begun = time.clock.now();
  await ask("always", 1_500);
  assert.equal(server.requests.length, 2);
  assert.ok(time.clock.now() - begun <= 1_500);
  await vendor.close();
});

test("a retry waits for a Retry-After that is a date", async () => {
  const time = fakeTime();
  const at = new Date(time.clock.now() + 4_000).toUTCString();
  let busy = true;
  const server = await fakeVendor(time, () => {
    const reply = busy ? { status: 429, headers: { "retry-after": at } } : { body: {} };
    busy = false;
    return reply;
  });
  const vendor = openVendor("example", time.tools);
  const answer = await vendor.call({
    operation: "ask",
    method: "GET",
    url: server.url,
    deadlineMs: 10_000,
    repeats: "never",
  });
  assert.equal(answer.kind === "answered" && answer.status, 429);
  busy = true;
  await vendor.call({ operation: "ask", method: "GET", url: server.url, deadlineMs: 10_000, repeats: "untouched" });
  assert.deepEqual(time.pauses, [4_000]);
  await vendor.close();
});

test("a response over the size limit has an unknown outcome", async () => {
  const time = fakeTime();
  const server = await fakeVendor(time, () => ({ body: { text: "x".repeat(2_000) } }));
  const vendor = openVendor("example", time.tools);
  const call = { operation: "ask", method: "GET", url: server.url, deadlineMs: 10_000, repeats: "never" } as const;
  assert.deepEqual(await vendor.call({ ...call, bytesMax: 1_000 }), { kind: "unknown", error: "answer too long" });
  assert.equal((await vendor.call({ ...call, bytesMax: 3_000 })).kind, "answered");
  await vendor.close();
});

test("a request that was never sent is distinguished from one that may have arrived", async () => {
  const { server, vendor, ask } = await world();
  server.break("half an answer");
  assert.equal((await ask("never")).kind, "unknown");
  await server.stop();
  assert.deepEqual(await ask("never"), { kind: "notSent", error: "connection refused" });
  await vendor.close();
});

test("the circuit breaker opens, allows one call after a pause, and appears in metrics without phone numbers", async () => {
  const { time, metrics, server, vendor, ask } = await world();
  const state = async () =>
    /vendor_breaker_state\{vendor="example",state="(\w+)"\} 1/.exec(await metrics.registry.metrics())?.[1];
  await ask();
  assert.equal(await state(), "closed");
  server.break("500");
  for (let round = 0; round < 5; round += 1) await ask("never");
  assert.equal(await state(), "open");
  assert.deepEqual(await ask(), { kind: "notSent", error: "breaker open" });
  time.advance(30_000);
  const before = server.requests.length;
  await Promise.all([ask("never"), ask("never"), ask("never")]);
  assert.equal(server.requests.length, before + 1, "only one call is sent");
  assert.equal(await state(), "open");
  server.mend();
  time.advance(30_000);
  assert.equal((await ask()).kind, "answered");
  assert.equal(await state(), "closed");
  const text = await metrics.registry.metrics();
  assert.match(text, /vendor_calls_total\{vendor="example",operation="ask",outcome="5xx"\} 6/);
  assert.match(text, /outcome="breaker open"\} 3/);
  assert.doesNotMatch(text, /650253/);
  await vendor.close();
});

test("a failed call is logged with its kind, such as an invalid certificate", async () => {
  const time = fakeTime();
  const server = await fakeVendor(time, () => ({ status: 404 }));
  const lines: { message: string; fields?: Record<string, unknown> }[] = [];
  const notes = loggedNotes(noNotes, { warn: (message, fields) => void lines.push({ message, fields }) });
  const vendor = openVendor("example", { ...time.tools, notes });
  const ask = (url: string) =>
    vendor.call({ operation: "ask", method: "GET", url, deadlineMs: 10_000, repeats: "never" });
  await ask(server.url);
  assert.equal(lines.length, 0);
  const encrypted = server.url.replace("http:", "https:");
  for (let round = 0; round < 6; round += 1) await ask(`${encrypted}/a?phone=6502530000`);
  assert.deepEqual(
    lines.map(({ message, fields }) => [message, fields?.outcome ?? fields?.state]),
    [
      ...Array.from({ length: 4 }, () => ["vendor call failed", "certificate not valid"]),
      ["circuit open: vendor calls paused", "open"],
      ["vendor call failed", "certificate not valid"],
    ],
  );
  assert.doesNotMatch(JSON.stringify(lines), /650253|127\.0/);
  await vendor.close();
});
