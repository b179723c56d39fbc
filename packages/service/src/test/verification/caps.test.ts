import assert from "node:assert/strict";
import test from "node:test";
import { productionCaps } from "../../providers/caps.ts";
import { codesSentTo } from "../harness/below-http.ts";
import { demoKey, otherKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox({ caps: { ...productionCaps, pumping: null } });
const hour = 60 * 60_000;
const brands = [it.api, it.as(otherKey), (await it.brand()).api];

async function text(phone: string, api = it.api): Promise<"texted" | number> {
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  try {
    await api.deliverVerification({ params: { uuid }, body: {} });
    return "texted";
  } catch (error) {
    assert.ok(error instanceof Error && "status" in error && typeof error.status === "number");
    return error.status;
  }
}
const texted = (outcomes: unknown[]) => outcomes.filter((one) => one === "texted").length;

test("one phone gets at most five texts an hour and ten a day, across brands and parallel requests", async () => {
  const phone = "+14155550201";
  const burst = () => Promise.all(Array.from({ length: 30 }, (_, index) => text(phone, brands[index % 3])));
  const first = await burst();
  assert.equal(texted(first), 5);
  assert.deepEqual(new Set(first), new Set(["texted", 429]));
  await it.advance(hour);
  assert.equal(texted(await burst()), 5);
  await it.advance(hour);
  assert.equal(texted(await burst()), 0);
  await it.advance(24 * hour);
  assert.equal(texted(await burst()), 5);
});

test("a block of numbers gets at most thirty texts an hour across brands", async () => {
  const outcomes: unknown[] = [];
  for (let from = 0; from < 120; from += 20)
    outcomes.push(
      ...(await Promise.all(
        Array.from({ length: 20 }, (_, index) => text(`+1415556${String(1_000 + from + index)}`, brands[index % 3])),
      )),
    );
  assert.equal(texted(outcomes), 30);
});

test("a text over the limit returns 429 with Retry-After and leaves the verification pending", async () => {
  const phone = "+14155550299";
  for (let sent = 0; sent < 5; sent += 1) assert.equal(await text(phone), "texted");
  const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
  const answer = await it.inject({
    method: "POST",
    url: `/v2/1-click/verifications/${uuid}/deliver`,
    headers: { authorization: demoKey, "content-type": "application/json" },
    payload: "{}",
  });
  assert.equal(answer.status, 429);
  assert.ok(Number(answer.headers["retry-after"]) >= 1);
  assert.equal((await it.api.readVerification({ params: { uuid } })).body.status, "pending");
});

/** Begins a verification, submits a code and returns the HTTP status. The default code is the correct one. */
async function guess(phone: string, code?: string): Promise<number> {
  const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
  const typed = code ?? (await textedTo(phone, uuid));
  const status = await it.api.submitVerificationCode({ params: { uuid }, body: { code: typed } }).then(
    ({ status }) => status,
    ({ status }) => status,
  );
  const { verified } = (await it.api.readVerification({ params: { uuid } })).body;
  assert.equal(verified, status === 200, "a code that is not answered with 200 proves nothing");
  return status;
}

async function textedTo(phone: string, uuid: string): Promise<string> {
  await it.api.deliverVerification({ params: { uuid }, body: {} });
  const [newest] = await codesSentTo(it, phone);
  return newest ?? assert.fail("no text was sent");
}

test("a phone allows fifteen wrong codes an hour across verifications; a correct code does not count", async () => {
  const phone = "+14155550301";
  const outcomes: number[] = [];
  for (let tried = 0; tried < 20; tried += 1) outcomes.push(await guess(phone, "000000"));
  assert.deepEqual(
    [outcomes.filter((one) => one === 400).length, outcomes.filter((one) => one === 429).length],
    [15, 5],
  );
  assert.equal(await guess(phone), 429, "over the limit, even the correct code is rejected");
  await it.advance(hour);
  for (let tried = 0; tried < 14; tried += 1) assert.equal(await guess(phone, "000000"), 400);
  assert.equal(await guess("+14155550302"), 200, "a correct code for one phone does not restore attempts of another");
  assert.deepEqual([await guess(phone), await guess(phone)], [200, 200]);
  assert.deepEqual([await guess(phone, "000000"), await guess(phone, "000000")], [400, 429]);
});

test("of forty parallel wrong codes for one phone, fifteen are compared", async () => {
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => guess("+14155550303", "000000")));
  assert.deepEqual(
    [outcomes.filter((one) => one === 400).length, outcomes.filter((one) => one === 429).length],
    [15, 25],
  );
});

test("a text that is refused by the limit of its phone does not count for its block of numbers", async () => {
  const [block, full] = ["+1415557", "+1415558"];
  const filled = await Promise.all(Array.from({ length: 31 }, (_, at) => text(`${full}0${100 + at}`)));
  assert.equal(texted(filled), 30);
  const refused = await Promise.all(Array.from({ length: 40 }, () => text(`${block}0001`)));
  assert.equal(texted(refused), 5);
  const others = await Promise.all(Array.from({ length: 40 }, (_, at) => text(`${block}0${100 + at}`)));
  assert.equal(texted(others), 25, "thirty texts an hour to a block, of which the first phone got five");
  assert.equal(await text(`${full}0200`), 429, "another block gets no text for those that were refused here");
});

test("texts to a test phone are not limited", async () => {
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => text("+12125550010")));
  assert.equal(texted(outcomes), 30);
});

test("deletes counters after their time window ends", async () => {
  await text("+14155550401");
  await it.advance(3 * 24 * hour);
  const { rows } = await it.store.pool.query("select count(*)::int as count from use_count");
  assert.equal(rows[0].count, 0);
});
