/** The names of brands' receivers are looked up without the threads that look up the names of vendors. */
import assert from "node:assert/strict";
import { createSocket, type RemoteInfo } from "node:dgram";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import test, { after } from "node:test";
import { dnsResolve, outbound } from "../../providers/outbound.ts";

/** More lookups than the process has threads for them. */
const slowNames = Array.from({ length: 16 }, (_, at) => `h${at}.slow.test`);
const [noError, serverFailure, noSuchName, typeA] = [0, 2, 3, 1];
const waiting: { query: Buffer; from: RemoteInfo }[] = [];
const socket = createSocket("udp4");
after(() => socket.close());

/** The name, the type and the end of a query's only question. */
function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString());
    at += 1 + length;
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answer(query: Buffer, from: RemoteInfo, code: number, address?: string): void {
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 + code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(address === undefined ? 0 : 1, 6);
  // The question's name, type A, class IN, no lifetime, four bytes.
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...(address ?? "").split(".").map(Number)]);
  const question = query.subarray(12, questionOf(query).end);
  socket.send(
    Buffer.concat(address === undefined ? [head, question] : [head, question, record]),
    from.port,
    from.address,
  );
}

socket.on("message", (query, from) => {
  const { name, type } = questionOf(query);
  if (name.endsWith(".slow.test")) waiting.push({ query, from });
  else if (name === "receiver.test") answer(query, from, noError, type === typeA ? "127.0.0.1" : undefined);
  else answer(query, from, noSuchName);
});
socket.bind(0, "127.0.0.1");
await once(socket, "listening");
const resolve = dnsResolve([`127.0.0.1:${socket.address().port}`]);
const sender = outbound({ loopback: true, resolve });
after(() => sender.close());
const post = (url: string) => sender.post({ url, headers: {}, body: "{}", timeoutMs: 20_000 });

test("a name server that never answers does not delay other lookups", async () => {
  const pending = slowNames.map((name) => resolve(name));
  const settled = Promise.race(pending).then(
    () => "settled",
    () => "settled",
  );
  while (new Set(waiting.map(({ query }) => questionOf(query).name)).size < slowNames.length)
    await once(socket, "message");
  // Vendors' names are looked up like this.
  assert.equal(await Promise.race([lookup("localhost").then(() => "looked up"), settled]), "looked up");
  for (const { query, from } of waiting) answer(query, from, serverFailure);
  for (const result of await Promise.allSettled(pending)) assert.equal(result.status, "rejected");
});

test("a receiver is found by its DNS record, and its address is still checked", async () => {
  assert.deepEqual(await resolve("receiver.test"), [{ address: "127.0.0.1", family: 4 }]);
  const strict = outbound({ loopback: false, resolve });
  after(() => strict.close());
  const refused = await strict.post({ url: "https://receiver.test/", headers: {}, body: "{}", timeoutMs: 20_000 });
  assert.equal(refused.kind === "failed" && refused.error, "address not allowed");
});

test("a name of this machine needs no DNS, and an unknown name is reported", async () => {
  assert.ok((await resolve("localhost")).some(({ address }) => address === "127.0.0.1" || address === "::1"));
  const unknown = await post("https://nowhere.test/");
  assert.equal(unknown.kind === "failed" && unknown.error, "name not found");
});
