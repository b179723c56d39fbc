/** Calls of a person's own page that run while another call ends the session or its proof. */
import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { type Browser, birthDate, phoneOnRecord, signIn } from "../harness/account-page.ts";
import { agreed } from "../harness/consent-shown.ts";
import { hostedShare } from "../harness/hosted-share.ts";
import { interrupted } from "../harness/interrupted.ts";
import { refusal, sandbox, sdkKey } from "../harness/sandbox.ts";

const it = await sandbox();
const typed = { credentialRequests: [{ type: "EmployerNameCredential" as const }], edits: { employerName: "Hooly" } };

/** A person with a value that they typed. */
async function person() {
  const phone = await phoneOnRecord(it);
  const { uuid, read } = await hostedShare(it, phone, typed);
  return { phone, uuid, read, page: await signIn(it, phone) };
}

/** No source knows the person, and while one is asked, `happens` runs. */
function sourceWithoutAnswer(t: TestContext, happens: () => Promise<unknown>) {
  t.mock.method(it.deps.vendors.identity, "lookUp", async () => {
    await happens();
    return { kind: "unknown" };
  });
}

const offer = { clientId: "a-wallet", redirectUri: "https://wallet.example/back", challenge: "c".repeat(43) };
const calls: Record<string, (page: Browser, share: string) => Promise<() => Promise<unknown>>> = {
  "deletes the person": async (page) => () => page.deleteAccount({ body: { consent: agreed("delete") } }),
  "corrects a value": async (page, uuid) => () =>
    page.correctValue({ params: { uuid }, body: { key: "employerName", value: "Hooli" } }),
  "allows a wallet app": async (page) => {
    await page.takeOut({ body: { own: "phone" } });
    const { uuid } = await it.store.db.selectFrom("takeout").select("uuid").executeTakeFirstOrThrow();
    const body = { ...offer, allow: true, consent: agreed("addToWallet") };
    return () => page.answerWallet({ params: { uuid }, body });
  },
};
for (const [what, prepare] of Object.entries(calls))
  test(`a call that ${what} changes nothing if its device is signed out while a source is asked`, async (t) => {
    const { phone, uuid, read, page } = await person();
    await it.as(sdkKey).createSession({ body: { phone } });
    const frames = () => it.store.db.selectFrom("session").select("uuid").execute();
    const openFrames = await frames();
    const owner = await signIn(it, phone);
    let happens = async (): Promise<unknown> => undefined;
    sourceWithoutAnswer(t, () => happens());
    const call = await prepare(page, uuid);
    happens = () => owner.signOutOthers();
    assert.equal((await refusal(call())).status, 401);
    assert.equal((await read()).body.credentials?.employerName, "Hooly");
    assert.deepEqual(await frames(), openFrames);
    const decisions = it.store.db
      .selectFrom("consent")
      .select("action")
      .where("action", "in", ["delete", "addToWallet"]);
    assert.deepEqual(await decisions.execute(), []);
  });

test("a deletion does not run if its device is signed out before it begins to delete", async (t) => {
  const { phone, read, page } = await person();
  await page.proveAccount({ body: { birthDate } });
  const owner = await signIn(it, phone);
  const cell = await it.cellOf(phone);
  const late = interrupted(cell, () => owner.signOutOthers());
  t.mock.method(it.deps.cells, "ofToken", () => late, { times: 1 });
  assert.equal((await refusal(page.deleteAccount({ body: { consent: agreed("delete") } }))).status, 401);
  assert.equal((await read()).status, 200);
});

test("the answer to a change masks the values that the person hid while it ran", async (t) => {
  const { phone, uuid, page } = await person();
  const [brand] = (await page.readAccount()).body.brands;
  await page.proveAccount({ body: { birthDate } });
  const changes: (() => Promise<{ body: { provenUntil?: number } }>)[] = [
    () => page.correctValue({ params: { uuid }, body: { key: "employerName", value: "Hooli" } }),
    () => page.stopSharing({ params: { uuid: brand?.uuid ?? "" }, body: { consent: agreed("stop") } }),
  ];
  for (const change of changes) {
    await page.proveAccount({ body: { birthDate } });
    const late = interrupted(await it.cellOf(phone), () => page.hideValues());
    t.mock.method(it.deps.cells, "ofToken", () => late, { times: 1 });
    const { body } = await change();
    assert.equal(body.provenUntil, undefined);
    assert.doesNotMatch(JSON.stringify(body), /Hool/);
  }
});
