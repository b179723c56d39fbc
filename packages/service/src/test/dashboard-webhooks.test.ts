import assert from "node:assert/strict";
import test from "node:test";
import type { OutboundAnswer } from "../domain/ports.ts";
import { defineEndpoint } from "../domain/webhook/endpoint.ts";
import { publish } from "../domain/webhook/publish.ts";
import { webhookSignature } from "../domain/webhook/sign.ts";
import { outbound } from "../providers/outbound.ts";
import { secondDemoCustomer } from "../providers/sandbox/demo.ts";
import { signedIn } from "./dashboard-member.ts";
import { sandbox } from "./harness.ts";
import { healthBrand, richard } from "./health-lookup.ts";

type Sent = { url: string; headers: Record<string, string>; body: string };
const sent: Sent[] = [];
let status = 204;
/** Judges as production does, and connects to nobody. */
const strict = outbound({ loopback: false });
const it = await sandbox({
  outbound: {
    judge: strict.judge,
    async post({ url, headers, body }): Promise<OutboundAnswer> {
      sent.push({ url, headers, body });
      return { kind: "answered", status, durationMs: 3 };
    },
  },
});
const hour = 3_600_000;
const day = 24 * hour;
const owner = await signedIn(it);
const viewer = await signedIn(it, { role: "viewer" });
const stranger = await signedIn(it, { customerUuid: secondDemoCustomer.uuid });
const none = { type: "none" };
const address = "https://brand.example/hook";

/** A brand with one webhook, and calls below its sandbox. */
async function hooked(url = address, authentication: Record<string, unknown> = none) {
  const brand = await healthBrand(it);
  const base = `/api/brands/${brand.uuid}/sandbox`;
  const made = await owner.call("POST", `${base}/webhooks`, { url, authentication });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const uuid = String(made.body.uuid);
  sent.length = 0;
  status = 204;
  return { brand, base, uuid, one: `${base}/webhooks/${uuid}`, secret: String(made.body.signingSecret) };
}
type Line = {
  uuid: string;
  status: string;
  isErased: boolean;
  isTest: boolean;
  attempts: { httpStatus?: number; error?: string }[];
};
const list = async (base: string, query = "") =>
  (await owner.call("GET", `${base}/deliveries${query}`)).body as unknown as {
    data: Line[];
    hasOlder: boolean;
    hasNewer: boolean;
    cursors: { older?: string; newer?: string };
  };
const webhookOf = async (base: string, who = owner) =>
  ((await who.call("GET", `${base}/webhooks`)).body.data as Record<string, unknown>[])[0] ?? {};
const audit = async (brand: string) =>
  (await owner.call("GET", `/api/audit?brand=${brand}`)).body.data as {
    action: string;
    subject: string;
    who: string;
  }[];

/** A lookup of Richard's insurance, told to the brand's webhooks. */
async function happen(brand: Awaited<ReturnType<typeof healthBrand>>, externalReference = "patient-4711") {
  const { body } = await brand.api.createHealthLookup({ body: { ...richard, externalReference } });
  await it.runJobs();
  return body.healthDataUuid;
}

test("a webhook is defined with a secret shown once, and told of an event that this secret signs", async () => {
  const { brand, base, secret } = await hooked();
  assert.match(secret, /^whsec_/);
  const listed = await owner.call("GET", `${base}/webhooks`);
  assert.ok(!JSON.stringify(listed.body).includes(secret));
  await happen(brand);
  const [request] = sent;
  assert.ok(request);
  const timestamp = request.headers["x-webhook-timestamp"] ?? "";
  assert.equal(request.headers["x-webhook-signature"], webhookSignature([secret], timestamp, request.body));
  const { data } = await list(base);
  assert.deepEqual(
    data.map((one) => [one.status, one.isTest, one.attempts.map((attempt) => attempt.httpStatus)]),
    [["delivered", false, [204]]],
  );
});

test("a rotated secret signs beside the old one until the instant that is told", async () => {
  const { base, one, secret } = await hooked();
  const rotated = await owner.call("POST", `${one}/rotate`);
  const { signingSecret, previousSecretUntil } = rotated.body;
  assert.equal(previousSecretUntil, it.deps.clock.now() + day);
  assert.equal((await webhookOf(base)).previousSecretUntil, previousSecretUntil);
  const send = async () => {
    await owner.call("POST", `${one}/test`);
    await it.runJobs();
    const { headers, body } = sent.at(-1) ?? assert.fail("nothing was sent");
    const timestamp = headers["x-webhook-timestamp"] ?? "";
    return {
      signature: headers["x-webhook-signature"],
      of: (...secrets: string[]) => webhookSignature(secrets, timestamp, body),
    };
  };
  const both = await send();
  assert.equal(both.signature, both.of(String(signingSecret), secret));
  await it.advance(day);
  const alone = await send();
  assert.equal(alone.signature, alone.of(String(signingSecret)));
  assert.equal((await webhookOf(base)).previousSecretUntil, null);
});

test("authentication is sent, never read back, and goes to no other host unless it is given again", async () => {
  const secret = "k-CANARY-998877";
  const { base, one, brand } = await hooked(address, { type: "apiKey", header: "X-Api-Key", value: secret });
  await owner.call("POST", `${one}/test`);
  await it.runJobs();
  assert.equal(sent[0]?.headers["x-api-key"], secret);
  const moved = await owner.call("PATCH", one, { url: "https://elsewhere.example/hook" });
  assert.equal(moved.status, 400);
  assert.deepEqual(
    (moved.body.data as { errors: { path: string }[] }).errors.map(({ path }) => path),
    ["body.authentication"],
  );
  assert.equal((await owner.call("PATCH", one, { url: `${address}/v2?token=T-CANARY` })).status, 200);
  const basic = { type: "basic", username: "u", password: "p-CANARY-112233" };
  const given = { url: "https://elsewhere.example/hook", authentication: basic };
  assert.equal((await owner.call("PATCH", one, given)).status, 200);
  const said = JSON.stringify([await webhookOf(base), await audit(brand.uuid), await list(base)]);
  for (const value of [secret, "p-CANARY-112233", "T-CANARY"]) assert.ok(!said.includes(value), value);
  assert.equal((await webhookOf(base)).authentication, "basic");
});

test("a viewer sees an address without its query, and no header of ours can be taken", async () => {
  const { base, one } = await hooked(`${address}?token=T-CANARY`);
  assert.equal((await webhookOf(base, viewer)).url, `${address}?…`);
  assert.equal((await webhookOf(base)).url, `${address}?token=T-CANARY`);
  for (const header of ["X-Webhook-Signature", "Host", "content-type"]) {
    const refused = await owner.call("PATCH", one, { authentication: { type: "apiKey", header, value: "x" } });
    assert.equal(refused.status, 400, header);
  }
});

const inside = [
  "http://brand.example/hook",
  "https://127.0.0.1/hook",
  "https://169.254.169.254/latest/meta-data",
  "https://[::ffff:10.0.0.1]/",
  "https://0x7f000001/",
  "https://localhost/",
  "https://metadata.internal/",
  "https://user:pass@brand.example/",
  "javascript:alert(1)",
  "file:///etc/passwd",
];

test("no address inside a network is taken: not when defined, not when changed, not when tried", async () => {
  const { brand, base, one } = await hooked();
  for (const url of inside) {
    const made = await owner.call("POST", `${base}/webhooks`, { url, authentication: none });
    assert.equal(made.status, 400, url);
    assert.equal((await owner.call("PATCH", one, { url })).status, 400, url);
    // As if it had been allowed when it was defined.
    const lax = { ...it.deps, outbound: { ...it.deps.outbound, judge: () => null } };
    if (!URL.canParse(url) || !/^https?:/.test(url)) continue;
    const { uuid } = await defineEndpoint(lax, brand.uuid, { url, authentication: { type: "none" } });
    assert.equal((await owner.call("POST", `${base}/webhooks/${uuid}/test`)).status, 400, url);
    assert.equal((await owner.call("PATCH", `${base}/webhooks/${uuid}`, { enabled: false })).status, 200, url);
    assert.equal((await owner.call("DELETE", `${base}/webhooks/${uuid}`)).status, 200, url);
  }
  await it.runJobs();
  assert.equal(sent.length, 0);
});

test("a test event goes the way of real ones, tells of nobody, and is marked inside what is signed", async () => {
  const { base, one, secret } = await hooked();
  const tried = await owner.call("POST", `${one}/test`);
  assert.equal(tried.status, 202);
  await it.runJobs();
  const [request] = sent;
  assert.ok(request);
  const timestamp = request.headers["x-webhook-timestamp"] ?? "";
  assert.equal(request.headers["x-webhook-signature"], webhookSignature([secret], timestamp, request.body));
  const { event, test: isTest, healthDataUuid, status: state, results } = JSON.parse(request.body);
  assert.deepEqual([event, isTest, state, results.length], ["1-click.health.lookup", true, "SUCCEEDED", 1]);
  assert.match(healthDataUuid, /^[0-9a-f-]{36}$/);
  const { data } = await list(base);
  assert.deepEqual(
    data.map((line) => [line.uuid, line.isTest, line.status]),
    [[tried.body.delivery, true, "delivered"]],
  );
  for (let i = 0; i < 9; i += 1) assert.equal((await owner.call("POST", `${one}/test`)).status, 202);
  assert.equal((await owner.call("POST", `${one}/test`)).status, 429);
});

test("a webhook that is switched off gets nothing new; what waits is sent once it is on again", async () => {
  const { brand, base, one } = await hooked();
  status = 500;
  await happen(brand);
  await owner.call("PATCH", one, { enabled: false });
  await it.advance(2 * 60_000);
  await happen(brand);
  assert.equal(sent.length, 1);
  const { data } = await list(base);
  assert.deepEqual(
    data.map((line) => [line.status, line.attempts.map((attempt) => attempt.httpStatus ?? attempt.error)]),
    [["pending", [500, "the webhook is switched off"]]],
  );
  assert.equal((await owner.call("POST", `${one}/test`)).status, 409);
  assert.equal((await owner.call("POST", `${base}/deliveries/${data[0]?.uuid}/replay`)).status, 409);
  status = 204;
  await owner.call("PATCH", one, { enabled: true });
  await it.advance(5 * 60_000);
  assert.equal((await list(base)).data[0]?.status, "delivered");
});

test("a deleted webhook gets nothing more: what was on its way ends, and what it was told is gone", async () => {
  const { brand, base, one, uuid } = await hooked();
  status = 500;
  await happen(brand);
  assert.equal((await owner.call("DELETE", one)).status, 200);
  assert.deepEqual((await owner.call("GET", `${base}/webhooks`)).body.data, []);
  const { data } = await list(base);
  assert.deepEqual(
    data.map((line) => [line.status, line.isErased, line.attempts.at(-1)?.error]),
    [["deadLettered", true, "the webhook was deleted"]],
  );
  const count = sent.length;
  await happen(brand);
  await it.advance(day);
  assert.equal(sent.length, count);
  assert.equal((await owner.call("POST", `${base}/deliveries/${data[0]?.uuid}/replay`)).status, 409);
  for (const [method, path] of [
    ["PATCH", one],
    ["DELETE", one],
    ["POST", `${one}/rotate`],
    ["POST", `${one}/test`],
  ] as const)
    assert.equal((await owner.call(method, path, {})).status, 404, path);
  const row = await it.store.db
    .selectFrom("webhook_endpoint")
    .innerJoin("data_key", "data_key.uuid", "webhook_endpoint.data_key_uuid")
    .select("wrapped")
    .where("webhook_endpoint.uuid", "=", uuid)
    .executeTakeFirst();
  assert.equal(row?.wrapped, null);
});

test("an event published while its webhook was being deleted ends with its first attempt", async () => {
  const { brand, base, one } = await hooked();
  await owner.call("POST", `${one}/test`);
  // As it would be if the deletion had not seen the delivery yet.
  await it.store.db
    .updateTable("webhook_endpoint")
    .set({ deleted_at: it.deps.clock.now() })
    .where("brand_uuid", "=", brand.uuid)
    .execute();
  await it.runJobs();
  const { data } = await list(base);
  assert.deepEqual(
    data.map((line) => [line.status, line.attempts.length]),
    [["deadLettered", 1]],
  );
  assert.equal(sent.length, 0);
});

/** Everything in what sandbox people have that could tell of one. */
const personal = ["Richard", "Hendricks", "1989-08-01", "A484069", "patient-4711", "Newell", "94303", "Male", "ISA*"];

test("a masked body has no value of a person; a revealed one is what was sent, and the audit log says who read it", async () => {
  const { brand, base } = await hooked();
  const healthDataUuid = await happen(brand);
  const body = sent[0]?.body ?? assert.fail("nothing was sent");
  const present = personal.filter((one) => body.includes(one));
  assert.ok(present.length >= 6, `the body has only ${present.join()}`);
  const [line] = (await list(base)).data;
  const path = `${base}/deliveries/${line?.uuid}`;
  for (const who of [owner, viewer]) {
    const read = await who.call("GET", path);
    const said = JSON.stringify(read.body);
    for (const one of personal) assert.ok(!said.includes(one), `${one} is shown`);
    const shown = JSON.parse(String(read.body.masked));
    assert.deepEqual([shown.healthDataUuid, shown.status], [healthDataUuid, "SUCCEEDED"]);
    assert.equal(shown.results[0].memberId, "•••");
    assert.equal(shown.results[0].payer.name, "Aetna");
    assert.equal(shown.results.length, JSON.parse(body).results.length);
  }
  assert.deepEqual(
    (await audit(brand.uuid)).filter(({ action }) => action === "delivery.revealed"),
    [],
  );
  assert.equal((await viewer.call("POST", `${path}/reveal`)).status, 403);
  const revealed = await owner.call("POST", `${path}/reveal`);
  assert.equal(revealed.body.body, body);
  const noted = (await audit(brand.uuid)).filter(({ action }) => action === "delivery.revealed");
  assert.deepEqual(
    noted.map(({ subject }) => subject),
    [line?.uuid],
  );
  assert.equal((await stranger.call("POST", `${path}/reveal`)).status, 404);
});

test("every leaf of a body that is not known to tell of nobody is masked, whatever its name", async () => {
  const { masked } = await import("../domain/webhook/mask.ts");
  const body = {
    a: "x",
    b: 1,
    c: true,
    d: null,
    e: [{ f: ["y"] }],
    event: "e",
    status: { deep: "z" },
    results: [{ payer: { name: ["n"] } }],
  };
  assert.deepEqual(masked(body), {
    a: "•••",
    b: "•••",
    c: "•••",
    d: "•••",
    e: [{ f: ["•••"] }],
    event: "e",
    status: { deep: "•••" },
    results: [{ payer: { name: ["•••"] } }],
  });
});

test("an erased body says so, and can be neither revealed nor sent again", async () => {
  const { brand, base } = await hooked();
  await happen(brand);
  await it.advance(hour + 60_000);
  const [line] = (await list(base)).data;
  assert.equal(line?.isErased, true);
  const path = `${base}/deliveries/${line?.uuid}`;
  assert.equal((await owner.call("GET", path)).body.masked, undefined);
  assert.equal((await owner.call("POST", `${path}/reveal`)).status, 409);
  assert.equal((await owner.call("POST", `${path}/replay`)).status, 409);
  assert.deepEqual(
    (await audit(brand.uuid)).filter(({ action }) => action.startsWith("delivery.")),
    [],
  );
});

test("a dead letter is found by its status, and sent again", async () => {
  const { brand, base } = await hooked();
  status = 503;
  await happen(brand);
  await it.advance(21 * hour);
  const { data } = await list(base, "?status=deadLettered");
  assert.deepEqual(
    data.map((line) => line.attempts.length),
    [7],
  );
  assert.deepEqual((await list(base, "?status=delivered")).data, []);
  status = 200;
  assert.equal((await owner.call("POST", `${base}/deliveries/${data[0]?.uuid}/replay`)).status, 202);
  await it.runJobs();
  assert.deepEqual(
    (await list(base)).data.map((line) => [line.status, line.attempts.length]),
    [["delivered", 8]],
  );
  assert.ok((await audit(brand.uuid)).some(({ action }) => action === "delivery.replayed"));
});

test("five days without an acknowledgement ask for attention, and the first one ends that", async () => {
  const { base, one } = await hooked();
  status = 500;
  const began = it.deps.clock.now();
  await owner.call("POST", `${one}/test`);
  await it.runJobs();
  assert.deepEqual([(await webhookOf(base)).failingSince, (await webhookOf(base)).needsAttention], [began, false]);
  await it.advance(5 * day - (it.deps.clock.now() - began) - 1);
  assert.equal((await webhookOf(base)).needsAttention, false);
  await it.advance(1);
  assert.deepEqual([(await webhookOf(base)).failingSince, (await webhookOf(base)).needsAttention], [began, true]);
  status = 200;
  await owner.call("POST", `${one}/test`);
  await it.runJobs();
  assert.deepEqual([(await webhookOf(base)).failingSince, (await webhookOf(base)).needsAttention], [null, false]);
});

test("pages go older and newer without losing or repeating a delivery, also of one instant", async () => {
  const { brand, base } = await hooked();
  await it.store.db.transaction().execute(async (trx) => {
    const dataKey = await it.deps.vault.createDataKey(trx, "sandbox", it.deps.clock.now());
    for (let i = 0; i < 60; i += 1)
      await publish(it.deps, trx, {
        brandUuid: brand.uuid,
        event: "e",
        subjectUuid: it.deps.random.uuid(),
        dataKey,
        body: { i },
      });
  });
  const first = await list(base);
  const second = await list(base, `?older=${first.cursors.older}`);
  const third = await list(base, `?older=${second.cursors.older}`);
  const all = [first, second, third].flatMap(({ data }) => data.map(({ uuid }) => uuid));
  assert.deepEqual(
    [first, second, third].map(({ data }) => data.length),
    [25, 25, 10],
  );
  assert.equal(new Set(all).size, 60);
  assert.deepEqual(
    [first, second, third].map((page) => [page.hasNewer, page.hasOlder]),
    [
      [false, true],
      [true, true],
      [true, false],
    ],
  );
  const back = await list(base, `?newer=${third.cursors.newer}`);
  assert.deepEqual(back.data, second.data);
  const start = await list(base, `?newer=${back.cursors.newer}`);
  assert.deepEqual([start.data, start.hasNewer, start.hasOlder], [first.data, false, true]);
  for (const cursor of ["x", "1_x", "1_5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a2g", "9".repeat(16)])
    assert.equal((await owner.call("GET", `${base}/deliveries?older=${cursor}`)).status, 400, cursor);
});

test("of the other customer's webhooks and deliveries nothing can be read or done", async () => {
  const { brand, base, one } = await hooked();
  await happen(brand);
  const [line] = (await list(base)).data;
  const delivery = `${base}/deliveries/${line?.uuid}`;
  // Through a brand of their own as well.
  const { body } = await stranger.call("POST", "/api/brands", { name: "Theirs", integrationType: "api" });
  const own = `/api/brands/${body.uuid}/sandbox`;
  for (const [method, path] of [
    ["GET", `${base}/webhooks`],
    ["PATCH", one],
    ["DELETE", one],
    ["POST", `${one}/rotate`],
    ["POST", `${one}/test`],
    ["GET", delivery],
    ["POST", `${delivery}/reveal`],
    ["POST", `${delivery}/replay`],
  ] as const) {
    const payload = method === "GET" ? undefined : {};
    assert.equal((await stranger.call(method, path, payload)).status, 404, path);
    if (path !== `${base}/webhooks`)
      assert.equal((await stranger.call(method, path.replace(base, own), payload)).status, 404, `own ${path}`);
  }
  assert.deepEqual((await stranger.call("GET", `${own}/deliveries?webhook=${one.split("/").at(-1)}`)).body.data, []);
});

test("an environment that this service does not run says so", async () => {
  const { brand } = await hooked();
  const base = `/api/brands/${brand.uuid}/production`;
  assert.equal((await owner.call("GET", `${base}/webhooks`)).status, 404);
  await owner.call("POST", `/api/brands/${brand.uuid}/production`, {});
  const answer = await owner.call("GET", `${base}/webhooks`);
  assert.equal(answer.status, 409);
  assert.match(String(answer.body.message), /does not run the production environment/);
});

test("hostile texts are kept as they are, and answered as JSON only", async () => {
  const url = "https://brand.example/%3Cscript%3Ealert(1)%3C/script%3E?q=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E";
  const { base } = await hooked(url, { type: "apiKey", header: "X-Key", value: '"><script>alert(1)</script>' });
  const answer = await owner.call("GET", `${base}/webhooks`);
  assert.match(String(answer.headers["content-type"]), /^application\/json/);
  assert.equal(answer.headers["x-content-type-options"], "nosniff");
  assert.equal((await webhookOf(base)).url, url);
});
