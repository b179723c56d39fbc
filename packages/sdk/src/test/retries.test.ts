/** Tests which calls the server client repeats, and how. A `Retry-After` of 0 keeps the tests from waiting. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pause, waitBefore } from "../retry.ts";
import { type ClientOptions, type CountersignApi, CountersignError, countersignClient } from "../server.ts";

const soon = { "retry-after": "0" };
const uuid = "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21";
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A client whose service gives these answers and repeats the last one, and the keys of the requests that it got. */
function clientOf(
  answers: readonly [status: number, headers?: Record<string, string>][],
  more?: Partial<ClientOptions>,
) {
  const keys: (string | null)[] = [];
  const answered = async (_: unknown, init?: RequestInit) => {
    const [status, headers = {}] = answers[Math.min(keys.length, answers.length - 1)] ?? assert.fail();
    keys.push(new Headers(init?.headers).get("idempotency-key"));
    return new Response("{}", { status, headers });
  };
  const api = countersignClient({ apiUrl: "https://api.example", apiKey: "k", fetch: answered, ...more });
  return { api, keys };
}

const refusedWith = (code: number) => (error: unknown) => error instanceof CountersignError && error.code === code;

test("a call that creates something is repeated with one Idempotency-Key", async () => {
  const { api, keys } = clientOf([[429, soon], [503, soon], [201]]);
  await api.createOneClick({ phone: "+12125550010" });
  assert.equal(keys.length, 3);
  assert.match(keys[0] ?? "", uuidPattern);
  assert.equal(new Set(keys).size, 1);
  await api.createSession();
  assert.notEqual(keys[3], keys[0]);
});

test("a read is repeated without a key", async () => {
  const { api, keys } = clientOf([[500, soon], [502, soon], [200]]);
  await api.readOneClick(uuid);
  assert.deepEqual(keys, [null, null, null]);
});

test("the error of the last attempt is thrown", async () => {
  for (const [maxRetries, attempts] of [
    [undefined, 3],
    [0, 1],
    [4, 5],
  ] as const) {
    const { api, keys } = clientOf([[503, soon]], maxRetries === undefined ? {} : { maxRetries });
    await assert.rejects(api.createSession(), refusedWith(503));
    assert.equal(keys.length, attempts);
  }
  const { api, keys } = clientOf([[503, soon]], { maxRetries: 4 });
  await assert.rejects(api.createSession({}, { maxRetries: 1 }), refusedWith(503));
  assert.equal(keys.length, 2);
});

test("a call that is not safe to repeat is sent once, without a key", async () => {
  const calls: ((api: CountersignApi) => Promise<unknown>)[] = [
    (api) => api.readOneClick(uuid, { code: "111111" }),
    (api) => api.amendOneClick(uuid, { ssn4: "6789" }),
    (api) => api.deliverVerification(uuid, {}, { idempotencyKey: "mine" }),
    (api) => api.submitVerificationCode(uuid, { code: "111111" }),
    (api) => api.changeCredential(uuid, { status: "revoked" }),
  ];
  for (const call of calls) {
    const { api, keys } = clientOf([[503, soon]]);
    await assert.rejects(call(api), refusedWith(503));
    assert.deepEqual(keys, [null]);
  }
});

test("a failure that a retry cannot fix is thrown at once", async () => {
  for (const [status, headers] of [
    [400],
    [401],
    [404],
    [409],
    [418],
    [422],
    [302],
    [503, { "retry-after": "61" }],
  ] as const) {
    const { api, keys } = clientOf([[status, headers]]);
    await assert.rejects(api.createSession(), refusedWith(status));
    assert.equal(keys.length, 1, String(status));
  }
});

test("a retry waits for the answer of a first request that is still in progress", async () => {
  const { api, keys } = clientOf([[409, soon], [201]]);
  await api.createSession();
  assert.equal(keys.length, 2);
});

test("your own key is used, and without retries no key is sent", async () => {
  const { api, keys } = clientOf([[201]]);
  await api.createSession({}, { idempotencyKey: "mine" });
  await api.createSession({}, { headers: { "Idempotency-Key": "header" } });
  await api.createSession({}, { maxRetries: 0 });
  await api.createSession({}, { maxRetries: 0, idempotencyKey: "mine" });
  assert.deepEqual(keys, ["mine", "header", null, "mine"]);
});

test("the waits double up to eight seconds, are spread over half of that, and follow Retry-After up to a minute", () => {
  const failed = { code: 0, retryAfterSeconds: undefined };
  const waits = [0, 1, 2, 3, 4, 9].map((retry) => [waitBefore(retry, failed, 0), waitBefore(retry, failed, 1)]);
  assert.deepEqual(waits, [
    [250, 500],
    [500, 1_000],
    [1_000, 2_000],
    [2_000, 4_000],
    [4_000, 8_000],
    [4_000, 8_000],
  ]);
  assert.equal(waitBefore(0, { code: 429, retryAfterSeconds: 60 }, 1), 60_000);
  assert.equal(waitBefore(0, { code: 429, retryAfterSeconds: 61 }, 1), undefined);
});

test("aborting ends the wait between two attempts with your reason", async () => {
  const mine = new AbortController();
  const wait = pause(60_000, mine.signal);
  mine.abort(new Error("the person left"));
  await assert.rejects(wait, /the person left/);
  const { api, keys } = clientOf([[503, { "retry-after": "60" }]]);
  await assert.rejects(api.createSession({}, { signal: mine.signal }), /the person left/);
  assert.equal(keys.length, 1);
});
