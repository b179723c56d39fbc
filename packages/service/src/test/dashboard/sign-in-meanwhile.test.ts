/** Sign-ins that run while the member's access ends: none leaves a session. */
import assert from "node:assert/strict";
import test from "node:test";
import { signOutEverywhere } from "../../domain/member/end-access.ts";
import { beginByPasskey, enterByPasskey } from "../../domain/member/passkey.ts";
import { beginByEmail, enterByCode, enterByLink, linkFor } from "../../domain/member/sign-in.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { untilLockWaits } from "../harness/lock-waits.ts";
import { memberPasskey } from "../harness/made-passkey.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
type Member = Awaited<ReturnType<typeof signedIn>>;
const from = { requestId: "r", device: "A thief's" };

/** Begins a sign-in, and returns its end. */
const ways: Record<string, (member: Member) => Promise<() => Promise<{ kind: string }>>> = {
  async passkey(member) {
    const passkey = await memberPasskey(it, member.uuid);
    const { uuid, options } = await beginByPasskey(it.accounts);
    const credential = passkey.sign(options.challenge);
    return () => enterByPasskey(it.accounts, { uuid, credential }, from);
  },
  async link(member) {
    const link = (await linkFor(it.accounts, member.email)).split("#")[1] ?? "";
    return () => enterByLink(it.accounts, link, from);
  },
  async code(member) {
    const sent: string[] = [];
    const mail = { ...it.accounts.mail, send: async ({ body }: { body: string }) => void sent.push(body) };
    const { uuid } = await beginByEmail({ ...it.accounts, mail }, member.email);
    const code = /\d{6}/.exec(sent[0] ?? "")?.[0] ?? "";
    return () => enterByCode(it.accounts, { uuid, code }, from);
  },
};
const devicesOf = async ({ uuid }: Member) =>
  (await it.store.db.selectFrom("member_session").select("device").where("member_uuid", "=", uuid).execute()).map(
    ({ device }) => device,
  );

/** Holds a row while `run` waits for it, and releases it afterwards. */
async function holding(sql: string, uuid: string, run: () => Promise<void>): Promise<void> {
  const client = await it.store.pool.connect();
  try {
    await client.query("begin");
    await client.query(sql, [uuid]);
    await run();
  } finally {
    await client.query("rollback");
    client.release();
  }
}
const holdsMember = "select from member where uuid = $1 for update";

for (const [name, begin] of Object.entries(ways)) {
  const ends: Record<string, { end(member: Member): Promise<unknown>; left: string[] }> = {
    "the operator ends the member's access": { end: ({ email }) => signOutEverywhere(it.accounts, email), left: [] },
    "the member ends all other sessions": { end: ({ call }) => call("DELETE", "/api/me/sessions"), left: ["A test"] },
  };
  for (const [what, { end, left }] of Object.entries(ends))
    test(`a sign-in by ${name} that has begun leaves no session if ${what}`, async () => {
      const member = await signedIn(it);
      const finish = await begin(member);
      const running: Promise<unknown>[] = [];
      await holding(holdsMember, member.uuid, async () => {
        running.push(finish());
        await untilLockWaits(it);
        running.push(end(member));
        await untilLockWaits(it, { count: 2 });
      });
      await Promise.all(running);
      assert.deepEqual(await devicesOf(member), left);
    });
}

test("a passkey that is deleted while it signs in opens no session", async () => {
  const member = await signedIn(it);
  const passkey = await memberPasskey(it, member.uuid);
  const { uuid, options } = await beginByPasskey(it.accounts);
  const running: Promise<{ kind: string }>[] = [];
  // The sign-in has read the passkey when it waits.
  await it.store.home.inTransaction(async (trx) => {
    await trx.selectFrom("member").select("uuid").where("uuid", "=", member.uuid).forNoKeyUpdate().execute();
    await trx.deleteFrom("passkey").where("uuid", "=", passkey.uuid).execute();
    running.push(enterByPasskey(it.accounts, { uuid, credential: passkey.sign(options.challenge) }, from));
    await untilLockWaits(it);
  });
  assert.deepEqual(await Promise.all(running), [{ kind: "over" }]);
  assert.deepEqual(await devicesOf(member), ["A test"]);
});
