/** An account that requires passkeys: who still gets in, and what other sessions may do. */
import assert from "node:assert/strict";
import test from "node:test";
import { signedIn } from "../harness/dashboard-member.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const policy = "/api/customer/passkey-policy";

/** Gives a member a passkey, as if the browser had created it. */
async function addPasskey(memberUuid: string): Promise<void> {
  const uuid = it.deps.random.uuid();
  const row = { uuid, member_uuid: memberUuid, credential_id: uuid, public_key: Buffer.alloc(1), counter: 0 };
  const more = { transports: [], name: "Laptop", is_synced: false, created_at: 0 };
  await it.store.db
    .insertInto("passkey")
    .values({ ...row, ...more })
    .execute();
}
const markPasskey = (memberUuid: string) =>
  it.store.db.updateTable("member_session").set({ method: "passkey" }).where("member_uuid", "=", memberUuid).execute();
const codeFor = async (email: string) => {
  const { enterByCode, beginByEmail } = await import("../../domain/member/sign-in.ts");
  const sent: string[] = [];
  const mail = { ...it.accounts.mail, send: async ({ body }: { body: string }) => void sent.push(body) };
  const { uuid } = await beginByEmail({ ...it.accounts, mail }, email);
  await it.runJobs();
  const [code = ""] = /\d{6}/.exec(sent[0] ?? "") ?? [];
  return await enterByCode(it.accounts, { uuid, code }, { requestId: "r", device: "A test" });
};

test("owners read who has a passkey; other members do not", async () => {
  const owner = await signedIn(it);
  const viewer = await signedIn(it, { role: "viewer" });
  const seenBy = async (member: typeof owner) => {
    const { data } = (await member.call("GET", "/api/members")).body as {
      data: { uuid: string; hasPasskey?: boolean }[];
    };
    return new Map(data.map(({ uuid, hasPasskey }) => [uuid, hasPasskey]));
  };
  assert.equal((await seenBy(owner)).get(viewer.uuid), false);
  await addPasskey(viewer.uuid);
  assert.equal((await seenBy(owner)).get(viewer.uuid), true);
  assert.deepEqual([...new Set((await seenBy(viewer)).values())], [undefined]);
});

test("an account with the policy accepts only passkeys, and lets a member without one add it", async () => {
  const owner = await signedIn(it);
  const developer = await signedIn(it, { role: "developer" });
  assert.equal((await developer.call("PUT", policy, { requiresPasskey: true })).status, 403);
  assert.equal((await owner.call("PUT", policy, { requiresPasskey: true })).status, 409);
  await addPasskey(owner.uuid);
  assert.equal((await owner.call("PUT", policy, { requiresPasskey: true })).status, 200);
  assert.equal((await owner.call("GET", "/api/brands")).status, 403);
  await markPasskey(owner.uuid);
  assert.equal((await owner.call("GET", "/api/brands")).status, 200);
  const me = await developer.call("GET", "/api/me");
  assert.deepEqual([me.status, me.body.needsPasskey, me.body.mayAddPasskey], [200, true, true]);
  for (const path of ["/api/brands", "/api/members", "/api/audit", "/api/me/sessions"])
    assert.equal((await developer.call("GET", path)).status, 403, path);
  assert.equal((await developer.call("POST", "/api/me/passkeys", {})).status, 201);
  assert.equal((await codeFor(owner.email)).kind, "passkeyNeeded");
  assert.equal((await codeFor(developer.email)).kind, "signedIn");
  assert.equal((await owner.call("PUT", policy, { requiresPasskey: false })).status, 200);
  assert.equal((await developer.call("GET", "/api/brands")).status, 200);
  const { data } = (await owner.call("GET", "/api/audit")).body as { data: { changes: { path: string }[] }[] };
  assert.equal(data.filter(({ changes }) => changes.some(({ path }) => path === "requiresPasskey")).length, 2);
});
