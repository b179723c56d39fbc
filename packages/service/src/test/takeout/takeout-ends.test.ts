import assert from "node:assert/strict";
import { test } from "node:test";
import { getListFromStatusListJWT, getStatusListFromJWT } from "@sd-jwt/jwt-status-list";
import { sql } from "kysely";
import { takeoutKeys } from "../../domain/takeout/keys.ts";
import { drawIndexes, listSize } from "../../domain/takeout/status-list-rows.ts";
import { birthDate, phoneOnRecord, signIn, wholeTimeline } from "../harness/account-page.ts";
import { agreed } from "../harness/consent-shown.ts";
import { holder, offerTo, walletOverHttp } from "../harness/holder.ts";
import { untilLockWaits } from "../harness/lock-waits.ts";
import { refusal, sandbox, takeApproval } from "../harness/sandbox.ts";

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

test("a withdrawal makes verifiers refuse all of the person's copies at the list's next refresh, and no other copies", async () => {
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

test("an offer whose issuer withdrew it before a wallet used it gives no copies", async () => {
  const { page, issued } = await withCard();
  const { offer, transactionCode } = (await page.takeOut({ body: { issued } })).body;
  const wallet = holder();
  const begun = await wallet.begin(offer, transactionCode);
  const key = await wallet.newKey();
  const jwt = await wallet.proofOf(begun, key, await wallet.nonceOf(begun));
  await it.api.changeCredential({ params: { id: issued }, body: { status: "revoked" } });
  await assert.rejects(wallet.collect(begun, [jwt]), /invalid_token/);
  assert.equal((await refusal(page.takeOut({ body: { issued } }))).status, 404);
});

/** Someone to whom a brand issued a card. */
async function withCard({ api = it.api, expirationDate }: { api?: typeof it.api; expirationDate?: number } = {}) {
  const phone = await phoneOnRecord(it);
  const card = { type: "EmployerNameCredential" as const, data: { employer: "Pied Piper" } };
  const credentials = [expirationDate === undefined ? card : { ...card, expirationDate }];
  const issued = (await api.issueCredentials({ body: { phone, credentials } })).body.credentials[0]?.id ?? "";
  const page = await signIn(it, phone);
  await page.proveAccount({ body: { birthDate } });
  return { page, issued };
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

test("a copy ends at the start of the day on which what the brand issued ends, and it cannot be offered on that day", async () => {
  const today = Math.floor(it.deps.clock.now() / dayMs) * dayMs;
  const { page, issued } = await withCard({ expirationDate: today + 3.5 * dayMs });
  const { offer, transactionCode } = (await page.takeOut({ body: { issued } })).body;
  const [held] = await holder().accept(offer, transactionCode);
  const payload = JSON.parse(Buffer.from(held?.copy.split(".")[1] ?? "", "base64url").toString());
  assert.deepEqual([payload.iat, payload.exp], [today / 1_000, (today + 3 * dayMs) / 1_000]);
  assert.equal((await page.listTakeouts()).body.taken[0]?.expiresAt, today + 3 * dayMs);
  const late = await withCard({ expirationDate: it.deps.clock.now() + 60_000 });
  assert.deepEqual((await late.page.listTakeouts()).body.issued, [], "a copy would have no day left");
  assert.equal((await refusal(late.page.takeOut({ body: { issued: late.issued } }))).status, 404);
});

test("an offer gives no copies if the credential expires before the wallet app collects it", async () => {
  const midnight = (Math.floor(it.deps.clock.now() / dayMs) + 1) * dayMs;
  await it.advance(midnight - it.deps.clock.now() - 60_000);
  const { page, issued } = await withCard({ expirationDate: midnight + 30_000 });
  const { offer, transactionCode } = (await page.takeOut({ body: { issued } })).body;
  const wallet = holder();
  const begun = await wallet.begin(offer, transactionCode);
  await it.advance(60_000);
  await assert.rejects(wallet.copiesOf(begun), /invalid_token/);
});

test("a brand that may no longer issue loses the copies of its credentials within an hour, and other brands keep theirs", async () => {
  const brand = await it.brand();
  const { page, issued } = await withCard({ api: brand.api });
  const { offer, transactionCode } = (await page.takeOut({ body: { issued } })).body;
  const copies = await holder().accept(offer, transactionCode, 2);
  const other = await withCard();
  const kept = (await other.page.takeOut({ body: { issued: other.issued } })).body;
  const keptCopies = await holder().accept(kept.offer, kept.transactionCode);
  const own = await taken();
  await takeApproval(it, brand.uuid, "issuance");
  for (let runs = 0; runs < 2; runs += 1) {
    await it.advance(60 * 60_000);
    await it.runJobs();
    await it.runJobs();
    assert.deepEqual(await statusesOf(copies), [1, 1]);
    assert.deepEqual([...(await statusesOf(keptCopies)), ...(await statusesOf(own.copies))], [0, 0, 0]);
  }
});

test("the oldest credential can be withdrawn even if the page lists only newer ones, and the record has an entry", async () => {
  const { page, copies } = await taken();
  const [{ uuid } = assert.fail("nothing was taken out")] = (await page.listTakeouts()).body.taken;
  const { db } = await it.deps.cells.ofUuid(uuid);
  await sql`
    insert into takeout (uuid, environment, person_uuid, data_key_uuid, session_uuid, kind, code_hash, code_hmac,
                         created_at, issued_at, expires_at)
    select gen_random_uuid(), environment, person_uuid, data_key_uuid, session_uuid, kind, sha256(number::text::bytea),
           code_hmac, created_at, issued_at + number, expires_at
      from takeout, generate_series(1, 200) number where uuid = ${uuid}`.execute(db);
  await page.withdrawTakeout({ params: { uuid } });
  await it.runJobs();
  assert.deepEqual(await statusesOf(copies), [1, 1]);
  assert.equal((await wholeTimeline(page)).at(-1)?.action, "account.withdrewCredential");
  await page.withdrawTakeout({ params: { uuid } });
});

test("a number that gets a new holder while a source is asked gives the former holder no offer", async () => {
  const phone = await phoneOnRecord(it);
  const page = await signIn(it, phone);
  await page.proveAccount({ body: { birthDate } });
  const newHolder = await signIn(it, phone);
  const {
    vendors: { identity },
  } = it.deps;
  const { lookUp } = identity;
  identity.lookUp = async (asked) => {
    identity.lookUp = lookUp;
    await newHolder.takeOverNumber({ body: { consent: agreed("handOver") } });
    return await identity.lookUp(asked);
  };
  assert.equal((await refusal(page.takeOut({ body: { own: "name" } }))).status, 401);
  const open = await it.store.db.selectFrom("takeout").selectAll().where("issued_at", "is", null).execute();
  assert.deepEqual(open, []);
});

test("an offer locks the person first, and has the values at the time of the lock", async () => {
  const { page, issued } = await withCard();
  const keeper = await it.store.pool.connect();
  await keeper.query("begin");
  await keeper.query(
    "select from person where uuid = (select person_uuid from issued_credential where uuid = $1) for update",
    [issued],
  );
  const offering = page.takeOut({ body: { issued } });
  await untilLockWaits(it, { words: 'from "person"' });
  // This would wait forever if the offer locked the credential before the person.
  await it.api.changeCredential({ params: { id: issued }, body: { data: { employer: "Hooli" } } });
  await keeper.query("commit");
  keeper.release();
  const { offer, transactionCode } = (await offering).body;
  const [held] = await holder().accept(offer, transactionCode);
  const values = (held?.copy.split("~").slice(1) ?? []).map((one) => Buffer.from(one, "base64url").toString()).join();
  assert.match(values, /Hooli/);
});

test("deleting the person erases the rows and refuses the copies", async () => {
  const { page, copies } = await taken();
  const waiting = await page.takeOut({ body: { own: "phone" } });
  await page.deleteAccount({ body: { consent: agreed("delete") } });
  await it.runJobs();
  assert.deepEqual(await statusesOf(copies), [1, 1]);
  await assert.rejects(holder().accept(waiting.body.offer, waiting.body.transactionCode), /invalid_grant/);
});

test("a number's new holder ends the former holder's copies", async () => {
  const phone = await phoneOnRecord(it);
  const { page, copies } = await taken(phone);
  await page.takeOverNumber({ body: { consent: agreed("handOver") } });
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
  // Another tester's reset of the person ends only their own copies.
  await stranger.proveAccount({ body: { birthDate } });
  assert.equal((await stranger.deleteAccount({ body: { consent: agreed("reset") } })).body.outcome, "reset");
  await it.runJobs();
  assert.deepEqual(await statusesOf(copies), [0, 0]);
  await page.proveAccount({ body: { birthDate } });
  await page.deleteAccount({ body: { consent: agreed("reset") } });
  await it.runJobs();
  assert.deepEqual(await statusesOf(copies), [1, 1]);
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

test("no log line contains a code, a token, a nonce or a value", async () => {
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

test("a person who has not confirmed a birthday cannot take out a credential", async () => {
  const page = await signIn(it, await phoneOnRecord(it));
  assert.equal((await refusal(page.takeOut({ body: { own: "phone" } }))).status, 403);
  assert.equal((await refusal(page.takeOut({ body: {} }))).status, 400);
});

test("values are deleted once a wallet has them, and the row is deleted when its copies expire", async () => {
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

test("indexes are drawn at random and used once, and a new list starts when one is half full", async () => {
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
