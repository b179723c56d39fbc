/** A person who asks the operator: what exists, never values; the deletion; and who looked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PersonRecord } from "@countersign/contract/console-people";
import { phoneOnRecord } from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import { signedInStaff } from "../harness/console-staff.ts";
import { rowsOf } from "../harness/database-contents.ts";
import { hostedShare } from "../harness/hosted-share.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const support = await signedInStaff(it, "support");
const phone = await phoneOnRecord(it);
const reason = "Case 4711";

async function look(asked: string, environment = "sandbox"): Promise<PersonRecord | null> {
  const { status, body } = await support.call("POST", "/api/console/people", { environment, phone: asked, reason });
  assert.equal(status, 200, JSON.stringify(body));
  return body.person as PersonRecord | null;
}

test("shows what exists by table, brand and state, and no value", async () => {
  await hostedShare(it, phone);
  const { body } = await it.api.createOneClick({ body: { phone } });
  const person = await look(phone);
  assert.ok(person !== null);
  const lines = person.stored.map(({ table, brand, state, count }) => `${table} ${brand?.name} ${state} ${count}`);
  assert.ok(
    lines.some((line) => line.startsWith("one_click ") && line.includes(" released ")),
    lines.join("\n"),
  );
  assert.ok(
    lines.some((line) => line.startsWith("consent ") && line.includes(" share ")),
    lines.join("\n"),
  );
  assert.ok(person.receipts.some(({ action, brandName }) => action === "share" && brandName !== null));
  // UUIDs and times have digits that could be equal to those of a value by chance.
  const text = JSON.stringify(person).replace(/[0-9a-f-]{36}|\d{13}/g, "");
  const values = JSON.stringify(body.identity).match(/(?<=:")[^"]+(?=")/g) ?? [];
  assert.ok(values.length > 3, "the identity has values");
  for (const value of [...values, phone, phone.slice(-4), phone.slice(-10)])
    if (!/^(credential|valid|otp|mandatory|\w+Credential)$/.test(value) && value.length > 3 && !isId(value))
      assert.ok(!text.includes(value), `the answer contains ${value}`);
});

test("a receipt has the brand's name that the person saw, and not the name of today", async () => {
  const renamed = freshPhone();
  const brand = await it.brand({ externalName: "First Name" });
  await brand.api.createOneClick({ body: { phone: renamed } });
  await it.api.patchSandboxBrand({ params: { uuid: brand.uuid }, body: { externalName: "Second Name" } });
  const person = await look(renamed);
  assert.deepEqual(
    person?.receipts.map(({ brandName }) => brandName),
    ["First Name"],
  );
});

/** UUIDs and times are no personal values. */
const isId = (value: string) =>
  /^[0-9a-f-]{36}$/.test(value) || /^\d{4}-\d\d-\d\dT/.test(value) || /^\d{13}$/.test(value);

test("accepts the phone as people write it, and refuses what is none", async () => {
  const whole = await look(phone);
  const [, area, block, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone) ?? [];
  for (const typed of [`(${area}) ${block}-${line}`, `${area}.${block}.${line}`, `+1 ${area} ${block} ${line}`])
    assert.equal((await look(typed))?.uuid, whole?.uuid, typed);
  const bad = { environment: "sandbox", phone: "12", reason };
  assert.equal((await support.call("POST", "/api/console/people", bad)).status, 400);
  const away = { environment: "production", phone, reason };
  assert.equal((await support.call("POST", "/api/console/people", away)).status, 404);
});

test("needs a reason, and records each look with the operator's name, also one that finds nothing", async () => {
  for (const bad of [undefined, "", "  ", "ab", "two\nlines", "x".repeat(301)]) {
    const body = { environment: "sandbox", phone, ...(bad === undefined ? {} : { reason: bad }) };
    assert.equal((await support.call("POST", "/api/console/people", body)).status, 400, String(bad));
  }
  assert.equal(await look("+13035550119"), null);
  const person = await look(phone);
  const newest = person?.looks[0];
  assert.deepEqual([newest?.who, newest?.action, newest?.reason], [support.name, "person.viewed", reason]);
  const query = new URLSearchParams({ action: "person.viewed" });
  const { data } = (await support.call("GET", `/api/console/audit?${query}`)).body as { data: { subject: unknown }[] };
  assert.ok(
    data.some(({ subject }) => subject === null),
    "the look that found nothing",
  );
  assert.ok(data.some(({ subject }) => subject === person?.uuid));
  assert.ok(![...(await rowsOf(it))].join("\n").includes(phone.slice(1)), "no phone is stored in the clear");
});

test("looking creates no person", async () => {
  const count = async () => (await it.store.db.selectFrom("person").select("uuid").execute()).length;
  const was = await count();
  assert.equal(await look("+13035550118"), null);
  assert.equal(await count(), was);
});

test("a deletion ends what the person's own deletion ends, and gives a receipt without values", async () => {
  const before = await look(phone);
  assert.ok(before !== null);
  const body = { environment: "sandbox", phone, person: before.uuid, reason: "Asked by email" };
  const other = await support.call("POST", "/api/console/people/deletion", { ...body, person: support.uuid });
  assert.equal(other.status, 404, "another person's uuid");
  const { status, body: answer } = await support.call("POST", "/api/console/people/deletion", body);
  assert.deepEqual([status, answer.isReset], [200, false]);
  const claims = JSON.parse(Buffer.from(String(answer.receipt).split(".")[1] ?? "", "base64url").toString());
  assert.deepEqual([claims.action, claims.source, claims.words], ["delete", "operator", { version: "operator" }]);
  assert.ok(!JSON.stringify(claims).includes(phone.slice(-4)));
  assert.equal(await look(phone), null, "the phone leads to nobody");
  const { rows } = await it.store.pool.query(
    "select wrapped from data_key join person on person.data_key_uuid = data_key.uuid where person.uuid = $1",
    [before.uuid],
  );
  assert.equal(rows[0]?.wrapped, null, "the key is destroyed");
  assert.equal((await support.call("POST", "/api/console/people/deletion", body)).status, 404);
  const query = new URLSearchParams({ person: before.uuid });
  const { data } = (await support.call("GET", `/api/console/audit?${query}`)).body as {
    data: { action: string; who: string; reason: string }[];
  };
  assert.deepEqual([data[0]?.action, data[0]?.who, data[0]?.reason], ["person.deleted", support.name, body.reason]);
  assert.ok(data.length > 1, "who looked can still be found");
});

test("a fixed test person is reset, and keeps the phone", async () => {
  const fixed = "+12125550010";
  await hostedShare(it, fixed);
  const before = await look(fixed);
  assert.equal(before?.isFixed, true);
  const body = { environment: "sandbox", phone: fixed, person: before?.uuid, reason };
  const { body: answer } = await support.call("POST", "/api/console/people/deletion", body);
  assert.equal(answer.isReset, true);
  assert.equal((await look(fixed))?.uuid, before?.uuid);
});
