import assert from "node:assert/strict";
import test from "node:test";
import { consentWords } from "@countersign/contract/consent";
import { sourceText } from "@countersign/contract/record-words";
import { composeService } from "../../compose/service.ts";
import { correctValue } from "../../domain/account/correct.ts";
import { findAccount } from "../../domain/account/session.ts";
import { openMetrics } from "../../http/metrics.ts";
import {
  birthDate,
  browserOf,
  ownHeaders,
  phoneOnRecord,
  signIn,
  textedCode,
  wholeTimeline,
} from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { hostedShare } from "../harness/hosted-share.ts";
import { interrupted } from "../harness/interrupted.ts";
import { demoKey, refusal, sandbox, stillClock } from "../harness/sandbox.ts";

const it = await sandbox();
/** A second process on the same database. */
const { sandbox: second, close: closeSecond } = await composeService(
  {
    config: it.config,
    log: { info() {}, warn() {}, error() {} },
    ...it.stores,
    metrics: openMetrics(),
  },
  { sandbox: { clock: stillClock() } },
);
test.after(closeSecond);
// The second process only answers requests. The first one runs all due jobs, so `runJobs` returns when they are done.
await second.worker.stop();
const readAt = async (app: typeof it.app, uuid: string) => {
  const url = `/v2/1-click/${uuid}`;
  const response = await app.inject({ method: "GET", url, headers: { authorization: demoKey } });
  return response.json().data?.errorCode ?? response.statusCode;
};

test("after a person stops a brand, every process refuses its next read and no delivery stays pending", async () => {
  const phone = freshPhone();
  const webhook = { uuid: "b0000000-0000-4000-8000-000000000001" };
  await it.inject({
    method: "POST",
    url: `/sandbox/brands/${webhook.uuid}/webhooks`,
    headers: { authorization: demoKey },
    payload: { url: "https://receiver.example/hook" },
  });
  const { uuid: identityUuid } = (await it.api.createOneClick({ body: { phone } })).body;
  const { healthDataUuid } = (await it.api.createHealthLookup({ body: { identityUuid } })).body;
  const { uuid: verificationUuid } = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
  await it.runJobs();
  assert.deepEqual([await readAt(it.app, identityUuid), await readAt(second.app, identityUuid)], [200, 200]);
  const browser = await signIn(it, phone, second.wallet);
  const [brand] = (await browser.readAccount()).body.brands;
  assert.equal(brand?.canRead, true);
  const { body } = await browser.stopSharing({ params: { uuid: webhook.uuid }, body: { consent: agreed("stop") } });
  assert.deepEqual([body.brands[0]?.canRead, body.brands[0]?.stopped, body.shares], [false, true, []]);
  for (const { app } of [it, second]) assert.equal(await readAt(app, identityUuid), "OCE015");
  assert.equal((await refusal(it.api.readHealthLookup({ params: { healthDataUuid } }))).status, 404);
  const proof = it.api.createOneClick({ body: { verificationUuid } });
  assert.equal((await refusal(proof)).errorCode, "OCV005");
  const deliveries = await it.store.db
    .selectFrom("webhook_delivery")
    .select(["status", "sealed"])
    .where("subject_uuid", "=", healthDataUuid)
    .execute();
  assert.ok(deliveries.length > 0);
  assert.ok(deliveries.every(({ status, sealed }) => status !== "pending" && sealed === null));
  const last = (await wholeTimeline(browser)).at(-1);
  assert.deepEqual(
    [last?.action, last?.consent?.words],
    ["account.withdrawn", consentWords("stop", agreed("stop"), brand?.name)],
  );
  // A new decision to share starts over.
  await it.api.createOneClick({ body: { phone } });
  assert.equal((await browser.readAccount()).body.brands[0]?.stopped, false);
});

test("a lookup in progress when the person stops sharing cannot be read and keeps no data", async () => {
  const phone = freshPhone();
  const { uuid: identityUuid } = (await it.api.createOneClick({ body: { phone } })).body;
  const { healthDataUuid } = (await it.api.createHealthLookup({ body: { identityUuid } })).body;
  const browser = browserOf(it.wallet);
  const { signIn: uuid } = (await browser.beginSignIn({ body: { phone, consent: agreed("signIn") } })).body;
  let code: string | undefined;
  while (code === undefined) code = await textedCode(it, phone);
  await browser.finishSignIn({ body: { signIn: uuid, code } });
  const brandUuid = (await browser.readAccount()).body.brands[0]?.uuid ?? "";
  await browser.stopSharing({ params: { uuid: brandUuid }, body: { consent: agreed("stop") } });
  await it.runJobs();
  assert.equal((await refusal(it.api.readHealthLookup({ params: { healthDataUuid } }))).status, 404);
  const row = await it.store.db
    .selectFrom("health_lookup")
    .select(["sealed", "sealed_result"])
    .where("uuid", "=", healthDataUuid)
    .executeTakeFirstOrThrow();
  assert.deepEqual(row, { sealed: null, sealed_result: null });
});

test("a person can correct only values that they typed, and the brand's next read returns the new value", async () => {
  const phone = freshPhone();
  const credentialRequests = [{ type: "EmployerNameCredential" as const }, { type: "BirthDateCredential" as const }];
  const shared = await hostedShare(it, phone, { credentialRequests, edits: { employerName: "Hooly" } });
  const browser = await signIn(it, phone);
  await browser.proveAccount({ body: { birthDate } });
  const [share] = (await browser.readAccount()).body.shares;
  assert.deepEqual(
    share?.fields.map(({ key, correctable, values }) => [key, correctable, values[0]?.text]),
    [
      ["employerName", ["employerName"], "Hooly"],
      ["birthDate", [], birthDate],
    ],
  );
  const params = { uuid: share?.uuid ?? "" };
  await browser.correctValue({ params, body: { key: "employerName", value: "Hooli" } });
  const { credentials, metadata } = (await shared.read()).body;
  assert.equal(credentials?.employerName, "Hooli");
  assert.equal(metadata.credentials?.verificationMethod.employerName, "self_attested");
  const sourced = browser.correctValue({ params, body: { key: "birthDate", value: "1990-01-01" } });
  assert.equal((await refusal(sourced)).errorCode, "ERR001");
  const masked = await signIn(it, phone);
  assert.equal((await refusal(masked.correctValue({ params, body: { key: "employerName", value: "x" } }))).status, 403);
  const stranger = await signIn(it, await phoneOnRecord(it));
  await stranger.proveAccount({ body: { birthDate } });
  const foreign = stranger.correctValue({ params, body: { key: "employerName", value: "x" } });
  assert.equal((await refusal(foreign)).status, 404);
});

for (const [what, edits, theirs, mine, expected] of [
  [
    "values",
    { employerName: "Hooly", title: "Enginer" },
    { key: "employerName", value: "Hooli" },
    { key: "title", value: "Engineer" },
    { employerName: "Hooli", title: "Engineer" },
  ],
  [
    "parts of one value",
    { fullName: { firstName: "Richrd", lastName: "Hendriks" } },
    { key: "fullName", value: { firstName: "Richard" } },
    { key: "fullName", value: { lastName: "Hendricks" } },
    { fullName: "Richard Harrison Hendricks" },
  ],
] as const)
  test(`two corrections of different ${what} of a share at once both count`, async () => {
    const phone = freshPhone();
    const types = ["EmployerNameCredential", "TitleCredential", "FullNameCredential"] as const;
    const credentialRequests = types.map((type) => ({ type, mandatory: "no" as const }));
    const shared = await hostedShare(it, phone, { credentialRequests, edits });
    const browser = await signIn(it, phone);
    await browser.proveAccount({ body: { birthDate } });
    const [share] = (await browser.readAccount()).body.shares;
    const params = { uuid: share?.uuid ?? "" };
    const cell = await it.cellOf(phone);
    const [, token = ""] = browser.cookie().split("=");
    const account = await findAccount(cell, { token, requestId: cell.random.uuid() });
    const other = () => browser.correctValue({ params, body: theirs });
    const { key, value: typed } = mine;
    await correctValue(interrupted(cell, other), account, { oneClickUuid: params.uuid, key, typed });
    assert.partialDeepStrictEqual((await shared.read()).body.credentials, expected);
  });

test("typed text is stored in one line, without hidden characters, and its part is named as typed", async () => {
  const phone = freshPhone();
  const credentialRequests = [{ type: "FullNameCredential" as const }];
  const edits = { fullName: { firstName: " Ri\u200bch\u202eard\nLee " } };
  const shared = await hostedShare(it, phone, { credentialRequests, edits });
  const { credentials } = (await shared.read()).body;
  assert.equal(credentials?.fullName, "Richard Lee Harrison Hendricks");
  const browser = await signIn(it, phone);
  const field = (await browser.readAccount()).body.shares[0]?.fields[0] ?? assert.fail("nothing was shared");
  assert.deepEqual(field.typed, ["firstName"]);
  assert.equal(sourceText(field, "en"), "Partly entered by you; the rest from your carrier");
  assert.equal(sourceText({ ...field, typed: [] }, "es"), "De su operador");
  assert.equal(sourceText({ ...field, typed: field.values.map(({ key }) => key) }, "en"), "Entered by you");
});

test("after a number changes hands, the new holder sees no old data and the old holder's proofs and sessions end", async () => {
  const phone = freshPhone();
  const issued = { phone, credentials: [{ type: "EmployerNameCredential", data: { employer: "Old Inc" } }] };
  await it.api.issueCredentials({ body: issued });
  const { uuid } = (await it.api.createOneClick({ body: { phone } })).body;
  const { uuid: verificationUuid } = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
  const old = await signIn(it, phone);
  const now = await signIn(it, phone);
  const { body } = await now.takeOverNumber({ body: { consent: agreed("handOver") } });
  assert.deepEqual([body.cards, body.shares, body.brands], [[], [], []]);
  assert.deepEqual(
    (await wholeTimeline(now)).map(({ action }) => action),
    ["account.handedOver"],
  );
  assert.equal((await refusal(old.readAccount())).status, 401);
  const proof = it.api.createOneClick({ body: { verificationUuid } });
  assert.equal((await refusal(proof)).errorCode, "OCV005");
  const asked = { phone, credentialRequests: [{ type: "EmployerNameCredential" as const }] };
  assert.equal((await it.api.createOneClick({ body: asked })).body.identity.credentials?.employerName, undefined);
  // The brand can still read what it received until that expires. The new holder cannot see it.
  assert.equal(await readAt(it.app, uuid), 200);
  await now.proveAccount({ body: { birthDate } });
  assert.doesNotMatch(JSON.stringify((await now.downloadAccount()).body), /Old Inc/);
  const rows = await it.store.db
    .selectFrom("person")
    .select("generation")
    .where("phone_index", "=", it.deps.vault.index("phone", "sandbox", phone))
    .execute();
  assert.deepEqual(rows, [{ generation: 2 }]);
  // Even after the new holder deletes the account, the number does not lead back to the old data.
  await now.deleteAccount({ body: { consent: agreed("delete") } });
  assert.equal((await it.api.createOneClick({ body: asked })).body.identity.credentials?.employerName, undefined);
  assert.ok((await textedCode(it, phone)) === undefined);
});

test("when ten requests report a new holder at once, one succeeds and the others get 401", async () => {
  const phone = await phoneOnRecord(it);
  const cookie = (await signIn(it, phone)).cookie();
  const request = {
    method: "POST" as const,
    url: "/api/account/new-holder",
    headers: await ownHeaders(it.wallet, cookie),
    payload: { consent: agreed("handOver") },
  };
  const answers = await Promise.all(Array.from({ length: 10 }, () => it.wallet.inject(request)));
  const statuses = answers.map(({ statusCode }) => statusCode).sort();
  assert.deepEqual(statuses, [200, ...Array.from({ length: 9 }, () => 401)]);
});
