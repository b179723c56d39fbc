// alone: its harness opens cells that every sandbox of the process would use
/** A second cell, in a database of its own, that the service opens while it runs. */
import assert from "node:assert/strict";
import test from "node:test";
import { composeService } from "../../compose/service.ts";
import { hasTraffic } from "../../domain/brand/brand-rows.ts";
import { claimAnswer, keepAnswer, releaseAnswer } from "../../domain/idempotency/answer.ts";
import { ensurePerson } from "../../domain/person.ts";
import type { Phone } from "../../domain/ports.ts";
import { framedBy } from "../../domain/session/session.ts";
import { sessionSelector } from "../../domain/session/session-rows.ts";
import { riskHistory } from "../../domain/signup/risk-history.ts";
import { tokenHash } from "../../domain/token.ts";
import { openListener, sweepListeners } from "../../domain/webhook/listener.ts";
import { sendTest } from "../../domain/webhook/test-event.ts";
import { openMetrics } from "../../http/metrics.ts";
import { callerOf, freshPhone } from "../harness/below-http.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { refusal, sdkKey, stillClock } from "../harness/sandbox.ts";
import {
  cellOf,
  continueFrame,
  here,
  it,
  judged,
  openCell,
  openFrame,
  otherApi,
  peopleIn,
  phoneOf,
  quiet,
  relay,
  signup,
  there,
  verified,
} from "../harness/second-cell.ts";

const before = phoneOf(1);
const oldOneClick = await signup(before);
/** Calls from before the cell opened. Some of their keys get another database. */
const keys = Array.from({ length: 8 }, (_, at) => ({ headers: { "idempotency-key": `before-${at}` } }));
const answered = await Promise.all(keys.map((key) => it.api.createOneClick({ body: { phone: before }, ...key })));
/** Sessions of the SDK from before the cell opened. The second half of them is open. */
const sessions = await Promise.all(
  Array.from({ length: 16 }, async (_, at) => {
    const phone = freshPhone();
    const { sessionKey } = (await it.as(sdkKey).createSession({ body: { phone } })).body;
    return { phone, sessionKey, token: at < 8 ? null : await openFrame(sessionKey) };
  }),
);
/** Values that were used together with one phone before. */
const emails = Array.from({ length: 8 }, (_, at) => `seen-${at}@example.com`);
const history = riskHistory(it.homeDeps);
const askingBrand = crypto.randomUUID();
const historyOf = (used: { phone: Phone; email: string }) => history.of({ brandUuid: askingBrand, ...used });
for (const email of emails) await historyOf({ phone: judged(freshPhone()), email });
/** Requests that began before and end afterwards. */
const caller = await callerOf(it);
const running = Array.from({ length: 16 }, (_, at) => {
  return {
    caller: { ...caller, requestId: crypto.randomUUID() },
    endpoint: "/v2/1-click",
    key: `runs-${at}`,
    body: "{}",
  };
});
const claims = await Promise.all(running.map((asked) => claimAnswer(it.deps, asked)));
/** The cell that a request about a new phone found before. */
const late = phoneOf(1);
const lateDeps = await it.cellOf(late);
/** A phone that opted out of texts and has no person. */
const stopped = phoneOf(1);
await it.api.answerText({ body: { from: stopped, body: "STOP" } });
await openCell();

test("a session of the SDK that began before a cell opened is opened, framed and continued", async () => {
  for (const { phone, sessionKey, token } of sessions) {
    assert.notEqual(await framedBy(it.homeDeps, tokenHash(sessionKey)), null);
    assert.equal((await continueFrame(token ?? (await openFrame(sessionKey)))).status, 201, phone);
  }
});

test("the phones that were used with an email address before a cell opened still count", async () => {
  for (const email of emails) {
    const [first, second] = [judged(freshPhone()), judged(freshPhone())];
    assert.deepEqual((await historyOf({ phone: first, email })).email, { phones: 1 });
    assert.deepEqual((await historyOf({ phone: second, email })).email, { phones: 2 });
  }
});

test("a request that runs while a cell opens is answered, and its key is freed, in the cell where it began", async () => {
  for (const [at, claim] of claims.entries()) {
    assert.ok(claim.kind === "ours");
    const asked = running[at] ?? assert.fail();
    const end = { answered: at % 2 === 0 };
    if (end.answered) await keepAnswer(it.deps, claim.claimed, { status: 204, body: "" });
    else await releaseAnswer(claim.claimed);
    assert.equal((await claimAnswer(it.deps, asked)).kind, end.answered ? "answered" : "ours");
  }
});

test("a request that selected its cell before a new one opened creates no person in the old one, and its repeat goes to the new one", async () => {
  const created = here.inTransaction((trx) => ensurePerson(lateDeps, trx, judged(late)));
  await assert.rejects(created, { status: 503, headers: { "retry-after": "1" } });
  await signup(late);
  assert.deepEqual([await peopleIn(here, late), await peopleIn(there.db, late)], [0, 1]);
  // Cell 0 knows this phone, so the person is created there.
  await signup(stopped);
  assert.deepEqual([await peopleIn(here, stopped), await peopleIn(there.db, stopped)], [1, 0]);
});

test("a verification of another phone in another cell does not match the earlier 1-Click", async () => {
  for (const cell of [0, 1] as const) {
    const [mine, theirs] = [phoneOf(cell), phoneOf(cell === 0 ? 1 : 0)];
    const { uuid: identityUuid } = await signup(mine);
    const verificationUuid = await verified(theirs);
    const { errorCode, message } = await refusal(it.api.createOneClick({ body: { identityUuid, verificationUuid } }));
    assert.equal(errorCode, "ERR001");
    assert.equal(message, '"phone" does not match the 1-Click referenced by "identityUuid"');
  }
});

test("sweeps end the deliveries to a silent listener in every cell", async () => {
  const brandUuid = caller.brand.uuid;
  const { uuid } = await openListener(it.homeDeps, { brandUuid, forward: "http://localhost:9/hook" });
  const cells = it.homeDeps.cells.all();
  for (const cell of cells) await sendTest(cell, { uuid });
  await it.store.pool.query("update webhook_endpoint set heard_at = heard_at - $2 where uuid = $1", [
    uuid,
    61 * 60_000,
  ]);
  const pending = (db: typeof there.db) =>
    db
      .selectFrom("webhook_delivery")
      .select("status")
      .where("endpoint_uuid", "=", uuid)
      .where("sealed", "is not", null);
  for (const cell of cells) assert.equal((await pending(cell.db).execute()).length, 1);
  for (const cell of cells) await sweepListeners(cell);
  for (const cell of cells) assert.deepEqual(await pending(cell.db).execute(), []);
});

test("people who were stored before a cell opened can still be read in their old cell", async () => {
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

test("an id of a credential that is not a uuid gets the same 404 as an unknown one", async () => {
  for (const id of [crypto.randomUUID(), "x", "urn:uuid:1"])
    assert.equal((await refusal(it.api.readCredential({ params: { id } }))).status, 404, id);
});

test("an id of a 1-Click in another cell is refused, or ignored by flows that ignore it", async () => {
  for (const [mine, other] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const phone = phoneOf(mine);
    const theirs = await signup(phoneOf(other));
    for (const identityUuid of [theirs.uuid, crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]) {
      const wrong = await refusal(it.api.createOneClick({ body: { phone, identityUuid } }));
      assert.equal(wrong.status, 400);
      assert.ok((await it.as("sk_sandbox_demo_hosted").beginOneClick({ body: { phone, identityUuid } })).body.uuid);
    }
  }
});

test("a text that is not a uuid gets 400, also with an Idempotency-Key", async () => {
  for (const cell of [0, 1] as const)
    for (const name of ["identityUuid", "verificationUuid"]) {
      const headers = { "idempotency-key": `${name}-${cell}` };
      const wrong = await refusal(it.api.createOneClick({ body: { phone: phoneOf(cell), [name]: "x" }, headers }));
      assert.equal(wrong.status, 400);
    }
});

test("an issuer can use an id of its own once, in any cell", async () => {
  for (const [first, second] of [
    [0, 1],
    [1, 0],
    [1, 1],
  ] as const) {
    const credentials = [{ id: crypto.randomUUID(), type: "TitleCredential" as const, data: { title: "CTO" } }];
    const issue = (phone: string) => it.api.issueCredentials({ body: { phone, credentials } });
    assert.equal((await issue(phoneOf(first))).status, 201);
    assert.equal((await refusal(issue(phoneOf(second)))).status, 409);
  }
});

test("while a cell is unreachable, its people get 503 and everyone else is served", async () => {
  const [ours, theirs] = [phoneOf(0), phoneOf(1)];
  const [kept, lost] = [await signup(ours), await signup(theirs)];
  const credentials = [{ type: "TitleCredential" as const, data: { title: "CTO" } }];
  const issued = (await it.api.issueCredentials({ body: { phone: ours, credentials } })).body.credentials;
  const id = issued[0]?.id ?? assert.fail();
  const sdk = it.as(sdkKey);
  const verificationUuid = await verified(ours, sdk);
  const makeKey = async () => (await sdk.createSession({ body: { verificationUuid } })).body.sessionKey;
  let sessionKey = await makeKey();
  while (it.deps.keyed.of(sessionSelector(tokenHash(sessionKey))) !== it.deps.ownKeyed) sessionKey = await makeKey();
  const token = await openFrame(sessionKey);
  relay.close();
  assert.equal((await refusal(it.api.readOneClick({ params: { uuid: lost.uuid } }))).status, 503);
  assert.equal((await refusal(it.api.createOneClick({ body: { phone: theirs } }))).status, 503);
  // A person of cell 0 whose slot was given away: the answer does not tell that they are known.
  assert.equal((await refusal(it.api.createOneClick({ body: { phone: before } }))).status, 503);
  assert.equal((await it.api.readOneClick({ params: { uuid: kept.uuid } })).status, 200);
  assert.equal((await it.api.readOneClick({ params: { uuid: oldOneClick.uuid } })).status, 200);
  assert.equal((await it.api.createOneClick({ body: { phone: ours } })).status, 201);
  assert.equal((await it.api.readCredential({ params: { id } })).status, 200);
  assert.equal((await refusal(it.api.readCredential({ params: { id: crypto.randomUUID() } }))).status, 503);
  assert.equal((await continueFrame(token)).status, 201);
  // A second connection shows that the other cell still has its people.
  assert.equal(await peopleIn(there.db, theirs), 1);
});

test("a process that could not open a cell returns no figures that lack it", async () => {
  const blind = await composeService(
    { config: it.config, log: quiet, ...it.stores, metrics: openMetrics() },
    { sandbox: { clock: stillClock() } },
  );
  try {
    const { admin, homeDeps } = blind.sandbox;
    const unreachable = { status: 503 };
    await assert.rejects(hasTraffic(admin, "sandbox", crypto.randomUUID()), unreachable);
    for (const read of [admin.cells, admin.keyed.every, homeDeps.keyed.every, blind.accounts.cells])
      assert.throws(read, unreachable);
    const { call } = await signedIn({ ...it, accounts: blind.accounts, dashboard: blind.dashboard });
    const usage = await call("GET", `/api/brands/${caller.brand.uuid}/sandbox/usage`);
    assert.equal(usage.status, 503);
  } finally {
    await blind.close();
  }
});
