import assert from "node:assert/strict";
import test from "node:test";
import { browserSandbox, type Viewport, viewports } from "../../../web/src/test/harness/browser.ts";
import { brandSite, errorOf, type Visitor, visitor } from "../../../web/src/test/harness/sdk-frame.ts";

const it = await browserSandbox("browser");
const site = await brandSite(it);
const brand = await it.brand({ integrationType: "sdk", externalName: "Pied Piper" });
const primary = "+12125550010";

async function newKey(body?: object, api = brand.api): Promise<string> {
  return (await api.createSession(body === undefined ? {} : { body })).body.sessionKey;
}

async function begun(body?: object, options: Parameters<typeof visitor>[2] = {}): Promise<Visitor> {
  const person = await visitor(it, site, options);
  await person.begin(await newKey(body));
  return person;
}

const results = async (person: Visitor) =>
  (await person.told()).filter((one) => one.who === "onResult").map((one) => one.what.type);
const read = (uuid: unknown) => brand.api.readOneClick({ params: { uuid: String(uuid) } });

for (const on of Object.keys(viewports) as Viewport[]) {
  test(`on a ${on}: after sharing, the page gets only the uuids, and the brand reads the data`, async () => {
    const person = await begun(undefined, { on });
    assert.equal(await person.at("phone"), "Continue with your phone");
    await person.picture(`${on}-01-phone`);
    await person.phone("(212) 555-0010");
    await person.at("verificationCode");
    await person.picture(`${on}-02-code`);
    await person.code();
    await person.at("review");
    await person.picture(`${on}-03-review`);
    await person.button("Share").click();
    await person.at("done");
    await person.picture(`${on}-04-done`);
    const { identityUuid, verificationUuid, ...result } = await person.result();
    assert.deepEqual(result, {
      type: "USER_SHARED_CREDENTIALS",
      outcome: "shared",
      step: "review",
      healthDataUuid: null,
      redirectUrl: null,
    });
    const { body } = await read(identityUuid);
    assert.equal(body.metadata.identifiers.verificationMethod.phone, "otp");
    assert.match(String(verificationUuid), /^[0-9a-f-]{36}$/);
    // A random uuid or a duration may contain the digits by chance.
    const told = JSON.stringify(await person.told()).replace(/[0-9a-f-]{36}|"durationMs":\d+/g, "");
    assert.doesNotMatch(told, /Richard|2125550010|1989|6789/);
    await person.done();
  });
}

test("events report the steps in order, with the time spent on each", async () => {
  const person = await begun();
  await person.page.clock.install();
  await person.phone(primary);
  await person.at("verificationCode");
  await person.inside.getByText(/^Resend code in (30|2\d) s$/).waitFor();
  await person.page.clock.fastForward(30_000);
  await person.button("Resend code").click();
  await person.inside.getByText("A new code is on its way").first().waitFor();
  await person.code();
  await person.at("review");
  await person.button("Share").click();
  await person.result();
  await person.at("done");
  const events = (await person.told()).filter((one) => one.who === "onEvent").map((one) => one.what);
  assert.deepEqual(
    events.map(({ type, step, product }) => [type, step ?? product].filter((one) => one !== undefined).join(" ")),
    [
      "SDK_READY",
      "USER_STEP_CHANGE phone",
      "STEP_TIME_SPENT phone",
      "USER_STEP_CHANGE verificationCode",
      "VERIFICATION_CODE_RESENT",
      "USER_COMPLETED_PRODUCT 1-click-verify",
      "STEP_TIME_SPENT verificationCode",
      "USER_STEP_CHANGE review",
      "USER_COMPLETED_PRODUCT 1-click-signup",
      "STEP_TIME_SPENT review",
    ],
  );
  // Nothing follows the result, although the frame shows another screen.
  const [last] = (await person.told()).slice(-1);
  assert.equal(last?.who, "onResult");
  for (const event of events.filter(({ type }) => type === "STEP_TIME_SPENT")) assert.ok(Number(event.durationMs) >= 0);
  await person.done();
});

test("after declining, the page gets USER_OPTED_OUT and the brand reads no credentials", async () => {
  const person = await begun();
  await person.phone(primary);
  await person.code();
  await person.at("review");
  await person.button("Don’t share").click();
  const { type, identityUuid } = await person.result();
  assert.equal(type, "USER_OPTED_OUT");
  assert.ok(!("credentials" in (await read(identityUuid)).body));
  await person.done();
});

test("a person can continue without autofill before entering a phone", async () => {
  const person = await begun();
  await person.at("phone");
  await person.button("Continue without autofill").click();
  const { type, identityUuid } = await person.result();
  assert.deepEqual([type, identityUuid], ["USER_OPTED_OUT", null]);
  await person.at("done");
  assert.deepEqual(await results(person), ["USER_OPTED_OUT"]);
  await person.done();
});

for (const [phone, type] of [
  ["+14045551300", "NO_CREDENTIALS_FOUND"],
  ["+14045551799", "RISK_SCORE_TOO_HIGH"],
] as const)
  test(`${phone} ends with ${type}, reported once`, async () => {
    const person = await begun();
    await person.phone(phone);
    await person.code();
    if (type === "NO_CREDENTIALS_FOUND") await person.button("Continue without it").click();
    assert.equal((await person.result()).type, type);
    await person.at("error");
    await person.picture(`10-${type.toLowerCase()}`);
    assert.deepEqual(await results(person), [type]);
    await person.done();
  });

test("three wrong codes end with MAX_VERIFICATION_CODE_ATTEMPTS_EXCEEDED", async () => {
  const person = await begun();
  await person.phone(primary);
  for (const left of ["2 tries left", "1 try left"]) {
    await person.code("000000");
    await person.inside.getByText(left).first().waitFor();
  }
  await person.code("000000");
  assert.equal((await person.result()).type, "MAX_VERIFICATION_CODE_ATTEMPTS_EXCEEDED");
  await person.at("error");
  await person.done();
});

test("four different wrong birthdays end with MAX_INPUT_ATTEMPTS_EXCEEDED", async () => {
  const person = await begun();
  await person.phone("+12125550022");
  await person.code();
  for (const year of [1971, 1972, 1973]) {
    await person.at("birthday");
    await person.box("Birthday").fill(`01/01/${year}`);
    await person.inside.getByText("Checking…").first().waitFor({ state: "detached" });
    await person.inside.getByText("doesn’t match").first().waitFor();
  }
  await person.box("Birthday").fill("01/01/1974");
  assert.equal((await person.result()).type, "MAX_INPUT_ATTEMPTS_EXCEEDED");
  await person.done();
});

test("a session key works once; a used key or an unknown one gives INVALID_SESSION_KEY", async () => {
  const key = await newKey();
  const first = await visitor(it, site);
  await first.begin(key);
  await first.at("phone");
  const second = await visitor(it, site);
  await second.begin(key);
  const { requestId, ...error } = await second.error();
  assert.deepEqual({ ...error, requestId: null }, errorOf("INVALID_SESSION_KEY"));
  assert.match(String(requestId), /^[0-9a-f-]{36}$/);
  await second.at("error");
  const third = await visitor(it, site);
  await third.begin("5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21");
  assert.equal((await third.error()).reason, "INVALID_SESSION_KEY");
  for (const person of [first, second, third]) await person.done();
});

test("editing a phone keeps the typed number, rejects invalid ones, and texts the new number", async () => {
  const person = await begun();
  await person.phone("212 555 0011");
  await person.at("verificationCode");
  await person.inside.getByText("(212) 555-0011").waitFor();
  await person.button("Change number").click();
  await person.at("phone");
  assert.equal(await person.box("Phone number").inputValue(), "(212) 555-0011");
  for (const wrong of ["", "555", "+44 20 7183 8750"]) {
    await person.box("Phone number").fill(wrong);
    await person.button("Continue").click();
    await person.inside.getByText("Enter a US phone number with ten digits.").first().waitFor();
  }
  await person.phone("+1 212-555-0010");
  await person.inside.getByText("(212) 555-0010").waitFor();
  await person.code();
  await person.at("review");
  await person.done();
});
