/** A member's call that waits for a lock while another owner removes or demotes the member changes nothing. */
import assert from "node:assert/strict";
import test from "node:test";
import { createCustomer } from "../../domain/brand/manage.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { untilLockWaits } from "../harness/lock-waits.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

/** Three owners of a new account, and a function that makes calls wait, one after another, for the account's lock. */
async function owners() {
  const customerUuid = await createCustomer(it.admin, { name: "Acme" });
  const first = await signedIn(it, { customerUuid });
  const second = await signedIn(it, { customerUuid });
  const third = await signedIn(it, { customerUuid });
  const inOrder = async <Answer>(...calls: (() => Promise<Answer>)[]) => {
    const keeper = await it.store.pool.connect();
    await keeper.query("begin");
    await keeper.query("select from customer where uuid = $1 for no key update", [customerUuid]);
    const waiting: Promise<Answer>[] = [];
    for (const call of calls) {
      waiting.push(call());
      await untilLockWaits(it, { count: waiting.length });
    }
    await keeper.query("commit");
    keeper.release();
    return await Promise.all(waiting);
  };
  return { first, second, third, inOrder };
}
const accomplice = { email: "accomplice@example.com", name: "Accomplice", role: "owner" };

test("a removed owner's waiting call invites nobody", async () => {
  const { first, second, third, inOrder } = await owners();
  const answers = await inOrder(
    () => first.call("DELETE", `/api/members/${second.uuid}`),
    () => second.call("POST", "/api/members", accomplice),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 401],
  );
  const { data } = (await first.call("GET", "/api/members")).body as { data: { uuid: string }[] };
  assert.deepEqual(new Set(data.map(({ uuid }) => uuid)), new Set([first.uuid, third.uuid]));
});

test("an owner who became a viewer cannot invite or demote with a waiting call", async () => {
  const { first, second, inOrder } = await owners();
  const answers = await inOrder(
    () => first.call("PATCH", `/api/members/${second.uuid}`, { role: "viewer" }),
    () => second.call("POST", "/api/members", accomplice),
    () => second.call("PATCH", `/api/members/${first.uuid}`, { role: "viewer" }),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 403, 403],
  );
});

test("an owner can still leave, and become a viewer", async () => {
  const { first, second, third } = await owners();
  assert.equal((await first.call("PATCH", `/api/members/${first.uuid}`, { role: "viewer" })).status, 200);
  assert.equal((await second.call("DELETE", `/api/members/${second.uuid}`)).status, 200);
  assert.equal((await second.call("GET", "/api/members")).status, 401);
  assert.equal((await third.call("GET", "/api/members")).status, 200);
});
