/** A database that a start with DEMO used: without it, nothing of the demo works. */
import assert from "node:assert/strict";
import test from "node:test";
import { endSeededOwners } from "../../domain/member/end-access.ts";
import { linkFor, readSignInLink } from "../../domain/member/sign-in.ts";
import { enterConsoleByLink } from "../../domain/operator/operator-sign-in.ts";
import { inviteOperator, listOperators, removeSeededOperator } from "../../domain/operator/operators.ts";
import { demoCustomers, demoOperator } from "../../providers/sandbox/demo.ts";
import { demoKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox({}, { OPERATOR_PORT: "4003" });

test("the demo's keys, links and operator end, and a new start with DEMO brings the keys back", async () => {
  const link = (await linkFor(it.accounts, demoCustomers[0].email)).split("#")[1] ?? "";
  const invitation = (await inviteOperator(it.accounts, demoOperator)).link.split("#")[1] ?? "";
  const status = async () =>
    (await it.inject({ method: "GET", url: "/sandbox/messages", headers: { authorization: demoKey } })).status;
  const before = await status();
  assert.equal(before, 200);
  assert.ok((await it.endDemo()) > 0);
  await endSeededOwners(it.accounts, demoCustomers);
  await removeSeededOperator(it.accounts, demoOperator.email);
  assert.equal(await status(), 401);
  assert.equal(await readSignInLink(it.accounts, link), null);
  const from = { requestId: it.deps.random.uuid(), call: "a test", device: "A test" };
  assert.equal((await enterConsoleByLink(it.accounts, invitation, from)).kind, "over");
  assert.deepEqual(await listOperators(it.accounts), []);
  assert.equal(await it.endDemo(), 0);
  await it.seedDemo("http://localhost:4001");
  assert.equal(await status(), before);
});
