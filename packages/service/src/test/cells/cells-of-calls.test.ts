// alone: its harness opens cells that every sandbox of the process would use
/** Calls that name people of two cells, or that prove a phone of another cell than at first. */
import assert from "node:assert/strict";
import test from "node:test";
import { answerSelector } from "../../domain/idempotency/idempotent-answer-rows.ts";
import { chooseOneClick, findSdkSession } from "../../domain/session/session-rows.ts";
import { holdsUuid } from "../../store/cells/held-rows.ts";
import { callerOf } from "../harness/below-http.ts";
import { whileFull } from "../harness/large-memory.ts";
import { refusal, sdkKey } from "../harness/sandbox.ts";
import {
  continueFrame,
  it,
  judged,
  openCell,
  openFrame,
  phoneOf,
  relay,
  signup,
  verified,
} from "../harness/second-cell.ts";

await openCell();
const hostedKey = "sk_sandbox_demo_hosted";

test("what was issued to an address in another cell shares the memory with what was issued to the phone", async () => {
  const types = { EmployerNameCredential: "employer", TitleCredential: "title" } as const;
  const typed = Object.entries(types) as [keyof typeof types, string][];
  const credentials = typed.flatMap(([type, name]) =>
    Array.from({ length: 10 }, (_, at) => ({ type, data: { [name]: `Value ${at}` } })),
  );
  const credentialRequests = typed.map(([type]) => ({ type }));
  const statuses: number[] = [];
  // One of the two cells is not the one of the address.
  for (const cell of [0, 1] as const) {
    const [phone, email] = [phoneOf(cell), "many@example.com"];
    if (cell === 0) await it.api.issueCredentials({ body: { email, credentials } });
    const create = () => it.api.createOneClick({ body: { phone, credentialRequests } });
    await it.api.issueCredentials({ body: { phone, credentials: credentials.slice(1) } });
    await whileFull(async () => assert.equal((await create()).status, 201, "each list alone is small"));
    await it.api.issueCredentials({ body: { phone, email, credentials: credentials.slice(0, 1) } });
    await whileFull(async () => {
      statuses.push(
        await create().then(
          ({ status }) => status,
          ({ envelope }) => envelope.code,
        ),
      );
    });
    assert.equal((await create()).status, 201);
  }
  assert.deepEqual(statuses.sort(), [201, 429]);
});

test("a session whose first start failed stores the 1-Click in the cell of the phone that it proves later", async () => {
  for (const [first, second] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const sdk = it.as(sdkKey);
    const { sessionKey } = (await sdk.createSession({ body: { phone: phoneOf(first) } })).body;
    const token = await openFrame(sessionKey);
    const session = (await findSdkSession(it.homeDeps, token)) ?? assert.fail("no session");
    // The first start chose a 1-Click, and failed before it was stored.
    const failed = await it.homeDeps.cells.ofPhone(judged(phoneOf(first)));
    await chooseOneClick(session, { former: null, oneClickUuid: failed.random.uuid() });
    const verificationUuid = await verified(phoneOf(second), sdk);
    await session.keyed
      .updateTable("session")
      .set({ verification_uuid: verificationUuid })
      .where("uuid", "=", session.uuid)
      .execute();
    for (const time of ["first", "repeated"]) assert.equal((await continueFrame(token)).status, 201, time);
    const uuid = (await findSdkSession(it.homeDeps, token))?.oneClickUuid ?? assert.fail("no 1-Click");
    assert.ok(await holdsUuid((await it.homeDeps.cells.ofUuid(uuid)).db, uuid), `${first} ${second}`);
  }
});

test("a call that names a phone and an object gets the answer of a single cell, whosever the object is", async () => {
  const sdk = it.as(sdkKey);
  for (const [mine, other] of [
    [0, 1],
    [1, 0],
    [1, 1],
  ] as const) {
    const [phone, theirPhone] = [phoneOf(mine), phoneOf(other)];
    const [own, theirs] = [await signup(phone), await signup(theirPhone)];
    const named = async (api = it.api) => ({
      own: await verified(phone, api),
      theirs: await verified(theirPhone, api),
    });
    const [ofApi, ofSdk] = [await named(), await named(sdk)];
    const wrong = async (call: Promise<unknown>) => (await refusal(call)).message;
    const otherPhone = '"phone" is not the phone of "verificationUuid"';
    const { createOneClick } = it.api;
    assert.equal(await wrong(createOneClick({ body: { phone, verificationUuid: ofApi.theirs } })), otherPhone);
    assert.equal(await wrong(sdk.createSession({ body: { phone, verificationUuid: ofSdk.theirs } })), otherPhone);
    assert.equal(
      await wrong(createOneClick({ body: { phone, identityUuid: theirs.uuid } })),
      '"phone" does not match the 1-Click referenced by "identityUuid"',
    );
    for (const proof of [{ identityUuid: own.uuid }, { verificationUuid: ofApi.own }])
      assert.equal((await createOneClick({ body: { phone, ...proof } })).status, 201);
    const body = { phone, verificationUuid: ofSdk.own };
    assert.ok((await sdk.createSession({ body })).body.sessionKey);
  }
});

test("a call selects its cell once, also with an Idempotency-Key, and a refused caller's call selects none", async () => {
  const { cells } = it.homeDeps;
  const { ofPhone } = cells;
  const asked: string[] = [];
  cells.ofPhone = async (phone) => {
    asked.push(phone);
    return await ofPhone(phone);
  };
  try {
    const keys: Record<string, string>[] = [{}, { "idempotency-key": "one-selection" }];
    for (const headers of keys) {
      const phone = phoneOf(1);
      const body = { channel: "sms", phone };
      await it.api.createVerification({ body, headers });
      assert.deepEqual(asked.splice(0), [judged(phone)]);
      assert.equal((await refusal(it.as("unknown").createVerification({ body, headers }))).status, 401);
      assert.deepEqual(asked, []);
    }
  } finally {
    cells.ofPhone = ofPhone;
  }
});

test("a hosted call is answered and repeated although its identityUuid leads to a cell that is unreachable", async () => {
  const foreign = await signup(phoneOf(1));
  const { brand } = await callerOf(it, hostedKey);
  let at = 0;
  const key = () => ({ brandUuid: brand.uuid, endpoint: "/v2/1-click", idempotencyKey: `hosted-${at}` });
  while (it.deps.keyed.of(answerSelector(key())) !== it.deps.ownKeyed) at += 1;
  const headers = { "idempotency-key": key().idempotencyKey };
  const body = { phone: phoneOf(0), identityUuid: foreign.uuid };
  relay.close();
  assert.equal((await refusal(it.api.readOneClick({ params: { uuid: foreign.uuid } }))).status, 503);
  const begun = await it.as(hostedKey).beginOneClick({ body, headers });
  const again = await it.as(hostedKey).beginOneClick({ body, headers });
  assert.deepEqual(again.body, begun.body);
  assert.equal(again.headers["idempotent-replayed"], "true");
});
