import assert from "node:assert/strict";
import test from "node:test";
import type { BrandSettings } from "@countersign/contract/brand";
import type { OneClickRequest } from "@countersign/contract/v2";
import { sql } from "kysely";
import { composeService } from "../../compose/service.ts";
import { Failure } from "../../domain/failure.ts";
import type { IdentitySource } from "../../domain/ports.ts";
import { requestOneClick } from "../../domain/signup/start.ts";
import { cellAbout } from "../../http/cell.ts";
import { openMetrics } from "../../http/metrics.ts";
import { sandboxIdentity } from "../../providers/sandbox/identity.ts";
import { callerOf, freshPhone } from "../harness/below-http.ts";
import { untilLockWaits } from "../harness/lock-waits.ts";
import { otherKey, refusal, sandbox, stillClock } from "../harness/sandbox.ts";

const records: IdentitySource = sandboxIdentity();
/** Every birth date that reached the source, in order. */
let compared: string[] = [];
/** If true, the source has no data about any person. */
let isSourceEmpty = false;
const watched: IdentitySource = {
  ...records,
  lookUp: async (question) => {
    if (question.compare.includes("birthDate")) compared.push(question.inputs.birthDate ?? "");
    return isSourceEmpty ? { kind: "unknown" } : await records.lookUp(question);
  },
};
const clock = stillClock();
const it = await sandbox({ vendors: { identity: watched }, clock });
test.beforeEach(() => {
  compared = [];
});

const minute = 60_000;
const right = "1989-08-01";
/** Returns a wrong birth date, different for each index. */
const wrong = (index: number) =>
  `19${String(10 + Math.floor(index / 12))}-${String(1 + (index % 12)).padStart(2, "0")}-17`;
const refused = (body: OneClickRequest, api = it.api) => refusal(api.createOneClick({ body }));
const codeOf = async (body: OneClickRequest, api = it.api) =>
  await api.createOneClick({ body }).then(
    () => "ok",
    async (error: unknown) => String((await refusal(Promise.reject(error))).errorCode),
  );
const born = (phone: string, birthDate: string, api = it.api) => codeOf({ phone, birthDate }, api);
/** Uses up this brand's attempts at the birth date. */
async function exhaust(phone: string, api = it.api, from = 0): Promise<void> {
  for (const index of [0, 1, 2]) assert.equal(await born(phone, wrong(from + index), api), "OCE012");
}

const messages: [OneClickRequest, string][] = [
  [{ birthDate: wrong(0) }, "BirthDate mismatch."],
  [{ ssn4: "0000" }, "SSN4 mismatch."],
  [{ ssn4: "0000", birthDate: wrong(0) }, "BirthDate mismatch and SSN4 mismatch."],
  [{ birthDate: right, ssn4: "0000" }, "SSN4 mismatch."],
];
for (const [given, message] of messages) {
  test(`a request with ${Object.keys(given).join(" and ")} gets the message "${message}"`, async () => {
    const phone = freshPhone();
    const { errorCode, status, message: said, data } = await refused({ phone, email: "a@example.com", ...given });
    assert.deepEqual([errorCode, status, said], ["OCE012", 400, message]);
    const { riskSignals, ...rest } = data;
    assert.ok(riskSignals);
    assert.deepEqual(rest, {
      identifiers: { phone, email: "a@example.com" },
      verificationMethod: { phone: "customer_otp", email: null },
    });
  });
}

test("a wrong first name mismatches if the person or the brand requires one, and is last in the message", async () => {
  const bob = { firstName: "Bob" };
  const alone = await refused({ phone: "+12125550023", fullName: bob });
  assert.deepEqual([alone.errorCode, alone.message], ["OCE012", "FirstName mismatch."]);
  const challenges: BrandSettings["challenges"] = [{ input: "fullName.firstName", when: "ifNecessary" }];
  const { api } = await it.brand({ challenges });
  const given = { phone: freshPhone(), birthDate: wrong(0), ssn4: "0000", fullName: bob };
  const { message } = await refused(given, api);
  assert.equal(message, "BirthDate mismatch and SSN4 mismatch and FirstName mismatch.");
});

test("after three wrong values, a fourth or even the right value gets OCE019 with the input's name", async () => {
  const phone = freshPhone();
  await exhaust(phone);
  for (const birthDate of [wrong(3), right]) {
    const { errorCode, status, message, data } = await refused({ phone, birthDate });
    assert.deepEqual([errorCode, status], ["OCE019", 400]);
    assert.equal(message, "Maximum input attempts exceeded. Please try again later.");
    const { riskSignals, ...rest } = data;
    assert.ok(riskSignals);
    const verificationMethod = { phone: "customer_otp" };
    assert.deepEqual(rest, { inputAttemptsExceeded: ["birthDate"], identifiers: { phone }, verificationMethod });
  }
  assert.equal(compared.length, 3);
});

test("a repeated wrong value uses no attempt and gets OCE012 even after the limit", async () => {
  const phone = freshPhone();
  for (let i = 0; i < 5; i += 1) assert.equal(await born(phone, wrong(0)), "OCE012");
  await exhaust(phone);
  assert.equal(await born(phone, wrong(1)), "OCE012");
  assert.equal(await born(phone, wrong(3)), "OCE019");
});

test("each input has its own three attempts, and OCE019 names only the inputs without attempts left", async () => {
  const phone = freshPhone();
  await exhaust(phone);
  assert.equal(await codeOf({ phone, ssn4: "0000" }), "OCE012");
  assert.equal(await codeOf({ phone, ssn4: "6789" }), "ok");
  const { data } = await refused({ phone, birthDate: right, ssn4: "0001" });
  assert.deepEqual(data.inputAttemptsExceeded, ["birthDate"]);
  for (const ssn4 of ["0002", "0003"]) assert.equal(await codeOf({ phone, ssn4 }), "OCE012");
  const both = await refused({ phone, birthDate: right, ssn4: "6789" });
  assert.deepEqual(both.data.inputAttemptsExceeded, ["birthDate", "ssn4"]);
});

test("wrong first names use attempts too, and case does not matter", async () => {
  const named = (firstName: string) => codeOf({ phone: "+12125550020", fullName: { firstName } });
  for (const name of ["Bob", " bob", "BOB", "Eve", "Mallory"]) assert.equal(await named(name), "OCE012");
  assert.equal(await named("Richard"), "OCE019");
});

test("a right value uses no attempt", async () => {
  const phone = freshPhone();
  assert.equal(await born(phone, right), "ok");
  await exhaust(phone);
  const other = freshPhone();
  for (const index of [0, 1]) assert.equal(await born(other, wrong(index)), "OCE012");
  assert.equal(await born(other, right), "ok");
  assert.equal(await born(other, wrong(2)), "OCE012");
});

test("a right value sent with a wrong one uses no attempt", async () => {
  const phone = freshPhone();
  for (const ssn4 of ["0000", "0001", "0002"]) assert.equal(await codeOf({ phone, birthDate: right, ssn4 }), "OCE012");
  await exhaust(phone);
});

test("the right value is accepted again after exactly 30 minutes", async () => {
  const phone = freshPhone();
  await exhaust(phone);
  await it.advance(30 * minute - 1);
  assert.equal(await born(phone, right), "OCE019");
  await it.advance(1);
  assert.equal(await born(phone, right), "ok");
});

test("refused attempts and repeated wrong values do not extend the wait", async () => {
  const phone = freshPhone();
  await exhaust(phone);
  for (let passed = 0; passed < 30; passed += 10) {
    assert.equal(await born(phone, wrong(5 + passed)), "OCE019");
    assert.equal(await born(phone, wrong(0)), "OCE012");
    await it.advance(10 * minute);
  }
  assert.equal(await born(phone, right), "ok");
});

test("a wrong value repeated in a later window counts in that window too", async () => {
  const phone = freshPhone();
  await exhaust(phone);
  await it.advance(30 * minute);
  await exhaust(phone);
  assert.equal(await born(phone, right), "OCE019");
});

test("a value that no source can compare uses no attempt, and earlier wrong values still count", async () => {
  const phone = freshPhone();
  const { api } = await it.brand();
  assert.equal(await born(phone, wrong(0)), "OCE012");
  isSourceEmpty = true;
  try {
    for (const index of [0, 1, 2, 3]) assert.equal(await born(phone, wrong(index), api), "OCE013");
  } finally {
    isSourceEmpty = false;
  }
  assert.equal(await born(phone, right, api), "ok");
  for (const index of [1, 2]) assert.equal(await born(phone, wrong(index)), "OCE012");
  assert.equal(await born(phone, wrong(3)), "OCE019");
});

test("the same value has different hashes for two phones", async () => {
  const phones = [freshPhone(), freshPhone()];
  for (const phone of phones) assert.equal(await born(phone, wrong(0)), "OCE012");
  const indexes = phones.map((phone) => it.deps.vault.index("phone", "sandbox", phone));
  const rows = await it.store.db
    .selectFrom("challenge_attempt")
    .select("value_hmac")
    .where("phone_index", "in", indexes)
    .execute();
  assert.equal(new Set(rows.map((row) => row.value_hmac.toString("hex"))).size, 2);
});

test("each wrong value counts for its own 30 minutes", async () => {
  const phone = freshPhone();
  for (const index of [0, 1, 2]) {
    assert.equal(await born(phone, wrong(index)), "OCE012");
    await it.advance(10 * minute);
  }
  assert.equal(await born(phone, wrong(3)), "OCE012");
  assert.equal(await born(phone, right), "OCE019");
  await it.advance(10 * minute);
  assert.equal(await born(phone, right), "ok");
});

test("another brand has its own attempts, even if it belongs to the same customer", async () => {
  const phone = freshPhone();
  await exhaust(phone);
  const { api } = await it.brand();
  for (const other of [api, it.as(otherKey)]) {
    assert.equal(await born(phone, right, other), "ok");
    await exhaust(phone, other);
    assert.equal(await born(phone, right, other), "OCE019");
  }
});

test("after ten distinct wrong values across all brands, every value gets OCE019 for a day", async () => {
  const phone = freshPhone();
  const brands = [await it.brand(), await it.brand(), await it.brand(), await it.brand()];
  const [first, second, third, last] = brands.map(({ api }) => api);
  await exhaust(phone, first, 0);
  await exhaust(phone, second, 3);
  await it.advance(60 * minute);
  await exhaust(phone, third, 6);
  assert.equal(await born(phone, wrong(9), last), "OCE012");
  for (const birthDate of [wrong(10), right]) {
    const { errorCode, data } = await refused({ phone, birthDate }, last);
    assert.deepEqual([errorCode, data.inputAttemptsExceeded], ["OCE019", ["birthDate"]]);
  }
  assert.equal(await codeOf({ phone }, last), "ok", "a request without inputs is not blocked");
  await it.advance(23 * 60 * minute - 1);
  assert.equal(await born(phone, right, last), "OCE019");
  // Move only the clock: an expired count must not apply even if its cleanup is late.
  clock.setOffset(clock.offsetMs() + 1);
  assert.equal(await born(phone, right, last), "ok");
});

test("the same wrong value at several brands counts once", async () => {
  const phone = freshPhone();
  for (let i = 0; i < 11; i += 1) assert.equal(await born(phone, wrong(0), (await it.brand()).api), "OCE012");
  assert.equal(await born(phone, right, (await it.brand()).api), "ok");
});

test("attempts of other brands never block a fixed person, because every customer tests with that person", async () => {
  const phone = "+12125550010";
  for (let i = 0; i < 4; i += 1) await exhaust(phone, (await it.brand()).api, 3 * i);
  assert.equal(await born(phone, right, (await it.brand()).api), "ok");
});

test("attempts still count after a new 1-Click, a new verification and a restart", async () => {
  const phone = "+12125550022";
  await exhaust(phone);
  const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
  await it.api.submitVerificationCode({ params: { uuid }, body: { code: "111111" } });
  assert.equal(await codeOf({ verificationUuid: uuid, birthDate: right }), "OCE019");
  const { data } = await refused({ phone });
  assert.equal(await codeOf({ identityUuid: String(data.identityUuid), birthDate: right }), "OCE019");

  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const base = { config: it.config, log, ...it.stores, metrics: openMetrics() };
  const restarted = await composeService(base, { sandbox: { clock } });
  const caller = await callerOf(it);
  const cell = await cellAbout(restarted.sandbox.homeDeps, { phone });
  const again = requestOneClick(cell, caller, "v21Api", { phone, inputs: { birthDate: right } });
  await assert.rejects(again, (error) => error instanceof Failure && error.data.errorCode === "OCE019");
  await restarted.close();
});

test("only 3 of 50 concurrent wrong birth dates are compared", async () => {
  const phone = freshPhone();
  const guess = (index: number) => born(phone, wrong(index));
  // One attempt is left, and two guesses compete for it.
  assert.deepEqual([await guess(0), await guess(1)], ["OCE012", "OCE012"]);
  // No attempt is stored until this transaction ends. Without the lock, several guesses would count before that.
  const { codes } = await (await it.cellOf(phone)).db.inTransaction(async (trx) => {
    await sql`lock table challenge_attempt in share mode`.execute(trx);
    const codes = [guess(2), guess(3)];
    await untilLockWaits(it, { count: 2 });
    return { codes };
  });
  codes.push(...Array.from({ length: 46 }, (_, index) => guess(4 + index)));
  assert.deepEqual((await Promise.all(codes)).toSorted(), ["OCE012", ...Array(47).fill("OCE019")]);
  assert.equal(compared.length, 3);
});

test("at most 10 of 50 concurrent guesses at ten brands are compared", async () => {
  const phone = freshPhone();
  const brands = await Promise.all(Array.from({ length: 10 }, () => it.brand()));
  const guesses = Array.from({ length: 50 }, (_, index) => born(phone, wrong(index), brands[index % 10]?.api));
  await Promise.all(guesses);
  assert.ok(compared.length <= 10, String(compared.length));
});

test("50 concurrent right birth dates are all accepted and use no attempts", async () => {
  const phone = freshPhone();
  const codes = await Promise.all(Array.from({ length: 50 }, () => born(phone, right)));
  assert.deepEqual([...new Set(codes)], ["ok"]);
  await exhaust(phone);
});
