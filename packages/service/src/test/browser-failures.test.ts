import assert from "node:assert/strict";
import test from "node:test";
import { begin, browserSandbox, type Person } from "./browser.ts";
import { refusal } from "./harness.ts";

const it = await browserSandbox();
const primary = "+12125550010";
const minute = 60_000;

async function review(person: Person, phone = primary) {
  const begun = await begin(it, phone);
  await person.page.goto(begun.url);
  await person.enter(begun.code);
  return begun;
}
const errorOf = async (begun: { read(): Promise<unknown> }) => (await refusal(begun.read())).errorCode;

test("a wrong code says how many tries are left, and the right one still works", async () => {
  const begun = await begin(it, primary);
  const person = await it.person();
  await person.page.goto(begun.url);
  await person.enter("000000");
  await person.page.getByText("You can try 2 more times").first().waitFor();
  await person.at("verificationCode");
  assert.equal(await errorOf(begun), "OCE015");
  await person.enter(begun.code);
  await person.at("review");
  await person.done();
});

test("too many wrong codes end it, on the screen and for the brand, and the way back is there", async () => {
  const begun = await begin(it, primary);
  const person = await it.person();
  await person.page.goto(begun.url);
  for (const left of ["2 more times", "once more"]) {
    await person.enter("000000");
    await person.page.getByText(left).first().waitFor();
  }
  await person.enter("000000");
  assert.equal(await person.at("error"), "Too many wrong codes");
  await person.page.reload();
  assert.equal(await person.at("error"), "Too many wrong codes");
  await person.page.getByRole("link", { name: "Back to Demo Hosted" }).click();
  assert.equal((await person.landed("waited")).searchParams.get("identityUuid"), begun.uuid);
  assert.equal(await errorOf(begun), "OCE015");
  await person.done();
});

test("a code that ran out says so when it is sent, and before, by its own clock; what was typed stays", async () => {
  const begun = await begin(it, primary);
  const person = await it.person();
  await person.page.clock.install();
  await person.page.goto(begun.url);
  await person.page.getByText("The code expires in 5:00").waitFor();
  await person.box("Verification code").fill("123");
  await person.page.clock.fastForward(5 * minute);
  assert.equal(await person.at("error"), "This code has expired");
  assert.equal(await person.box("Verification code").inputValue(), "123");
  await person.done();

  const late = await begin(it, primary);
  const other = await it.person();
  await other.page.goto(late.url);
  await other.at("verificationCode");
  await it.advance(5 * minute);
  await other.enter(late.code);
  assert.equal(await other.at("error"), "This code has expired");
  assert.equal(await errorOf(late), "OCE015");
  await other.done();
});

for (const [code, phone, heading] of [
  ["OCE013", "+14045551300", "We couldn't find your details"],
  ["OCE017", "+14045551799", "We can't continue here"],
] as const)
  test(`${code} is a screen with a way on, and the brand reads it too`, async () => {
    const person = await it.person();
    const begun = await review(person, phone);
    assert.equal(await person.at("error"), heading);
    assert.doesNotMatch(await person.page.content(), /OCR\d|riskSignals/);
    await person.page.getByRole("link", { name: "Back to Demo Hosted" }).click();
    await person.landed("waited");
    assert.equal(await errorOf(begun), code);
    await person.done();
  });

test("inputs that never match end in OCE019, after three tries of one kind", async () => {
  const person = await it.person();
  const begun = await review(person, "+12125550022");
  for (const day of ["1/1/1971", "1/1/1972", "1/1/1973"]) {
    await person.box("Birthday").fill(day);
    await person.button("Continue").click();
    await person.page.getByText("does not match").first().waitFor();
  }
  await person.box("Birthday").fill("1/1/1974");
  await person.button("Continue").click();
  assert.equal(await person.at("error"), "Too many tries");
  assert.equal(await errorOf(begun), "OCE019");
  await person.done();
});

test("a birthday that is none is refused before it is sent", async () => {
  const person = await it.person();
  await review(person, "+12125550022");
  for (const [typed, said] of [
    ["August", "Enter month, day and the full year"],
    ["02/30/1989", "not a date"],
    ["08/01/2199", "not a date"],
  ] as const) {
    await person.box("Birthday").fill(typed);
    await person.button("Continue").click();
    await person.page.getByText(said).first().waitFor();
  }
  await person.box("Birthday").fill("1989-08-01");
  await person.page.getByText("We read: August 1, 1989").waitFor();
  await person.done();
});

test("a session that is over says so, and nothing was shared", async () => {
  const person = await it.person();
  const begun = await review(person);
  await person.at("review");
  await it.advance(61 * minute);
  await person.button("Share").click();
  assert.equal(await person.at("error"), "This page has expired");
  assert.equal(await errorOf(begun), "OCE015");
  await person.page.goto(`${it.walletUrl}/request/0000000000000000000000`);
  assert.equal(await person.at("error"), "This page has expired");
  await person.page.goto(`${it.walletUrl}/request`);
  assert.equal(await person.at("error"), "This page has expired");
  await person.done();
});

test("without a connection nothing is lost, and the same button goes on", async () => {
  const person = await it.person();
  await review(person, "+12125550022");
  await person.box("Birthday").fill("08/01/1989");
  await person.context.setOffline(true);
  await person.button("Continue").click();
  await person.page.getByText("No connection. What you entered is still here").first().waitFor();
  assert.equal(await person.box("Birthday").inputValue(), "08/01/1989");
  await person.at("birthday");
  await person.context.setOffline(false);
  await person.button("Continue").click();
  await person.at("review");
  await person.done();
});

test("coming back after the end shows what was decided, and does not send the person off again", async () => {
  const person = await it.person();
  const begun = await review(person);
  await person.button("Share").click();
  await person.landed();
  await person.page.goBack();
  assert.equal(await person.at("done"), "Shared");
  await person.page.reload();
  assert.equal(await person.at("done"), "Shared");
  await person.landed();
  assert.ok((await begun.read()).body.credentials);
  await person.done();
});

test("two tabs stand at one place: the proof and the decision of one are the other's too", async () => {
  const person = await it.person();
  const begun = await begin(it, primary);
  await person.page.goto(begun.url);
  const second = await person.context.newPage();
  await second.goto(begun.url);
  await second.locator('main[data-step="verificationCode"]').waitFor();
  await person.enter(begun.code);
  await person.at("review");
  await second.locator('main[data-step="review"]').waitFor();
  await second.getByRole("button", { name: "Don't share" }).click();
  await second.waitForURL(/optedOut=true/);
  assert.equal(await person.at("done"), "Nothing was shared");
  assert.equal((await begun.read()).body.credentials, undefined);
  await person.done();
});

test("after the proof the address alone opens nothing in another browser", async () => {
  const person = await it.person();
  const begun = await review(person);
  await person.at("review");
  const brand = await it.person({ on: "desktop" });
  await brand.page.goto(begun.url);
  assert.equal(await brand.at("error"), "This goes on in another window");
  assert.doesNotMatch(await brand.page.content(), /Richard|Newell|6789/);
  await brand.done();
  await person.page.reload();
  await person.at("review");
  await person.done();
});

test("a scanner that fetches every address proves nothing and shares nothing", async () => {
  const begun = await begin(it, primary);
  const { pathname } = new URL(begun.url);
  const page = pathname.slice("/request/".length);
  for (const url of [pathname, `${pathname}?code=${begun.code}`, `/api/page/${page}`, "/api/page", "/request"])
    await it.wallet.inject({ method: "GET", url });
  const { body } = await it.wallet.inject({ method: "GET", url: `/api/page/${page}` });
  assert.equal(JSON.parse(body).state, "open");
  assert.equal(await errorOf(begun), "OCE015");
});
