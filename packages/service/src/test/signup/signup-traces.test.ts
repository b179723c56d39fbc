/** Unique values are submitted and then searched for everywhere: tables, log, jobs and errors. */
import assert from "node:assert/strict";
import test from "node:test";
import type { OneClickRequest } from "@countersign/contract/v2";
import { columnsWith, withoutIds } from "../harness/below-http.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const canaries = {
  phone: "+13036180277",
  email: "canary.q7xz@example.com",
  birthDate: "1961-02-13",
  ssn4: "7391",
  firstName: "Zyxquara",
  line1: "17 Canary Row Qx",
};
const { phone, email, birthDate, ssn4, firstName, line1 } = canaries;
const given = { phone, email, fullName: { firstName }, address: { line1 } };
const sourced = ["000456789", "1989-08-01", "Hendricks", "5320 Newell Rd"];

/** Runs every outcome that a request with these values can have, and returns the errors. */
async function everyOutcome(): Promise<unknown[]> {
  const refused: unknown[] = [];
  const fails = async (body: OneClickRequest, api = it.api) => {
    refused.push(await refusal(api.createOneClick({ body })));
  };
  const { uuid } = (await it.api.createOneClick({ body: given })).body;
  await it.api.readOneClick({ params: { uuid } });
  await fails({ ...given, birthDate, ssn4 });
  for (const year of [1962, 1963, 1964]) await fails({ ...given, birthDate: `${year}-02-13`, ssn4 });
  const { api } = await it.brand({ challenges: [{ input: "fullName.firstName", when: "always" }] });
  await fails({ phone, email }, api);
  await fails({ ...given, birthDate, ssn4 }, api);
  await fails({ ...given, identityUuid: uuid, phone: "+13036180278" });
  await fails({ ...given, birthDate: "1961-02-31", ssn4: "73919" });
  await fails({ ...given, email: `${email} ` });
  await fails({ ...given, credentialRequests: [{ type: "LivenessCredential", mandatory: "yes" }] });
  return refused;
}

test("no table, job or log has a submitted value in plaintext, and errors have it only as an identifier", async () => {
  const refused = await everyOutcome();
  const verification = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
  await it.api.deliverVerification({ params: { uuid: verification.uuid }, body: {} });
  for (const [name, value] of Object.entries(canaries)) {
    assert.deepEqual(await columnsWith(it, value), [], name);
    assert.equal(withoutIds(JSON.stringify(it.log)).includes(value), false, `${name} is in the log`);
  }
  const said = withoutIds(JSON.stringify(refused));
  for (const value of [birthDate, "1961-02-31", ssn4, firstName, line1])
    assert.equal(said.includes(value), false, value);
  const messages = JSON.stringify(refused.map((one) => (one as { message: string }).message));
  for (const value of [phone, email]) assert.equal(messages.includes(value), false, value);
});

test("no table or log has a sourced value in plaintext", async () => {
  for (const value of sourced) {
    assert.deepEqual(await columnsWith(it, value), [], value);
    assert.equal(JSON.stringify(it.log).includes(value), false, `${value} is in the log`);
  }
});

test("the search finds a value that is stored in plaintext", async () => {
  const { db } = it.store;
  await db
    .insertInto("rate_limit")
    .values({ key: `here: ${birthDate}`, points: 0, expire: null })
    .execute();
  assert.deepEqual(await columnsWith(it, birthDate), ["rate_limit.key"]);
  const { uuid } = (await it.api.createOneClick({ body: { phone } })).body;
  await db
    .updateTable("one_click")
    .set({ sealed: Buffer.from(`{"ssn4":"${ssn4}"}`) })
    .where("uuid", "=", uuid)
    .execute();
  assert.deepEqual(await columnsWith(it, ssn4), ["one_click.sealed"]);
});
