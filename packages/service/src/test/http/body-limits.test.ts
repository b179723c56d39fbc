/** Limits on how much of a request body is read before the sender is authenticated. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { test } from "node:test";
import {
  bodyBytesMax,
  keyedBodyBytesMax,
  openBodyBytesMax,
  openBodyValuesMax,
  rulesBodyValuesMax,
} from "@countersign/contract/endpoint";
import { callerBytesMax } from "../../http/body.ts";
import { both } from "../harness/both-environments.ts";
import { readAnswers } from "../harness/raw-socket.ts";
import { assertEnvelope, demoKey, otherKey } from "../harness/sandbox.ts";
import { listenersOf } from "../harness/served-routes.ts";

const it = await both();
for (const app of [it.wallet, it.dashboard, it.production.wallet]) await app.ready();
const screenBytesMax = 32_768;
const listen = async (app: typeof it.app) => new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
const urls = {
  api: await listen(it.app),
  wallet: await listen(it.wallet),
  dashboard: await listen(it.dashboard),
  callbacks: await listen(it.production.app),
};

/** Sends the start of a request, never finishes it, and reads until the service closes the connection. */
function answerTo({ hostname, port }: URL, start: string): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(start));
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => {
      const [answer] = readAnswers(Buffer.concat(chunks)).answers;
      if (answer === undefined) return reject(new Error("the connection was closed without an answer"));
      resolve({ status: answer.status, body: JSON.parse(answer.body) });
    });
  });
}

const head = (path: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n${more}\r\n`;

const open: [keyof typeof urls, string][] = [
  ["wallet", "/api/sign-in"],
  ["wallet", "/api/session"],
  ["wallet", "/api/page/4fJq2Lx9Zt0Wm7Kc3Vb8Nd/code"],
  ["wallet", "/demo/calls"],
  ["wallet", "/nothing"],
  ["dashboard", "/api/sign-in"],
  ["dashboard", "/api/sign-in-passkey"],
  ["callbacks", "/callbacks/texts"],
  ["callbacks", "/callbacks/texts/none"],
  ["api", "/nothing"],
];
for (const [listener, path] of open) {
  test(`POST ${path} of the ${listener}: a Content-Length above 16 KiB gets a 413 before any of the body is sent`, async () => {
    const { status, body } = await answerTo(urls[listener], head(path, `Content-Length: ${openBodyBytesMax + 1}\r\n`));
    assert.equal(status, 413);
    assertEnvelope(413, body);
  });

  test(`POST ${path} of the ${listener}: a chunked body gets a 413 once it exceeds 16 KiB, before its end`, async () => {
    const chunk = `${(openBodyBytesMax + 1).toString(16)}\r\n${"x".repeat(openBodyBytesMax + 1)}\r\n`;
    const { status, body } = await answerTo(urls[listener], `${head(path, "Transfer-Encoding: chunked\r\n")}${chunk}`);
    assert.equal(status, 413);
    assertEnvelope(413, body);
  });
}

test("a request without a valid key gets a 401 before any of its body is sent", async () => {
  for (const authorization of ["", "Authorization: sk_sandbox_nobody\r\n"])
    for (const path of ["/v2/1-click", "/credentials", "/1-click/trusted", "/sandbox/brands"]) {
      const more = `${authorization}X-Forwarded-For: 192.0.2.1\r\nContent-Length: ${keyedBodyBytesMax}\r\n`;
      assert.equal((await answerTo(urls.api, head(path, more))).status, 401, path);
    }
});

test("a process holds large bodies of a customer up to a limit; past it a call gets a 429 before its body", async () => {
  const send = (key: string, bytes: number | null, payload: string | Readable) =>
    it.inject({
      method: "POST",
      url: "/v2/credentials",
      headers: {
        authorization: key,
        "content-type": "application/json",
        ...(bytes === null ? { "transfer-encoding": "chunked" } : { "content-length": String(bytes) }),
      },
      payload,
    });
  const held = await Promise.all(
    [1, 2].map(async () => {
      const body = new Readable({ read: () => started.resolve() });
      const started = Promise.withResolvers<void>();
      const answer = send(demoKey, callerBytesMax / 2, body);
      await started.promise;
      return { body, answer };
    }),
  );
  const { status, body } = await send(demoKey, openBodyBytesMax + 1, new Readable({ read: () => assert.fail("read") }));
  assert.equal(status, 429);
  assertEnvelope(status, body);
  const unknownLength = async (key: string) => (await send(key, null, Readable.from(["x"]))).status;
  assert.equal(await unknownLength(demoKey), 429, "it counts as the largest that the path accepts");
  assert.equal(await unknownLength(otherKey), 400, "another customer");
  assert.equal((await send(demoKey, 1, "x")).status, 400, "a small body needs no room");
  for (const one of held) {
    one.body.push(null);
    assert.equal((await one.answer).status, 400);
  }
  assert.equal(await unknownLength(demoKey), 400);
});

test("a request with a valid key may have a body of up to 1 MiB, as documented", async () => {
  const ask = async (bytes: number) =>
    (
      await it.inject({
        method: "POST",
        url: "/v2/1-click",
        headers: { authorization: demoKey, "content-type": "application/json" },
        payload: `"${"x".repeat(bytes - 2)}"`,
      })
    ).status;
  assert.deepEqual([await ask(keyedBodyBytesMax), await ask(keyedBodyBytesMax + 1)], [400, 413]);
});

test("a body with too many values gets a 413 before it is parsed, whatever its size", async () => {
  const ask = async (url: string, payload: string) => {
    const headers = { authorization: demoKey, "content-type": "application/json" };
    const { status, body } = await it.inject({ method: "POST", url, headers, payload });
    assertEnvelope(status, body);
    return [status, body.message];
  };
  const refused = [413, `The body must not have more than ${openBodyValuesMax} values.`];
  const list = (values: number) => `[${Array.from({ length: values }, () => "[]").join()}]`;
  const members = `{${Array.from({ length: openBodyValuesMax + 1 }, (_, at) => `"m${at}":0`).join()}}`;
  for (const url of ["/v2/credentials", "/v2/1-click/verifications", "/v2/1-click"])
    for (const payload of [list(300_000), list(openBodyValuesMax), members])
      assert.deepEqual(await ask(url, payload), refused, url);
  assert.equal((await ask("/v2/credentials", list(100)))[0], 400);
});

test("the largest valid settings, with 10,000 network rules, are accepted", async () => {
  const { uuid } = await it.brand();
  const rule = {
    status: "IN_NETWORK",
    conditions: [{ key: "state", operator: "EQUAL", values: ["MA", "NY"] }],
  };
  const count = (text: string) => text.replace(/[^,{[]/g, "").length;
  const settings = JSON.stringify({ networkRules: Array.from({ length: 10_000 }, () => rule) });
  assert.ok(count(settings) < rulesBodyValuesMax && settings.length < keyedBodyBytesMax, String(settings.length));
  const headers = { authorization: demoKey, "content-type": "application/json" };
  const url = `/sandbox/brands/${uuid}/settings`;
  const { status } = await it.inject({ method: "PATCH", url, headers, payload: settings });
  assert.equal(status, 200);
});

test("wallet and dashboard bodies are limited to 16 KiB, or 32 KiB for decisions and state IDs; larger bodies need a session", () => {
  const { wallet, dashboard } = listenersOf(it);
  const limits = new Map<string, number>();
  for (const { endpoint } of [...wallet, ...dashboard])
    if (endpoint !== null && bodyBytesMax(endpoint) > openBodyBytesMax) limits.set(endpoint.id, bodyBytesMax(endpoint));
  const members = [...dashboard].flatMap(({ endpoint }) => (endpoint?.auth === "member" ? [endpoint.id] : []));
  const larger = [...limits].filter(([, bytes]) => bytes > screenBytesMax).map(([id]) => id);
  assert.deepEqual([...limits.keys()].sort(), [
    "answerStateId",
    "decidePage",
    "patchSettings",
    "putLogo",
    "tryNetworkRules",
  ]);
  assert.deepEqual(
    larger.filter((id) => !members.includes(id)),
    [],
  );
});
