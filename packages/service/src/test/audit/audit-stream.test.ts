/** New entries of the audit log are sent to a receiver outside, at least once. */
import assert from "node:assert/strict";
import test from "node:test";
import { receiverOf } from "../../compose/audit-stream.ts";
import { readConfig } from "../../config/config.ts";
import { operatorOn, recordChange } from "../../domain/audit/account-audit-rows.ts";
import { type StreamedEntry, streamEntries } from "../../domain/member/audit-stream.ts";
import { systemTimer } from "../../providers/timer.ts";
import { noNotes } from "../../providers/vendor.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { eventually } from "../harness/eventually.ts";
import { fakeTime } from "../harness/fake-time.ts";
import { sandbox } from "../harness/sandbox.ts";
import { type FakeReply, fakeVendor } from "../harness/vendors/fake-vendor.ts";
import { signatureUnder } from "../harness/webhook-receiver.ts";

const secret = "s".repeat(32);
const reply: FakeReply = { status: 200 };
const vendor = await fakeVendor(fakeTime(), () => reply);
const it = await sandbox();
const received: StreamedEntry[] = [];
const keep = async (entries: StreamedEntry[]) => void received.push(...entries);
const note = (subject: string) =>
  it.store.home.inTransaction((trx) =>
    recordChange(it.accounts, trx, operatorOn(it.accounts, null), { action: "payers.synced", subject }),
  );

test("every entry is sent once and in order, even if its transaction commits after a later one", async () => {
  await signedIn(it);
  await streamEntries(it.accounts, keep);
  assert.deepEqual([received.at(-1)?.action, received.at(-1)?.actor], ["member.added", "operator"]);
  received.length = 0;
  await it.store.home.inTransaction(async (trx) => {
    const by = operatorOn(it.accounts, null);
    await recordChange(it.accounts, trx, by, { action: "payers.synced", subject: "begun first" });
    await note("committed first");
    await streamEntries(it.accounts, keep);
  });
  await streamEntries(it.accounts, keep);
  await streamEntries(it.accounts, keep);
  assert.deepEqual(
    received.map(({ subject }) => subject),
    ["committed first", "begun first"],
  );
});

test("two processes do not send the same entry, and one that fails leaves it to the next run", async () => {
  for (let at = 0; at < 120; at += 1) await note(String(at));
  received.length = 0;
  await assert.rejects(
    streamEntries(it.accounts, async (entries) => {
      await Promise.all([streamEntries(it.accounts, keep), keep([])]);
      assert.equal(entries.length, 100);
      throw new Error("the receiver is down");
    }),
    /the receiver is down/,
  );
  assert.deepEqual(
    received.map(({ subject }) => Number(subject)),
    Array.from({ length: 20 }, (_, at) => 100 + at),
  );
  await streamEntries(it.accounts, keep);
  assert.equal(new Set(received.map(({ id }) => id)).size, 120);
});

test("a request is signed like a webhook, contains no name or email, and anything but 2xx is a failure", async () => {
  const { email } = await signedIn(it);
  const tools = { clock: it.accountClock, timer: systemTimer, notes: noNotes };
  const receiver = receiverOf({ kind: "webhook", url: vendor.url, secret }, tools);
  await streamEntries(it.accounts, receiver.send);
  const request = vendor.requests.at(-1) ?? assert.fail();
  const { "x-webhook-timestamp": timestamp, "x-webhook-signature": signature } = request.headers;
  assert.equal(signature, signatureUnder(secret, timestamp, request.body));
  assert.ok(!request.body.includes(email));
  assert.equal(JSON.parse(request.body).entries.at(-1).action, "member.added");
  reply.status = 400;
  await note("refused");
  await assert.rejects(streamEntries(it.accounts, receiver.send), /400/);
  reply.status = 200;
  await streamEntries(it.accounts, receiver.send);
  assert.equal(JSON.parse(vendor.requests.at(-1)?.body ?? "{}").entries[0].subject, "refused");
  await receiver.close();
});

test("a service with AUDIT_STREAM sends its entries automatically, and requires a secret of 32 characters", async () => {
  assert.throws(() => readConfig({ AUDIT_STREAM: "https://siem.example/in" }), /AUDIT_STREAM_SECRET/);
  assert.throws(() => readConfig({ AUDIT_STREAM: "http://siem.example/in", AUDIT_STREAM_SECRET: secret }), /https/);
  assert.deepEqual(readConfig({ AUDIT_STREAM: "stdout" }).adapters.auditStream, { kind: "stdout" });
  const streaming = await sandbox({}, { AUDIT_STREAM: vendor.url, AUDIT_STREAM_SECRET: secret });
  const { uuid } = await streaming.brand();
  await eventually(async () => vendor.requests.find(({ body }) => body.includes(uuid)));
});
