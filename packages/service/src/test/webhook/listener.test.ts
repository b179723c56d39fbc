/** A listener that fetches webhooks gets the same requests, attempts and outcomes as a URL that they are sent to. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import type { Socket } from "node:net";
import test, { afterEach } from "node:test";
import { ApiError, client } from "@countersign/contract/client";
import {
  answerForward,
  createListener,
  deleteSandboxWebhook,
  type Forward,
  takeForwards,
  triggerEvent,
} from "@countersign/contract/listener";
import { createSandboxWebhook, listDeliveries } from "@countersign/contract/webhook";
import { retryDelaysMs } from "../../domain/webhook/deliver.ts";
import { listEnabledEndpoints } from "../../domain/webhook/endpoint-rows.ts";
import { sweepListeners } from "../../domain/webhook/listener.ts";
import { healthLookupEvent, publish } from "../../domain/webhook/publish.ts";
import { waitingMax } from "../../http/sandbox/listeners.ts";
import { demoKey, otherKey, sandbox } from "../harness/sandbox.ts";
import { hookReceiver, signatureUnder } from "../harness/webhook-receiver.ts";

const it = await sandbox();
const event = "1-click.health.lookup";
const control = (apiKey: string) =>
  client(
    {
      createListener,
      takeForwards,
      answerForward,
      deleteSandboxWebhook,
      triggerEvent,
      createSandboxWebhook,
      listDeliveries,
    },
    {
      send: ({ method, path, body, headers }) =>
        it.inject({
          method,
          url: path,
          headers: { authorization: apiKey, ...headers },
          ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
        }),
    },
  );
const api = control(demoKey);
// Deleting a listener ends its deliveries, which wait for an answer in real time.
const opened: { api: typeof api; uuid: string }[] = [];
afterEach(async () => {
  for (const { api, uuid } of opened.splice(0)) await api.deleteSandboxWebhook({ params: { uuid } }).catch(() => {});
});
const refused = (status: number) => (error: unknown) => error instanceof ApiError && error.status === status;

async function listening() {
  const { uuid: brand } = await it.brand();
  const { body } = await api.createListener({ body: { brand, forward: "http://localhost:9/hook" } });
  opened.push({ api, uuid: body.uuid });
  const params = { uuid: body.uuid };
  return { ...body, params, trigger: () => api.triggerEvent({ body: { brand, event } }) };
}
type Listening = Awaited<ReturnType<typeof listening>>;

/** Takes the next delivery, reports its result, and returns it. */
async function next({ params }: Listening, result: { httpStatus: number } | { error: "timeout" }): Promise<Forward> {
  const [one = assert.fail("no delivery")] = (await api.takeForwards({ params })).body.data;
  await api.answerForward({ params, body: { delivery: one.delivery, durationMs: 12, ...result } });
  return one;
}
const logOf = async ({ params }: Listening) => (await api.listDeliveries({ params })).body.data;

test("a listener fetches the same request that a webhook is sent, signed with the listener's secret", async () => {
  const one = await listening();
  const { received, url } = await hookReceiver();
  await api.createSandboxWebhook({ params: { uuid: one.brand }, body: { url } });
  assert.equal((await one.trigger()).body.deliveries.length, 2);
  const forward = await next(one, { httpStatus: 204 });
  await it.runJobs();
  const sent = received[0] ?? assert.fail("no request was sent");
  for (const name of ["content-type", "user-agent", "x-webhook-timestamp"])
    assert.equal(forward.headers[name], sent.headers[name], name);
  const own = ["accept", "connection", "content-length", "host"];
  assert.deepEqual(
    Object.keys(forward.headers).sort(),
    Object.keys(sent.headers)
      .filter((name) => !own.includes(name))
      .sort(),
  );
  assert.equal(
    forward.headers["x-webhook-signature"],
    signatureUnder(one.signingSecret, forward.headers["x-webhook-timestamp"], forward.body),
  );
  assert.deepEqual(Object.keys(JSON.parse(forward.body)), Object.keys(JSON.parse(sent.body)));
  const [log] = await logOf(one);
  assert.deepEqual([log?.status, log?.attempts.map(({ httpStatus }) => httpStatus)], ["delivered", [204]]);
});

test("attempts a failing delivery seven times on schedule, then makes it a dead letter", async () => {
  const one = await listening();
  await one.trigger();
  const whole = retryDelaysMs.reduce((sum, delay) => sum + delay, 0);
  const attempts: number[] = [];
  const taken = (async () => {
    for (let count = 0; count < 7; count += 1) {
      const result = count === 3 ? ({ error: "timeout" } as const) : { httpStatus: 500 };
      attempts.push((await next(one, result)).attempt);
    }
  })();
  await it.advance(whole);
  await taken;
  assert.deepEqual(attempts, [1, 2, 3, 4, 5, 6, 7]);
  const [log] = await logOf(one);
  assert.equal(log?.status, "deadLettered");
  assert.deepEqual(
    log?.attempts.map(({ httpStatus, error }) => httpStatus ?? error),
    [500, 500, 500, "timeout", 500, 500, 500],
  );
});

test("after a minute without a fetch an attempt fails at once, and after an hour the listener is deleted", async () => {
  const one = await listening();
  const silentFor = (ms: number) =>
    it.store.pool.query("update webhook_endpoint set heard_at = heard_at - $2 where uuid = $1", [one.uuid, ms]);
  await silentFor(61_000);
  await one.trigger();
  await it.runJobs();
  assert.deepEqual(
    (await logOf(one))[0]?.attempts.map(({ error }) => error),
    ["no listener is connected"],
  );
  await sweepListeners(it.deps);
  assert.equal((await logOf(one)).length, 1);
  await silentFor(60 * 60_000);
  await sweepListeners(it.deps);
  await assert.rejects(api.takeForwards({ params: one.params }), refused(404));
});

test("accepts one answer per delivery, and only from the listener that took it", async () => {
  const one = await listening();
  const other = await listening();
  const [delivery = ""] = (await one.trigger()).body.deliveries;
  const body = { delivery, httpStatus: 200, durationMs: 1 };
  await assert.rejects(api.answerForward({ params: one.params, body }), refused(409));
  const [forward] = (await api.takeForwards({ params: one.params })).body.data;
  assert.equal(forward?.delivery, delivery);
  await assert.rejects(api.answerForward({ params: other.params, body }), refused(409));
  await assert.rejects(api.answerForward({ params: one.params, body: { delivery, durationMs: 1 } }), refused(400));
  await api.answerForward({ params: one.params, body });
  await assert.rejects(api.answerForward({ params: one.params, body }), refused(409));
  await it.runJobs();
  assert.equal((await logOf(one))[0]?.status, "delivered");
});

test("another customer's listener, brand, or webhook returns 404, and so does a deleted listener", async () => {
  const one = await listening();
  const stranger = control(otherKey);
  const { params, brand } = one;
  await assert.rejects(stranger.takeForwards({ params }), refused(404));
  await assert.rejects(stranger.deleteSandboxWebhook({ params }), refused(404));
  await assert.rejects(stranger.createListener({ body: { brand, forward: "http://localhost:9/" } }), refused(404));
  await assert.rejects(stranger.triggerEvent({ body: { brand, event } }), refused(404));
  await api.deleteSandboxWebhook({ params });
  await assert.rejects(api.takeForwards({ params }), refused(404));
  await assert.rejects(one.trigger(), refused(409));
});

test("another customer gets the same response for a listener as for an unknown id", async () => {
  const { params } = await listening();
  const responseOf = async (method: "POST" | "DELETE", url: string, payload?: object) => {
    const { status, body } = await it.inject({ method, url, headers: { authorization: otherKey }, payload });
    return JSON.stringify([status, body]).replace(/"requestId":"[^"]+"/, "");
  };
  const answers = { delivery: randomUUID(), httpStatus: 200, durationMs: 1 };
  for (const uuid of [params.uuid, params.uuid.toUpperCase()]) {
    const unknownUuid = randomUUID();
    for (const [method, rest, payload] of [
      ["POST", "listeners/:uuid/take"],
      ["POST", "listeners/:uuid/answers", answers],
      ["DELETE", "webhooks/:uuid"],
    ] as const) {
      const path = (one: string) => `/sandbox/${rest.replace(":uuid", one)}`;
      assert.equal(
        await responseOf(method, path(uuid), payload),
        await responseOf(method, path(unknownUuid), payload),
        rest,
      );
    }
  }
});

test("a deleted webhook gets no more events, and no delivery is stored for it", async () => {
  const one = await listening();
  await api.deleteSandboxWebhook({ params: one.params });
  const endpointUuids = await listEnabledEndpoints(it.deps, one.brand, healthLookupEvent);
  await it.deps.db.inTransaction(async (trx) => {
    const dataKey = await it.deps.vault.createDataKey(trx, "sandbox", it.deps.clock.now());
    const subjectUuid = it.deps.random.uuid();
    await publish(it.deps, trx, { brandUuid: one.brand, endpointUuids, event, subjectUuid, dataKey, body: {} });
  });
  const { rows } = await it.store.pool.query("select 1 from webhook_delivery where endpoint_uuid = $1", [one.uuid]);
  assert.equal(rows.length, 0);
});

test("many polls over one connection leave no listeners on it", async () => {
  const one = await listening();
  const sockets: Socket[] = [];
  it.app.server.on("connection", (socket: Socket) => sockets.push(socket));
  const url = await it.app.listen({ port: 0, host: "127.0.0.1" });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const path = `/sandbox/listeners/${one.uuid}/take`;
  const counts: (number | undefined)[] = [];
  for (let poll = 0; poll < 3; poll += 1) {
    await one.trigger();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sent = request(
      `${url}${path}`,
      { method: "POST", agent, headers: { authorization: demoKey } },
      (response) => {
        assert.equal(response.statusCode, 200);
        response.resume().once("end", resolve);
      },
    );
    sent.once("error", reject).end();
    await promise;
    counts.push(sockets[0]?.listenerCount("close"));
  }
  agent.destroy();
  assert.equal(sockets.length, 1);
  assert.deepEqual(counts, [counts[0], counts[0], counts[0]]);
});

// Last, because its calls keep waiting until the service closes.
test("at most fifty calls of a customer wait at once, and calls of another customer still do", async () => {
  const [one, theirs] = [await listening(), control(otherKey)];
  const { uuid } = (await theirs.createListener({ body: { forward: "http://localhost:9/hook" } })).body;
  opened.push({ api: theirs, uuid });
  const take = () => api.takeForwards({ params: one.params });
  const calls = Array.from({ length: waitingMax }, take);
  await assert.rejects(Promise.race([...calls, take()]), refused(429));
  await theirs.triggerEvent({ body: { event } });
  assert.equal((await theirs.takeForwards({ params: { uuid } })).body.data.length, 1);
  await one.trigger();
  assert.equal((await Promise.any(calls)).body.data.length, 1);
  // The call that got its request has made room for one of two others.
  let refusals = 0;
  const counted = () =>
    take().catch(() => {
      refusals += 1;
    });
  await Promise.race([counted(), counted()]);
  assert.equal(refusals, 1);
});
