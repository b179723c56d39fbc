/** A second cell, in a database of its own, that the service opens while it runs. */
process.env.STORES = "listed";

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { composeService } from "../../compose/both.ts";
import { cellOfUuid, slotOf } from "../../domain/place.ts";
import { openMetrics } from "../../http/metrics.ts";
import { systemClock } from "../../providers/system.ts";
import { announceCells, insertCell } from "../../store/cell-rows.ts";
import { openDatabase } from "../../store/database.ts";
import { birthDate, said, signIn } from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import { cloneDatabase } from "../harness/database-template.ts";
import { eventually } from "../harness/eventually.ts";
import { relayTo } from "../harness/relay.ts";
import { brandClient, demoKey, injectInto, refusal, sandbox, stillClock } from "../harness/sandbox.ts";

const half = 2_048;
const it = await sandbox();
const { vault } = it.deps;
const database = await cloneDatabase();
const socket = new URL(database.url);
/** The way to the cell. Closing it takes the cell away. */
const relay = await relayTo(`${socket.searchParams.get("host")}/.s.PGSQL.${socket.port}`);
const address = `postgres://${socket.username}@${relay.address}${socket.pathname}`;
const there = openDatabase({ connectionString: database.url }, () => {}, { poolSize: 2 });
after(async () => {
  relay.close();
  await there.close();
  await database.drop();
});
/** Another process on the same databases, which opens the cell by itself. */
const other = await composeService(
  { config: it.config, log: { info() {}, warn() {}, error() {} }, ...it.stores, metrics: openMetrics() },
  { sandbox: { clock: stillClock() } },
);
after(other.close);
await other.sandbox.app.ready();
const otherApi = brandClient(injectInto(other.sandbox.app), demoKey, "/v2");

const indexOf = (phone: string) => vault.index("phone", "sandbox", phone);
const cellOf = (uuid: string) => cellOfUuid((text) => vault.codeHash("cell mark", text), uuid);
const isTheirs = (phone: string) => slotOf(indexOf(phone)) < half;
/** A phone that the second cell stores, or that it does not. */
function phoneOf(cell: 0 | 1): string {
  const phone = freshPhone();
  return isTheirs(phone) === (cell === 1) ? phone : phoneOf(cell);
}
const peopleIn = async (db: typeof there.db, phone: string) =>
  (await db.selectFrom("person").select("uuid").where("phone_index", "=", indexOf(phone)).execute()).length;
const here = it.store.db;
const signup = async (phone: string, api = it.api) => (await api.createOneClick({ body: { phone } })).body;

const before = phoneOf(1);
const oldOneClick = await signup(before);
/** Calls of before, some of whose keys get another database. */
const keys = Array.from({ length: 8 }, (_, at) => ({ headers: { "idempotency-key": `before-${at}` } }));
const answered = await Promise.all(keys.map((key) => it.api.createOneClick({ body: { phone: before }, ...key })));
await it.store.home.inTransaction(async (trx) => {
  const dataKey = await vault.createDataKey(trx, "account", 0);
  await insertCell(vault, trx, dataKey, { number: 1, address, from: 0, to: half, opensAt: systemClock.now() });
  await announceCells(trx);
});
for (const { shared } of [it, other.sandbox]) {
  // The first reading of the list refuses while the cell is not open yet.
  const count = () => {
    try {
      return shared.cells.all().length;
    } catch {
      return 0;
    }
  };
  await eventually(async () => (count() === 2 ? true : undefined));
}

test("people who were stored before a cell opened stay readable where they are", async () => {
  const read = await it.api.readOneClick({ params: { uuid: oldOneClick.uuid } });
  assert.equal(read.status, 200);
  const again = await signup(before);
  assert.equal(await peopleIn(here, before), 1);
  assert.equal(await peopleIn(there.db, before), 0);
  assert.equal((await it.api.readOneClick({ params: { uuid: again.uuid } })).status, 200);
});

test("a new person of the cell's slots is stored there, and every uuid and token names the cell", async () => {
  const phone = phoneOf(1);
  const { uuid } = await signup(phone);
  assert.equal(cellOf(uuid), 1);
  assert.deepEqual([await peopleIn(here, phone), await peopleIn(there.db, phone)], [0, 1]);
  assert.equal((await otherApi.readOneClick({ params: { uuid } })).status, 200);
  const verification = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
  assert.equal(cellOf(verification.uuid), 1);
  const elsewhere = phoneOf(0);
  await signup(elsewhere);
  assert.deepEqual([await peopleIn(here, elsewhere), await peopleIn(there.db, elsewhere)], [1, 0]);
});

test("200 simultaneous first calls for one phone over two processes create one person", async () => {
  for (const cell of [0, 1] as const) {
    const phone = phoneOf(cell);
    await Promise.all(Array.from({ length: 200 }, (_, at) => signup(phone, at % 2 === 0 ? it.api : otherApi)));
    const stored = [await peopleIn(here, phone), await peopleIn(there.db, phone)];
    assert.deepEqual(stored, cell === 0 ? [1, 0] : [0, 1]);
  }
});

test("a repeated call gets the answer that was stored before its key got another database", async () => {
  for (const [at, key] of keys.entries()) {
    const again = await it.api.createOneClick({ body: { phone: before }, ...key });
    assert.equal(again.body.uuid, answered[at]?.body.uuid);
    assert.equal(again.headers["idempotent-replayed"], "true");
  }
});

test("the same Idempotency-Key with another person's body is refused, whatever the cells", async () => {
  const headers = { "idempotency-key": "one-key-for-two-people" };
  const first = await it.api.createOneClick({ body: { phone: phoneOf(0) }, headers });
  assert.equal(first.status, 201);
  assert.equal((await refusal(it.api.createOneClick({ body: { phone: phoneOf(1) }, headers }))).status, 422);
});

test("a credential issued to an email address counts for a phone in another cell that the address is linked to", async () => {
  const type = "EmployerNameCredential";
  const api = it.api;
  for (const cell of [0, 1] as const) {
    const [phone, email] = [phoneOf(cell), `linked-${cell}@example.com`];
    // One of the two cells is not the one of the address.
    const alone = [{ type, data: { employer: `Alone ${cell}` } }];
    await api.issueCredentials({ body: { email, credentials: alone } });
    await api.issueCredentials({
      body: { phone, email, credentials: [{ type: "TitleCredential", data: { title: "CTO" } }] },
    });
    const { body } = await api.createOneClick({ body: { phone, credentialRequests: [{ type }] } });
    assert.match(JSON.stringify(body), new RegExp(`Alone ${cell}`));
  }
});

test("an id of a credential that is no uuid gets the same 404 as an unknown one", async () => {
  for (const id of [crypto.randomUUID(), "x", "urn:uuid:1"])
    assert.equal((await refusal(it.api.readCredential({ params: { id } }))).status, 404, id);
});

test("deleting an account leaves the phone in no cell", async () => {
  for (const cell of [0, 1] as const) {
    const phone = phoneOf(cell);
    const { uuid } = await signup(phone);
    const browser = await signIn(it, phone);
    await browser.proveAccount({ body: { birthDate } });
    assert.equal((await browser.deleteAccount({ body: { consent: said } })).body.outcome, "deleted");
    assert.deepEqual([await peopleIn(here, phone), await peopleIn(there.db, phone)], [0, 0]);
    assert.equal((await refusal(it.api.readOneClick({ params: { uuid } }))).status, 404);
  }
});

test("while a cell is away, its people get 503 and everyone else is served", async () => {
  const [ours, theirs] = [phoneOf(0), phoneOf(1)];
  const [kept, away] = [await signup(ours), await signup(theirs)];
  relay.close();
  assert.equal((await refusal(it.api.readOneClick({ params: { uuid: away.uuid } }))).status, 503);
  assert.equal((await refusal(it.api.createOneClick({ body: { phone: theirs } }))).status, 503);
  assert.equal((await it.api.readOneClick({ params: { uuid: kept.uuid } })).status, 200);
  assert.equal((await it.api.createOneClick({ body: { phone: ours } })).status, 201);
  // The people of the other cell were not touched: another way to the same database has them.
  assert.equal(await peopleIn(there.db, theirs), 1);
});
