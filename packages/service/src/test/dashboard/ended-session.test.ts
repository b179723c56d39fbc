/** Calls of a session that ends while they wait for a lock: none changes the account. */
import assert from "node:assert/strict";
import test from "node:test";
import { operatorOn } from "../../domain/audit/account-audit-rows.ts";
import { lockCustomer } from "../../domain/brand/customer-rows.ts";
import { endAccess } from "../../domain/member/end-access.ts";
import { lockMember } from "../../domain/member/member-rows.ts";
import { endSessionsOf } from "../../domain/member/member-session-rows.ts";
import { openSession } from "../../domain/member/session.ts";
import { linkFor, readSignInLink } from "../../domain/member/sign-in.ts";
import { demoBrands, firstDemoCustomer } from "../../providers/sandbox/demo.ts";
import type { HomeTrx } from "../../store/database.ts";
import { type Answer, callsAs, signedIn } from "../harness/dashboard-member.ts";
import { untilLockWaits } from "../harness/lock-waits.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const [{ uuid: brand = "" } = {}] = demoBrands;
const { uuid: customerUuid } = firstDemoCustomer;
type Member = Awaited<ReturnType<typeof signedIn>>;

/** Starts calls that wait for what `lock` locks, and then runs `end` in the same transaction. */
async function meanwhile(
  calls: readonly (() => Promise<Answer>)[],
  { lock, end }: Record<"lock" | "end", (trx: HomeTrx) => Promise<unknown>>,
): Promise<Answer[]> {
  const running: Promise<Answer>[] = [];
  await it.store.home.inTransaction(async (trx) => {
    await lock(trx);
    for (const call of calls) running.push(call());
    await untilLockWaits(it, { count: calls.length });
    await end(trx);
  });
  return await Promise.all(running);
}

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);
const nothing = async () => {};

/** Another session of the same member. */
async function anotherDevice({ uuid: memberUuid }: Member) {
  const token = await it.store.home.inTransaction((trx) =>
    openSession(it.accounts, trx, { memberUuid, method: "code", device: "Another" }),
  );
  return callsAs(it, token);
}

async function entriesBy({ uuid }: Member): Promise<string[]> {
  const rows = await it.store.db.selectFrom("account_audit").select("action").where("member_uuid", "=", uuid).execute();
  return rows.map(({ action }) => action);
}

test("an invitation that waits while the operator ends the access of its sender is refused", async () => {
  const member = await signedIn(it);
  const invited = { email: "intruder@example.com", name: "", role: "owner" };
  const answers = await meanwhile([() => member.call("POST", "/api/members", invited)], {
    lock: (trx) => lockCustomer(trx, customerUuid),
    end: (trx) => endAccess(it.accounts, trx, operatorOn(it.accounts, customerUuid), { ...member, customerUuid }),
  });
  assert.deepEqual(statusesOf(answers), [401]);
  const team = (await (await signedIn(it)).call("GET", "/api/members")).body as { data: { email: string }[] };
  assert.ok(!team.data.some(({ email }) => email === invited.email));
  assert.deepEqual(await entriesBy(member), []);
});

const changes: Record<string, (member: Member) => Promise<Answer>> = {
  "a new name": ({ call }) => call("PATCH", "/api/me", { name: "Somebody else" }),
  "a new key": ({ call }) => call("POST", `/api/brands/${brand}/sandbox/keys`, { name: "Mine", ipRanges: [] }),
  "the end of other sessions": ({ call }) => call("DELETE", "/api/me/sessions"),
};
for (const [what, change] of Object.entries(changes))
  test(`${what} is refused if the session of the call ends while it waits, and the next session may do it`, async () => {
    const member = await signedIn(it);
    const link = (await linkFor(it.accounts, member.email)).split("#")[1] ?? "";
    const answers = await meanwhile([() => change(member)], {
      lock: (trx) => lockMember(trx, member.uuid),
      end: (trx) => endSessionsOf(trx, member.uuid),
    });
    assert.deepEqual(statusesOf(answers), [401]);
    assert.deepEqual(await entriesBy(member), []);
    assert.notEqual(await readSignInLink(it.accounts, link), null, "the member's new link still works");
    const { status } = await change({ ...member, call: await anotherDevice(member) });
    assert.ok([200, 201].includes(status), String(status));
  });

test("of two devices that end each other's session at once, one stays, and there is no deadlock", async () => {
  const member = await signedIn(it);
  const other = await anotherDevice(member);
  const { data } = (await member.call("GET", "/api/me/sessions")).body as {
    data: { uuid: string; isThisOne: boolean }[];
  };
  const uuidOf = (isThisOne: boolean) => data.find((one) => one.isThisOne === isThisOne)?.uuid ?? "";
  const calls = [
    () => member.call("DELETE", `/api/me/sessions/${uuidOf(false)}`),
    () => other("DELETE", `/api/me/sessions/${uuidOf(true)}`),
  ];
  const answers = await meanwhile(calls, { lock: (trx) => lockMember(trx, member.uuid), end: nothing });
  assert.deepEqual(statusesOf(answers).sort(), [200, 401]);
  const left = await Promise.all([member.call("GET", "/api/me"), other("GET", "/api/me")]);
  assert.deepEqual(statusesOf(left).sort(), [200, 401]);
});

test("a sign-out and the end of all other sessions, at once from two devices, cause no deadlock", async () => {
  const member = await signedIn(it);
  const other = await anotherDevice(member);
  const calls = [() => member.call("DELETE", "/api/session"), () => other("DELETE", "/api/me/sessions")];
  const [signedOut, ended] = await meanwhile(calls, { lock: (trx) => lockMember(trx, member.uuid), end: nothing });
  assert.ok(signedOut?.status === 200 || signedOut?.status === 401, "the other device may be first");
  assert.equal(ended?.status, 200);
  const left = await Promise.all([member.call("GET", "/api/me"), other("GET", "/api/me")]);
  assert.deepEqual(statusesOf(left), [401, 200]);
});

test("signing out ends the own session and is recorded", async () => {
  const member = await signedIn(it);
  assert.equal((await member.call("DELETE", "/api/session")).status, 200);
  assert.equal((await member.call("GET", "/api/me")).status, 401);
  assert.deepEqual(await entriesBy(member), ["session.ended"]);
});
