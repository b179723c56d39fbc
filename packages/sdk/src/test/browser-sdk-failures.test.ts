/** Failures and endings in the frame: each one is reported accurately, and can be retried if that can help. */
import assert from "node:assert/strict";
import test from "node:test";
import { browserSandbox } from "../../../web/src/test/harness/browser.ts";
import { brandSite, errorOf, type Visitor, visitor } from "../../../web/src/test/harness/sdk-frame.ts";

const it = await browserSandbox("browser");
const site = await brandSite(it);
const { api } = await it.brand({ integrationType: "sdk", externalName: "Pied Piper" });
const insured = await it.brand({ integrationType: "sdk", externalName: "Bachmanity", health: { enabled: true } });
const primary = "+12125550010";

async function begun(body: object = {}, of = api): Promise<Visitor> {
  const person = await visitor(it, site);
  await person.begin((await of.createSession({ body })).body.sessionKey);
  return person;
}

/** Goes as far as the insurance step. */
async function atInsurance(): Promise<Visitor> {
  const person = await begun({ phone: primary }, insured.api);
  await person.consent();
  await person.at("review");
  await person.button("Share").click();
  assert.equal(await person.at("health"), "Find your health insurance");
  return person;
}

const requestId = "3f1d2c9a-5b7e-4c1d-9e2f-0a1b2c3d4e5f";
const broken = { status: 500, json: { message: "Broken.", data: { requestId } } };
const errors = async (person: Visitor) => (await person.told()).filter((one) => one.who === "onError");

test("skipping the insurance can be retried after an error and ends with USER_SHARED_CREDENTIALS", async () => {
  const person = await atInsurance();
  await person.page.route("**/api/page/health/choice", (route) => route.abort(), { times: 1 });
  await person.button("Continue without insurance").click();
  await person.inside.getByText("No connection.").first().waitFor();
  assert.equal(await person.at("health"), "Find your health insurance");
  await person.picture("34-skip-offline");
  await person.page.route("**/api/page/health/choice", (route) => route.fulfill(broken), { times: 1 });
  await person.button("Continue without insurance").click();
  await person.inside.getByText("Something went wrong on our side.").first().waitFor();
  await person.button("Continue without insurance").click();
  assert.equal((await person.result()).type, "USER_SHARED_CREDENTIALS");
  assert.deepEqual(await errors(person), []);
  await person.done();
});

test("the same session continues after a lost connection and a server error", async () => {
  const person = await begun();
  await person.phone(primary);
  await person.at("verificationCode");
  await person.page.route("**/api/page", (route) => route.abort(), { times: 1 });
  await person.code();
  assert.equal(await person.at("error"), "No connection");
  await person.picture("35-lost");
  await person.page.route("**/api/page", (route) => route.fulfill(broken), { times: 1 });
  await person.button("Try again").click();
  await person.inside.getByRole("heading", { name: "Something went wrong" }).waitFor();
  await person.button("Try again").click();
  await person.at("review");
  await person.button("Share").click();
  assert.equal((await person.result()).type, "USER_SHARED_CREDENTIALS");
  await person.done();
});

test("the first server error is not reported; the second gives SHARE_CREDENTIALS_ERROR with its requestId", async () => {
  const person = await begun();
  await person.phone(primary);
  await person.at("verificationCode");
  await person.page.route("**/api/page", (route) => route.fulfill(broken), { times: 2 });
  await person.code();
  await person.at("error");
  await person.picture("36-broken");
  assert.deepEqual(await errors(person), []);
  await person.button("Try again").click();
  assert.deepEqual(await person.error(), errorOf("SHARE_CREDENTIALS_ERROR", requestId));
  await person.done();
});

test("a server error at the phone gives SHARE_CREDENTIALS_ERROR with its code and requestId", async () => {
  const person = await begun();
  // A route set before the frame has loaded may miss the frame's requests.
  await person.at("phone");
  const refused = { message: "Refused.", data: { errorCode: "OCE020", requestId } };
  await person.page.route("**/api/session/phone", (route) => route.fulfill({ status: 500, json: broken.json }));
  await person.phone(primary);
  assert.deepEqual(await person.error(), errorOf("SHARE_CREDENTIALS_ERROR", requestId));
  await person.done();
  const other = await begun();
  await other.phone(primary);
  await other.at("verificationCode");
  await other.page.route("**/api/page", (route) => route.fulfill({ status: 400, json: refused }));
  await other.code();
  await other.button("Try again").click();
  const { message, requestId: told } = await other.error();
  assert.match(String(message), /show your own form\. The service's code is OCE020\.$/);
  assert.equal(told, requestId);
  await other.done();
});

test("a lost response to the correct code gives SHARE_CREDENTIALS_ERROR and no result", async () => {
  const person = await begun();
  await person.phone(primary);
  await person.at("verificationCode");
  await person.page.route(
    "**/api/page/*/code",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await person.code();
  await person.inside.getByText("No connection.").first().waitFor();
  await person.button("Try again").click();
  assert.deepEqual(await person.error(), errorOf("SHARE_CREDENTIALS_ERROR"));
  assert.equal(await person.at("error"), "This code was already used");
  await person.inside.getByText("If you already continued in another window, finish there.").waitFor();
  await person.button("Close").waitFor();
  await person.picture("37-elsewhere");
  assert.ok((await person.told()).every((one) => one.who !== "onResult"));
  await person.done();
});

/** Goes as far as the review, an hour before the session expires. */
async function withAnHour(): Promise<Visitor> {
  const person = await visitor(it, site);
  await person.page.clock.install();
  await person.begin((await insured.api.createSession({ body: { phone: primary } })).body.sessionKey);
  await person.consent();
  await person.at("review");
  return person;
}
const hour = 60 * 60_000;

for (const [what, said, button] of [
  ["before the decision", "Your details weren’t shared.", "Close"],
  ["at the insurance", "Your details were already shared.", "Continue"],
] as const)
  test(`a session that expires ${what} shows: ${said}`, async () => {
    const person = await withAnHour();
    if (what === "at the insurance") {
      await person.button("Share").click();
      await person.at("health");
    }
    await person.page.clock.fastForward(hour);
    assert.deepEqual(await person.error(), errorOf("SESSION_TIMEOUT"));
    assert.equal(await person.at("error"), "Your session has expired");
    await person.picture(`38-expired-${what.replaceAll(" ", "-")}`);
    await person.inside.getByText(said).waitFor();
    const again = person.inside.getByText("Close this, then start again.", { exact: true });
    assert.equal(await again.count(), button === "Close" ? 1 : 0);
    await person.button(button).waitFor();
    await person.done();
  });

test("a finished session does not show as expired an hour later", async () => {
  const person = await withAnHour();
  await person.button("Share").click();
  await person.button("Continue without insurance").click();
  await person.result();
  await person.page.clock.fastForward(hour);
  assert.equal(await person.at("done"), "Details shared");
  assert.deepEqual(await errors(person), []);
  await person.done();
});
