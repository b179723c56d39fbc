// alone: its harness is one service, which another file also uses
/** Strangers who request sign-in texts learn nothing about a number. */
import assert from "node:assert/strict";
import test from "node:test";
import { textSignIn } from "../../domain/account/text-sign-in.ts";
import { ensurePerson } from "../../domain/person.ts";
import { agreed } from "../harness/consent-shown.ts";
import { refusal } from "../harness/sandbox.ts";
import {
  ask,
  block,
  cellOf,
  everyCell,
  fresh,
  hour,
  it,
  learned,
  onRecord,
  other,
  phoneOnRecord,
  real,
  signInTexts,
  stranger,
  supported,
  textsFor,
  work,
} from "../harness/sign-in-callers.ts";
import { recordStatements } from "../harness/statement-log.ts";

/** Makes every generated code equal to `code` while `run` runs. */
async function withCode(code: string, run: () => Promise<void>): Promise<void> {
  const { codes } = real.deps;
  for (const deps of everyCell) deps.codes = { make: () => code };
  try {
    await run();
  } finally {
    for (const deps of everyCell) deps.codes = codes;
  }
}

/** Creates a number that replied STOP. */
async function stoppedPhone(phone = fresh()): Promise<string> {
  await onRecord(phone);
  const phone_index = real.deps.vault.index("phone", "production", phone);
  const customer_uuid = "00000000-0000-0000-0000-000000000000";
  const row = {
    environment: "production",
    phone_index,
    customer_uuid,
    stopped: true,
    at: real.clock.now(),
    heeded: [],
  };
  const { db } = await cellOf(phone);
  await db.insertInto("text_stop").values(row).execute();
  return phone;
}

/** Creates a number that has used up its texts of this hour. */
async function cappedPhone(phone = fresh()): Promise<string> {
  await onRecord(phone);
  assert.equal(await textsFor(Array.from({ length: 6 }, () => phone)), 5);
  return phone;
}

/** Creates a number that got no texts, in a block of numbers that has used up its texts of this hour. */
async function phoneInFullBlock(): Promise<string> {
  const phones = block(40);
  for (const phone of phones) await onRecord(phone);
  await textsFor(phones.slice(0, 39));
  return phones[39] ?? assert.fail();
}

test("sign-in responses are the same for known, unknown, stopped, capped and gateway-rejected numbers", async () => {
  const refused = await phoneOnRecord();
  const reported = await phoneOnRecord();
  const untexted = [fresh(), await stoppedPhone(), await cappedPhone(), await phoneInFullBlock()];
  const before = await signInTexts(untexted);
  const known = await phoneOnRecord();
  for (const { deps } of [real, other]) {
    const { send } = deps.vendors.sms;
    deps.vendors.sms.send = async (text) =>
      text.to === refused ? { kind: "rejected", reason: "no such phone" } : await send(text);
  }
  await withCode("424242", async () => {
    const first = await learned(known);
    assert.deepEqual(
      first.answers.map((one) =>
        typeof one === "object" && one !== null && "errorCode" in one ? one.errorCode : "ok",
      ),
      ["ok", "OCV001", "ok", "ok", "OCV004", "OCV001", "OCV001", "OCV002", "OCV003"],
    );
    const rest = [];
    for (const phone of [...untexted, refused, reported]) {
      rest.push(await learned(phone));
      assert.deepEqual(rest.at(-1)?.answers, first.answers);
    }
    assert.deepEqual([await signInTexts(untexted), (await signInTexts([known])) > 0], [before, true]);
    it.pass(5 * 60_000);
    const over = await first.onceOver();
    for (const one of rest) assert.deepEqual(await one.onceOver(), over);
  });
});

test("a gateway's report of a failed text does not change the sign-in's responses", async () => {
  const phone = await phoneOnRecord();
  const browser = stranger();
  const { signIn: uuid } = (await browser.beginSignIn({ body: { phone, consent: agreed("signIn") } })).body;
  await work();
  const { id } = it.texts.at(-1) ?? assert.fail("nothing was texted");
  assert.equal((await it.called(`/callbacks/texts/${id}`, { id, status: "failed" })).status, 204);
  const wrong = it.codeTo(phone) === "000000" ? "000001" : "000000";
  const { errorCode, data } = await refusal(browser.finishSignIn({ body: { signIn: uuid, code: wrong } }));
  assert.deepEqual([errorCode, data.attemptsRemaining], ["OCV001", 2]);
  assert.equal((await browser.resendSignIn({ body: { signIn: uuid } })).status, 200);
});

test("saving the gateway's response and report waits for no lock on the sign-in, so a resend cannot deadlock", async () => {
  const phone = await phoneOnRecord();
  const { body } = await stranger().beginSignIn({ body: { phone, consent: agreed("signIn") } });
  const resend = await it.store.pool.connect();
  const { send } = real.deps.vendors.sms;
  // The job of a resend locks messages first and the sign-in last. Here another connection has the sign-in locked.
  const sendUnderLock: typeof send = async (text) => {
    // The texts of earlier tests are sent now, too, perhaps before the job that queues this one needs the lock.
    if (text.to !== phone) return await send(text);
    await resend.query("begin");
    await resend.query("select from verification where uuid = $1 for no key update", [body.signIn]);
    return await send(text);
  };
  for (const { deps } of [real, other]) deps.vendors.sms.send = sendUnderLock;
  try {
    await work();
    const { id } = it.texts.findLast(({ to }) => to === phone) ?? assert.fail("nothing was texted");
    const status = async () =>
      (await it.store.db.selectFrom("message").select("status").where("uuid", "=", id).executeTakeFirst())?.status;
    assert.equal(await status(), "sent");
    assert.equal((await it.called(`/callbacks/texts/${id}`, { id, status: "delivered" })).status, 204);
    assert.equal(await status(), "delivered");
  } finally {
    for (const { deps } of [real, other]) deps.vendors.sms.send = send;
    await resend.query("rollback");
    resend.release();
  }
});

test("beginning, resending and guessing run the same SQL statements for known and unknown numbers", async () => {
  const run = async (phone: string) => {
    const statements: string[] = [];
    const browser = stranger();
    const { body } = await recordStatements(statements, () =>
      browser.beginSignIn({ body: { phone, consent: agreed("signIn") } }),
    );
    await work();
    await recordStatements(statements, () => browser.resendSignIn({ body: { signIn: body.signIn } }));
    const guess = { body: { signIn: body.signIn, code: "000000" } };
    await recordStatements(statements, () => refusal(browser.finishSignIn(guess)));
    return statements.join("\n");
  };
  await withCode("424242", async () => {
    // All in one cell, because some cells need one more statement to be found.
    const cell = real.deps.cells.all().at(-1);
    const beside = async (): Promise<string> => {
      const phone = fresh();
      return (await cellOf(phone)) === cell ? phone : await beside();
    };
    const [one, two] = [await phoneOnRecord(await beside()), await stoppedPhone(await beside())];
    const unknown = await run(await beside());
    assert.match(
      unknown,
      /insert into "verification"[\s\S]*"attempts_used" = attempts_used \+ 1/,
      "the statements were recorded",
    );
    for (const phone of [one, two, await cappedPhone(await beside())]) assert.equal(await run(phone), unknown);
  });
});

test("an unknown number gets no text, creates no person, and accepts no code", async () => {
  const phone = fresh();
  const rows = async () => {
    const { db } = it.store;
    return [await db.selectFrom("person").selectAll().execute(), await db.selectFrom("consent").selectAll().execute()];
  };
  const before = await rows();
  await withCode("424242", async () => {
    const browser = stranger();
    const { signIn: uuid } = (await browser.beginSignIn({ body: { phone, consent: agreed("signIn") } })).body;
    await work();
    const refused = await refusal(browser.finishSignIn({ body: { signIn: uuid, code: "424242" } }));
    assert.deepEqual([refused.errorCode, refused.data.attemptsRemaining], ["OCV001", 2]);
  });
  assert.deepEqual(await rows(), before);
  assert.equal(it.texts.filter(({ to }) => to === phone).length, 0);
  it.pass(24 * hour);
  await work();
  const kept = await it.store.db.selectFrom("verification").selectAll().where("brand_uuid", "is", null).execute();
  assert.deepEqual(kept, [], "the sign-in is deleted after a day");
});

test("a person without any remaining data gets no sign-in text", async () => {
  const phone = supported(fresh());
  const cell = await cellOf(phone);
  await cell.db.inTransaction((trx) => ensurePerson(cell, trx, phone));
  assert.equal(await textsFor([phone]), 0);
  await onRecord(phone);
  assert.equal(await textsFor([phone]), 1);
});

test("a code is accepted only after its text is sent", async () => {
  await withCode("424242", async () => {
    const browser = stranger();
    const phone = await phoneOnRecord();
    const { signIn: uuid } = (await browser.beginSignIn({ body: { phone, consent: agreed("signIn") } })).body;
    const finish = () => browser.finishSignIn({ body: { signIn: uuid, code: "424242" } });
    assert.equal((await refusal(finish())).errorCode, "OCV001");
    await work();
    assert.equal((await finish()).status, 201);
  });
});

test("a sign-in job that runs a second time sends no second text", async () => {
  const phone = await phoneOnRecord();
  const { signIn: verificationUuid } = (await ask(phone)).body;
  await work();
  const { uuid: messageUuid } = await it.store.db
    .selectFrom("message")
    .select("uuid")
    .where("verification_uuid", "=", verificationUuid)
    .executeTakeFirstOrThrow();
  await textSignIn(await other.deps.cells.ofPhone(supported(phone)), { verificationUuid, messageUuid });
  assert.equal(await signInTexts([phone]), 1);
});
