/** Two people use one browser: a page that shows the first one cannot act on the second one, whose cookie it sends. */
import assert from "node:assert/strict";
import test from "node:test";
import { accountHeader } from "@countersign/contract/account";
import { birthDate, ownHeaders, phoneOnRecord, signIn } from "../harness/account-page.ts";
import { agreed } from "../harness/consent-shown.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

/** A person who has shared with a brand, their page, and what it calls their account. */
async function person() {
  const phone = await phoneOnRecord(it);
  const { uuid } = (await it.api.createOneClick({ body: { phone } })).body;
  const page = await signIn(it, phone);
  const { account, brands } = (await page.readAccount()).body;
  return { page, account, brand: brands[0]?.uuid ?? "", read: () => it.api.readOneClick({ params: { uuid } }) };
}

test("every changing call names the account that its page shows, and another person's or none is refused", async () => {
  const [alice, bob] = [await person(), await person()];
  await bob.page.proveAccount({ body: { birthDate } });
  const uuid = "b0000000-0000-4000-8000-000000000009";
  for (const headers of [{ [accountHeader]: alice.account }, { [accountHeader]: "" }]) {
    const body = { consent: agreed("stop") };
    const calls = [
      () => bob.page.stopSharing({ params: { uuid: bob.brand }, body, headers }),
      () => bob.page.correctValue({ params: { uuid }, body: { key: "employerName", value: "x" }, headers }),
      () => bob.page.deleteAccount({ body: { consent: agreed("delete") }, headers }),
      () => bob.page.takeOverNumber({ body: { consent: agreed("handOver") }, headers }),
      () => bob.page.proveAccount({ body: { birthDate }, headers }),
      () => bob.page.hideValues({ headers }),
      () => bob.page.takeOut({ body: { own: "phone" }, headers }),
      () => bob.page.withdrawTakeout({ params: { uuid }, headers }),
      () => bob.page.signOutDevice({ params: { uuid }, headers }),
      () => bob.page.signOutOthers({ headers }),
      () => bob.page.signOut({ headers }),
      // What another person's page would read.
      () => bob.page.readTimeline({ headers }),
      () => bob.page.downloadAccount({ headers }),
    ];
    for (const call of calls) assert.equal((await refusal(call())).status, 409, String(call));
  }
  const cookie = bob.page.cookie();
  const { [accountHeader]: _, ...unnamed } = await ownHeaders(it.wallet, cookie);
  const anonymous = { method: "POST" as const, url: "/api/account/sign-out", headers: unnamed };
  assert.equal((await it.wallet.inject(anonymous)).statusCode, 409);
  const reads = (account: string) => ({ url: `/everything?account=${account}`, headers: unnamed });
  assert.equal((await it.wallet.inject(reads(bob.account))).statusCode, 200);
  assert.equal((await it.wallet.inject(reads(alice.account))).headers.location, "/");
  const after = (await bob.page.readAccount()).body;
  assert.deepEqual([after.account, after.brands[0]?.canRead], [bob.account, true]);
  assert.equal((await bob.read()).status, 200);
});

test("the name of an account stays with the person for all sessions, and a new holder has another one", async () => {
  const phone = await phoneOnRecord(it);
  const [first, second] = [await signIn(it, phone), await signIn(it, phone)];
  const { account } = (await first.readAccount()).body;
  assert.equal((await second.readAccount()).body.account, account);
  const fresh = (await second.takeOverNumber({ body: { consent: agreed("handOver") } })).body;
  assert.notEqual(fresh.account, account);
});
