/** Opening an account: what stays when the address is taken meanwhile, and what its checklist asks for. */
import assert from "node:assert/strict";
import test from "node:test";
import { createBrand } from "../../domain/brand/manage.ts";
import { viewApprovals } from "../../domain/member/approvals.ts";
import { createMember, openAccount } from "../../domain/member/member.ts";
import { firstDemoCustomer } from "../../providers/sandbox/demo.ts";
import { both } from "../harness/both-environments.ts";
import { untilLockWaits } from "../harness/lock-waits.ts";

const it = await both();
const { uuid: customerUuid } = firstDemoCustomer;
const count = async (table: "customer" | "data_key") =>
  Number((await it.store.pool.query(`select count(*) from ${table}`)).rows[0].count);

test("an account whose owner's address is taken meanwhile is not created", async () => {
  const email = "taken@example.com";
  const before = await count("customer");
  const opening = await it.accounts.home.inTransaction(async (trx) => {
    await createMember(it.accounts, trx, { customerUuid, email, name: "", role: "viewer", joined: true });
    const result = assert.rejects(openAccount(it.accounts, it.admin, { name: "Late", email }), /already a member/);
    await untilLockWaits(it, { count: 1 });
    return { result };
  });
  await opening.result;
  assert.equal(await count("customer"), before);
});

test("a member who is added twice leaves no key of the second try", async () => {
  const owner = { customerUuid, email: "twice@example.com", name: "", role: "owner" as const, joined: true };
  const add = () => it.accounts.home.inTransaction((trx) => createMember(it.accounts, trx, owner));
  assert.ok(await add());
  const before = await count("data_key");
  assert.equal(await add(), null);
  assert.equal(await count("data_key"), before);
});

test("the checklist asks a brand that only has redirect URIs of OpenID for public addresses", async () => {
  for (const [redirectUris, unneeded] of [
    [[], ["addresses"]],
    [["https://brand.example/callback"], []],
  ] as const) {
    const settings = { redirectUrl: null, openid: { redirectUris, signedUserInfo: false } };
    const { uuid: brandUuid } = await createBrand(it.real.admin, {
      customerUuid,
      name: "Piper",
      settings,
      approvals: [],
    });
    const view = await viewApprovals(it.accounts, { customerUuid, brandUuid, environment: "production" });
    assert.deepEqual(view.unneeded, unneeded);
  }
});
