/** What the service keeps, and for how long. The document, the code and the database must agree. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { beginByPasskey } from "../../domain/member/passkey.ts";
import { beginByEmail } from "../../domain/member/sign-in.ts";
import { consentKeptMs } from "../../domain/retention/sweep.ts";
import { oneClickLifeMs } from "../../domain/signup/one-click.ts";
import { riskHistory } from "../../domain/signup/risk-history.ts";
import { askForStateId } from "../../domain/state-id/ask.ts";
import { birthDate, signIn } from "../harness/account-page.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { healthBrand, lookUp, richard } from "../harness/health-lookup.ts";
import { holder, walletOverHttp } from "../harness/holder.ts";
import { hostedPage, hostedShare } from "../harness/hosted-share.ts";
import { openidBrand, signIn as openidSignIn } from "../harness/openid.ts";
import { endsInTime, hourMs, inWords, type Kept } from "../harness/retention-table.ts";
import { demoKey, refusal, sandbox, sdkKey } from "../harness/sandbox.ts";

const docs = new URL("../../../../../docs/", import.meta.url);
const document = await readFile(new URL("operate/retention.md", docs), "utf8");
const lines = document.split("\n").filter((line) => /^\| `\w+` \|/.test(line));
const cells = lines.map((line) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim()),
);

const it = await sandbox({
  vendors: { outbound: { judge: () => null, post: async () => ({ kind: "answered", status: 204, durationMs: 1 }) } },
});

await walletOverHttp(it);

test("docs/operate/retention.md lists every table of the schema exactly once, with every cell filled", async () => {
  const schema = await readFile(new URL("schema.sql", docs), "utf8");
  const tables = [...schema.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, name]) => `\`${name}\``).sort();
  assert.deepEqual(cells.map(([name]) => name).sort(), tables);
  for (const one of cells) assert.ok(one.length === 5 && one.every((cell) => cell !== ""), one.join(" | "));
});

test("docs/operate/retention.md gives the same retention times as the code", () => {
  for (const [table, { readable, row }] of Object.entries(endsInTime)) {
    const [, , readableUntil = "", , rowUntil = ""] = cells.find(([name]) => name === `\`${table}\``) ?? [];
    if (readable !== undefined) assert.ok(readableUntil.includes(inWords(readable.ms)), `${table}: ${readableUntil}`);
    if (row !== undefined) assert.ok(rowUntil.includes(inWords(row.ms)), `${table}: ${rowUntil}`);
  }
  for (const [name = "", , readableUntil = ""] of cells) {
    const entry = endsInTime[name.replaceAll("`", "")];
    if (/\d/.test(readableUntil))
      assert.ok(entry !== undefined, `${name} has a time in the document but none in the code`);
  }
});

/** Creates every kind of stored data, all at one instant. */
async function createAllData(): Promise<void> {
  const phone = "+14155550123";
  const wanted = "+14155550124";
  const proof = (
    await it.api.createVerification({ body: { channel: "sms", phone }, headers: { "idempotency-key": "retention-1" } })
  ).body;
  await it.api.deliverVerification({ params: { uuid: proof.uuid } });
  await openidSignIn(it, await openidBrand(it));
  await it.runJobs();
  await it.api.createOneClick({
    body: { phone: "+12125550010", email: "richard@piedpiper.net" },
    headers: { "idempotency-key": "retention-2" },
  });
  await it.api.beginOneClick({ body: { phone: "+12125550020", birthDate: "1950-01-01" } }).catch(() => {});
  await hostedShare(it, "+12125550010");
  const employer = [{ type: "EmployerNameCredential" as const, mandatory: "yes" as const, allowUserInput: true }];
  const missing = await hostedPage(it, "+12125550010", employer);
  await missing.session.beginPresentation({ body: { page: missing.page } });
  const asking = { subject: missing.uuid, browser: "a session", origin: "http://localhost:4001" };
  await askForStateId(it.deps, { ...asking, elements: ["given_name"] });
  await it.as(sdkKey).createSession({ body: {} });
  await it.api.issueCredentials({
    body: { phone, credentials: [{ type: "TitleCredential", data: { title: "CTO" } }] },
  });
  const brand = await healthBrand(it);
  await it.inject({
    method: "POST",
    url: `/sandbox/brands/${brand.uuid}/webhooks`,
    headers: { authorization: demoKey, "content-type": "application/json" },
    payload: JSON.stringify({ url: "https://brand.example/hook" }),
  });
  await lookUp(it, richard, brand.api);
  const page = await signIn(it, "+12125550010");
  await page.proveAccount({ body: { birthDate } });
  const { offer, transactionCode } = (await page.takeOut({ body: { own: "address" } })).body;
  await holder().accept(offer, transactionCode);
  await page.takeOut({ body: { own: "name" } });
  await it.api.answerText({ body: { from: wanted, body: "STOP" } });
  await it.api.answerText({ body: { from: wanted, body: "START" } });
  await it.api.answerText({ body: { from: phone, body: "STOP" } });
  // The sandbox has fixed risk data, so call the risk history directly, as real risk scorers do.
  const judged = it.deps.phones.judge(phone);
  assert.ok(judged.kind === "supported");
  await riskHistory(it.deps).of({ brandUuid: crypto.randomUUID(), phone: judged.phone, email: "somebody@example.com" });
  const member = await signedIn(it);
  await beginByEmail(it.accounts, member.email);
  await beginByPasskey(it.accounts);
  await it.store.pool.query(
    `insert into conversion_alarm (environment, kind, key, window_start, raised_at, sent, verified)
     values ('sandbox', 'block', 'x', $1, $1, 9, 0)`,
    [it.deps.clock.now()],
  );
  // Nothing has expired yet, so no sweep has a result.
  await it.store.pool.query(
    "insert into sweep_result (environment, sweep, day, erased, failures) values ('sandbox', 'sessions', $1, 1, 0)",
    [it.deps.clock.now()],
  );
  while ((await count({ ms: 0, count: "select count(*)::int as count from request_log" })) === 0);
}

const started = it.deps.clock.now();
async function count({ count: query }: Kept): Promise<number> {
  const { rows } = await it.store.pool.query(query, query.includes("$1") ? [started + 1] : []);
  return rows[0].count;
}

/** Moves both clocks: the environment's, whose jobs run on the way, and the accounts clock. */
async function passTo(elapsedMs: number): Promise<void> {
  const now = it.deps.clock.now();
  it.accountClock.setOffset(elapsedMs);
  if (started + elapsedMs > now) await it.advance(started + elapsedMs - now);
}

test("each kind of stored data exists at first and is gone when its retention time ends", async () => {
  await createAllData();
  const ends = Object.entries(endsInTime).flatMap(([table, { readable, row }]) => [
    ...(readable === undefined ? [] : [{ what: `${table}, readable`, kept: readable }]),
    ...(row === undefined ? [] : [{ what: `${table}, rows`, kept: row }]),
  ]);
  for (const { what, kept } of ends) assert.ok((await count(kept)) > 0, `no data in ${what} before its end`);
  const endOf = ({ ms, slackMs = 0 }: Kept) => ms + slackMs;
  ends.sort((a, b) => endOf(a.kept) - endOf(b.kept));
  for (const { what, kept } of ends) {
    await passTo(endOf(kept) + 1);
    assert.equal(await count(kept), 0, `${what} after ${inWords(endOf(kept))}`);
  }
});

test("a STOP is kept until the person texts START", async () => {
  const { rows } = await it.store.pool.query("select stopped from text_stop");
  assert.deepEqual(rows, [{ stopped: true }]);
});

test("consents are deleted after five years, except billed ones, which lose the person and the phone hash", async () => {
  const { pool } = it.store;
  const evidence = async () => {
    const { rows } = await pool.query(
      `select count(*)::int as all, count(person_uuid)::int as named, count(phone_index)::int as hashed from consent`,
    );
    return rows[0];
  };
  const before = await evidence();
  const { rows: billed } = await pool.query("select count(distinct consent_uuid)::int as count from issuance");
  assert.ok(billed[0].count > 0 && before.all > billed[0].count, "there must be billed and unbilled consents");
  const tonight = Math.ceil((it.deps.clock.now() + 1) / hourMs) * hourMs;
  await pool.query("update consent set at = $1", [tonight - consentKeptMs]);
  await it.advance(tonight - it.deps.clock.now());
  assert.deepEqual(await evidence(), before, "a consent was deleted before five years had passed");
  await it.advance(hourMs);
  assert.deepEqual(await evidence(), { all: billed[0].count, named: 0, hashed: 0 });
  const [, , , , row = ""] = cells.find(([name]) => name === "`consent`") ?? [];
  assert.ok(row.includes(inWords(consentKeptMs)), row);
});

test("a response stored for its Idempotency-Key can be read only as long as its 1-Click", async () => {
  const ask = { body: { phone: "+12125550010" }, headers: { "idempotency-key": "retention-3" } };
  const { uuid } = (await it.api.createOneClick(ask)).body;
  const readable = endsInTime.idempotent_answer?.readable ?? assert.fail();
  assert.equal(await count(readable), 1);
  await it.advance(oneClickLifeMs - 1);
  assert.equal((await it.api.createOneClick(ask)).body.uuid, uuid);
  await it.advance(1);
  assert.equal(await count(readable), 0);
  assert.equal((await refusal(it.api.createOneClick(ask))).errorCode, "OCE015");
});
