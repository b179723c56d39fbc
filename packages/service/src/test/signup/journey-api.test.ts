import assert from "node:assert/strict";
import { test } from "node:test";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const minute = 60_000;

test("a developer verifies a phone, gets the person's data and reads it again until it expires", async () => {
  const { api, uuid: brandUuid } = await it.brand({ externalName: "Pied Piper" });
  const phone = "+14155550132";

  const begun = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  assert.deepEqual([begun.status, begun.verified, begun.attemptsRemaining], ["pending", false, 3]);
  const params = { uuid: begun.uuid };
  assert.equal((await api.deliverVerification({ params })).body.status, "sending");
  await it.runJobs();
  const [text] = (await api.listMessages({ query: { to: phone } })).body.data;
  assert.match(text?.body ?? "", /^\d{6} is your code to verify your phone for Pied Piper \(test\)\./);
  const code = text?.body.slice(0, 6) ?? "";

  const guess = code === "000000" ? "000001" : "000000";
  assert.equal(
    (await refusal(api.submitVerificationCode({ params, body: { code: guess } }))).data.attemptsRemaining,
    2,
  );
  const proven = (await api.submitVerificationCode({ params, body: { code } })).body;
  assert.deepEqual([proven.status, proven.verified], ["verified", true]);

  const { uuid, identity } = (await api.createOneClick({ body: { verificationUuid: begun.uuid } })).body;
  assert.deepEqual(identity.identifiers, { phone });
  assert.equal(identity.metadata.identifiers.verificationMethod.phone, "otp");
  const { credentials = {} } = identity;
  assert.deepEqual(credentials.fullName, { firstName: "Richard", middleName: "Harrison", lastName: "Hendricks" });
  assert.deepEqual([credentials.birthDate, credentials.ssn, credentials.phone], ["1989-08-01", "000456789", phone]);

  await it.advance(59 * minute);
  assert.deepEqual((await api.readOneClick({ params: { uuid } })).body, identity);
  await it.advance(minute);
  assert.equal((await refusal(api.readOneClick({ params: { uuid } }))).errorCode, "OCE015");
  const row = await it.store.db.selectFrom("one_click").selectAll().where("uuid", "=", uuid).executeTakeFirst();
  assert.equal(row?.sealed, null);
  const audit = await it.store.db
    .selectFrom("audit")
    .select("action")
    .where("brand_uuid", "=", brandUuid)
    .orderBy("id")
    .execute();
  assert.deepEqual(
    audit.map(({ action }) => action).filter((action) => action.startsWith("oneClick")),
    ["oneClick.released", "oneClick.read"],
  );

  assert.equal((await api.readVerification({ params })).body.status, "verified");
  await it.advance(23 * 60 * minute);
  assert.equal((await refusal(api.readVerification({ params }))).errorCode, "OCV005");
  assert.deepEqual((await api.listMessages({ query: { to: phone } })).body.data, []);
});
