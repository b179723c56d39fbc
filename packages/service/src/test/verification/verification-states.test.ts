import assert from "node:assert/strict";
import test from "node:test";
import type { SmsOutcome } from "../../domain/ports.ts";
import type { Trx } from "../../store/database.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

/** The gateway's response. Without a report, a text stays `sending`. */
let outcome: SmsOutcome = { kind: "accepted" };
const it = await sandbox({
  vendors: { sms: { route: "test", from: "Test", keepsTexts: true, send: async () => outcome } },
});
const minute = 60_000;

const begin = async () =>
  (await it.api.createVerification({ body: { channel: "sms", phone: "+12125550010" } })).body.uuid;
const deliver = async (uuid: string, answer: SmsOutcome["kind"] = "accepted") => {
  outcome = answer === "rejected" ? { kind: "rejected", reason: "no such number" } : { kind: answer };
  await it.api.deliverVerification({ params: { uuid }, body: {} });
  await it.runJobs();
};
const verify = (uuid: string, code: string) => it.api.submitVerificationCode({ params: { uuid }, body: { code } });
const wrong = async (uuid: string, times: number) => {
  for (let i = 0; i < times; i += 1) assert.equal((await refusal(verify(uuid, "000000"))).errorCode, "OCV001");
};

/** Brings a verification into each state. `lastAttempt` and `lastText` are edge cases of `delivered`. */
const reach: Record<string, (uuid: string) => Promise<unknown>> = {
  pending: async () => {},
  sending: (uuid) => deliver(uuid),
  delivered: (uuid) => deliver(uuid, "delivered"),
  resent: async (uuid) => {
    await deliver(uuid, "delivered");
    await deliver(uuid);
  },
  lastAttempt: async (uuid) => {
    await deliver(uuid, "delivered");
    await wrong(uuid, 2);
  },
  lastText: async (uuid) => {
    for (let texts = 0; texts < 3; texts += 1) await deliver(uuid, "delivered");
  },
  verified: (uuid) => verify(uuid, "111111"),
  expired: () => it.advance(5 * minute),
  deliveredAndExpired: async (uuid) => {
    await deliver(uuid, "delivered");
    await it.advance(5 * minute);
  },
  outOfAttempts: (uuid) => wrong(uuid, 3),
  outOfAttemptsAndTime: async (uuid) => {
    await wrong(uuid, 3);
    await it.advance(5 * minute);
  },
  rejected: (uuid) => deliver(uuid, "rejected"),
  verifiedAndOld: async (uuid) => {
    await verify(uuid, "111111");
    await it.advance(23 * 60 * minute);
  },
  deleted: () => it.advance(24 * 60 * minute),
};
const events: Record<string, (uuid: string) => Promise<unknown>> = {
  deliver: (uuid) => deliver(uuid),
  correctCode: (uuid) => verify(uuid, "111111"),
  wrongCode: (uuid) => verify(uuid, "000000"),
};

/**
 * For each state: its status, and for each event the resulting error, if any, and the status after it.
 */
// biome-ignore format: a table
const table: Record<string, { read: string; deliver: string; correctCode: string; wrongCode: string }> = {
  pending:              { read: "pending",   deliver: "sending",          correctCode: "verified",        wrongCode: "OCV001 pending" },
  sending:              { read: "sending",   deliver: "sending",          correctCode: "verified",        wrongCode: "OCV001 sending" },
  delivered:            { read: "delivered", deliver: "sending",          correctCode: "verified",        wrongCode: "OCV001 delivered" },
  resent:               { read: "sending",   deliver: "sending",          correctCode: "verified",        wrongCode: "OCV001 sending" },
  lastAttempt:          { read: "delivered", deliver: "sending",          correctCode: "verified",        wrongCode: "OCV001 failed" },
  lastText:             { read: "delivered", deliver: "OCV004 delivered", correctCode: "verified",        wrongCode: "OCV001 delivered" },
  verified:             { read: "verified",  deliver: "OCV003 verified",  correctCode: "OCV001 verified", wrongCode: "OCV001 verified" },
  expired:              { read: "expired",   deliver: "OCV003 expired",   correctCode: "OCV007 expired",  wrongCode: "OCV007 expired" },
  deliveredAndExpired:  { read: "expired",   deliver: "OCV003 expired",   correctCode: "OCV007 expired",  wrongCode: "OCV007 expired" },
  outOfAttempts:        { read: "failed",    deliver: "OCV003 failed",    correctCode: "OCV002 failed",   wrongCode: "OCV002 failed" },
  outOfAttemptsAndTime: { read: "failed",    deliver: "OCV003 failed",    correctCode: "OCV002 failed",   wrongCode: "OCV002 failed" },
  rejected:             { read: "failed",    deliver: "OCV003 failed",    correctCode: "OCV002 failed",   wrongCode: "OCV002 failed" },
  verifiedAndOld:       { read: "verified",  deliver: "OCV003 verified",  correctCode: "OCV001 verified", wrongCode: "OCV001 verified" },
  deleted:              { read: "OCV005",    deliver: "OCV005",           correctCode: "OCV005",          wrongCode: "OCV005" },
};

async function stateOf(uuid: string): Promise<string> {
  return await it.api.readVerification({ params: { uuid } }).then(
    ({ body }) => body.status,
    async () => (await refusal(it.api.readVerification({ params: { uuid } }))).errorCode ?? "no code",
  );
}

async function after(event: (uuid: string) => Promise<unknown>, uuid: string): Promise<string> {
  const error = await event(uuid).then(
    () => "",
    async (thrown: unknown) => (await refusal(Promise.reject(thrown))).errorCode ?? "no code",
  );
  const state = await stateOf(uuid);
  return error === state ? error : `${error} ${state}`.trim();
}

for (const [state, row] of Object.entries(table)) {
  for (const [event, expected] of Object.entries(row)) {
    test(`${state}, then ${event}: ${expected}`, async () => {
      const uuid = await begin();
      await reach[state]?.(uuid);
      assert.equal(await stateOf(uuid), row.read);
      const happen = events[event];
      if (happen !== undefined) assert.equal(await after(happen, uuid), expected);
    });
  }
}

test("deliver returns sending even if the text was sent before the response", async () => {
  outcome = { kind: "delivered" };
  const uuid = await begin();
  const cell = await it.deps.cells.ofUuid(uuid);
  const { db } = cell;
  let sent = false;
  cell.db = new Proxy(db, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (name !== "inTransaction" || sent) return typeof member === "function" ? member.bind(target) : member;
      return async (work: (trx: Trx) => Promise<unknown>) => {
        const result = await target.inTransaction(work);
        // The delivery's transaction returns rows. A sweep, which may run at any time, returns a number.
        if (sent || !Array.isArray(result)) return result;
        sent = true;
        await it.runJobs();
        return result;
      };
    },
  });
  const { body } = await it.api.deliverVerification({ params: { uuid }, body: {} });
  cell.db = db;
  assert.deepEqual([sent, body.status, await stateOf(uuid)], [true, "sending", "delivered"]);
});

test("deliveredAt is when the gateway reported the delivery of the newest text", async () => {
  const uuid = await begin();
  const at = async () => (await it.api.readVerification({ params: { uuid } })).body.deliveredAt;
  await deliver(uuid);
  assert.equal(await at(), undefined);
  await it.advance(1_000);
  await deliver(uuid, "delivered");
  assert.equal(await at(), it.deps.clock.now());
  await it.advance(1_000);
  await deliver(uuid);
  assert.equal(await at(), undefined);
});

test("verified and verifiedAt are set only in the status verified", async () => {
  for (const state of Object.keys(reach)) {
    const uuid = await begin();
    await reach[state]?.(uuid);
    if (state === "deleted") continue;
    const { body } = await it.api.readVerification({ params: { uuid } });
    assert.equal(body.verified, body.status === "verified", state);
    assert.equal(body.verifiedAt !== undefined, body.verified, state);
  }
});

test("after the gateway rejects a text, a read shows three attempts left, but submitting a code shows zero", async () => {
  const uuid = await begin();
  await deliver(uuid, "rejected");
  assert.equal((await it.api.readVerification({ params: { uuid } })).body.attemptsRemaining, 3);
  const { data } = await refusal(verify(uuid, "111111"));
  assert.equal(data.attemptsRemaining, 0);
});
