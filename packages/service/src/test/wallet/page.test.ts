import assert from "node:assert/strict";
import test from "node:test";
import { client } from "@countersign/contract/client";
import { amendPage, decidePage, provePage, readPage, resendPage, viewPage } from "@countersign/contract/wallet";
import { assertNotStored, withoutIds } from "../harness/below-http.ts";
import { agreed, sharedWords } from "../harness/consent-shown.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";
import { scriptCalls } from "../harness/script-calls.ts";

const it = await sandbox();
const hosted = it.as("sk_sandbox_demo_hosted");
const landing = "http://localhost:4001/demo/landing";
const consent = agreed("share");
const minute = 60_000;

/** The wallet's own API, as the person's browser uses it. */
const wallet = (session?: string) =>
  client(
    { readPage, provePage, resendPage, viewPage, amendPage, decidePage },
    { send: scriptCalls(it.wallet, session) },
  );

async function begin(phone = "+12125550010", body: object = {}) {
  const begun = (await hosted.beginOneClick({ body: { phone, ...body } })).body;
  return {
    uuid: begun.uuid,
    page: new URL(begun.url ?? "").pathname.slice("/request/".length),
    code: begun.code ?? "",
  };
}

async function proven(phone?: string, body?: object) {
  const begun = await begin(phone, body);
  const { sessionToken } = (await wallet().provePage({ params: { page: begun.page }, body: { code: begun.code } }))
    .body;
  return { ...begun, session: wallet(sessionToken) };
}
const readAs = (uuid: string) => hosted.readOneClick({ params: { uuid } });

test("before the code is entered, the page shows the brand and its request but nothing about the person", async () => {
  const { page } = await begin("+12125550010", { content: { title: "Apply", description: "For your account." } });
  const { body } = await wallet().readPage({ params: { page } });
  assert.deepEqual(
    [body.brand.name, body.title, body.description, body.attemptsRemaining],
    ["Demo Hosted", "Apply", "For your account.", 3],
  );
  assert.equal(body.canResend, false);
  assert.doesNotMatch(withoutIds(JSON.stringify(body)), /Richard|2125550010|6789/);
});

test("after the person shares, the page says what was shared and until when, redirects with the uuid, and the brand can read the identity", async () => {
  const { uuid, session } = await proven();
  assert.equal((await refusal(readAs(uuid))).errorCode, "OCE015");
  const view = (await session.viewPage()).body;
  assert.equal(view.step, "review");
  const done = (await session.decidePage({ body: { share: true, consent } })).body;
  assert.deepEqual([done.step, done.redirectUrl], ["done", `${landing}?identityUuid=${uuid}`]);
  const { details = [], readableUntil } = done.shared ?? {};
  assert.deepEqual(
    details.map(({ key }) => key),
    ["fullName", "phone", "address", "birthDate", "ssn"],
  );
  assert.equal(readableUntil, it.deps.clock.now() + 60 * minute);
  assert.deepEqual((await session.viewPage()).body.shared, done.shared);
  const { identifiers, metadata, credentials } = (await readAs(uuid)).body;
  assert.deepEqual([identifiers.phone, metadata.identifiers.verificationMethod.phone], ["+12125550010", "otp"]);
  assert.equal(credentials?.ssn, "000456789");
  const words = await it.store.db
    .selectFrom("consent")
    .select(["source", "words", "language", "version", "action"])
    .where("one_click_uuid", "=", uuid)
    .execute();
  assert.deepEqual(words, [{ source: "wallet", words: sharedWords("Demo Hosted"), ...consent, action: "share" }]);
});

test("masked digits of any candidate value are never sent to the browser", async () => {
  const credentialRequests = [
    { type: "SsnCredential", multi: true },
    { type: "BirthDateCredential" },
    { type: "AddressCredential", multi: true, children: [{ type: "CityCredential" }] },
  ];
  const { session } = await proven("+12125550010", { credentialRequests });
  const { fields = [] } = (await session.viewPage()).body;
  assert.doesNotMatch(JSON.stringify(fields), /000456789|00045|1989/);
  assert.deepEqual(
    fields.map((field) => field.choices[0]?.text ?? field.choices[0]?.parts),
    ["•••••6789", "08/01/••••", { city: "Palo Alto" }],
  );
  assert.equal(fields[2]?.choices.length, 3);
});

test("shares only the value that the person chose from several", async () => {
  const credentialRequests = [{ type: "AddressCredential", multi: true, children: [{ type: "CityCredential" }] }];
  const { uuid, session } = await proven("+12125550010", { credentialRequests });
  const { fields = [] } = (await session.viewPage()).body;
  await session.decidePage({ body: { share: true, choices: { address: 1 }, consent } });
  assert.deepEqual((await readAs(uuid)).body.credentials?.address, [fields[0]?.choices[1]?.parts]);
});

test("after the person declines, the redirect has optedOut and the brand reads only identifiers", async () => {
  const { uuid, session } = await proven();
  await session.viewPage();
  const done = (await session.decidePage({ body: { share: false, consent: agreed("decline") } })).body;
  assert.equal(done.redirectUrl, `${landing}?identityUuid=${uuid}&optedOut=true`);
  const entity = (await readAs(uuid)).body;
  assert.deepEqual(
    [entity.identifiers.phone, entity.credentials, entity.metadata.credentials],
    ["+12125550010", undefined, undefined],
  );
  const again = (await session.decidePage({ body: { share: true, consent } })).body;
  assert.equal(again.redirectUrl, done.redirectUrl);
  assert.equal((await readAs(uuid)).body.credentials, undefined);
});

test("asks for the birth date when the phone is not enough, and ends the page after three wrong dates", async () => {
  const { session } = await proven("+10019999997");
  assert.deepEqual((await session.viewPage()).body.inputs, ["birthDate"]);
  const wrong = await refusal(session.amendPage({ body: { birthDate: "1979-01-01" } }));
  assert.equal(wrong.errorCode, "OCE012");
  assert.equal((await session.amendPage({ body: { birthDate: "1989-08-01" } })).body.step, "review");
  const failing = await proven("+12125550022");
  for (const day of ["01", "02", "03"])
    await refusal(failing.session.amendPage({ body: { birthDate: `1979-01-${day}` } }));
  const ended = (await failing.session.amendPage({ body: { birthDate: "1989-08-01" } })).body;
  assert.deepEqual([ended.step, ended.errorCode], ["error", "OCE019"]);
  assert.equal((await refusal(readAs(failing.uuid))).errorCode, "OCE019");
});

test("a person without data or with a block gets an error page with a redirect, and the brand reads the code", async () => {
  for (const [phone, code] of [
    ["+14045551300", "OCE013"],
    ["+14045551799", "OCE017"],
  ] as const) {
    const { uuid, session } = await proven(phone);
    const view = (await session.viewPage()).body;
    assert.deepEqual([view.step, view.errorCode, view.redirectUrl], ["error", code, `${landing}?identityUuid=${uuid}`]);
    assert.equal((await refusal(readAs(uuid))).errorCode, code);
  }
});

test("counts wrong codes, and rejects any code after three attempts or five minutes", async () => {
  const { page } = await begin();
  const prove = (code: string) => refusal(wallet().provePage({ params: { page }, body: { code } }));
  assert.deepEqual((await prove("000000")).data.attemptsRemaining, 2);
  await prove("000001");
  assert.equal((await prove("000-002")).errorCode, "OCV001");
  assert.equal((await prove("111111")).errorCode, "OCV002");
  const late = await begin();
  await it.advance(5 * minute);
  assert.equal(
    (await refusal(wallet().provePage({ params: { page: late.page }, body: { code: "111111" } }))).errorCode,
    "OCV007",
  );
});

test("after the phone is verified, the page's URL alone gives no access, and a code opens only one session", async () => {
  const { page, session } = await proven();
  assert.equal((await refusal(wallet().provePage({ params: { page }, body: { code: "111111" } }))).errorCode, "OCV001");
  for (const stranger of [wallet(), wallet(page), wallet("x".repeat(43))]) {
    assert.equal((await refusal(stranger.viewPage())).errorCode, "OCE015");
    assert.equal((await refusal(stranger.decidePage({ body: { share: true, consent } }))).errorCode, "OCE015");
  }
  assert.equal((await session.viewPage()).body.step, "review");
  const racing = await begin();
  const all = await Promise.allSettled(
    Array.from({ length: 20 }, () => wallet().provePage({ params: { page: racing.page }, body: { code: "111111" } })),
  );
  assert.equal(all.filter((one) => one.status === "fulfilled").length, 1);
});

test("the page resends only texts that the service sent, up to three in total", async () => {
  const { page } = await begin();
  assert.equal((await refusal(wallet().resendPage({ params: { page } }))).errorCode, "ERR001");
  const phone = "+12025550180";
  const v1 = await it.inject({
    method: "POST",
    url: "/1-click",
    headers: { authorization: "sk_sandbox_demo_v1" },
    payload: { phone },
  });
  const own = new URL((v1.body as { url: string }).url).pathname.slice("/request/".length);
  assert.equal((await wallet().readPage({ params: { page: own } })).body.canResend, true);
  for (let i = 0; i < 2; i += 1) {
    await it.runJobs();
    await wallet().resendPage({ params: { page: own } });
  }
  assert.equal((await refusal(wallet().resendPage({ params: { page: own } }))).errorCode, "OCV004");
  await it.runJobs();
  assert.equal((await it.api.listMessages({ query: { to: phone } })).body.data.length, 3);
});

test("a redirectUrl must be allowed and keeps its query parameters", async () => {
  const refused = await refusal(
    hosted.beginOneClick({ body: { phone: "+12125550010", redirectUrl: "https://evil.example/" } }),
  );
  assert.equal(refused.errorCode, "ERR001");
  const { uuid, session } = await proven("+12125550010", { redirectUrl: `${landing}?from=mail` });
  await session.viewPage();
  assert.equal(
    (await session.decidePage({ body: { share: true, consent } })).body.redirectUrl,
    `${landing}?from=mail&identityUuid=${uuid}`,
  );
});

test("does not redirect to a URL that the settings no longer allow", async () => {
  const redirectUrl = "https://brand.example/x";
  const brand = await it.brand({ integrationType: "hosted", allowedRedirectUrls: [redirectUrl] });
  const { url } = (await brand.api.beginOneClick({ body: { phone: "+12125550010", redirectUrl } })).body;
  const page = new URL(url ?? "").pathname.slice("/request/".length);
  const { sessionToken } = (await wallet().provePage({ params: { page }, body: { code: "111111" } })).body;
  await it.api.patchSandboxBrand({ params: { uuid: brand.uuid }, body: { allowedRedirectUrls: [] } });
  await wallet(sessionToken).viewPage();
  const { body } = await wallet(sessionToken).decidePage({ body: { share: true, consent } });
  assert.deepEqual([body.step, body.redirectUrl ?? null], ["done", null]);
});

test("a page's URL and session do not work in another environment", async () => {
  const { page, session } = await proven();
  const move = (environment: "sandbox" | "production") =>
    it.store.db.updateTable("one_click").set({ environment }).execute();
  await move("production");
  assert.equal((await refusal(wallet().readPage({ params: { page } }))).errorCode, "OCE015");
  assert.equal((await refusal(session.viewPage())).errorCode, "OCE015");
  await move("sandbox");
  await session.viewPage();
});

test("ten parallel decisions release the data once", async () => {
  const { uuid, session } = await proven();
  await session.viewPage();
  await Promise.all(Array.from({ length: 10 }, () => session.decidePage({ body: { share: true, consent } })));
  const released = await it.store.db
    .selectFrom("audit")
    .select("id")
    .where("one_click_uuid", "=", uuid)
    .where("action", "=", "oneClick.released")
    .execute();
  assert.equal(released.length, 1);
});

test("the URL and session token of a page are not stored in plaintext", async () => {
  const begun = await begin();
  const { sessionToken } = (await wallet().provePage({ params: { page: begun.page }, body: { code: begun.code } }))
    .body;
  await assertNotStored(it, [begun.page, sessionToken]);
});

test("the page offers the birthday before the first name, unless the brand sets another order", async () => {
  const phone = "+12125550020";
  const { session } = await proven(phone);
  assert.deepEqual((await session.viewPage()).body.inputs, ["birthDate", "fullName.firstName", "ssn4"]);
  const challenges = [{ input: "fullName.firstName" as const, when: "ifNecessary" as const }];
  const { api } = await it.brand({ integrationType: "hosted", redirectUrl: landing, challenges });
  const begun = (await api.beginOneClick({ body: { phone } })).body;
  const params = { page: new URL(begun.url ?? "").pathname.slice("/request/".length) };
  const { sessionToken } = (await wallet().provePage({ params, body: { code: begun.code ?? "" } })).body;
  const { inputs } = (await wallet(sessionToken).viewPage()).body;
  assert.deepEqual(inputs, ["fullName.firstName", "birthDate", "ssn4"]);
});
