import assert from "node:assert/strict";
import test from "node:test";
import { consentWords, provingText } from "@countersign/contract/consent";
import { freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { frameOfKey, refusal, sandbox, stillClock, takeApproval } from "../harness/sandbox.ts";
import { sessionFrames } from "../harness/session-frames.ts";

const clock = stillClock();
const it = await sandbox({ clock });
const sdk = (await it.brand({ integrationType: "sdk", externalName: "Pied Piper" })).api;
const minute = 60_000;
const primary = "+12125550010";
const device = "::121:2555:0010";
const consent = agreed("proveData");

const { frame, follow, ...frames } = sessionFrames(it);
const opened = (body?: object, api = sdk) => frames.opened(api, body);

async function shareAs(session: ReturnType<typeof frame>) {
  await session.viewPage();
  const { body } = await session.decidePage({ body: { share: true, consent: agreed("share") } });
  assert.equal(body.step, "done");
  const { identityUuid } = body;
  assert.ok(identityUuid !== undefined);
  return (await sdk.readOneClick({ params: { uuid: identityUuid } })).body;
}

test("after phone, code, review and share, the brand reads the identity with the phone method otp", async () => {
  const { session, start } = await opened();
  assert.deepEqual([start.step, start.autofill, start.silent, start.brand.name], ["phone", false, false, "Pied Piper"]);
  const { body } = await session.beginByPhone({ body: { phone: primary, silent: false, consent } });
  assert.ok(body.page !== undefined && body.intro?.canResend);
  const { sessionToken } = (await frame().provePage({ params: { page: body.page }, body: { code: "111111" } })).body;
  const page = frame(sessionToken);
  assert.equal((await page.viewPage()).body.step, "review");
  const entity = await shareAs(page);
  assert.equal(entity.metadata.identifiers.verificationMethod.phone, "otp");
});

test("a text from a frame contains the embedding page's host first, and so does a resent text", async () => {
  const phone = "+14155550123";
  const { session } = await opened();
  const { body } = await session.beginByPhone({ body: { phone, silent: false, within: "127.0.0.1", consent } });
  await frame().resendPage({ params: { page: body.page ?? "" } });
  await it.runJobs();
  const texts = (await sdk.listMessages({ query: { to: phone } })).body.data.map((one) => one.body);
  assert.ok(texts.length > 0);
  for (const text of texts) assert.match(text, /\n@127\.0\.0\.1 #\d{6} @localhost$/);
});

test("the consent text beside the phone input is stored for that phone, with the brand's name", async () => {
  const phone = "+14155550124";
  const { session, start } = await opened();
  await session.beginByPhone({ body: { phone, silent: false, consent } });
  const text = provingText({ known: false, asksFor: start.asksFor });
  const [row] = await it.store.db
    .selectFrom("consent")
    .selectAll()
    .where("phone_index", "=", it.deps.vault.index("phone", "sandbox", phone))
    .execute();
  assert.deepEqual(
    [row?.action, row?.words, row?.language],
    ["prove", consentWords(text, consent, "Pied Piper"), "en"],
  );
});

test("a verified phone skips the phone and code steps, and repeated requests create one 1-Click", async () => {
  const { uuid } = (await sdk.createVerification({ body: { channel: "sms", phone: primary } })).body;
  await sdk.submitVerificationCode({ params: { uuid }, body: { code: "111111" } });
  const { session, start } = await opened({ verificationUuid: uuid });
  assert.deepEqual([start.step, start.phone], ["consent", "(•••) •••-0010"]);
  const tokens = await Promise.all(
    [1, 2, 3].map(async () => (await session.continueSession({ body: { consent } })).body.sessionToken),
  );
  const rows = await it.store.db.selectFrom("one_click").select("uuid").where("verification_uuid", "=", uuid).execute();
  assert.equal(rows.length, 1);
  const { sessionToken } = (await session.continueSession({ body: { consent } })).body;
  assert.ok(!tokens.includes(sessionToken));
  assert.equal((await shareAs(frame(sessionToken))).metadata.identifiers.verificationMethod.phone, "otp");
});

test("a phone without a verification gets the method customer_otp and needs the approval", async () => {
  const { session } = await opened({ phone: primary });
  const { sessionToken } = (await session.continueSession({ body: { consent } })).body;
  const page = frame(sessionToken);
  assert.equal((await page.viewPage()).body.step, "review");
  assert.equal((await shareAs(page)).metadata.identifiers.verificationMethod.phone, "customer_otp");
  const brand = await it.brand({ integrationType: "sdk" });
  const late = await opened({ phone: primary }, brand.api);
  await takeApproval(it, brand.uuid, "barePhone");
  assert.equal((await refusal(late.session.continueSession({ body: { consent } }))).status, 403);
});

test("an unproven session cannot continue and shows no data", async () => {
  const { session } = await opened();
  assert.equal((await refusal(session.continueSession({ body: { consent } }))).errorCode, "ERR001");
  assert.equal((await refusal(session.viewPage())).errorCode, "OCE015");
  await session.beginByPhone({ body: { phone: primary, silent: false, consent } });
  assert.equal((await refusal(session.continueSession({ body: { consent } }))).errorCode, "ERR001");
});

test("with a device IP, the carrier reports the phone (autofill) or confirms it (silent)", async () => {
  const auto = await opened({ deviceIp: device });
  assert.deepEqual([auto.start.autofill, auto.start.silent], [true, true]);
  const byDevice = (await auto.session.beginByDevice()).body;
  assert.equal((await refusal(auto.session.continueSession({ body: { consent } }))).errorCode, "ERR001");
  const { status, uuid: verificationUuid = "" } = await follow(byDevice.location);
  assert.equal(status, 200);
  const { sessionToken } = (await auto.session.continueSession({ body: { consent, verificationUuid } })).body;
  const entity = await shareAs(frame(sessionToken));
  assert.deepEqual(
    [entity.identifiers.phone, entity.metadata.identifiers.verificationMethod.phone],
    [primary, "phone_carrier"],
  );

  const silent = await opened({ deviceIp: device });
  const byPhone = (await silent.session.beginByPhone({ body: { phone: primary, silent: true, consent } })).body;
  const { uuid: proof = "" } = await follow(byPhone.location ?? "");
  assert.equal((await silent.session.continueSession({ body: { consent, verificationUuid: proof } })).status, 201);
});

test("a session cannot continue with a proof by another browser, which alone reads the uuid of the proof", async () => {
  const silent = { body: { phone: primary, silent: true, consent } };
  for (const way of ["autofill", "silent"]) {
    const begin = async ({ session }: Awaited<ReturnType<typeof opened>>) =>
      (await (way === "silent" ? session.beginByPhone(silent) : session.beginByDevice())).body.location ?? "";
    const theirs = await opened({ deviceIp: device });
    assert.equal((await follow(await begin(theirs))).status, 200);
    const other = await follow(await begin(await opened({ deviceIp: device })));
    for (const body of [{ consent }, { consent, verificationUuid: other.uuid ?? "" }])
      assert.equal((await refusal(theirs.session.continueSession({ body }))).errorCode, "ERR001");
  }
});

test("a page of another site, or a browser that names no page, proves nothing for a session", async () => {
  for (const referer of ["https://evil.example/", "", "about:blank", `${it.deps.addresses.walletUrl}.evil.example/`]) {
    const { session } = await opened({ deviceIp: device });
    const { location } = (await session.beginByDevice()).body;
    const { status, uuid } = await follow(location, referer);
    assert.deepEqual([status, uuid], [400, undefined], referer);
    assert.equal((await refusal(session.continueSession({ body: { consent } }))).errorCode, "ERR001");
    assert.equal((await follow(location)).status, 404, "the URL works once");
  }
});

test("if the carrier refuses, the person can verify by text", async () => {
  const { session } = await opened({ deviceIp: "::10" });
  const { location } = (await session.beginByPhone({ body: { phone: primary, silent: true, consent } })).body;
  assert.equal((await follow(location ?? "")).status, 400);
  const query = "select uuid from verification where channel = 'silent' and status <> 'verified'";
  const body = { consent, verificationUuid: (await it.store.pool.query(query)).rows[0].uuid };
  assert.equal((await refusal(session.continueSession({ body }))).errorCode, "ERR001");
  const { page } = (await session.beginByPhone({ body: { phone: primary, silent: false, consent } })).body;
  assert.match(page ?? "", /^[0-9A-Za-z]{22}$/);
});

test("a session can text at most five phones, even if requests are concurrent", async () => {
  const { session } = await opened();
  const tries = Array.from({ length: 12 }, (_, index) =>
    session.beginByPhone({ body: { phone: `+1415555${String(1000 + index)}`, silent: false, consent } }).then(
      () => "texted",
      (error: { status: number }) => error.status,
    ),
  );
  const outcomes = await Promise.all(tries);
  assert.equal(outcomes.filter((one) => one === "texted").length, 5);
  assert.equal(outcomes.filter((one) => one === 429).length, 7);
});

test("if the brand requests no credentials, sharing gives it only the verification", async () => {
  const brand = await it.brand({ integrationType: "sdk", defaultCredentialRequests: [] });
  const { session, start } = await opened(undefined, brand.api);
  assert.equal(start.asksFor.data, false);
  const { page = "" } = (await session.beginByPhone({ body: { phone: primary, silent: false, consent } })).body;
  const { sessionToken } = (await frame().provePage({ params: { page }, body: { code: "111111" } })).body;
  const view = (await frame(sessionToken).viewPage()).body;
  assert.deepEqual([view.step, view.fields], ["review", []]);
  const done = (await frame(sessionToken).decidePage({ body: { share: true, consent: agreed("share") } })).body;
  assert.deepEqual([done.step, done.outcome], ["done", "verified"]);
  assert.ok(done.verificationUuid !== undefined);
});

test("a session key opens a session only in the frame whose URL has the key's hash", async () => {
  const { sessionKey } = (await sdk.createSession()).body;
  for (const hash of ["", "nothing", frameOfKey("another")]) {
    const refused = await refusal(frame().openSession({ body: { sessionKey, frame: hash } }));
    assert.deepEqual([refused.status, refused.message], [401, "INVALID_SESSION_KEY"]);
  }
  assert.equal((await frame().openSession({ body: { sessionKey, frame: frameOfKey(sessionKey) } })).status, 201);
});

test("a text contains the embedding page's host only if the brand allows that origin, or it is this machine's", async () => {
  const shop = await it.brand({ integrationType: "sdk", allowedOrigins: ["https://shop.example"] });
  const anywhere = await it.brand({ integrationType: "sdk" });
  for (const [brand, within, line] of [
    [shop, "shop.example", /\n@shop\.example #\d{6} @localhost$/],
    [shop, "evil.example", /\n@localhost #\d{6}$/],
    [anywhere, "evil.example", /\n@localhost #\d{6}$/],
    [anywhere, "127.0.0.1", /\n@127\.0\.0\.1 #\d{6} @localhost$/],
  ] as const) {
    const phone = freshPhone();
    const { session } = await opened(undefined, brand.api);
    await session.beginByPhone({ body: { phone, silent: false, within, consent } });
    await it.runJobs();
    const [text] = (await brand.api.listMessages({ query: { to: phone } })).body.data;
    assert.match(text?.body ?? "", line);
  }
});

test("only one of several sessions on one verification can continue, and no new session can use it", async () => {
  const { uuid } = (await sdk.createVerification({ body: { channel: "sms", phone: primary } })).body;
  await sdk.submitVerificationCode({ params: { uuid }, body: { code: "111111" } });
  const sessions = await Promise.all(Array.from({ length: 6 }, () => opened({ verificationUuid: uuid })));
  const outcomes = await Promise.all(
    sessions.map(({ session }) =>
      session.continueSession({ body: { consent } }).then(
        ({ body }) => body.sessionToken,
        () => null,
      ),
    ),
  );
  assert.equal(outcomes.filter((one) => one !== null).length, 1);
  assert.equal((await refusal(sdk.createSession({ body: { verificationUuid: uuid } }))).errorCode, "ERR001");
});

test("a session token expires one hour after its key is used", async () => {
  const { sessionKey } = (await sdk.createSession()).body;
  await it.advance(30 * minute);
  const { sessionToken } = (await frame().openSession({ body: { sessionKey, frame: frameOfKey(sessionKey) } })).body;
  const asked = () => refusal(frame(sessionToken).continueSession({ body: { consent } }));
  await it.advance(60 * minute - 1);
  assert.equal((await asked()).errorCode, "ERR001");
  // Move only the clock, so that the erase job has not run yet.
  clock.setOffset(clock.offsetMs() + 1);
  const late = await asked();
  assert.deepEqual([late.status, late.message], [401, "SESSION_TIMEOUT"]);
});

test("a session token of another environment is rejected", async () => {
  const { session } = await opened();
  const asked = () => refusal(session.continueSession({ body: { consent } }));
  await it.store.keyed.updateTable("session").set({ environment: "production" }).execute();
  assert.equal((await asked()).status, 401);
  await it.store.keyed.updateTable("session").set({ environment: "sandbox" }).execute();
  assert.equal((await asked()).errorCode, "ERR001");
});

test("a sandbox session can be framed by any site, or only by the brand's allowed origins if there are any", async () => {
  const ancestors = async (s: string) => {
    const { headers } = await it.wallet.inject({ url: `/sdk?s=${s}` });
    return /frame-ancestors ([^;]+)/.exec(String(headers["content-security-policy"]))?.[1];
  };
  const anywhere = (await sdk.createSession()).body.sessionKey;
  const all = "* capacitor: ionic: app: file:";
  assert.equal(await ancestors(frameOfKey(anywhere)), all);
  const brand = await it.brand({ integrationType: "sdk", allowedOrigins: ["https://shop.example"] });
  const named = (await brand.api.createSession()).body.sessionKey;
  assert.equal(await ancestors(frameOfKey(named)), "https://shop.example");
  assert.equal(await ancestors("nothing"), all);
  for (const origin of ["https://shop.example/", "https://shop.example/x", "http://shop.example", "*"])
    assert.equal((await refusal(it.brand({ integrationType: "sdk", allowedOrigins: [origin] }))).errorCode, "ERR001");
});
