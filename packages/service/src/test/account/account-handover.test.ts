/** Calls during a change of a number's holder. */
import assert from "node:assert/strict";
import test from "node:test";
import { sql } from "kysely";
import { findPerson, startGeneration } from "../../domain/person.ts";
import { clearPerson } from "../../domain/person-rows.ts";
import { signIn } from "../harness/account-page.ts";
import { codesSentTo, freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { untilLockWaits } from "../harness/lock-waits.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

function judged(phone: string) {
  const found = it.deps.phones.judge(phone);
  assert.ok(found.kind === "supported");
  return found.phone;
}
const personOf = async (phone: string) =>
  (await findPerson(await it.cellOf(phone), judged(phone)))?.uuid ?? assert.fail("no person");

test("a verification that was stored for the former holder after the change is not texted, proven or read", async () => {
  const phone = freshPhone();
  const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
  await it.api.deliverVerification({ params: { uuid } });
  const [code = ""] = await codesSentTo(it, phone);
  const { db } = await it.cellOf(phone);
  const { rows } = await sql<{ row: unknown }>`
    select to_jsonb(t) as row from verification t where uuid = ${uuid}`.execute(db);
  const browser = await signIn(it, phone);
  await browser.takeOverNumber({ body: { consent: agreed("handOver") } });
  // As if the call had read the former holder before the change, and stored the verification after it.
  await sql`insert into verification select * from jsonb_populate_record(null::verification, ${JSON.stringify(
    rows[0]?.row,
  )}::jsonb)`.execute(db);
  const params = { uuid };
  for (const call of [
    () => it.api.deliverVerification({ params }),
    () => it.api.submitVerificationCode({ params, body: { code } }),
    () => it.api.readVerification({ params }),
    () => it.api.createOneClick({ body: { verificationUuid: uuid } }),
  ])
    assert.equal((await refusal(call())).errorCode, "OCV005");
});

/** Changes the phone's holder and makes the call before the change is committed. Returns the former holder. */
async function during<Answer>(phone: string, call: () => Promise<Answer>): Promise<{ former: string; answer: Answer }> {
  await it.api.createVerification({ body: { channel: "sms", phone } });
  const cell = await it.cellOf(phone);
  const former = await personOf(phone);
  const { called } = await cell.db.inTransaction(async (trx) => {
    await startGeneration(cell, trx, judged(phone));
    await clearPerson(trx, former);
    const called = call();
    await untilLockWaits(it);
    return { called };
  });
  return { former, answer: await called };
}

test("a 1-Click that begins during the change belongs to the new holder, with its verification", async () => {
  const phone = freshPhone();
  const { former, answer } = await during(phone, () =>
    it.as("sk_sandbox_demo_hosted").beginOneClick({ body: { phone } }),
  );
  const holder = await personOf(phone);
  assert.notEqual(holder, former);
  const { rows } = await it.store.pool.query(
    `select o.person_uuid as share, v.person_uuid as proof from one_click o
       join verification v on v.uuid = o.verification_uuid where o.uuid = $1`,
    [answer.body.uuid],
  );
  assert.deepEqual(rows, [{ share: holder, proof: holder }]);
});

test("a 1-Click that is released during the change belongs to the new holder", async () => {
  const phone = freshPhone();
  const { former, answer } = await during(phone, () => it.api.createOneClick({ body: { phone } }));
  const holder = await personOf(phone);
  assert.notEqual(holder, former);
  const { rows } = await it.store.pool.query("select person_uuid from one_click where uuid = $1", [answer.body.uuid]);
  assert.deepEqual(rows, [{ person_uuid: holder }]);
});
