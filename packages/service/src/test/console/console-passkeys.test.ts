/** Deleting passkeys of the console's people: who may, with which proof, and what ends with them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deleteOperatorPasskey, endOtherOperatorSessions, lockOperators } from "../../domain/operator/operator-rows.ts";
import { listOperators, removeOperator } from "../../domain/operator/operators.ts";
import { callsAsStaff, signedInStaff } from "../harness/console-staff.ts";
import { untilLockWaits } from "../harness/lock-waits.ts";
import { consolePasskey, madePasskey } from "../harness/made-passkey.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox({}, { DEMO: "off", OPERATOR_PORT: "4003" });
type Staff = Awaited<ReturnType<typeof signedInStaff>>;
type Passkey = Awaited<ReturnType<typeof consolePasskey>>;

async function person(role: "operator" | "support" = "operator") {
  const staff = await signedInStaff(it, role, "passkey");
  return { ...staff, passkey: await consolePasskey(it, staff.uuid) };
}

/** A challenge for the deletion of one passkey, signed by another. */
async function proofOf(staff: Staff, { of, by }: { of: Passkey; by: Passkey }) {
  const { status, body } = await staff.call("POST", `/api/console/passkeys/${of.uuid}/proof`, {});
  assert.equal(status, 201, JSON.stringify(body));
  const { uuid, options } = body as { uuid: string; options: { challenge: string } };
  return { uuid, credential: by.sign(options.challenge) };
}
const deletesOwn = async (staff: Staff, passkey: Passkey, proof: object) =>
  (await staff.call("POST", `/api/console/me/passkeys/${passkey.uuid}/deletion`, { proof })).status;
const deletes = async (staff: Staff, passkey: Passkey, proof: object) =>
  (
    await staff.call("POST", `/api/console/passkeys/${passkey.uuid}/deletion`, {
      proof,
      reason: "The phone was stolen",
    })
  ).status;
async function has(passkey: Passkey): Promise<boolean> {
  const { rows } = await it.store.pool.query("select 1 from operator_passkey where uuid = $1", [passkey.uuid]);
  return rows.length === 1;
}

const first = await person();

test("the last passkey of an operator stays, even if support has one", async () => {
  const support = await person("support");
  const proof = await proofOf(first, { of: first.passkey, by: first.passkey });
  assert.equal(await deletesOwn(first, first.passkey, proof), 409);
  assert.ok(await has(first.passkey));
  const own = await proofOf(support, { of: support.passkey, by: support.passkey });
  assert.equal(await deletesOwn(support, support.passkey, own), 200, "support's last passkey may go");
});

test("a person deletes a passkey of their own, which ends their other sessions", async () => {
  const second = await consolePasskey(it, first.uuid);
  const session = {
    uuid: it.deps.random.uuid(),
    operator_uuid: first.uuid,
    token_hash: Buffer.alloc(32),
    method: "passkey" as const,
  };
  const times = { created_at: 1, last_used_at: it.accountClock.now(), expires_at: it.accountClock.now() + 60_000 };
  await it.store.db
    .insertInto("operator_session")
    .values({ ...session, ...times, device: "Another" })
    .execute();
  const listed = (await first.call("GET", "/api/console/me/passkeys")).body as { data: { uuid: string }[] };
  assert.deepEqual(listed.data.map(({ uuid }) => uuid).sort(), [first.passkey.uuid, second.uuid].sort());
  assert.equal(await deletesOwn(first, second, await proofOf(first, { of: second, by: first.passkey })), 200);
  assert.ok(!(await has(second)));
  assert.equal((await first.call("GET", "/api/console/me")).status, 200, "this session stays");
  const { rows } = await it.store.pool.query("select 1 from operator_session where uuid = $1", [session.uuid]);
  assert.equal(rows.length, 0);
});

test("an operator deletes a colleague's passkey, which ends the colleague's sessions and is recorded", async () => {
  const colleague = await person();
  assert.equal(
    await deletes(first, colleague.passkey, await proofOf(first, { of: colleague.passkey, by: first.passkey })),
    200,
  );
  assert.equal((await colleague.call("GET", "/api/console/me")).status, 401);
  const { data } = (await first.call("GET", "/api/console/audit?action=passkey.deleted")).body as {
    data: { who: string; subject: string; reason: string }[];
  };
  assert.deepEqual(
    [data[0]?.who, data[0]?.subject, data[0]?.reason],
    [first.name, colleague.name, "The phone was stolen"],
  );
});

test("a proof counts once, for its person and its passkey, and only if a passkey of that person signed", async () => {
  const colleague = await person();
  const other = await consolePasskey(it, colleague.uuid);
  const target = await consolePasskey(it, colleague.uuid);
  const wrong = async (name: string, staff: Staff, proof: object) => {
    assert.equal(await deletes(staff, target, proof), 403, name);
    assert.ok(await has(target), name);
  };
  await wrong("for another passkey", first, await proofOf(first, { of: other, by: first.passkey }));
  await wrong("signed by the colleague", first, await proofOf(first, { of: target, by: other }));
  await wrong("of another person", first, await proofOf(colleague, { of: target, by: first.passkey }));
  const signIn = (await first.call("POST", "/api/console/sign-in-passkey", {})).body as {
    uuid: string;
    options: { challenge: string };
  };
  const ofSignIn = { uuid: signIn.uuid, credential: first.passkey.sign(signIn.options.challenge) };
  await wrong("of a sign-in", first, ofSignIn);
  const late = await proofOf(first, { of: target, by: first.passkey });
  it.accountClock.setOffset(5 * 60_000);
  await wrong("too late", first, late);
  it.accountClock.setOffset(0);
  const used = await proofOf(first, { of: other, by: first.passkey });
  assert.equal(await deletes(first, other, used), 200);
  await wrong("used", first, used);
});

test("a proof of a deletion signs nobody in", async () => {
  const proof = await proofOf(first, { of: first.passkey, by: first.passkey });
  const { body } = await first.call("POST", `/api/console/sign-in-passkey/${proof.uuid}`, {
    credential: proof.credential,
  });
  assert.equal(body.outcome, "over");
});

test("nobody deletes an own passkey as a colleague's, a colleague's as an own one, or one that does not exist", async () => {
  const colleague = await person();
  const own = await proofOf(first, { of: first.passkey, by: first.passkey });
  assert.equal(await deletes(first, first.passkey, own), 404);
  const others = await proofOf(first, { of: colleague.passkey, by: first.passkey });
  assert.equal(await deletesOwn(first, colleague.passkey, others), 404);
  assert.ok(await has(colleague.passkey));
});

test("support does not delete a colleague's passkey, or learn who has one", async () => {
  const support = await person("support");
  const proof = await proofOf(support, { of: first.passkey, by: support.passkey });
  assert.equal(await deletes(support, first.passkey, proof), 403);
  assert.equal((await support.call("GET", "/api/console/operators")).status, 403);
  assert.ok(await has(first.passkey));
});

test("without a passkey, as after single sign-on, nobody gets a challenge", async () => {
  const staff = await signedInStaff(it, "operator", "openid");
  assert.equal((await staff.call("POST", `/api/console/passkeys/${first.passkey.uuid}/proof`, {})).status, 403);
});

test("a sign-in by a passkey that is deleted meanwhile opens no session, and does not deadlock", async () => {
  const colleague = await person();
  const begun = (await callsAsStaff(it, null)("POST", "/api/console/sign-in-passkey", {})).body as {
    uuid: string;
    options: { challenge: string };
  };
  const credential = colleague.passkey.sign(begun.options.challenge);
  const running: Promise<{ body: Record<string, unknown> }>[] = [];
  await it.store.home.inTransaction(async (trx) => {
    await lockOperators(trx);
    running.push(callsAsStaff(it, null)("POST", `/api/console/sign-in-passkey/${begun.uuid}`, { credential }));
    await untilLockWaits(it);
    // A sign-in that locked the passkey first would now deadlock with this.
    await deleteOperatorPasskey(trx, colleague.passkey.uuid);
    await endOtherOperatorSessions(trx, { operatorUuid: colleague.uuid, except: it.deps.random.uuid() });
  });
  assert.deepEqual(
    (await Promise.all(running)).map(({ body }) => body.outcome),
    ["over"],
  );
  const { rows } = await it.store.pool.query("select 1 from operator_session where operator_uuid = $1", [
    colleague.uuid,
  ]);
  assert.equal(rows.length, 0);
});

test("of two operators who delete each other's passkeys at once, only one succeeds, even if a third has one", async () => {
  const [one, other] = [await person(), await person()];
  const [ofOther, ofOne] = [
    await proofOf(one, { of: other.passkey, by: one.passkey }),
    await proofOf(other, { of: one.passkey, by: other.passkey }),
  ];
  const running: Promise<number>[] = [];
  await it.store.home.inTransaction(async (trx) => {
    await lockOperators(trx);
    running.push(deletes(one, other.passkey, ofOther), deletes(other, one.passkey, ofOne));
    await untilLockWaits(it, { count: 2 });
  });
  assert.deepEqual((await Promise.all(running)).sort(), [200, 401]);
  assert.deepEqual([await has(one.passkey), await has(other.passkey)].sort(), [false, true]);
});

test("of two people who delete each other's passkeys at once, one keeps access", async () => {
  const { rows } = await it.store.pool.query("select uuid from operator where uuid <> $1 and removed_at is null", [
    first.uuid,
  ]);
  for (const { uuid } of rows) await removeOperator(it.accounts, uuid);
  const second = await person();
  const [ofSecond, ofFirst] = await Promise.all([
    proofOf(first, { of: second.passkey, by: first.passkey }),
    proofOf(second, { of: first.passkey, by: second.passkey }),
  ]);
  const statuses = await Promise.all([
    deletes(first, second.passkey, ofSecond),
    deletes(second, first.passkey, ofFirst),
  ]);
  // Neither a deadlock nor two deletions.
  assert.deepEqual(statuses.sort(), [200, 401]);
  assert.equal([await has(first.passkey), await has(second.passkey)].filter(Boolean).length, 1);
});

test("an invitation that adds several passkeys at once adds one", async () => {
  const invited = await signedInStaff(it, "support");
  const origin = it.accounts.addresses.operatorUrl ?? "";
  const begin = async () => {
    const { body } = await invited.call("POST", "/api/console/me/passkeys", {});
    const { uuid, options } = body as { uuid: string; options: { challenge: string } };
    return { path: `/api/console/me/passkeys/${uuid}`, credential: madePasskey(origin).create(options.challenge) };
  };
  const begun = [await begin(), await begin(), await begin()];
  const running: Promise<{ status: number }>[] = [];
  await it.store.home.inTransaction(async (trx) => {
    await lockOperators(trx);
    running.push(...begun.map(({ path, credential }) => invited.call("POST", path, { credential })));
    await untilLockWaits(it, { count: 3 });
  });
  assert.deepEqual((await Promise.all(running)).map(({ status }) => status).sort(), [201, 401, 401]);
  const { rows } = await it.store.pool.query("select 1 from operator_passkey where operator_uuid = $1", [invited.uuid]);
  assert.equal(rows.length, 1);
});

test("the command removes the last operator too, also twice at once, and the next invitation works", async () => {
  const everybody = await listOperators(it.accounts);
  const last = await person();
  for (const { operator } of everybody) await removeOperator(it.accounts, operator);
  const ended = await Promise.allSettled([1, 2].map(() => removeOperator(it.accounts, last.uuid)));
  assert.deepEqual(ended.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  assert.equal((await last.call("GET", "/api/console/me")).status, 401);
  assert.deepEqual(await listOperators(it.accounts), []);
  assert.equal((await (await person()).call("GET", "/api/console/me")).status, 200);
});
