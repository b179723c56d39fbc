// desktop: the steps are the same in a wide window
import assert from "node:assert/strict";
import test from "node:test";
import { refusal } from "../../../../service/src/test/harness/sandbox.ts";
import { begin, browserSandbox, type Person } from "../harness/browser.ts";

const it = await browserSandbox();
const primary = "+12125550010";

async function review(person: Person) {
  const begun = await begin(it, primary);
  await person.page.goto(begun.url);
  await person.enter(begun.code);
  return begun;
}
const errorOf = async (begun: { read(): Promise<unknown> }) => (await refusal(begun.read())).errorCode;

it.everywhere("the Back button leaves the wallet, and Forward and reload return to the same step", async (person) => {
  const begun = await begin(it, "+12125550022");
  const { page } = person;
  const awayAndBack = async () => {
    await page.goBack();
    await page.waitForURL(/\/demo\/landing/);
    await page.goForward();
  };
  await page.goto(`${it.walletUrl}/demo/landing`);
  await page.goto(begun.url);
  await person.at("verificationCode");
  await awayAndBack();
  await person.at("verificationCode");
  await person.enter(begun.code);
  await person.at("birthday");
  await awayAndBack();
  await person.at("birthday");
  await person.box("Birthday").fill("08/01/1989");
  await person.at("review");
  await page.reload();
  await person.at("review");
  assert.equal(page.url(), begun.url);
});

it.everywhere("going back after the decision shows the decision and does not redirect again", async (person) => {
  const begun = await review(person);
  await person.button("Share").click();
  await person.landed();
  await person.page.goBack();
  assert.equal(await person.at("done"), "Details shared");
  await person.page.reload();
  assert.equal(await person.at("done"), "Details shared");
  await person.landed();
  assert.ok((await begun.read()).body.credentials);
});

it.everywhere("a code or a decision in one tab also takes effect in the other tab", async (person) => {
  const begun = await begin(it, primary);
  await person.page.goto(begun.url);
  const second = await person.context.newPage();
  await second.goto(begun.url);
  await second.locator('main[data-step="verificationCode"]').waitFor();
  await person.enter(begun.code);
  await person.at("review");
  await second.locator('main[data-step="review"]').waitFor();
  await second.getByRole("button", { name: "Don’t share" }).click();
  await second.waitForURL(/optedOut=true/);
  assert.equal(await person.at("done"), "Your details weren’t shared");
  assert.equal((await begun.read()).body.credentials, undefined);
});

it.everywhere("after the phone is verified, the URL alone gives another browser no access", async (person) => {
  const begun = await review(person);
  await person.at("review");
  const brand = await it.person({ on: "desktop" });
  await brand.page.goto(begun.url);
  assert.equal(await brand.at("error"), "This code was already used");
  assert.doesNotMatch(await brand.page.content(), /Richard|Newell|(?<![\w-])6789(?![\w-])/);
  await brand.done();
  await person.page.reload();
  await person.at("review");
});

test("a scanner that fetches every URL does not verify the phone or share data", async () => {
  const begun = await begin(it, primary);
  const { pathname } = new URL(begun.url);
  const page = pathname.slice("/request/".length);
  for (const url of [pathname, `${pathname}?code=${begun.code}`, `/api/page/${page}`, "/api/page", "/request"])
    for (const method of ["GET", "HEAD", "OPTIONS"] as const)
      for (const headers of [{}, { "sec-purpose": "prefetch;prerender" }])
        await it.wallet.inject({ method, url, headers });
  const { body } = await it.wallet.inject({ method: "GET", url: `/api/page/${page}` });
  assert.equal(JSON.parse(body).state, "open");
  assert.equal(await errorOf(begun), "OCE015");
});
