/** What ends a member's access ends all of it, also what someone else added with the member's session. */
import assert from "node:assert/strict";
import test from "node:test";
import type { AuditLine } from "@countersign/contract/audit";
import { removeByOperator, signOutEverywhere } from "../../domain/member/end-access.ts";
import { findByEmail } from "../../domain/member/member-rows.ts";
import { insertPasskey, listPasskeys } from "../../domain/member/passkey-rows.ts";
import { freshMs } from "../../domain/member/session.ts";
import { beginByEmail, enterByCode, linkFor, readSignInLink } from "../../domain/member/sign-in.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { demoKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
type Member = Awaited<ReturnType<typeof signedIn>>;

async function addPasskey({ uuid: memberUuid }: Member): Promise<string> {
  const uuid = it.deps.random.uuid();
  const key = { publicKey: Buffer.alloc(1), counter: 0, name: "Laptop", transports: [], isSynced: false };
  await it.store.home.inTransaction((trx) =>
    insertPasskey(trx, { ...key, uuid, memberUuid, credentialId: uuid, createdAt: 1, lastUsedAt: null }),
  );
  return uuid;
}

const invited: string[] = [];
/** Everything with which someone can sign in as this member, and an invitation that they sent. */
async function everyAccess(member: Member) {
  await addPasskey(member);
  const link = (await linkFor(it.accounts, member.email)).split("#")[1] ?? "";
  const email = `invited-${invited.push(member.uuid)}@example.com`;
  assert.equal((await member.call("POST", "/api/members", { email, name: "", role: "owner" })).status, 201);
  const sent: string[] = [];
  const mail = { ...it.accounts.mail, send: async ({ body }: { body: string }) => void sent.push(body) };
  const { uuid } = await beginByEmail({ ...it.accounts, mail }, member.email);
  const code = /\d{6}/.exec(sent[0] ?? "")?.[0] ?? "";
  return {
    async works() {
      const { kind } = await enterByCode(it.accounts, { uuid, code }, { requestId: "r", device: "A test" });
      return {
        session: (await member.call("GET", "/api/me")).status === 200,
        passkey: (await listPasskeys(it.store.home, member.uuid)).length > 0,
        link: (await readSignInLink(it.accounts, link)) !== null,
        code: kind === "signedIn",
        invitation: (await findByEmail(it.accounts, it.store.home, { email, joined: false })) !== null,
      };
    },
  };
}
const all = { session: true, passkey: true, link: true, code: true, invitation: true };
const none = { session: false, passkey: false, link: false, code: false, invitation: false };
const mailsTo = async (email: string) =>
  (await it.as(demoKey).listMessages({ query: { to: email } })).body.data.map((one) =>
    one.channel === "email" ? one.subject : "",
  );

test("signing a member out everywhere ends sessions, links, codes, passkeys and the invitations that they sent", async () => {
  assert.deepEqual(await (await everyAccess(await signedIn(it))).works(), all);
  const member = await signedIn(it);
  const access = await everyAccess(member);
  assert.deepEqual(await signOutEverywhere(it.accounts, member.email), { sessions: 1, passkeys: 1, invitations: 1 });
  assert.deepEqual(await access.works(), none);
  assert.ok((await mailsTo(member.email)).includes("A passkey was removed from your Countersign account"));
});

test("removing a member ends all of it, whether an owner or the operator removes them", async () => {
  const [owner, first, second] = [await signedIn(it), await signedIn(it), await signedIn(it)];
  const [ofFirst, ofSecond] = [await everyAccess(first), await everyAccess(second)];
  assert.equal((await owner.call("DELETE", `/api/members/${first.uuid}`)).status, 200);
  assert.deepEqual(await ofFirst.works(), none);
  await removeByOperator(it.accounts, second.uuid);
  assert.deepEqual(await ofSecond.works(), none);
  const { data } = (await owner.call("GET", "/api/audit?action=member.removed")).body as { data: AuditLine[] };
  assert.deepEqual(
    data.slice(0, 4).map(({ actor }) => actor),
    ["operator", "operator", "member", "member"],
  );
});

test("the operator can remove the only owner of an account", async () => {
  const customerUuid = it.deps.random.uuid();
  await it.store.db.insertInto("customer").values({ uuid: customerUuid, name: "Alone", created_at: 1 }).execute();
  const only = await signedIn(it, { customerUuid });
  assert.equal((await only.call("DELETE", `/api/members/${only.uuid}`)).status, 409);
  await removeByOperator(it.accounts, only.uuid);
  assert.equal((await only.call("GET", "/api/me")).status, 401);
});

test("an owner who becomes a developer loses the invitations that they sent", async () => {
  const [owner, other] = [await signedIn(it), await signedIn(it)];
  const access = await everyAccess(other);
  assert.equal((await owner.call("PATCH", `/api/members/${other.uuid}`, { role: "developer" })).status, 200);
  assert.deepEqual(await access.works(), { ...all, invitation: false });
});

test("signing out all other sessions also ends unused links and codes", async () => {
  const member = await signedIn(it);
  const access = await everyAccess(member);
  assert.equal((await member.call("DELETE", "/api/me/sessions")).status, 200);
  assert.deepEqual(await access.works(), { ...all, link: false, code: false });
});

test("only a fresh sign-in may add or remove a passkey, and the member gets an email about it", async () => {
  const member = await signedIn(it);
  const passkey = `/api/me/passkeys/${await addPasskey(member)}`;
  it.accountClock.setOffset(it.accountClock.offsetMs() + freshMs + 1);
  assert.equal((await member.call("GET", "/api/me")).body.isFresh, false);
  for (const call of [member.call("POST", "/api/me/passkeys", {}), member.call("DELETE", passkey)]) {
    const { status, body } = await call;
    assert.deepEqual([status, /in again first/.test(String(body.message))], [403, true]);
  }
  const again = await signedIn(it);
  const own = `/api/me/passkeys/${await addPasskey(again)}`;
  assert.equal((await again.call("POST", "/api/me/passkeys", {})).status, 201);
  assert.equal((await again.call("DELETE", own)).status, 200);
  assert.deepEqual(await mailsTo(again.email), ["A passkey was removed from your Countersign account"]);
});
