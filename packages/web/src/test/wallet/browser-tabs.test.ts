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

it.everywhere("back leaves for where the person came from, and forward goes on where it was", async (person) => {
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
  await person.button("Continue").click();
  await person.at("review");
  await page.reload();
  await person.at("review");
  assert.equal(page.url(), begun.url);
});

it.everywhere(
  "coming back after the end shows what was decided, and does not send the person off again",
  async (person) => {
    const begun = await review(person);
    await person.button("Share").click();
    await person.landed();
    await person.page.goBack();
    assert.equal(await person.at("done"), "Shared");
    await person.page.reload();
    assert.equal(await person.at("done"), "Shared");
    await person.landed();
    assert.ok((await begun.read()).body.credentials);
  },
);

it.everywhere("two tabs stand at one place: the proof and the decision of one are the other's too", async (person) => {
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
});

it.everywhere("after the proof the address alone opens nothing in another browser", async (person) => {
  const begun = await review(person);
  await person.at("review");
  const brand = await it.person({ on: "desktop" });
  await brand.page.goto(begun.url);
  assert.equal(await brand.at("error"), "This code was used already");
  assert.doesNotMatch(await brand.page.content(), /Richard|Newell|6789/);
  await brand.done();
  await person.page.reload();
  await person.at("review");
});

test("a scanner that fetches every address proves nothing and shares nothing", async () => {
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
