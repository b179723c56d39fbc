import assert from "node:assert/strict";
import test from "node:test";
import { birthDate, browserOf, phoneOnRecord, signIn, textedCode, wholeTimeline } from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { otherKey, refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const other = it.as(otherKey);
const fixed = "+12125550010";

test("when two customers use one test number, neither reads the other's texts or sees its brands", async () => {
  const phone = freshPhone();
  const mine = await it.brand({ externalName: "Mine" });
  await mine.api.createOneClick({ body: { phone } });
  await other.createOneClick({ body: { phone } });
  await other.issueCredentials({
    body: { phone, credentials: [{ type: "EmployerNameCredential", data: { employer: "Theirs Inc" } }] },
  });
  const browser = await signIn(it, phone);
  assert.equal(await textedCode(it, phone, other), undefined);
  await browser.proveAccount({ body: { birthDate } });
  const view = (await browser.readAccount()).body;
  assert.deepEqual(
    view.brands.map(({ name }) => name),
    ["Mine"],
  );
  const everything = [view, await wholeTimeline(browser), (await browser.downloadAccount()).body];
  assert.doesNotMatch(JSON.stringify(everything), /Demo API 2|Theirs Inc/);
  const theirs = "b0000000-0000-4000-8000-000000000002";
  assert.equal(
    (await refusal(browser.stopSharing({ params: { uuid: theirs }, body: { consent: agreed("stop") } }))).status,
    404,
  );
});

test("a sign-in begun before a brand received the person's data does not show that brand", async () => {
  const phone = await phoneOnRecord(it);
  const browser = browserOf(it.wallet);
  const { signIn: uuid } = (await browser.beginSignIn({ body: { phone, consent: agreed("signIn") } })).body;
  await it.runJobs();
  const code = (await textedCode(it, phone, other)) ?? "";
  assert.match(code, /^\d{6}$/);
  await it.advance(1);
  await it.api.createOneClick({ body: { phone } });
  await browser.finishSignIn({ body: { signIn: uuid, code } });
  assert.deepEqual((await browser.readAccount()).body.brands, []);
});

test("a fixed person's page shows only the demo brands, and deleting the account resets it", async () => {
  const mine = await it.brand({ externalName: "Mine" });
  const kept = (await mine.api.createOneClick({ body: { phone: fixed } })).body.uuid;
  const gone = (await it.api.createOneClick({ body: { phone: fixed } })).body.uuid;
  const browser = await signIn(it, fixed);
  assert.deepEqual(
    (await browser.readAccount()).body.brands.map(({ name }) => name),
    ["Demo API"],
  );
  assert.equal((await refusal(browser.deleteAccount({ body: { consent: agreed("reset") } }))).status, 403);
  await browser.proveAccount({ body: { birthDate } });
  assert.equal((await browser.deleteAccount({ body: { consent: agreed("reset") } })).body.outcome, "reset");
  assert.deepEqual((await browser.readAccount()).body.brands, []);
  assert.deepEqual(await wholeTimeline(browser), []);
  assert.equal((await refusal(it.api.readOneClick({ params: { uuid: gone } }))).errorCode, "OCE015");
  assert.ok((await mine.api.readOneClick({ params: { uuid: kept } })).body.credentials);
  assert.ok((await it.api.createOneClick({ body: { phone: fixed } })).body.identity.credentials);
  assert.equal((await refusal(browser.takeOverNumber({ body: { consent: agreed("handOver") } }))).status, 403);
});

test("a fixed person's page shows what other testers did there without a brand, but no value", async () => {
  const [one, two] = [await signIn(it, fixed), await signIn(it, fixed)];
  await one.proveAccount({ body: { birthDate } });
  await one.downloadAccount();
  const last = (await wholeTimeline(two)).at(-1) ?? assert.fail("no entry");
  const { id: _id, at: _at, ...rest } = last;
  assert.deepEqual(rest, { action: "account.downloaded", types: [] });
});

test("a session of a fixed person can neither list nor end other testers' sessions", async () => {
  const [one, two] = [await signIn(it, fixed), await signIn(it, fixed)];
  assert.equal((await one.listDevices()).body.devices.length, 1);
  await one.signOutOthers();
  await two.readAccount();
});
