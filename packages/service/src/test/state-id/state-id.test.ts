import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeProtectedHeader } from "jose";
import { eraseOneClicks } from "../../domain/signup/one-click-rows.ts";
import { askForStateId, type StateIdProtocol, stateIdLifeMs } from "../../domain/state-id/ask.ts";
import type { StateIdRefusalReason } from "../../domain/state-id/refusal.ts";
import { sandboxStateIds } from "../../providers/sandbox/state-id/authority.ts";
import { type HolderMistake, holderMistakes } from "../../providers/sandbox/state-id/holder.ts";
import { testStateIds } from "../../providers/sandbox/state-id/test-ids.ts";
import { assertNotStored } from "../harness/below-http.ts";
import { sandbox } from "../harness/sandbox.ts";
import { askedStateId, oneClick, reasonOf, refusalOf, secretOf, wantedElements } from "../harness/state-id-journey.ts";

const it = await sandbox();
const protocols: readonly StateIdProtocol[] = ["openid4vp-v1-signed", "org-iso-mdoc"];
const rowsOf = async (uuid: string) =>
  (await it.store.pool.query("select * from state_id_request where uuid = $1", [uuid])).rows;

for (const protocol of protocols)
  test(`${protocol}: the requested elements of a state ID are read, and no others`, async () => {
    for (const stateId of testStateIds) {
      const asked = await askedStateId(it);
      const answer = await asked.answer(protocol, { stateId });
      const { elements, authority, expiresAt } = await asked.read(answer);
      assert.deepEqual(elements, {
        given_name: stateId.firstName,
        family_name: stateId.lastName,
        birth_date: stateId.birthDate,
        resident_city: stateId.address.city,
      });
      assert.equal(authority.jurisdiction, `US-${stateId.state}`);
      assert.ok(expiresAt > it.deps.clock.now());
    }
  });

test("numbers and dates are text, and a missing element is left out", async () => {
  const asked = await askedStateId(it, ["sex", "expiry_date", "document_number"]);
  const answer = await asked.answer("org-iso-mdoc");
  const { elements } = await asked.read(answer);
  assert.equal(elements.sex, "1");
  assert.match(elements.expiry_date ?? "", /^\d{4}-\d{2}-\d{2}$/);
  assert.deepEqual(Object.keys(elements), ["sex", "expiry_date", "document_number"]);
});

test("the data of an answer can be JSON text", async () => {
  const asked = await askedStateId(it);
  const { protocol, data } = await asked.answer("org-iso-mdoc");
  const { elements } = await asked.read({ protocol, data: JSON.stringify(data) });
  assert.equal(elements.given_name, "Richard");
});

/** The reason of each refusal, and the beginning of the check that failed. */
const expected: Record<HolderMistake, [StateIdRefusalReason, string]> = {
  declined: ["declined", ""],
  expired: ["expired", ""],
  licenseExpired: ["expired", ""],
  notYetValid: ["notYetValid", ""],
  revoked: ["revoked", ""],
  suspended: ["revoked", ""],
  unknownIssuer: ["unknownAuthority", ""],
  forgedSigner: ["notGenuine", "certificate: its root did not sign it"],
  wrongPurpose: ["notGenuine", "certificate: its extended key usage"],
  otherState: ["notGenuine", "The 'issuing_jurisdiction'"],
  changedValue: ["notGenuine", "The calculated digest"],
  changedProof: ["notGenuine", "Issuer auth signature"],
  otherPhone: ["notGenuine", "Device signature"],
  deviceMac: ["notGenuine", "no device signature"],
  otherNonce: ["notGenuine", "Device signature"],
  otherOrigin: ["notGenuine", "Device signature"],
  oldTranscript: ["notGenuine", "Device signature"],
  unsigned: ["unreadable", "a protocol that was not asked"],
  notEncrypted: ["unreadable", "no"],
  otherKey: ["unreadable", "not encrypted for this request"],
  wrongCurve: ["notGenuine", "Device signature"],
  truncated: ["unreadable", "truncated"],
  deepNesting: ["unreadable", "too deep"],
  hugePortrait: ["unreadable", "no response"],
  repeatedElement: ["notGenuine", "a repeated element"],
  twoDocuments: ["unreadable", "several documents"],
};

for (const protocol of protocols)
  for (const mistake of Object.keys(holderMistakes) as HolderMistake[])
    test(`${protocol}: an answer is refused because of ${mistake}`, async () => {
      const asked = await askedStateId(it);
      const answer = await asked.answer(protocol, { mistake });
      const { reason, check } = await refusalOf(asked.read(answer));
      const [expectedReason, expectedCheck] = expected[mistake];
      assert.equal(reason, expectedReason);
      assert.equal(check.slice(0, expectedCheck.length), expectedCheck);
      assert.deepEqual(await rowsOf(asked.requestUuid), [], "the request has ended");
    });

test("an answer counts once, also if it arrives many times at once", async () => {
  const asked = await askedStateId(it);
  const answer = await asked.answer("openid4vp-v1-signed");
  const settled = await Promise.allSettled(Array.from({ length: 8 }, () => asked.read(answer)));
  assert.equal(settled.filter(({ status }) => status === "fulfilled").length, 1);
  assert.equal(await reasonOf(asked.read(answer)), "over");
});

test("an answer of another browser, for another 1-Click or from another origin is refused and changes nothing", async () => {
  const asked = await askedStateId(it);
  const answer = await asked.answer("org-iso-mdoc");
  const { subject } = await oneClick(it);
  for (const other of [
    { browser: "another browser" },
    { subject },
    { origin: "https://another.example" },
    { requestUuid: it.deps.random.uuid() },
    { requestUuid: "not a uuid" },
  ])
    assert.equal(await reasonOf(asked.read({ ...answer, ...other })), "over", JSON.stringify(other));
  assert.equal((await asked.read(answer)).elements.given_name, "Richard");
});

test("an answer to one request is refused for another", async () => {
  const [first, second] = [await askedStateId(it), await askedStateId(it)];
  for (const protocol of protocols) {
    const asked = await askedStateId(it);
    const answer = await first.answer(protocol);
    assert.equal(await reasonOf(asked.read(answer)), "unreadable", "it is encrypted for another key");
  }
  assert.equal(await reasonOf(second.read({ protocol: "org-iso-mdoc", data: { response: "AA" } })), "unreadable");
});

test("a request ends after five minutes, and when the 1-Click asks again or is erased", async () => {
  const late = await askedStateId(it);
  const again = await askedStateId(it);
  const gone = await askedStateId(it);
  const answers = await Promise.all([late, again, gone].map((asked) => asked.answer("org-iso-mdoc")));
  await askForStateId(again.deps, { ...again.bound, elements: wantedElements });
  assert.equal(await reasonOf(again.read(answers[1] ?? assert.fail())), "over");
  await gone.deps.db.inTransaction((trx) => eraseOneClicks(trx, { uuids: [gone.bound.subject] }, 0));
  assert.deepEqual(await rowsOf(gone.requestUuid), []);
  assert.equal(await reasonOf(gone.read(answers[2] ?? assert.fail())), "over");
  await assert.rejects(askForStateId(gone.deps, { ...gone.bound, elements: wantedElements }), {
    data: { errorCode: "OCE015" },
  });
  await it.advance(stateIdLifeMs);
  assert.equal(await reasonOf(late.read(answers[0] ?? assert.fail())), "over");
});

test("a request stores neither its nonce nor its keys in the clear, and an answer stores nothing", async () => {
  const asked = await askedStateId(it);
  const openid = asked.requests.find(({ protocol }) => protocol === "openid4vp-v1-signed");
  const [, payload = ""] = String(openid?.data.request).split(".");
  const { nonce } = JSON.parse(Buffer.from(payload, "base64url").toString());
  await assertNotStored(it, [nonce, asked.bound.browser, "resident_city"]);
  const [mine = assert.fail()] = testStateIds.filter(({ id }) => id === "georgia");
  await asked.read(await asked.answer("openid4vp-v1-signed", { stateId: mine }));
  await assertNotStored(it, [mine.lastName, mine.address.line1 ?? "", "openid4vp"]);
});

test("a signed request names its certificate and the origin, and no unsigned one is made beside it", async () => {
  const { requests, bound } = await askedStateId(it);
  assert.deepEqual(
    requests.map(({ protocol }) => protocol),
    ["openid4vp-v1-signed", "org-iso-mdoc"],
  );
  const text = String(requests[0]?.data.request);
  const header = decodeProtectedHeader(text);
  assert.equal(header.typ, "oauth-authz-req+jwt");
  assert.equal(header.x5c?.length, 1);
  const payload = JSON.parse(Buffer.from(text.split(".")[1] ?? "", "base64url").toString());
  assert.deepEqual(payload.expected_origins, [bound.origin]);
  assert.match(payload.client_id, /^x509_hash:[\w-]{43}$/);
  assert.equal(payload.response_mode, "dc_api.jwt");
  assert.deepEqual(payload.dcql_query.credentials[0].claims[0], {
    path: ["org.iso.18013.5.1", "given_name"],
    intent_to_retain: true,
  });
});

test("without a reader certificate, requests are unsigned, and a signed answer is refused", async () => {
  const clock = it.deps.clock;
  const trust = { ...sandboxStateIds({ secretOf: secretOf(it), clock }), reader: async () => null };
  const { stateIds } = it.deps.vendors;
  it.deps.vendors.stateIds = trust;
  try {
    const asked = await askedStateId(it);
    assert.deepEqual(
      asked.requests.map(({ protocol }) => protocol),
      ["openid4vp-v1-unsigned", "org-iso-mdoc"],
    );
    assert.equal(asked.requests[0]?.data.expected_origins, undefined);
    const answer = await asked.answer("openid4vp-v1-unsigned");
    assert.equal((await asked.read(answer)).elements.given_name, "Richard");
    const other = await askedStateId(it);
    const signed = { ...(await other.answer("openid4vp-v1-unsigned")), protocol: "openid4vp-v1-signed" as const };
    assert.equal(await reasonOf(other.read(signed)), "unreadable");
  } finally {
    it.deps.vendors.stateIds = stateIds;
  }
});

test("a status list that cannot be read, is of another authority, or is old refuses the ID for now", async () => {
  const { stateIds } = it.deps.vendors;
  const other = { now: () => it.deps.clock.now() - 3 * 3_600_000 };
  const [old, none] = [sandboxStateIds({ secretOf: secretOf(it), clock: other }), async () => null];
  const another = async () => await stateIds.statusList("https://dmv-ny.example/statuses/1", 0);
  try {
    for (const statusList of [none, another, old.statusList, async () => Uint8Array.of(1, 2, 3)]) {
      it.deps.vendors.stateIds = { ...stateIds, statusList, keptLists: new Map() };
      const asked = await askedStateId(it);
      assert.equal(await reasonOf(asked.read(await asked.answer("org-iso-mdoc"))), "uncheckable");
    }
  } finally {
    it.deps.vendors.stateIds = stateIds;
  }
});

test("hostile data is unreadable", async () => {
  for (const data of [
    null,
    undefined,
    7,
    "",
    "{",
    [],
    {},
    { response: 7 },
    { response: "" },
    { response: "!!" },
    "null",
  ])
    for (const protocol of protocols) {
      const asked = await askedStateId(it);
      assert.equal(await reasonOf(asked.read({ protocol, data })), "unreadable", JSON.stringify(data));
    }
});
