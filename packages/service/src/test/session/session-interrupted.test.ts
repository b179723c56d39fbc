/** Sessions and people may be in different databases. A step between them is cut off, or races with another. */
import assert from "node:assert/strict";
import test from "node:test";
import { client } from "@countersign/contract/client";
import { continueSession, openSession } from "@countersign/contract/session";
import { erasePerson } from "../../domain/account/erase.ts";
import { findAccount } from "../../domain/account/session.ts";
import type { Deps } from "../../domain/deps.ts";
import { findPerson } from "../../domain/person.ts";
import { makeSession } from "../../domain/session/make.ts";
import { birthDate, signIn } from "../harness/account-page.ts";
import { callerOf, freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { openFaults } from "../harness/faults/faults.ts";
import { lateKeyed } from "../harness/late-keyed.ts";
import { frameOfKey, refusal, sandbox, sdkKey } from "../harness/sandbox.ts";
import { scriptCalls } from "../harness/script-calls.ts";

const it = await sandbox();
const faults = openFaults(it);
const sdk = it.as(sdkKey);
const consent = agreed("proveKnown");

const frame = (session?: string) => client({ openSession, continueSession }, { send: scriptCalls(it.wallet, session) });

/** A session whose phone the brand has verified. */
async function opened(phone: string) {
  const { sessionKey } = (await sdk.createSession({ body: { phone } })).body;
  const { body } = await frame().openSession({ body: { sessionKey, frame: frameOfKey(sessionKey) } });
  return { sessionKey, session: frame(body.sessionToken) };
}
const go = ({ session }: Awaited<ReturnType<typeof opened>>) => session.continueSession({ body: { consent } });

/** The person's 1-Clicks and consents, and the rows of sessions that chose one of the 1-Clicks. */
async function madeFor(phone: string) {
  const { rows } = await it.store.pool.query(
    `select (select count(*)::int from one_click o where o.person_uuid = p.uuid) as clicks,
            (select count(*)::int from consent c where c.person_uuid = p.uuid and c.action = 'prove') as consents,
            (select count(*)::int from session s join one_click o on o.uuid = s.one_click_uuid
              where o.person_uuid = p.uuid) as sessions
       from person p where p.phone_index = $1`,
    [it.deps.vault.index("phone", "sandbox", phone)],
  );
  return rows[0];
}
const once = { clicks: 1, consents: 1, sessions: 1 };

const sessionsOf = async (personUuid: string) =>
  (await it.store.pool.query("select uuid from session where person_uuid = $1", [personUuid])).rows.length;

test("ten calls that continue one session at once get the same 1-Click", async () => {
  const phone = freshPhone();
  const made = await opened(phone);
  await Promise.all(Array.from({ length: 10 }, () => go(made)));
  assert.deepEqual(await madeFor(phone), once);
});

test("whichever statement fails while a session continues, the next call continues with one 1-Click", async (context) => {
  const attempt = async (number: number, when: "before" | "after") => {
    const phone = freshPhone();
    const made = await opened(phone);
    faults.arm([{ kind: "statement", number, when }]);
    await go(made).catch(() => undefined);
    const { counts } = faults.disarm();
    await go(made);
    assert.deepEqual(await madeFor(phone), once, `${when} ${number}`);
    return counts.statement;
  };
  // No call has this many statements, so none fails.
  const statements = await attempt(1_000, "before");
  context.diagnostic(`${statements} statements`);
  for (let number = 1; number <= statements; number += 1)
    for (const when of ["before", "after"] as const) await attempt(number, when);
});

async function personOf(phone: string) {
  const judged = it.deps.phones.judge(phone);
  assert.ok(judged.kind === "supported");
  return await findPerson(await it.cellOf(phone), judged.phone);
}

async function erase(phone: string, replaced: Partial<Deps> = {}): Promise<void> {
  const cell = await it.cellOf(phone);
  const browser = await signIn(it, phone);
  await browser.proveAccount({ body: { birthDate } });
  const token = browser.cookie().split("=")[1] ?? "";
  const account = await findAccount(cell, { token, requestId: it.deps.random.uuid() });
  await erasePerson({ ...cell, ...replaced }, account, { ...agreed("delete"), url: "http://localhost:4001/account" });
}

test("a session that is created while its person is deleted is deleted too", async () => {
  const phone = freshPhone();
  await it.api.createOneClick({ body: { phone } });
  const person = await personOf(phone);
  assert.ok(person !== null);
  // The deletion ends before the session is inserted, so it cannot find it.
  const deps = {
    ...(await it.cellOf(phone)),
    ...lateKeyed(
      it,
      firstOnly(() => erase(phone)),
    ),
  };
  await assert.rejects(makeSession(deps, await callerOf(it, sdkKey), { phone, inputs: {} }), /Send it again/);
  assert.equal(await sessionsOf(person.uuid), 0);
  assert.match((await sdk.createSession({ body: { phone } })).body.sessionKey, /^[0-9a-f-]{36}$/);
});

function firstOnly(work: () => Promise<unknown>): () => Promise<unknown> {
  let done: Promise<unknown> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}

test("a session that is created during a deletion ends with it, or with its job if the deletion is interrupted", async () => {
  for (const isCutOff of [false, true]) {
    const phone = freshPhone();
    await it.api.createOneClick({ body: { phone } });
    const person = await personOf(phone);
    assert.ok(person !== null);
    const made = await opened(phone);
    let calls = 0;
    const every: Deps["keyed"]["every"] = () => {
      calls += 1;
      if (calls > 2 && isCutOff) throw new Error("cut off");
      // Before the transaction, the deletion finds no session, as if it had been made only then.
      return calls > 2 ? it.deps.keyed.every() : [];
    };
    const erased = erase(phone, { keyed: { ...it.deps.keyed, every } });
    if (isCutOff) await assert.rejects(erased, /cut off/);
    else await erased;
    assert.equal(await sessionsOf(person.uuid), isCutOff ? 1 : 0);
    await it.advance(60_000);
    assert.equal(await sessionsOf(person.uuid), 0);
    assert.equal((await refusal(go(made))).status, 401);
  }
});
