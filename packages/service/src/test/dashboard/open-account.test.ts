/** Opening an account: what stays when the address is taken meanwhile, and what its checklist asks for. */
import assert from "node:assert/strict";
import test from "node:test";
import { createBrand } from "../../domain/brand/manage.ts";
import { viewApprovals } from "../../domain/member/approvals.ts";
import { addMember, createMember, openAccount } from "../../domain/member/member.ts";
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

test("an account has at most 200 members, even if two are added at the same time", async () => {
  const { uuid } = await openAccount(it.accounts, it.admin, { name: "Full", email: "owner@full.example" });
  await it.store.pool.query(
    `insert into member select (jsonb_populate_record(one, jsonb_build_object('uuid', gen_random_uuid(), 'joined_at', null,
                                  'email_index', '\\x' || encode(sha256(at::text::bytea), 'hex')))).*
       from member as one, generate_series(1, 198) as at where customer_uuid = $1`,
    [uuid],
  );
  const add = (email: string) => addMember(it.accounts, { customerUuid: uuid, email, role: "viewer" });
  const added = await Promise.allSettled([add("one@full.example"), add("two@full.example")]);
  assert.deepEqual(added.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
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
