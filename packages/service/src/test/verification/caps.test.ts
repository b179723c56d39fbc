import assert from "node:assert/strict";
import test from "node:test";
import { client } from "@countersign/contract/client";
import { beginByPhone, openSession } from "@countersign/contract/session";
import { provePage, resendPage } from "@countersign/contract/wallet";
import { sql } from "kysely";
import { productionCaps } from "../../providers/caps.ts";
import { codesSentTo } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { untilLockWaits } from "../harness/lock-waits.ts";
import { demoKey, frameOfKey, otherKey, refusal, sandbox } from "../harness/sandbox.ts";
import { scriptCalls } from "../harness/script-calls.ts";

const hour = 60 * 60_000;
const guessesMax = 200;
const wrongCodesOfBrand = { windowMs: hour, max: guessesMax };
const it = await sandbox({ policy: { caps: { ...productionCaps, wrongCodesOfBrand, pumping: null } } });
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

test("after the right code, wrong codes count for the verification alone: the accepted code goes on reading", async () => {
  const { api } = await it.brand({ integrationType: "semiHosted" });
  const phone = "+14155550399";
  const begun = async () => {
    const { uuid, code = "" } = (await api.beginOneClick({ body: { phone } })).body;
    await api.readOneClick({ params: { uuid }, query: { code } });
    return { uuid, code };
  };
  const { uuid, code: right } = await begun();
  const wrong = right.endsWith("0") ? "000001" : "000000";
  const read = (code: string) => refusal(api.readOneClick({ params: { uuid }, query: { code } }));
  for (let tried = 0; tried < 15; tried += 1) assert.equal((await read(wrong)).errorCode, "OCE008");
  assert.equal((await read(right)).status, 429);
  const other = await begun();
  for (let tried = 0; tried < 15; tried += 1) await guess(phone, "000000");
  assert.equal(await guess(phone), 429, "the phone is over its limit");
  assert.equal((await api.readOneClick({ params: { uuid: other.uuid }, query: { code: other.code } })).status, 200);
});

test("only fifteen of forty parallel wrong codes for one phone are compared", async () => {
  const phone = "+14155550303";
  const made = await Promise.all(
    Array.from({ length: 40 }, () => it.api.createVerification({ body: { channel: "sms", phone } })),
  );
  const uuids = made.map(({ body }) => body.uuid);
  const guess = (uuid: string) => it.api.submitVerificationCode({ params: { uuid }, body: { code: "000000" } });
  // One guess is left, so that those at the same time compete for it.
  for (const uuid of uuids.splice(0, 14)) assert.equal((await guess(uuid).catch((refused) => refused)).status, 400);
  const { db } = await it.cellOf(phone);
  // No guess is counted until this transaction ends. Without the lock, several would read the counter before that.
  const { guesses } = await db.inTransaction(async (trx) => {
    await sql`select from use_count where used = 14 for update`.execute(trx);
    const guesses = uuids.map((uuid) =>
      guess(uuid).then(
        ({ status }) => status,
        ({ status }) => status,
      ),
    );
    await untilLockWaits(it, { count: 2 });
    return { guesses };
  });
  const outcomes = await Promise.all(guesses);
  assert.deepEqual(
    [outcomes.filter((one) => one === 400).length, outcomes.filter((one) => one === 429).length],
    [1, 25],
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

test("a code is not compared before its first text: even the correct code is wrong, and uses an attempt", async () => {
  const phone = "+14155550501";
  const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
  const row = await it.store.db
    .selectFrom("verification")
    .select("code_hmac")
    .where("uuid", "=", uuid)
    .executeTakeFirstOrThrow();
  const all = Array.from({ length: 1_000_000 }, (_, number) => String(number).padStart(6, "0"));
  const code = all.find((one) => it.deps.vault.keyedHash(uuid, one).equals(row.code_hmac ?? Buffer.alloc(0))) ?? "";
  const early = await refusal(it.api.submitVerificationCode({ params: { uuid }, body: { code } }));
  assert.deepEqual([early.errorCode, early.data.attemptsRemaining], ["OCV001", 2]);
  const texted = await textedTo(phone, uuid);
  assert.equal((await it.api.submitVerificationCode({ params: { uuid }, body: { code: texted } })).status, 200);
});

test("the wrong codes of a brand are limited per hour; other brands and the SDK's frame are not stopped", async () => {
  const brand = await it.brand({ integrationType: "sdk" });
  const phones = Array.from({ length: guessesMax }, (_, at) => `+1415559${1_000 + at}`);
  const wrong = async (phone: string) => {
    const { uuid } = (await brand.api.createVerification({ body: { channel: "sms", phone } })).body;
    return (await refusal(brand.api.submitVerificationCode({ params: { uuid }, body: { code: "000000" } }))).status;
  };
  const statuses: number[] = [];
  for (let at = 0; at < phones.length; at += 50)
    statuses.push(...(await Promise.all(phones.slice(at, at + 50).map(wrong))));
  assert.deepEqual(new Set(statuses), new Set([400]));
  assert.equal(await wrong("+14155600001"), 429);
  assert.equal(await guess("+14155600002", "000000"), 400);
  const begun = await texting(brand.api, "+14155600003");
  assert.ok(typeof begun === "string");
  const [code = ""] = await codesSentTo(it, "+14155600003");
  assert.equal((await frame().provePage({ params: { page: begun }, body: { code } })).status, 201);
  await it.advance(hour);
  assert.equal(await wrong("+14155600001"), 400);
});

/** The wallet in a brand's frame. */
const frame = (session?: string) =>
  client({ openSession, beginByPhone, resendPage, provePage }, { send: scriptCalls(it.wallet, session) });

/** A visitor of a brand's site asks for a text. Returns the page that asks for the code, or the status of a refusal. */
async function texting(api: typeof it.api, phone: string): Promise<string | number> {
  const { sessionKey } = (await api.createSession()).body;
  const { sessionToken } = (await frame().openSession({ body: { sessionKey, frame: frameOfKey(sessionKey) } })).body;
  const asked = frame(sessionToken).beginByPhone({ body: { phone, silent: false, consent: agreed("proveData") } });
  return await asked.then(
    ({ body }) => body.page ?? "",
    ({ status }) => status,
  );
}

test("wrong codes in the SDK's frame lock a phone there, and not at verifications by API key; both limits hold", async () => {
  const { api } = await it.brand({ integrationType: "sdk" });
  const phone = "+14155600011";
  const typed = async (page: string) =>
    (await refusal(frame().provePage({ params: { page }, body: { code: "000000" } }))).status;
  const onPage: number[] = [];
  for (let asked = 0; asked < 5; asked += 1) {
    const page = await texting(api, phone);
    assert.ok(typeof page === "string");
    for (let tried = 0; tried < 3; tried += 1) onPage.push(await typed(page));
  }
  assert.deepEqual(new Set(onPage), new Set([400]));
  const other = await it.brand({ integrationType: "sdk" });
  const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
  const code = await textedTo(phone, uuid);
  assert.equal((await it.api.submitVerificationCode({ params: { uuid }, body: { code } })).status, 200);
  for (let tried = 0; tried < 15; tried += 1) assert.equal(await guess(phone, "000000"), 400);
  assert.equal(await guess(phone, "000000"), 429);
  const { db } = await it.cellOf(phone);
  const counted = db.selectFrom("use_count").select(["scope", "used"]).where("scope", "like", "code.wrong%");
  const ofPhone = counted.where("key", "=", it.deps.vault.keyedHash("caps", phone)).orderBy("scope");
  assert.deepEqual(await ofPhone.execute(), [
    { scope: "code.wrong", used: 15 },
    { scope: "code.wrong.open", used: 15 },
  ]);
  await it.advance(hour);
  const later = await texting(other.api, phone);
  assert.ok(typeof later === "string");
  const [newest = ""] = await codesSentTo(it, phone);
  assert.equal((await frame().provePage({ params: { page: later }, body: { code: newest } })).status, 201);
});

test("texts that visitors of an SDK page request do not use up a brand's texts, and their resends are counted with them", async () => {
  const { api } = await it.brand({ integrationType: "sdk" });
  const phone = "+14155700001";
  const page = await texting(api, phone);
  for (let sent = 1; sent < 3; sent += 1) await frame().resendPage({ params: { page: String(page) } });
  for (let sent = 3; sent < 5; sent += 1) assert.equal(typeof (await texting(api, phone)), "string");
  assert.equal(await texting(api, phone), 429, "five texts an hour");
  const block = Array.from({ length: 25 }, (_, at) => texting(api, `+141557000${10 + at}`));
  assert.equal((await Promise.all(block)).filter((one) => typeof one === "string").length, 25);
  assert.equal(await texting(api, "+14155700999"), 429, "thirty texts an hour to a block");
  assert.equal(await text(phone), "texted");
  const theirs = await Promise.all(Array.from({ length: 40 }, (_, at) => text(`+141557002${10 + at}`, brands[at % 3])));
  assert.equal(texted(theirs), 29);
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
