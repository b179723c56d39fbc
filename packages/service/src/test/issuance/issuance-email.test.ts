import assert from "node:assert/strict";
import test from "node:test";
import { plainEmail } from "../../domain/email.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const issue = (email: string, value = email) =>
  it.api.issueCredentials({ body: { email, credentials: [{ type: "EmailCredential", data: { email: value } }] } });

test("an email address may have letters outside ASCII, and is the same however its domain is written", async () => {
  for (const email of ["ada@münchen.de", "ADA@xn--mnchen-3ya.DE", "ада+tag@пример.рф", "o’hara@example.com"])
    assert.equal((await issue(email)).body.email, email);
  const { rows } = await it.store.pool.query("select count(*) as count from person where email_index is not null");
  assert.equal(Number(rows[0].count), 3);
  assert.equal(plainEmail(" Ada@MÜNCHEN.de "), "ada@xn--mnchen-3ya.de");
});

test("an address that no mail server takes is refused", async () => {
  const long = `${"a".repeat(65)}@example.com`;
  for (const email of ["ada@example", "ada@b@example.com", "ada@a_b.com", "@example.com", "ada@mün chen.de", long])
    assert.equal((await refusal(issue(email, "ada@example.com"))).errorCode, "ERR001", email);
});
