import assert from "node:assert/strict";
import test from "node:test";
import { endSessionsOfPerson } from "../../domain/account/session.ts";
import { birthDate, browserOf, ownHeaders, phoneOnRecord, signIn, textedCode } from "../harness/account-page.ts";
import { columnsWith, freshPhone, withoutIds } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const minute = 60_000;
const begin = (phone: string) => browserOf(it.wallet).beginSignIn({ body: { phone, consent: agreed("signIn") } });

test("the text names the service and is bound to the wallet's host", async () => {
  const phone = await phoneOnRecord(it);
  await begin(phone);
  await it.runJobs();
  const [text] = (await it.api.listMessages({ query: { to: phone } })).body.data;
  assert.match(
    text?.body ?? "",
    /^(\d{6}) is your code to sign in to Countersign \(test\)\. Do not share it\.\n@localhost #\1$/,
  );
});

test("a fixed person signs in with the static code", async () => {
  const fixed = browserOf(it.wallet);
  const { signIn: uuid } = (await fixed.beginSignIn({ body: { phone: "+12125550010", consent: agreed("signIn") } }))
    .body;
  const { body } = await fixed.finishSignIn({ body: { signIn: uuid, code: "111111" } });
  assert.deepEqual([body.phone, body.fixed], ["(•••) •••-0010", true]);
});

test("the response is the same for a known phone and an unknown one", async () => {
  const seen = freshPhone();
  await it.api.createOneClick({ body: { phone: seen } });
  const shape = async (phone: string) => {
    const { signIn: _uuid, ...rest } = (await begin(phone)).body;
    return rest;
  };
  assert.deepEqual(await shape(seen), await shape(freshPhone()));
});

test("the cookie is named after environment and application, HttpOnly, SameSite=Strict, and lasts eight hours", async () => {
  const browser = await signIn(it, await phoneOnRecord(it));
  const [set = ""] = browser.setCookies;
  assert.match(set, /^countersign-sandbox-wallet=[A-Za-z0-9]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/);
  assert.deepEqual(await columnsWith(it, browser.cookie().split("=")[1] ?? ""), []);
  const { walletUrl } = it.deps.addresses;
  it.deps.addresses.walletUrl = "https://wallet.example";
  const secure = await signIn(it, await phoneOnRecord(it));
  it.deps.addresses.walletUrl = walletUrl;
  assert.match(
    secure.setCookies[0] ?? "",
    /^__Host-countersign-sandbox-wallet=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
});

test("after three wrong codes, the right code is rejected too", async () => {
  const phone = await phoneOnRecord(it);
  const browser = browserOf(it.wallet);
  const { signIn: uuid } = (await browser.beginSignIn({ body: { phone, consent: agreed("signIn") } })).body;
  await it.runJobs();
  const right = (await textedCode(it, phone)) ?? "";
  const wrong = right === "000000" ? "000001" : "000000";
  for (const left of [2, 1, 0]) {
    const { errorCode, data } = await refusal(browser.finishSignIn({ body: { signIn: uuid, code: wrong } }));
    assert.deepEqual([errorCode, data.attemptsRemaining], ["OCV001", left]);
  }
  assert.equal((await refusal(browser.finishSignIn({ body: { signIn: uuid, code: right } }))).errorCode, "OCV002");
  assert.deepEqual(browser.setCookies, []);
});

test("when the right code is sent fifty times at once, only one request signs in", async () => {
  const { signIn: uuid } = (await begin("+12125550010")).body;
  const body = { signIn: uuid, code: "111111" };
  const all = await Promise.allSettled(Array.from({ length: 50 }, () => browserOf(it.wallet).finishSignIn({ body })));
  assert.equal(all.filter(({ status }) => status === "fulfilled").length, 1);
});

test("a brand's verification cannot be used to sign in", async () => {
  const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone: "+12125550010" } })).body;
  const tried = browserOf(it.wallet).finishSignIn({ body: { signIn: uuid, code: "111111" } });
  assert.equal((await refusal(tried)).errorCode, "OCV005");
});

test("a sign-in or session of another environment is rejected", async () => {
  const move = (environment: "sandbox" | "production") =>
    Promise.all([
      it.store.db.updateTable("verification").set({ environment }).execute(),
      it.store.db.updateTable("account_session").set({ environment }).execute(),
    ]);
  const signedIn = await signIn(it, await phoneOnRecord(it));
  const { signIn: uuid } = (await begin("+12125550010")).body;
  const finish = () => browserOf(it.wallet).finishSignIn({ body: { signIn: uuid, code: "111111" } });
  await move("production");
  assert.equal((await refusal(finish())).errorCode, "OCV005");
  assert.equal((await refusal(signedIn.readAccount())).status, 401);
  await move("sandbox");
  await finish();
  await signedIn.readAccount();
});

test("a code expires after five minutes, and a resend invalidates the previous code", async () => {
  const phone = await phoneOnRecord(it);
  const browser = browserOf(it.wallet);
  const { signIn: uuid } = (await browser.beginSignIn({ body: { phone, consent: agreed("signIn") } })).body;
  await it.runJobs();
  const first = (await textedCode(it, phone)) ?? "";
  await browser.resendSignIn({ body: { signIn: uuid } });
  await it.runJobs();
  const second = (await textedCode(it, phone)) ?? "";
  if (first !== second)
    assert.equal((await refusal(browser.finishSignIn({ body: { signIn: uuid, code: first } }))).errorCode, "OCV001");
  await it.advance(5 * minute);
  assert.equal((await refusal(browser.finishSignIn({ body: { signIn: uuid, code: second } }))).errorCode, "OCV007");
});

test("a session expires after 15 minutes without use, and after eight hours in any case", async () => {
  const idle = await signIn(it, await phoneOnRecord(it));
  const used = await signIn(it, await phoneOnRecord(it));
  for (let past = 0; past < 8 * 60 - 14; past += 14) {
    await it.advance(14 * minute);
    await used.readAccount();
  }
  assert.equal((await refusal(idle.readAccount())).status, 401);
  await it.advance(14 * minute);
  assert.equal((await refusal(used.readAccount())).status, 401);
});

test("sessions are listed with their device, and can be ended one by one or all except the current one", async () => {
  const phone = await phoneOnRecord(it);
  const [first, second, third] = [await signIn(it, phone), await signIn(it, phone), await signIn(it, phone)];
  const { devices } = (await first.listDevices()).body;
  assert.deepEqual(
    devices.map(({ device }) => device),
    Array(3).fill("Safari, iPhone"),
  );
  assert.equal(devices.filter(({ current }) => current).length, 1);
  const { devices: seconds } = (await second.listDevices()).body;
  const uuid = seconds.find(({ current }) => current)?.uuid ?? "";
  await first.signOutDevice({ params: { uuid } });
  assert.equal((await refusal(second.readAccount())).status, 401);
  await first.signOutOthers();
  assert.equal((await refusal(third.readAccount())).status, 401);
  await first.signOut();
  assert.match(first.setCookies.at(-1) ?? "", /=; Max-Age=0; Path=\//);
  assert.equal((await refusal(first.readAccount())).status, 401);
  const stranger = await signIn(it, await phoneOnRecord(it));
  assert.equal((await refusal(stranger.signOutDevice({ params: { uuid } }))).status, 404);
});

test("signing in again in the same browser opens a new session and ends the previous one", async () => {
  const phone = await phoneOnRecord(it);
  const browser = await signIn(it, phone);
  const before = browser.cookie();
  const { signIn: uuid } = (await browser.beginSignIn({ body: { phone, consent: agreed("signIn") } })).body;
  await it.runJobs();
  await browser.finishSignIn({ body: { signIn: uuid, code: (await textedCode(it, phone)) ?? "" } });
  assert.notEqual(browser.cookie(), before);
  await browser.readAccount();
  const headers = { cookie: before, "sec-fetch-site": "same-origin" };
  assert.equal((await it.wallet.inject({ method: "GET", url: "/api/account", headers })).statusCode, 401);
});

test("the operator can end all sessions of one person in one environment", async () => {
  const phone = await phoneOnRecord(it);
  const [first, second, other] = [
    await signIn(it, phone),
    await signIn(it, phone),
    await signIn(it, await phoneOnRecord(it)),
  ];
  const { person_uuid: personUuid } = await it.store.db
    .selectFrom("account_session")
    .innerJoin("person", "person.uuid", "account_session.person_uuid")
    .select("person_uuid")
    .where("phone_index", "=", it.deps.vault.index("phone", "sandbox", phone))
    .executeTakeFirstOrThrow();
  assert.equal(await endSessionsOfPerson({ db: it.store.db, environment: "production" }, personUuid), 0);
  await first.readAccount();
  assert.equal(await endSessionsOfPerson(await it.cellOf(phone), personUuid), 2);
  for (const one of [first, second]) assert.equal((await refusal(one.readAccount())).status, 401);
  await other.readAccount();
});

test("requests from other sites are refused even with a valid cookie", async () => {
  const browser = await signIn(it, await phoneOnRecord(it));
  const cookie = browser.cookie();
  const foreign: Record<string, string>[] = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "", origin: "https://evil.example" },
    { "sec-fetch-site": "same-origin", origin: "http://localhost:4000" },
  ];
  for (const headers of foreign) {
    const forged = browserOf(it.wallet, { ...headers, cookie });
    assert.equal((await refusal(forged.signOut())).status, 403, JSON.stringify(headers));
    assert.equal((await refusal(forged.readAccount())).status, 403);
  }
  const form = await it.wallet.inject({
    method: "POST",
    url: "/api/account/deletion",
    headers: { ...(await ownHeaders(it.wallet, cookie)), "content-type": "application/x-www-form-urlencoded" },
    payload: "consent=1",
  });
  assert.equal(form.statusCode, 415);
  await browser.readAccount();
});

test("values are hidden until the birth date matches, then shown for ten minutes or until the person hides them, with limited attempts", async () => {
  const phone = await phoneOnRecord(it);
  const credentials = [{ type: "EmployerNameCredential", data: { employer: "Hooli" } }];
  await it.api.issueCredentials({ body: { phone, credentials } });
  await it.api.createOneClick({ body: { phone } });
  const browser = await signIn(it, phone);
  const before = JSON.stringify((await browser.readAccount()).body);
  assert.doesNotMatch(withoutIds(before), /Hooli|Richard|000456789|1989|Newell/);
  // The SSN's end and the birth date prove who the person is, so no part of them may be shown before.
  assert.doesNotMatch(before, /6789|789"|08\/01|-01"/);
  for (const text of ["•••-••-••••", "••/••/••••", "••••••", `(•••) •••-${phone.slice(-4)}`])
    assert.ok(before.includes(`"${text}"`), text);
  const wrong = { body: { birthDate: "1990-01-01" } };
  assert.equal((await refusal(browser.proveAccount(wrong))).errorCode, "OCE012");
  await browser.proveAccount({ body: { birthDate } });
  const after = (await browser.readAccount()).body;
  assert.match(JSON.stringify(after), /Hooli.*Hendricks/);
  assert.deepEqual((await browser.hideValues()).body, JSON.parse(before));
  assert.deepEqual((await browser.readAccount()).body, JSON.parse(before));
  await browser.proveAccount({ body: { birthDate } });
  await it.advance(10 * minute);
  assert.equal((await browser.readAccount()).body.provenUntil, undefined);
  for (const day of ["1990-01-02", "1990-01-03"])
    assert.equal((await refusal(browser.proveAccount({ body: { birthDate: day } }))).errorCode, "OCE012");
  const exceeded = await refusal(browser.proveAccount({ body: { birthDate } }));
  assert.deepEqual([exceeded.errorCode, exceeded.data.inputAttemptsExceeded], ["OCE019", ["birthDate"]]);
});

test("concurrent sign-outs of one session get only 200 or 401", async () => {
  const phone = await phoneOnRecord(it);
  const cookie = (await signIn(it, phone)).cookie();
  const headers = await ownHeaders(it.wallet, cookie);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => it.wallet.inject({ method: "POST", url: "/api/account/sign-out", headers })),
  );
  // Requests that arrive after the session ended get 401.
  const others = answers.map(({ statusCode }) => statusCode).filter((status) => status !== 401);
  assert.deepEqual([...new Set(others)], [200]);
});
