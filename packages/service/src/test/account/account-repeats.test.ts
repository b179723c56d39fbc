/** Repeated calls on the person's own page. One person must not make the service store or read more and more. */
import assert from "node:assert/strict";
import test from "node:test";
import { birthDate, signIn } from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { untilLockWaits } from "../harness/lock-waits.ts";
import { sandbox } from "../harness/sandbox.ts";
import { recordStatements } from "../harness/statement-log.ts";

const it = await sandbox();

/** A person who is signed in and has proved who they are. A brand has their data. */
async function known() {
  const phone = freshPhone();
  const brand = await it.brand();
  const share = () => brand.api.createOneClick({ body: { phone } });
  await share();
  const page = await signIn(it, phone);
  await page.proveAccount({ body: { birthDate } });
  const stop = () => page.stopSharing({ params: { uuid: brand.uuid }, body: { consent: agreed("stop") } });
  const recorded = async () =>
    (
      await it.store.pool.query(
        `select (select count(*)::int from consent where action = 'withdraw' and brand_uuid::text = $1) as consents,
                (select count(*)::int from audit where action = 'account.withdrawn' and brand_uuid::text = $1) as entries,
                (select count(*)::int from job where name = 'account.takeBack' and payload->>'brands' = $1) as jobs`,
        [brand.uuid],
      )
    ).rows[0];
  return { phone, brand, share, page, stop, recorded };
}

test("a repeated stop records nothing and answers with the same view", async () => {
  const person = await known();
  const { body } = await person.stop();
  assert.equal(body.brands[0]?.stopped, true);
  const once = { consents: 1, entries: 1, jobs: 1 };
  assert.deepEqual(await person.recorded(), once);
  for (let more = 0; more < 3; more += 1) assert.deepEqual((await person.stop()).body, body);
  assert.deepEqual(await person.recorded(), once);
});

test("two stops at once record one decision", async () => {
  const person = await known();
  const { db } = await it.cellOf(person.phone);
  const stops = await db.inTransaction(async (trx) => {
    await trx.selectFrom("person").select("uuid").forUpdate().execute();
    const both = [person.stop(), person.stop()];
    await untilLockWaits(it, { count: 2, words: "for update" });
    return both;
  });
  await Promise.all(stops);
  assert.deepEqual(await person.recorded(), { consents: 1, entries: 1, jobs: 1 });
});

test("a stop after anything new at the brand is recorded, and ends it", async () => {
  const person = await known();
  await person.stop();
  await person.share();
  await person.stop();
  assert.equal((await person.recorded()).consents, 2);
  const { uuid } = (await person.brand.api.createVerification({ body: { channel: "sms", phone: person.phone } })).body;
  await person.stop();
  assert.equal((await person.recorded()).consents, 3);
  const left = it.store.db.selectFrom("verification").select("uuid").where("uuid", "=", uuid);
  assert.deepEqual(await left.execute(), []);
});

test("a download makes the same number of statements for any number of decisions", async () => {
  const person = await known();
  const download = async () => {
    const statements: string[] = [];
    const { body } = await recordStatements(statements, () => person.page.downloadAccount());
    return { decisions: body.decisions as { receipt: string; brand: string | null }[], count: statements.length };
  };
  const first = await download();
  assert.equal(first.decisions.length, 1);
  for (let more = 0; more < 4; more += 1) {
    await person.stop();
    await person.share();
  }
  const last = await download();
  assert.deepEqual([last.decisions.length, last.count], [9, first.count]);
  assert.ok(first.count > 10, "the statements were recorded");
  for (const { receipt, brand } of last.decisions) {
    const claims = JSON.parse(Buffer.from(receipt.split(".")[1] ?? "", "base64url").toString());
    assert.equal(claims.brand.name, brand);
    if (claims.action === "share") assert.ok(claims.types.length > 0);
  }
});
