import assert from "node:assert/strict";
import test from "node:test";
import { type RawBuilder, sql } from "kysely";
import { evidenceHash } from "../../domain/account/unlink.ts";
import type { Database } from "../../store/database.ts";
import { type Browser, birthDate, browserOf, phoneOnRecord, signIn } from "../harness/account-page.ts";
import { columnsWith, freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { hostedShare } from "../harness/hosted-share.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const { vault } = it.deps;
const indexOf = (phone: string) => vault.index("phone", "sandbox", phone);

/** Creates a person with rows in every table that stores personal data. */
async function personInAllTables(phone: string) {
  const credentials = [{ type: "EmployerNameCredential", data: { employer: "Canary Works" } }];
  const issued = (await it.api.issueCredentials({ body: { phone, credentials } })).body.credentials[0]?.id ?? "";
  const { uuid } = (await it.api.createOneClick({ body: { phone } })).body;
  await refusal(it.api.createOneClick({ body: { phone, birthDate: "1970-01-01" } }));
  const hosted = await hostedShare(it, phone);
  const { healthDataUuid } = (await it.api.createHealthLookup({ body: { identityUuid: uuid } })).body;
  const { uuid: verification } = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
  await it.api.deliverVerification({ params: { uuid: verification } });
  await it.as("sk_sandbox_demo_sdk").createSession({ body: { phone } });
  await it.runJobs();
  return { issued, uuid, hosted, healthDataUuid, verification };
}

async function tables(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_name not like 'migration%'`.execute(db);
  return rows.map(({ name }) => name);
}

/** Dumps all rows except `data_key`: the keys of people are kept and destroyed separately. */
async function dump(): Promise<Dumped[]> {
  const all: Dumped[] = [];
  for (const { db } of it.deps.cells.all())
    for (const name of (await tables(db)).filter((one) => one !== "data_key")) {
      const { rows } = await sql<{ row: unknown }>`select row_to_json(t) as row from ${sql.table(name)} t`.execute(db);
      all.push({ db, name, rows: rows.map(({ row }) => row) });
    }
  return all;
}
type Dumped = { db: Database; name: string; rows: unknown[] };

/** Restores the dumped rows but keeps the current keys. */
async function restore(dumped: readonly Dumped[]): Promise<void> {
  for (const { db, name, rows } of dumped)
    await db.inTransaction(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      const table: RawBuilder<unknown> = sql.table(name);
      await sql`delete from ${table}`.execute(trx);
      for (const row of rows)
        await sql`insert into ${table} overriding system value
          select * from json_populate_record(null::${table}, ${JSON.stringify(row)}::json)`.execute(trx);
    });
}

/** Checks that no endpoint that knew the person returns anything about them. */
async function assertUnreadable(phone: string, known: Awaited<ReturnType<typeof personInAllTables>>): Promise<void> {
  const { issued, uuid, hosted, healthDataUuid, verification } = known;
  assert.equal((await refusal(it.api.readOneClick({ params: { uuid } }))).errorCode, "OCE015");
  assert.equal((await refusal(hosted.read())).errorCode, "OCE015");
  assert.equal((await refusal(it.api.readHealthLookup({ params: { healthDataUuid } }))).status, 404);
  assert.equal((await refusal(it.api.readCredential({ params: { id: issued } }))).status, 404);
  const unverified = it.api.readVerification({ params: { uuid: verification } });
  assert.equal((await refusal(unverified)).errorCode, "OCV005");
  const continued = it.api.createOneClick({ body: { identityUuid: uuid } });
  assert.ok((await refusal(continued)).status >= 400);
  const asked = { phone, credentialRequests: [{ type: "EmployerNameCredential" as const }] };
  assert.deepEqual((await it.api.createOneClick({ body: asked })).body.identity.credentials, {});
  const { body } = await it.api.listMessages({ query: { to: phone } });
  assert.deepEqual(body.data, []);
}

test("a deleted person's data cannot be read from endpoints, the tables, or an older dump with the current keys", async () => {
  const phone = freshPhone();
  const known = await personInAllTables(phone);
  const browser = await signIn(it, phone);
  await browser.proveAccount({ body: { birthDate } });
  const person = await it.store.db
    .selectFrom("person")
    .select(["uuid", "data_key_uuid"])
    .where("phone_index", "=", indexOf(phone))
    .executeTakeFirstOrThrow();
  const before = await dump();
  const key = await vault.readDataKey(it.store.db, person.data_key_uuid);
  const cookie = browser.cookie();

  const { body } = await browser.deleteAccount({ body: { consent: agreed("delete") } });
  assert.equal(body.outcome, "deleted");
  assert.match(body.receipt, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  assert.equal((await refusal(browserOf(it.wallet, { cookie }).readAccount())).status, 401);

  // The tables contain no encrypted payload, index, plain text or key of the person.
  await assert.rejects(vault.readDataKey(it.store.db, person.data_key_uuid), { name: "KeyDestroyed" });
  const index = indexOf(phone).toString("hex");
  const holders: string[] = [];
  for (const { name, rows } of await dump())
    for (const row of rows) if (JSON.stringify(row).includes(index) || sealedUnder(row, person)) holders.push(name);
  assert.deepEqual([...new Set(holders)], []);
  for (const value of [phone, "Canary Works", "Hendricks"]) assert.deepEqual(await columnsWith(it, value), []);
  const evidence = await it.store.db
    .selectFrom("consent")
    .select(["action", "words"])
    .where("person_uuid", "=", person.uuid)
    .orderBy("at")
    .execute();
  assert.deepEqual(evidence.map(({ action }) => action).sort(), ["delete", "issue", "prove", "share", "share"]);
  await assertUnreadable(phone, known);

  await restore(before);
  await assertUnreadable(phone, known);
  assert.equal((await refusal(browserOf(it.wallet, { cookie }).readAccount())).status, 401);
  // The dump did contain the data: it decrypts with the destroyed key.
  const row = await it.store.db
    .selectFrom("one_click")
    .select(["uuid", "sealed"])
    .where("uuid", "=", known.uuid)
    .executeTakeFirstOrThrow();
  const place = { table: "one_click", row: row.uuid };
  assert.match(JSON.stringify(vault.open(key, place, row.sealed ?? Buffer.of())), /Hendricks/);
  let tried = 0;
  const keys = await it.store.db.selectFrom("data_key").select(["uuid", "wrapped"]).execute();
  for (const { uuid, wrapped } of keys.filter((one) => one.wrapped !== null)) {
    const other = vault.openDataKey(uuid, wrapped);
    assert.throws(() => vault.open(other, place, row.sealed ?? Buffer.of()), /unable to authenticate data/);
    tried += 1;
  }
  assert.ok(tried > 0);
});

/** Returns whether a row contains a payload encrypted for a person. */
function sealedUnder(row: unknown, person: { uuid: string; data_key_uuid: string }): boolean {
  const cells = row as Record<string, unknown>;
  const theirs = cells.data_key_uuid === person.data_key_uuid || cells.person_uuid === person.uuid;
  return theirs && [cells.sealed, cells.sealed_result].some((one) => typeof one === "string");
}

test("concurrent first requests for a phone create only one person", async () => {
  for (let round = 0; round < 5; round += 1) {
    const phone = freshPhone();
    await Promise.all(Array.from({ length: 8 }, () => it.api.createVerification({ body: { channel: "sms", phone } })));
    const people = it.store.db.selectFrom("person").select("generation").where("phone_index", "=", indexOf(phone));
    assert.deepEqual(await people.execute(), [{ generation: 1 }]);
  }
});

/** Returns the `bytea` columns of all tables. Every index is stored in such a column. */
async function byteColumns(): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema() and data_type = 'bytea'`.execute(it.store.db);
  return rows;
}

/** Returns each row that contains a phone's index, with its person. */
async function rowsByIndex(phone: string) {
  const found: { table: string; person: unknown }[] = [];
  for (const { table, column } of await byteColumns()) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(t) as row from ${sql.table(table)} t where ${sql.ref(column)} = ${indexOf(phone)}`.execute(
      it.store.db,
    );
    for (const { row } of rows) found.push({ table, person: table === "person" ? row.uuid : row.person_uuid });
  }
  return found;
}

const personOf = async (phone: string) =>
  (
    await it.store.db
      .selectFrom("person")
      .select("uuid")
      .where("phone_index", "=", indexOf(phone))
      .executeTakeFirstOrThrow()
  ).uuid;

const endings: Record<string, (browser: Browser) => Promise<unknown>> = {
  async deleted(browser) {
    await browser.proveAccount({ body: { birthDate } });
    await browser.deleteAccount({ body: { consent: agreed("delete") } });
  },
  "handed over": (browser) => browser.takeOverNumber({ body: { consent: agreed("handOver") } }),
};
for (const [ended, end] of Object.entries(endings))
  test(`after the account is ${ended}, no row of the former holder in any table has the phone's index`, async () => {
    const phone = freshPhone();
    await personInAllTables(phone);
    const former = await personOf(phone);
    await end(await signIn(it, phone));
    if (ended === "deleted") assert.deepEqual(await rowsByIndex(phone), []);
    await personInAllTables(phone);
    const next = await personOf(phone);
    assert.notEqual(next, former);
    const found = await rowsByIndex(phone);
    for (const table of ["person", "consent", "message", "issued_credential"])
      assert.ok(
        found.some((row) => row.table === table),
        table,
      );
    // Wrong answers are counted per number, regardless of its holder. A deletion removes the count.
    const theirs = found.filter(({ table, person }) => person !== next && table !== "challenge_attempt");
    assert.deepEqual(theirs, []);

    // The service can still match the evidence to a phone, because it knows the person's uuid.
    const evidence = await it.store.db
      .selectFrom("consent")
      .select(["phone_index", "email_index", "evidence_hash"])
      .where("person_uuid", "=", former)
      .execute();
    assert.ok(evidence.length >= 4);
    const hash = evidenceHash(it.deps, { personUuid: former, phone });
    assert.ok(!hash.equals(evidenceHash(it.deps, { personUuid: next, phone })));
    for (const row of evidence) assert.deepEqual(row, { phone_index: null, email_index: null, evidence_hash: hash });
  });

test("the nightly job removes the phone's index from rows that a call inserted during the deletion", async () => {
  const phone = freshPhone();
  await personInAllTables(phone);
  const former = await personOf(phone);
  await endings.deleted?.(await signIn(it, phone));
  await it.store.db
    .updateTable("consent")
    .set({ phone_index: indexOf(phone) })
    .where("person_uuid", "=", former)
    .where("action", "=", "share")
    .execute();
  await it.store.db
    .updateTable("issued_credential")
    .set({ phone_index: indexOf(phone) })
    .where("person_uuid", "=", former)
    .execute();
  assert.notDeepEqual(await rowsByIndex(phone), []);
  await it.advance(24 * 60 * 60_000);
  assert.deepEqual(await rowsByIndex(phone), []);
});

test("after a deletion, the same phone belongs to a new person without the old data", async () => {
  const phone = freshPhone();
  await personInAllTables(phone);
  const browser = await signIn(it, phone);
  await browser.proveAccount({ body: { birthDate } });
  await browser.deleteAccount({ body: { consent: agreed("delete") } });
  await it.api.createVerification({ body: { channel: "sms", phone } });
  const again = await signIn(it, phone);
  const { cards, shares, brands } = (await again.readAccount()).body;
  assert.deepEqual([cards, shares, brands], [[], [], []]);
});

test("a person unknown to every source can delete the account with the phone alone, but cannot download data", async () => {
  const phone = await phoneOnRecord(it);
  const lookUp = it.deps.vendors.identity.lookUp;
  it.deps.vendors.identity.lookUp = async () => ({ kind: "unknown" });
  try {
    const browser = await signIn(it, phone);
    assert.equal((await refusal(browser.proveAccount({ body: { birthDate } }))).errorCode, "OCE013");
    assert.equal((await refusal(browser.downloadAccount())).status, 403);
    assert.equal((await browser.deleteAccount({ body: { consent: agreed("delete") } })).body.outcome, "deleted");
  } finally {
    it.deps.vendors.identity.lookUp = lookUp;
  }
});
