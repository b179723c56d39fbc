import assert from "node:assert/strict";
import { test } from "node:test";
import { getListFromStatusListJWT, getStatusListFromJWT } from "@sd-jwt/jwt-status-list";
import { takeoutKeys } from "../../domain/takeout/keys.ts";
import { drawIndexes, listSize } from "../../domain/takeout/status-list-rows.ts";
import { birthDate, phoneOnRecord, said, signIn, wholeTimeline } from "../harness/account-page.ts";
import { holder, offerTo, walletOverHttp } from "../harness/holder.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
await walletOverHttp(it);
const dayMs = 24 * 60 * 60_000;

/** The status that the published list has for a copy: 0 is valid, 1 is invalid. */
async function statusOf(copy: string): Promise<number> {
  const { idx, uri } = getStatusListFromJWT(copy.split("~")[0] ?? "");
  const response = await fetch(uri);
  assert.equal(response.headers.get("content-type"), "application/statuslist+jwt");
  return getListFromStatusListJWT(await response.text()).getStatus(idx);
}

async function statusesOf(copies: readonly { copy: string }[]): Promise<number[]> {
  return await Promise.all(copies.map(({ copy }) => statusOf(copy)));
}

async function taken(phone?: string, count = 2) {
  const { page, offer, transactionCode } = await offerTo(it, "address", phone);
  return { page, copies: await holder().accept(offer, transactionCode, count) };
}

test("a withdrawal refuses every copy at the list's next refresh, and nobody else's", async () => {
  const other = await taken();
  const { page, copies } = await taken();
  assert.deepEqual(await statusesOf(copies), [0, 0]);
  const [one] = (await page.listTakeouts()).body.taken;
  await page.withdrawTakeout({ params: { uuid: one?.uuid ?? "" } });
  await it.runJobs();
  assert.deepEqual(await statusesOf(copies), [1, 1]);
  assert.deepEqual(await statusesOf(other.copies), [0, 0]);
  const again = await page.withdrawTakeout({ params: { uuid: one?.uuid ?? "" } });
  assert.equal(again.body.taken[0]?.state, "withdrawn");
  const foreign = other.page.withdrawTakeout({ params: { uuid: one?.uuid ?? "" } });
  assert.equal((await refusal(foreign)).status, 404, "another person's credential is unknown");
  const actions = (await wholeTimeline(page)).map(({ action }) => action);
  assert.deepEqual(actions.slice(-2), ["account.tookOut", "account.withdrewCredential"]);
  const document = (await page.downloadAccount()).body;
  assert.deepEqual(document.taken, again.body.taken, "the download lists it");
});

test("an offer that was withdrawn by its issuer before a wallet got it gives nothing", async () => {
  const { phone, page, issued } = await withCard();
  const { offer, transactionCode } = (await page.takeOut({ body: { issued } })).body;
  const wallet = holder();
  const begun = await wallet.begin(offer, transactionCode);
  const key = await wallet.newKey();
  const jwt = await wallet.proofOf(begun, key, await wallet.nonceOf(begun));
  await it.api.changeCredential({ params: { id: issued }, body: { status: "revoked" } });
  await assert.rejects(wallet.collect(begun, [jwt]));
  assert.equal((await refusal(page.takeOut({ body: { issued } }))).status, 404);
  assert.ok(phone);
});

/** Someone to whom a brand issued a card. */
async function withCard() {
  const phone = await phoneOnRecord(it);
  const credentials = [{ type: "EmployerNameCredential", data: { employer: "Pied Piper" } }];
  const issued = (await it.api.issueCredentials({ body: { phone, credentials } })).body.credentials[0]?.id ?? "";
  const page = await signIn(it, phone);
  await page.proveAccount({ body: { birthDate } });
  return { phone, page, issued };
}

for (const [what, change] of [
  ["revokes", { status: "revoked" as const }],
  ["changes", { data: { employer: "Hooli" } }],
] as const)
  test(`a brand that ${what} what it issued ends the copies of it`, async () => {
    const { page, issued } = await withCard();
    const { offer, transactionCode } = (await page.takeOut({ body: { issued } })).body;
    const copies = await holder().accept(offer, transactionCode, 2);
    assert.deepEqual(await statusesOf(copies), [0, 0]);
    await it.api.changeCredential({ params: { id: issued }, body: change });
    await it.runJobs();
    assert.deepEqual(await statusesOf(copies), [1, 1]);
    assert.equal((await page.listTakeouts()).body.taken[0]?.state, "revoked");
  });

test("deleting the person erases the rows and refuses the copies", async () => {
  const { page, copies } = await taken();
  const waiting = await page.takeOut({ body: { own: "phone" } });
  await page.deleteAccount({ body: { consent: said } });
  await it.runJobs();
  assert.deepEqual(await statusesOf(copies), [1, 1]);
  await assert.rejects(holder().accept(waiting.body.offer, waiting.body.transactionCode));
});

test("a number's new holder ends the former holder's copies", async () => {
  const phone = await phoneOnRecord(it);
  const { page, copies } = await taken(phone);
  await page.takeOverNumber({ body: { consent: said } });
  await it.runJobs();
  assert.deepEqual(await statusesOf(copies), [1, 1]);
  assert.deepEqual((await page.listTakeouts()).body.taken, []);
});

test("a fixed test person's page lists only what its own session took out", async () => {
  const richard = "+12125550010";
  const { page, copies } = await taken(richard);
  const [one] = (await page.listTakeouts()).body.taken;
  assert.equal(one?.copies, 2);
  const stranger = await signIn(it, richard);
  assert.deepEqual((await stranger.listTakeouts()).body.taken, []);
  const foreign = stranger.withdrawTakeout({ params: { uuid: one?.uuid ?? "" } });
  assert.equal((await refusal(foreign)).status, 404);
  assert.deepEqual(await statusesOf(copies), [0, 0]);
});

test("a reset of the sandbox ends the copies of what the customer's brands issued, and no others", async () => {
  const { page, issued } = await withCard();
  const { offer, transactionCode } = (await page.takeOut({ body: { issued } })).body;
  const copies = await holder().accept(offer, transactionCode, 2);
  const own = await taken();
  await it.api.resetSandbox();
  await it.runJobs();
  assert.deepEqual(await statusesOf(copies), [1, 1]);
  assert.deepEqual(await statusesOf(own.copies), [0, 0]);
});

test("no log line has a code, a token, a nonce or a value", async () => {
  const { page, offer, transactionCode } = await offerTo(it, "address");
  const wallet = holder();
  const begun = await wallet.begin(offer, transactionCode);
  const key = await wallet.newKey();
  const nonce = await wallet.nonceOf(begun);
  await wallet.collect(begun, [await wallet.proofOf(begun, key, nonce)]);
  await page.listTakeouts();
  const lines = JSON.stringify(it.log);
  const code = /pre-authorized_code%22%3A%22([^%]+)/.exec(offer)?.[1] ?? "";
  assert.match(lines, /credentials\/token/);
  for (const secret of [code, transactionCode, begun.accessToken, nonce, "Newell"]) {
    assert.ok(secret.length >= 6);
    assert.ok(!lines.includes(secret), secret);
  }
});

test("a person who has not proven who they are takes nothing out", async () => {
  const page = await signIn(it, await phoneOnRecord(it));
  assert.equal((await refusal(page.takeOut({ body: { own: "phone" } }))).status, 403);
  assert.equal((await refusal(page.takeOut({ body: {} }))).status, 400);
});

test("values are gone from the database once a wallet has them, and the row with its copies' end", async () => {
  const { page } = await taken();
  const { uuid = "" } = (await page.listTakeouts()).body.taken[0] ?? {};
  const row = await it.store.db.selectFrom("takeout").selectAll().where("uuid", "=", uuid).executeTakeFirstOrThrow();
  assert.equal(row.sealed, null);
  await it.advance(90 * dayMs);
  await it.runJobs();
  assert.deepEqual(await it.store.db.selectFrom("takeout").selectAll().execute(), []);
  assert.deepEqual(await it.store.db.selectFrom("takeout_nonce").selectAll().execute(), []);
});

test("a key stays published until the last copy that it signed has expired", async () => {
  const at = async (ms: number) => {
    const keys = await takeoutKeys({ ...it.deps, clock: { now: () => ms } });
    return keys.map(({ kid }) => String(kid));
  };
  await it.store.db.deleteFrom("takeout_key").execute();
  const [first = ""] = await at(it.deps.clock.now());
  const start = it.deps.clock.now();
  await at(start + 30 * dayMs);
  const [second] = await at(start + 31 * dayMs);
  assert.notEqual(second, first);
  assert.ok((await at(start + 31 * dayMs + 90 * dayMs)).includes(first));
  assert.ok(!(await at(start + 31 * dayMs + 91 * dayMs)).includes(first));
});

test("indexes are drawn once, at random, and a list that is half full is followed by another", async () => {
  const deps = { ...it.deps, environment: "production" as const };
  const seen = new Set<string>();
  const lists = new Set<string>();
  for (let draws = 0; draws < 3; draws += 1) {
    const { listUuid, indexes } = await drawIndexes(deps, listSize / 4);
    lists.add(listUuid);
    for (const index of indexes) seen.add(`${listUuid} ${index}`);
  }
  assert.equal(seen.size, (3 * listSize) / 4);
  assert.equal(lists.size, 2);
});
