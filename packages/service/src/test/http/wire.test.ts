import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { createServer } from "../../http/server.ts";
import { assertEnvelope, demoKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const url = new URL(await it.app.listen({ host: "127.0.0.1", port: 0 }));

/** Sends bytes and reads the answer until the other side closes. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect({ host: url.hostname, port: Number(url.port) }, () => socket.write(bytes, "latin1"));
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
}

type Answer = { status: number; headers: Record<string, string>; body: string };
function parse(text: string): Answer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
  return { status: Number(statusLine.split(" ")[1]), headers, body: rest.join("\r\n\r\n") };
}

const host = "Host: localhost\r\n";
const close = "Connection: close\r\n";
const key = `Authorization: ${demoKey}\r\n`;
const post = `POST /v2/1-click HTTP/1.1\r\n${host}${key}Content-Type: application/json\r\n`;
const broken: [string, string, number][] = [
  ["a request that is not HTTP", "hello\r\n\r\n", 400],
  ["a TLS ClientHello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400],
  ["an unknown method", `FETCH / HTTP/1.1\r\n${host}\r\n`, 400],
  ["a lowercase method", `get /livez HTTP/1.1\r\n${host}\r\n`, 400],
  ["a second Host header", `GET /livez HTTP/1.1\r\n${host}${host}${close}\r\n`, 400],
  ["a second Host header in capitals", `GET /livez HTTP/1.1\r\n${host}HOST: 127.0.0.1\r\n${close}\r\n`, 400],
  ["a request without Host", `GET /livez HTTP/1.1\r\n${close}\r\n`, 400],
  ["a header without a name", `GET /livez HTTP/1.1\r\n${host}: x\r\n\r\n`, 400],
  ["a line break inside a header", `GET /livez HTTP/1.1\r\n${host}X: a\rb\r\n\r\n`, 400],
  ["a second Content-Length", `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
  ["a chunked body with a length", `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ["a chunk with an invalid length", `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`, 400],
  ["an unknown Transfer-Encoding", `${post}Transfer-Encoding: xchunked\r\n\r\n{}`, 400],
  ["a negative Content-Length", `${post}Content-Length: -1\r\n\r\n`, 400],
  ["a header of 64 KB", `GET /livez HTTP/1.1\r\n${host}X: ${"x".repeat(65_536)}\r\n\r\n`, 431],
  ["a URL of 64 KB", `GET /${"x".repeat(65_536)} HTTP/1.1\r\n${host}\r\n`, 431],
];
for (const [what, bytes, status] of broken) {
  test(`${what} gets an error envelope, and the connection is closed`, async () => {
    const answer = parse(await exchange(bytes));
    assert.equal(answer.status, status);
    const body: unknown = JSON.parse(answer.body);
    assertEnvelope(status, body);
    assert.equal(body.data.requestId, answer.headers["x-request-id"]);
    assert.equal(answer.headers["cache-control"], "no-store");
    assert.equal(answer.headers["x-content-type-options"], "nosniff");
    assert.match(answer.headers["content-security-policy"] ?? "", /^default-src 'none';.* frame-ancestors 'none'$/);
    assert.equal(Number(answer.headers["content-length"]), answer.body.length);
  });
}

test("HTTP/1.0 needs no Host, and a missing or empty Host does not count as localhost", async () => {
  assert.equal(parse(await exchange("GET /livez HTTP/1.0\r\n\r\n")).status, 200);
  assert.equal(parse(await exchange("GET /sandbox/clock HTTP/1.0\r\n\r\n")).status, 401);
  assert.equal(parse(await exchange(`GET /sandbox/clock HTTP/1.1\r\nHost:\r\n${close}\r\n`)).status, 403);
  assert.equal(parse(await exchange(`GET /sandbox/clock HTTP/1.1\r\n${host}${close}\r\n`)).status, 200);
});

test("a request that is incomplete after 30 s, checked every second, gets a 408, and its connection is closed", async (t) => {
  const { server } = it.app;
  const limits = { request: 30_000, headers: 30_000, check: 1_000 };
  const { requestTimeout: request, headersTimeout: headers } = server;
  const check = "connectionsCheckingInterval" in server ? server.connectionsCheckingInterval : null;
  assert.deepEqual({ request, headers, check }, limits);

  const impatient = createServer({
    traced: false,
    trustedProxies: [],
    requestTimeoutMs: 20,
    onRequestDone: () => {},
    onBreakdown: (error) => assert.fail(String(error)),
  });
  t.after(() => impatient.close());
  impatient.post("/slow", async () => ({}));
  const slow = new URL(await impatient.listen({ host: "127.0.0.1", port: 0 }));
  const unfinished = ["POST /slow HTTP/1.1\r\nHo", `${post.replace("/v2/1-click", "/slow")}Content-Length: 9\r\n\r\n{`];
  for (const bytes of unfinished) {
    // This caller never closes its own side.
    const caller = connect({ host: slow.hostname, port: Number(slow.port), allowHalfOpen: true });
    const [accepted]: Socket[] = await once(impatient.server, "connection");
    let text = "";
    caller.setEncoding("latin1").on("data", (part) => {
      text += part;
    });
    caller.write(bytes);
    await once(caller, "end");
    const answer = parse(text);
    assert.equal(answer.status, 408);
    assertEnvelope(408, JSON.parse(answer.body));
    if (accepted?.closed === false) await once(accepted, "close");
    caller.destroy();
  }
});

test("pipelined requests in one packet are each answered with their own key and request id", async () => {
  const read = (authorization: string) =>
    `GET /sandbox/brands/b0000000-0000-4000-8000-000000000001 HTTP/1.1\r\n${host}Authorization: ${authorization}\r\n`;
  const text = await exchange(`${read(demoKey)}\r\n${read("nobody")}\r\n${read("sk_sandbox_demo_api_2")}${close}\r\n`);
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
  assert.deepEqual(statuses, ["200", "401", "404"]);
  assert.equal(new Set([...text.matchAll(/^x-request-id: (\S+)/gm)].map(([, id]) => id)).size, 3);
});

test("the body of a rejected request is not parsed as another request", async () => {
  const inner = `GET /livez HTTP/1.1\r\n${host}${close}\r\n`;
  const text = await exchange(
    `POST /v2/1-click HTTP/1.1\r\n${host}${close}Content-Length: ${inner.length}\r\n\r\n${inner}`,
  );
  assert.equal([...text.matchAll(/HTTP\/1\.1 /g)].length, 1);
  assert.equal(parse(text).status, 401);
});

test("a request with Expect: 100-continue gets 100 Continue before its response", async () => {
  const expecting = `${close}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`;
  const asked = await exchange(`${post}${expecting}`);
  assert.match(asked, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
});

test("an unknown Expect header is ignored", async () => {
  for (const expected of ["200-ok", "x"])
    assert.equal(
      parse(await exchange(`GET /livez HTTP/1.1\r\n${host}${close}Expect: ${expected}\r\n\r\n`)).status,
      200,
    );
  const refused = parse(await exchange(`${post}${close}Expect: x\r\nContent-Length: 2\r\n\r\n{}`));
  assert.equal(refused.status, 400);
  assertEnvelope(400, JSON.parse(refused.body));
});

test("a client that disconnects in the middle of a body leaves no data behind", async () => {
  const before = await it.store.db.selectFrom("verification").select("uuid").execute();
  for (let times = 0; times < 10; times += 1) {
    await new Promise<void>((resolve) => {
      const socket = connect({ host: url.hostname, port: Number(url.port) }, () => {
        socket.write(`${post}Content-Length: 100\r\n\r\n{"channel"`);
        socket.end();
      });
      socket.resume();
      socket.on("error", () => {});
      socket.on("close", () => resolve());
    });
  }
  assert.deepEqual(await it.store.db.selectFrom("verification").select("uuid").execute(), before);
  assert.equal(parse(await exchange(`GET /livez HTTP/1.1\r\n${host}${close}\r\n`)).status, 200);
});
