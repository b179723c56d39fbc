/**
 * Generated clients send raw bytes: pipelined requests of several brands, request smuggling, invalid chunks, odd
 * lines, early ends and random changes. Each answer must belong to its request, and the service must keep working.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { eventually } from "../harness/eventually.ts";
import { below, mutated, oddity, oneOf, requestBytes, smuggling } from "../harness/fuzz/wire-bytes.ts";
import { exchange, type Heard, type RawAnswer } from "../harness/raw-socket.ts";
import { assertEnvelope, demoKey, sandbox } from "../harness/sandbox.ts";
import { chance, isLong, seeded, tell } from "../harness/seeded-run.ts";

const it = await sandbox();
const url = new URL(await it.app.listen({ host: "127.0.0.1", port: 0 }));
/** Connections for each kind of test. */
const connections = isLong ? 50_000 : 400;
/** Concurrent clients. */
const clients = 16;
const pipelinedMax = 12;
/** Use many brands, because each key is limited to 500 requests a second. */
const brandsMax = 16;
const brands = await Promise.all(
  Array.from({ length: brandsMax }, async (_, at) => {
    const name = `canary-${at}-of-brand`;
    const { uuid, apiKey } = (await it.as(demoKey).createSandboxBrand({ body: { name } })).body;
    return { uuid, apiKey, name };
  }),
);
const random = chance();
const pathOf = (uuid: string) => `/sandbox/brands/${uuid}`;

/** Runs `once` for each connection, several at the same time, and records how much was tried. */
async function many(what: string, once: () => Promise<number>): Promise<void> {
  let left = connections;
  let tried = 0;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      const done = await once();
      tried += done;
    }
  };
  await seeded(() => Promise.all(Array.from({ length: clients }, client)));
  it.log.length = 0;
  tell({ suite: "wire", what, tried, lost: 0 });
}

const ids = new Set<string>();
/** Checks what holds for every answer: no server error, a unique request id, and a valid error envelope. */
function assertSound({ status, headers, body }: RawAnswer, asked: Buffer): void {
  const seen = `${status} ${body.slice(0, 300)} to ${JSON.stringify(asked.toString("latin1").slice(0, 600))}`;
  assert.ok(status < 500, seen);
  const id = headers.get("x-request-id") ?? assert.fail(`no request id: ${seen}`);
  assert.ok(!ids.has(id), `request id used twice: ${seen}`);
  if (ids.size > 100_000) ids.clear();
  ids.add(id);
  if (status < 400) return;
  const envelope: unknown = JSON.parse(Buffer.from(body, "latin1").toString());
  const plain = { ...(envelope as Record<string, unknown>) };
  for (const member of ["type", "title", "status", "detail", "instance"]) delete plain[member];
  assertEnvelope(status, plain);
  assert.equal(plain.data.requestId, id, seen);
}

function assertAllSound({ answers }: Heard, asked: Buffer): void {
  for (const answer of answers) assertSound(answer, asked);
}

/** Random positions at which the bytes are split into packets. */
const cutsOf = (bytes: Buffer) => Array.from({ length: below(random, 4) }, () => below(random, bytes.length));

test("pipelined requests of several brands on one connection are answered in order, each with its own data", async () => {
  await many("requests of several keys on one connection", async () => {
    const asked = Array.from({ length: 1 + below(random, pipelinedMax) }, () => {
      const [caller, brand] = [oneOf(random, brands), oneOf(random, brands)];
      const phone = `+1202555${String(1000 + below(random, 8999))}`;
      return oneOf(random, [
        { path: pathOf(brand.uuid), key: caller.apiKey, status: 200, says: brand.name },
        { path: pathOf(brand.uuid), key: `${caller.apiKey}x`, status: 401, says: "NotAuthenticated" },
        { path: `${pathOf(brand.uuid)}x`, key: caller.apiKey, status: 404, says: "No such brand." },
        { path: "/v2/1-click/verifications", key: caller.apiKey, status: 201, says: phone, phone },
        { path: "/livez", key: caller.apiKey, status: 200, says: '"ok"' },
      ]);
    });
    const bytes = Buffer.from(
      asked
        .map(({ path, key, phone }, at) =>
          requestBytes({
            path,
            key,
            ...(phone === undefined ? {} : { method: "POST", body: JSON.stringify({ channel: "sms", phone }) }),
            headers: at === asked.length - 1 ? ["Connection: close"] : [],
          }),
        )
        .join(""),
      "latin1",
    );
    const heard = await exchange(url, bytes, { cuts: cutsOf(bytes), ending: "wait" });
    assertAllSound(heard, bytes);
    assert.ok(heard.whole);
    assert.equal(heard.answers.length, asked.length);
    for (const [at, { status, body }] of heard.answers.entries()) {
      const want = asked[at] ?? assert.fail();
      // A rate limit may refuse the request. No other difference is allowed.
      assert.ok(status === want.status || status === 429, `${status} to ${want.path}`);
      if (status === want.status) assert.ok(body.includes(want.says), body);
      const others = brands.filter(({ name }) => name !== want.says && body.includes(name));
      assert.deepEqual(others, []);
    }
    return asked.length;
  });
});

test("a request smuggled inside another request is never answered", async () => {
  await many("smuggled requests", async () => {
    const [caller, victim] = [oneOf(random, brands), oneOf(random, brands)];
    const inner = requestBytes({ path: pathOf(victim.uuid), key: victim.apiKey });
    const bytes = Buffer.from(smuggling(random, { path: "/v2/1-click", key: caller.apiKey, inner }), "latin1");
    const heard = await exchange(url, bytes, { cuts: cutsOf(bytes), ending: "end" });
    assertAllSound(heard, bytes);
    const statuses = heard.answers.map(({ status }) => status);
    const seen = JSON.stringify(bytes.toString("latin1"));
    assert.ok(statuses.length <= 1 && statuses.every((status) => status >= 400), `${statuses} to ${seen}`);
    assert.ok(!heard.answers.some(({ body }) => body.includes(victim.name)), seen);
    return 1;
  });
});

test("unusual request lines, headers and sizes are rejected with the error envelope or answered normally", async () => {
  await many("odd lines and headers", async () => {
    const bytes = Buffer.from(oddity(random, oneOf(random, brands).apiKey), "latin1");
    assertAllSound(await exchange(url, bytes, { cuts: cutsOf(bytes), ending: "end" }), bytes);
    return 1;
  });
});

test("truncated and randomly changed requests break nothing and never return another brand's data", async () => {
  await many("changed bytes and early ends", async () => {
    const [caller, other] = [oneOf(random, brands), oneOf(random, brands)];
    const texts = [
      requestBytes({ path: pathOf(caller.uuid), key: caller.apiKey }),
      requestBytes({
        method: "POST",
        path: "/v2/1-click/verifications",
        key: caller.apiKey,
        body: '{"channel":"sms","phone":"+12025550143"}',
      }),
      `POST /v2/1-click HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${caller.apiKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ];
    const text = Array.from({ length: 1 + below(random, 3) }, () => oneOf(random, texts)).join("");
    const bytes =
      random() < 0.2 ? Buffer.from(text.slice(0, below(random, text.length)), "latin1") : mutated(random, text);
    const ending = random() < 0.8 ? "end" : "reset";
    const heard = await exchange(url, bytes, { cuts: cutsOf(bytes), ending });
    assertAllSound(heard, bytes);
    if (other !== caller) assert.ok(!heard.answers.some(({ body }) => body.includes(other.name)));
    return 1;
  });
});

test("after these requests, every brand still works, no error was logged and no connection is left open", async () => {
  for (const { uuid, apiKey, name } of brands) {
    const { body } = await it.as(apiKey).readSandboxBrand({ params: { uuid } });
    assert.equal(body.name, name);
  }
  assert.deepEqual(
    it.log.filter(({ level }) => level === "error"),
    [],
  );
  const open = () => new Promise<number>((resolve) => it.app.server.getConnections((_error, count) => resolve(count)));
  await eventually(async () => ((await open()) === 0 ? true : undefined));
});
