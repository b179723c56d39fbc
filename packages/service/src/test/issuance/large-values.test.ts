/** A process reads only so many bytes of large values at once, such as pictures that brands issued. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import test from "node:test";
import { minuteMs } from "@countersign/contract/time";
import { Failure } from "../../domain/failure.ts";
import {
  answerLarge,
  endLargeScope,
  holdLarge,
  type LargeScope,
  largeBytesMax,
  largeOfCallerMax,
  newLargeScope,
  runInLargeScope,
} from "../../domain/large-values.ts";
import type { Clearinghouse } from "../../domain/ports.ts";
import { sandboxClearinghouse } from "../../providers/sandbox/clearinghouse.ts";
import { signIn } from "../harness/account-page.ts";
import { answerAboutPat } from "../harness/answer-271.ts";
import { freshPhone } from "../harness/below-http.ts";
import { eventually } from "../harness/eventually.ts";
import { healthBrand } from "../harness/health-lookup.ts";
import { whileFull } from "../harness/large-memory.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

/** A payer's answer of more than 256 KiB. */
const x12 = answerAboutPat(
  "EB*1**30",
  ...Array.from({ length: 9_000 }, (_, at) => `EB*C*IND*30*PR*PLAN ${at}*27*1500`),
);
const clearinghouse: Clearinghouse = {
  ...sandboxClearinghouse(),
  check: async () => ({ kind: "answered", x12: x12.toString() }),
};
const it = await sandbox({ vendors: { clearinghouse } });
const issuer = await it.brand();
const asker = await it.brand();
const image = `data:image/png;base64,${"A".repeat(1024 * 1024)}`;

const hold = (scope: LargeScope, bytes: number, mayWait = true) =>
  runInLargeScope(scope, () => holdLarge(bytes, { mayWait }));
const isBusy = (error: unknown) => error instanceof Failure && error.status === 429;

async function holdAll(): Promise<LargeScope> {
  const scope = newLargeScope();
  await hold(scope, largeBytesMax);
  return scope;
}

/** Whether a promise has settled before the next turn of the event loop that follows `settle`. */
async function isPending(promise: Promise<unknown>, settle: () => Promise<unknown>): Promise<boolean> {
  let pending = true;
  const noted = promise.then(
    () => {
      pending = false;
    },
    () => {
      pending = false;
    },
  );
  await settle();
  await Promise.race([noted, new Promise((resolve) => setImmediate(resolve))]);
  return pending;
}

test("values wait for memory until earlier requests end, in their order", async () => {
  const [first, second, third] = [await holdAll(), newLargeScope(), newLargeScope()];
  const order: number[] = [];
  const waits = [hold(second, largeBytesMax).then(() => order.push(2)), hold(third, 1).then(() => order.push(3))];
  endLargeScope(first);
  await waits[0];
  assert.deepEqual(order, [2]);
  endLargeScope(second);
  await Promise.all(waits);
  assert.deepEqual(order, [2, 3]);
  endLargeScope(third);
  endLargeScope(await holdAll());
});

test("a transaction does not wait for memory, and at most fifty others do", async () => {
  const all = await holdAll();
  await assert.rejects(hold(newLargeScope(), 1, false), isBusy);
  const waiting = Array.from({ length: 50 }, () => newLargeScope());
  const waits = waiting.map((scope) => hold(scope, 1));
  await assert.rejects(hold(newLargeScope(), 1), isBusy);
  endLargeScope(all);
  await Promise.all(waits);
  waiting.forEach(endLargeScope);
});

test("a request that ends while it waits gives the memory back, and one that reads more needs only the difference", async () => {
  const [all, gone] = [await holdAll(), newLargeScope()];
  const wait = hold(gone, largeBytesMax);
  endLargeScope(gone);
  endLargeScope(all);
  await wait;
  const scope = newLargeScope();
  await hold(scope, largeBytesMax / 2, false);
  await hold(scope, largeBytesMax, false);
  await hold(scope, largeBytesMax, false);
  endLargeScope(scope);
  endLargeScope(await holdAll());
});

test("a caller whose requests hold half of the memory waits for them, and lets others pass", async () => {
  const of = (caller: string) => newLargeScope(() => caller);
  const [one, other, third] = [of("a"), of("a"), of("a")];
  await hold(one, largeOfCallerMax - 1, false);
  await hold(other, 1, false);
  await assert.rejects(hold(of("a"), 1, false), isBusy);
  const order: string[] = [];
  const waits = hold(third, largeOfCallerMax).then(() => order.push("third"));
  const others = of("b");
  await hold(others, largeOfCallerMax, false);
  const more = Array.from({ length: 24 }, () => of("a"));
  const alsoWait = more.map((scope) => hold(scope, 1));
  await assert.rejects(hold(of("a"), 1), isBusy, "only 25 of a caller wait");
  endLargeScope(other);
  endLargeScope(others);
  await waits;
  assert.deepEqual(order, ["third"]);
  for (const scope of [one, third]) endLargeScope(scope);
  await Promise.all(alsoWait);
  more.forEach(endLargeScope);
  const whole = of("a");
  await hold(whole, largeBytesMax, false);
  endLargeScope(whole);
});

test("an answer needs less memory than its values, and a client has a minute to read it", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const [read, unread, next] = [newLargeScope(), newLargeScope(), newLargeScope()];
  const broken: string[] = [];
  await hold(read, largeBytesMax, false);
  answerLarge(read, { bytes: largeBytesMax, breakOff: () => broken.push("read") });
  await hold(unread, largeBytesMax / 2, false);
  answerLarge(unread, { bytes: 4, breakOff: () => broken.push("unread") });
  assert.deepEqual([read.held, unread.held], [largeBytesMax / 4, 1]);
  endLargeScope(read);
  t.mock.timers.tick(minuteMs);
  assert.deepEqual(broken, ["unread"]);
  endLargeScope(unread);
  await hold(next, largeBytesMax, false);
  answerLarge(next, { bytes: largeBytesMax * 8, breakOff: () => {} });
  assert.equal(next.held, largeBytesMax, "an answer never holds more than its values");
  endLargeScope(next);
});

const images = {
  FacialImageCredential: "image",
  DocumentImageCredential: "documentImage",
  DocumentBackImageCredential: "documentBackImage",
  GovernmentIdDocumentImageCredential: "image",
  GovernmentIdDocumentBackImageCredential: "image",
} as const;
type ImageType = keyof typeof images;
const imageTypes = Object.keys(images) as ImageType[];

for (const [what, content, copies] of [
  ["a few values that compress a thousand times", "A".repeat(200_000), 1],
  ["many short values", "AAAA", 10],
] as const)
  test(`a 1-Click and the person's page need memory for ${what}`, async () => {
    const phone = freshPhone();
    for (const type of imageTypes) {
      const data = { [images[type]]: `data:image/png;base64,${content}` };
      const credentials = Array.from({ length: copies }, () => ({ type, data }));
      await issuer.api.issueCredentials({ body: { phone, credentials } });
    }
    const create = () =>
      asker.api.createOneClick({ body: { phone, credentialRequests: imageTypes.map((type) => ({ type })) } });
    assert.equal((await create()).status, 201);
    const account = await signIn(it, phone);
    await whileFull(async () =>
      assert.deepEqual([(await refusal(create())).status, (await refusal(account.readAccount())).status], [429, 429]),
    );
    assert.deepEqual([(await create()).status, (await account.readAccount()).status], [201, 200]);
  });

test("reading a lookup with a payer's long answer needs memory", async () => {
  const { api } = await healthBrand(it);
  const body = { fullName: { firstName: "Pat", lastName: "Sample" }, birthDate: "1980-01-15" };
  const asked = { ...body, payer: { id: "60054" }, memberId: "MEM100200" };
  const { healthDataUuid } = (await api.createHealthLookup({ body: asked })).body;
  await it.runJobs();
  const read = () => api.readHealthLookup({ params: { healthDataUuid } });
  await whileFull(async () => assert.equal((await refusal(read())).status, 429));
  const { results } = (await read()).body;
  assert.equal(results?.[0]?.edi_271?.length, x12.length);
});

test("a client that does not read a large answer loses its connection after a minute", async (t) => {
  const url = new URL(await it.app.listen({ host: "127.0.0.1", port: 0 }));
  const phone = freshPhone();
  const content = randomBytes(5_500_000).toString("base64");
  for (const type of imageTypes.slice(0, 2))
    await issuer.api.issueCredentials({
      body: { phone, credentials: [{ type, data: { [images[type]]: `data:image/png;base64,${content}` } }] },
    });
  const body = JSON.stringify({ phone, credentialRequests: imageTypes.slice(0, 2).map((type) => ({ type })) });
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const socket = connect({ host: url.hostname, port: Number(url.port) });
  socket.on("error", () => {});
  socket.write(
    `POST /v2/1-click HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: ${asker.apiKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const [first] = await once(socket, "data");
  socket.pause();
  const length = Number(/content-length: (\d+)/i.exec(String(first))?.[1]);
  assert.ok(length > 2 * content.length, String(first).slice(0, 200));
  t.mock.timers.tick(minuteMs);
  let bytes = first.length;
  socket.on("data", (part) => {
    bytes += part.length;
  });
  socket.resume();
  await once(socket, "close");
  assert.ok(bytes < length, `${bytes} of ${length} bytes arrived`);
});

test("1-Clicks, reads, repeated calls and the person's page with large pictures wait, and others are answered", async () => {
  const phone = freshPhone();
  const small = freshPhone();
  await issuer.api.issueCredentials({
    body: { phone, credentials: [{ type: "FacialImageCredential", data: { image } }] },
  });
  const requests = { credentialRequests: [{ type: "FacialImageCredential" as const }] };
  const headers = { "idempotency-key": "large-picture" };
  const create = (more = {}) => asker.api.createOneClick({ body: { phone, ...requests }, ...more });
  const created = (await create({ headers })).body;
  assert.deepEqual(created.identity?.credentials, { facialImage: image });
  const account = await signIn(it, phone);
  const read = () => asker.api.readOneClick({ params: { uuid: created.uuid ?? "" } });
  const all = await holdAll();
  const calls = [create(), create({ headers }), read(), account.readAccount()];
  const answered = () =>
    asker.api.createOneClick({ body: { phone: small, credentialRequests: [{ type: "EmailCredential" }] } });
  for (const call of calls) assert.equal(await isPending(call, answered), true);
  endLargeScope(all);
  const [again, repeated, found, page] = await Promise.all(calls);
  for (const one of [again, repeated, found]) assert.match(JSON.stringify(one?.body), /"facialImage":"data:image/);
  assert.equal(JSON.stringify(page?.body).includes(image), false);
  // Each request has given its memory back.
  await eventually(async () => {
    const scope = newLargeScope();
    await hold(scope, largeBytesMax, false).catch(() => {});
    const isWhole = scope.held === largeBytesMax;
    endLargeScope(scope);
    return isWhole ? true : undefined;
  });
});
