/** Invitations: failed emails can be sent again, their number is limited, and a used or ended link leaves no other. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { operatorOn, recordChange } from "../../domain/audit/account-audit-rows.ts";
import { signOutEverywhere } from "../../domain/member/end-access.ts";
import { linkFor } from "../../domain/member/sign-in.ts";
import { callsAs, signedIn } from "../harness/dashboard-member.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const later = (ms: number) => it.accountClock.setOffset(it.accountClock.offsetMs() + ms);

test("when an invitation's email fails, the reply says so, and the invitation is kept and can be sent again", async (t) => {
  const { mail } = it.accounts;
  const send = t.mock.fn(mail.send, () => Promise.reject(new Error("smtp: timeout")), { times: 2 });
  t.after(() => {
    it.accounts.mail = mail;
  });
  it.accounts.mail = { ...mail, send };
  const owner = await signedIn(it);
  const email = "jared@example.com";
  const refused = await owner.call("POST", "/api/members", { email, name: "Jared", role: "viewer" });
  const { data } = (await owner.call("GET", "/api/members")).body as { data: { uuid: string; email: string }[] };
  const again = `/api/members/${data.find((one) => one.email === email)?.uuid}/invitation`;
  const statuses = [refused.status];
  for (let i = 0; i < 2; i += 1) statuses.push((await owner.call("POST", again, {})).status);
  assert.deepEqual(statuses, [503, 503, 201]);
  assert.match(String(refused.body.message), /was created, but its email could not be sent/);
  assert.equal(send.mock.callCount(), 3);
});

test("once an invited person has joined, or the operator has signed them out, their other links are over", async () => {
  const owner = await signedIn(it);
  const email = "bertram@example.com";
  await owner.call("POST", "/api/members", { email, name: "Bertram", role: "viewer" });
  const linkOf = async () => (await linkFor(it.accounts, email)).split("#")[1] ?? "";
  const enter = async (link: string) => (await callsAs(it, null)("POST", "/api/sign-in-link", { link })).body.outcome;
  const [left, used] = [await linkOf(), await linkOf()];
  assert.deepEqual([await enter(used), await enter(left)], ["signedIn", "over"]);
  const unused = await linkOf();
  await signOutEverywhere(it.accounts, email);
  assert.equal(await enter(unused), "over");
});

/** Sets up a customer of its own, so that invitations of other tests do not count. */
async function ownAccount(customerUuid: string, t: TestContext) {
  await it.store.db.insertInto("customer").values({ uuid: customerUuid, name: "Own", created_at: 1 }).execute();
  const { mail } = it.accounts;
  const send = t.mock.fn(mail.send);
  t.after(() => {
    it.accounts.mail = mail;
  });
  it.accounts.mail = { ...mail, send };
  const owner = async () => (await signedIn(it, { customerUuid })).call;
  let invited = 0;
  const invite = (call: Awaited<ReturnType<typeof owner>>, email = `invited-${invited++}@example.com`) =>
    call("POST", "/api/members", { email, name: "", role: "viewer" });
  return { owner, invite, send };
}
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

test("an account can send thirty invitations an hour, including parallel ones and ones to removed members", async (t) => {
  const { owner, invite, send } = await ownAccount("d0000000-0000-4000-8000-00000000000d", t);
  const call = await owner();
  for (let i = 0; i < 4; i += 1) {
    const { uuid } = (await invite(call, "again@example.com")).body;
    assert.equal((await call("DELETE", `/api/members/${uuid}`)).status, 200);
  }
  const { uuid } = (await invite(call)).body;
  const answers = await Promise.all(Array.from({ length: 30 }, () => invite(call)));
  assert.deepEqual(statusesOf(answers), [...Array(25).fill(201), ...Array(5).fill(429)]);
  const refused = [await invite(call, "again@example.com"), await call("POST", `/api/members/${uuid}/invitation`, {})];
  assert.deepEqual(
    refused.map(({ status, headers }) => [status, headers["retry-after"]]),
    [
      [429, "3600"],
      [429, "3600"],
    ],
  );
  assert.equal(send.mock.callCount(), 30);
  assert.equal((await invite((await signedIn(it)).call, "of-another@example.com")).status, 201);
  later(60 * 60_000);
  assert.equal((await invite(await owner())).status, 201);
});

test("an invited member gets at most five invitations a day, and colleagues still get theirs", async (t) => {
  const { owner, invite, send } = await ownAccount("d0000000-0000-4000-8000-00000000000c", t);
  const first = await owner();
  const { uuid } = (await invite(first)).body;
  const again = (call = first) => call("POST", `/api/members/${uuid}/invitation`, {});
  assert.deepEqual(
    statusesOf(await Promise.all([1, 2, 3, 4, 5, 6].map(() => again()))),
    [201, 201, 201, 201, 429, 429],
  );
  assert.equal((await again()).headers["retry-after"], "86400");
  assert.equal(send.mock.callCount(), 5);
  assert.equal((await invite(first)).status, 201);
  later(24 * 60 * 60_000 - 1);
  assert.equal((await again(await owner())).status, 429);
  later(1);
  assert.equal((await again(await owner())).status, 201);
});

test("an invitation does not wait for a transaction that only writes to the account's audit log", async (t) => {
  const { owner, invite } = await ownAccount("d0000000-0000-4000-8000-00000000000b", t);
  const call = await owner();
  const { uuid } = (await invite(call)).body;
  await it.store.home.inTransaction(async (trx) => {
    const operator = operatorOn(it.accounts, "d0000000-0000-4000-8000-00000000000b");
    await recordChange(it.accounts, trx, operator, { action: "member.joined" });
    assert.equal((await call("POST", `/api/members/${uuid}/invitation`, {})).status, 201);
  });
});
