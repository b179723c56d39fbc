/** People who end their data while a call about them runs. The call must store and deliver nothing afterwards. */
import assert from "node:assert/strict";
import test from "node:test";
import type { Deps } from "../../domain/deps.ts";
import { Failure } from "../../domain/failure.ts";
import { findPerson } from "../../domain/person.ts";
import { continueProven } from "../../domain/session/continue-proven.ts";
import { makeSession, openSdkSession } from "../../domain/session/make.ts";
import { findSession } from "../../domain/session/session.ts";
import { readOneClick } from "../../domain/signup/api/read.ts";
import { beginInfoConfirmation } from "../../domain/signup/page/begin-proven.ts";
import { requestOneClick } from "../../domain/signup/start.ts";
import { revealDelivery } from "../../domain/webhook/inspect.ts";
import { queueDelivery } from "../../domain/webhook/publish.ts";
import { birthDate, signIn } from "../harness/account-page.ts";
import { callerOf, codesSentTo, freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { interrupted } from "../harness/interrupted.ts";
import { frameOfKey, refusal, sandbox, sdkKey } from "../harness/sandbox.ts";
import { recordStatements } from "../harness/statement-log.ts";

const it = await sandbox();

/** A person who is signed in. A brand has their data. */
async function known(phone = freshPhone()) {
  const brand = await it.brand();
  await brand.api.createOneClick({ body: { phone } });
  const page = await signIn(it, phone);
  await page.proveAccount({ body: { birthDate } });
  return {
    phone,
    brand,
    page,
    delete: () => page.deleteAccount({ body: { consent: agreed("delete") } }),
    handOver: () => page.takeOverNumber({ body: { consent: agreed("handOver") } }),
    stopAt: (uuid: string) => page.stopSharing({ params: { uuid }, body: { consent: agreed("stop") } }),
  };
}

/** What is stored about people. */
async function stored() {
  const { rows } = await it.store.pool.query(
    `select (select count(*) from one_click where sealed is not null) as "oneClicks",
            (select count(*) from person where phone_index is not null) as people,
            (select count(*) from consent where action = 'prove') as consents,
            (select count(*) from audit where action = 'verification.verified') as proofs,
            (select count(*) from audit where action = 'oneClick.read') as reads`,
  );
  return rows[0];
}

/** The step, and what was stored right after it. */
function noting(step: () => Promise<unknown>) {
  const noted: { after?: unknown } = {};
  const happens = async () => {
    await step();
    noted.after = await stored();
  };
  return { noted, happens };
}

const failsWith = (expected: string | number) => (error: unknown) =>
  error instanceof Failure && (error.data?.errorCode ?? error.status) === expected;

test("a v1 read that runs while the person stops sharing returns nothing and records no read", async () => {
  const person = await known();
  const key = "sk_sandbox_demo_v1";
  const payload = { phone: person.phone, birthDate };
  const made = await it.inject({
    method: "POST",
    url: "/1-click/trusted",
    headers: { authorization: key },
    payload,
  });
  const { uuid } = made.body as { uuid: string };
  const caller = await callerOf(it, key);
  const { noted, happens } = noting(() => person.stopAt(caller.brand.uuid));
  const reading = readOneClick(interrupted(await it.cellOf(person.phone), happens), caller, { uuid });
  await assert.rejects(reading, failsWith("OCE015"));
  assert.deepEqual(await stored(), noted.after);
});

test("a read that records itself while the person stops sharing returns nothing", async () => {
  const person = await known();
  const { uuid } = (await person.brand.api.createOneClick({ body: { phone: person.phone } })).body;
  const caller = await callerOf(it, person.brand.apiKey);
  const cell = await it.cellOf(person.phone);
  const late = interrupted(cell, () => person.stopAt(person.brand.uuid), /insert into "?audit/);
  await assert.rejects(readOneClick(late, caller, { uuid }), failsWith("OCE015"));
});

test("a device that proves a phone whose person was deleted meanwhile records nothing and creates nobody", async () => {
  const { phone, brand, ...person } = await known();
  const payload = { channel: "silent", deviceIp: "::121:2555:0010", phone };
  const headers = { authorization: brand.apiKey };
  const begun = await it.inject({ method: "POST", url: "/v2/1-click/verifications", headers, payload });
  const hop = async (location: string | undefined) => {
    const { pathname, search } = new URL(location ?? "");
    return await it.inject({ method: "GET", url: `${pathname}${search}` });
  };
  const carrier = await hop((await hop(begun.headers.location)).headers.location);
  const { noted, happens } = noting(person.delete);
  const { finish } = it.deps.vendors.carrier;
  it.deps.vendors.carrier.finish = async () => {
    it.deps.vendors.carrier.finish = finish;
    await happens();
    return { kind: "phone", phone };
  };
  const { status, body: answer } = await hop(carrier.headers.location);
  assert.deepEqual([status, (answer as { data: { errorCode?: string } }).data.errorCode], [404, "OCV005"]);
  assert.deepEqual(await stored(), noted.after);
});

/** A verification by text that the person has completed. */
async function verified({ phone, brand }: Pick<Awaited<ReturnType<typeof known>>, "phone" | "brand">) {
  const { uuid } = (await brand.api.createVerification({ body: { channel: "sms", phone } })).body;
  const more = { redirectUserAfter: "infoConfirmation" } as const;
  await brand.api.deliverVerification({ params: { uuid }, body: more });
  const [code = ""] = await codesSentTo(it, phone);
  await brand.api.submitVerificationCode({ params: { uuid }, body: { code } });
  return uuid;
}

test("a link's page that opens while the person ends the proof stores nothing", async () => {
  for (const end of ["stop", "delete"] as const) {
    const person = await known();
    const uuid = await verified(person);
    const { noted, happens } = noting(() => (end === "delete" ? person.delete() : person.stopAt(person.brand.uuid)));
    const opening = beginInfoConfirmation(interrupted(await it.cellOf(person.phone), happens), uuid, uuid);
    await assert.rejects(opening, failsWith("OCV005"), end);
    assert.deepEqual(await stored(), noted.after, end);
  }
});

test("a session that continues while its phone gets a new holder opens no page about the new holder", async () => {
  const { phone, ...person } = await known();
  const caller = await callerOf(it, sdkKey);
  const cell = await it.cellOf(phone);
  const sessionKey = await makeSession(cell, caller, { phone, inputs: { email: "former@example.com" } });
  const { sessionToken } = await openSdkSession(it.deps, { sessionKey, frame: frameOfKey(sessionKey) });
  const session = await findSession(it.deps, sessionToken, caller.requestId);
  const { noted, happens } = noting(person.handOver);
  const late = interrupted(cell, happens);
  const cells: Deps["cells"] = Object.assign(Object.create(it.deps.cells), { ofPhone: async () => late });
  const consent = { ...agreed("proveKnown"), url: "http://localhost:4001/sdk" };
  await assert.rejects(continueProven({ ...it.deps, cells }, session, { consent }), failsWith(401));
  assert.deepEqual(await stored(), noted.after);
});

test("what was issued to a phone's former holder is not released as the new holder's", async () => {
  for (const end of ["handOver", "delete"] as const) {
    const { phone, ...person } = await known();
    const data = { email: "former@example.com" };
    await it.api.issueCredentials({ body: { phone, credentials: [{ type: "EmailCredential", data }] } });
    const { noted, happens } = noting(person[end]);
    const ask = { phone, inputs: {}, credentialRequests: [{ type: "EmailCredential" as const }] };
    const late = interrupted(await it.cellOf(phone), happens);
    await assert.rejects(requestOneClick(late, await callerOf(it), "v21Api", ask), failsWith("OCE015"), end);
    assert.deepEqual(await stored(), noted.after, end);
  }
});

test("a device that is signed out while a source is asked gets no offer", async () => {
  const { phone, page } = await known();
  const other = await signIn(it, phone);
  const {
    vendors: { identity },
  } = it.deps;
  const { lookUp } = identity;
  identity.lookUp = async (asked) => {
    identity.lookUp = lookUp;
    await other.signOutOthers();
    return await identity.lookUp(asked);
  };
  assert.equal((await refusal(page.takeOut({ body: { own: "name" } }))).status, 401);
  assert.deepEqual(await it.store.db.selectFrom("takeout").selectAll().execute(), []);
});

test("a delivery whose person stops sharing while a member reveals it is not revealed", async () => {
  const { phone, brand, ...person } = await known();
  const cell = await it.cellOf(phone);
  const judged = cell.phones.judge(phone);
  const found = judged.kind === "supported" ? await findPerson(cell, judged.phone) : null;
  const dataKey = found?.dataKey ?? assert.fail("no person");
  const uuid = await cell.db.inTransaction((trx) =>
    queueDelivery(cell, trx, {
      brandUuid: brand.uuid,
      endpointUuid: null,
      event: "user.credentials.push",
      subjectUuid: cell.random.uuid(),
      dataKey,
      body: { data: "Ada" },
    }),
  );
  const record = async () => void (await person.stopAt(brand.uuid));
  const revealing = revealDelivery(cell, { brandUuid: brand.uuid, uuid }, { record });
  await assert.rejects(revealing, failsWith(409));
});

test("a device that is signed out while it proves who the person is gets no values", async (t) => {
  const phone = freshPhone();
  await (await it.brand()).api.createOneClick({ body: { phone } });
  const owner = await signIn(it, phone);
  const thief = await signIn(it, phone);
  const lookUp = it.deps.vendors.identity.lookUp.bind(it.deps.vendors.identity);
  t.mock.method(it.deps.vendors.identity, "lookUp", async (asked: Parameters<typeof lookUp>[0]) => {
    await owner.signOutOthers();
    return await lookUp(asked);
  });
  assert.equal((await refusal(thief.proveAccount({ body: { birthDate } }))).status, 401);
});

type Known = Awaited<ReturnType<typeof known>>;
const endings: Record<string, (person: Known) => Promise<unknown>> = {
  "a deletion": (person) => person.delete(),
  "a new holder": (person) => person.handOver(),
  "a withdrawal": (person) => person.stopAt(person.brand.uuid),
};
for (const [what, end] of Object.entries(endings))
  test(`${what} locks verifications before the person, as texts and codes do, so that they cannot deadlock`, async () => {
    const person = await known();
    await person.brand.api.createVerification({ body: { channel: "sms", phone: person.phone } });
    const statements: string[] = [];
    await recordStatements(statements, () => end(person));
    const at = (wanted: RegExp) => statements.findIndex((text) => wanted.test(text));
    const verifications = at(/from "verification".*order by "uuid" for update/);
    const locked = at(/from "person".*for update/);
    assert.ok(verifications >= 0 && verifications < locked, statements.join("\n"));
  });
