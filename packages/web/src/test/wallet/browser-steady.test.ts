// desktop: the steps are the same in a wide window
/** Nothing on a screen moves while the person types, sends, waits, or reads a problem. */
import assert from "node:assert/strict";
import type { Frame, Page, Route } from "playwright-core";
import { begin, browserSandbox } from "../harness/browser.ts";
import { brandSite, frameOf, visitor } from "../harness/sdk-frame.ts";

const it = await browserSandbox();
const site = await brandSite(it);
const sdk = await it.brand({ integrationType: "sdk", externalName: "Pied Piper" });

/**
 * Records in each animation frame how far every element of the screen is from where it was first. Elements move with
 * the screen's heading when the page scrolls, so distances are measured from the heading. The bar at the bottom stays
 * where it is in the window. The marker for hidden rows is directly above the bar, so it may move.
 */
const watchScript = `(() => {
  const places = new WeakMap();
  window.moved = [];
  const look = () => {
    const heading = document.querySelector("h1");
    const top = heading?.getBoundingClientRect().top ?? 0;
    for (const one of document.querySelectorAll("main :is(h1, p, input, button, a, label, .cells, .list, .steady):not(.hidden, .below)")) {
      const { y, x, height } = one.getBoundingClientRect();
      if (height === 0 || one.closest(".hidden") !== null) continue;
      const before = places.get(one);
      const isPinned = one.closest(".pinned") !== null;
      const place = { heading, y: isPinned ? y : y - top, x };
      if (before === undefined || before.heading !== heading) places.set(one, place);
      else if (Math.abs(before.y - place.y) > 0.5 || (one.matches("input, .list, .cells") && Math.abs(before.x - x) > 0.5))
        window.moved.push([one.tagName, one.textContent.trim().slice(0, 40), Math.round(place.y - before.y)].join(" "));
    }
    window.watching = requestAnimationFrame(look);
  };
  document.fonts.ready.then(look);
})()`;

/** Runs `what` and returns what moved meanwhile. */
async function movedBy(screen: Page | Frame, what: () => Promise<unknown>): Promise<unknown> {
  await screen.evaluate(watchScript);
  await screen.waitForFunction("window.watching > 0");
  await what();
  await screen.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
  return await screen.evaluate(
    "(cancelAnimationFrame(window.watching), delete window.watching, [...new Set(window.moved)])",
  );
}

/** Holds a call until `release`, so that its progress can be seen. */
async function held(page: Page, url: string) {
  const gate = Promise.withResolvers<void>();
  await page.route(
    url,
    async (route: Route) => {
      await gate.promise;
      await route.continue();
    },
    { times: 1 },
  );
  return gate.resolve;
}

it.everywhere("the code screen does not move: typing, checking, a wrong code, a lost connection", async (person) => {
  const begun = await begin(it, "+12125550010");
  const { page, box } = person;
  await page.goto(begun.url);
  await person.at("verificationCode");
  const release = await held(page, "**/api/page/*/code");
  const moved = await movedBy(page, async () => {
    await box("Verification code").pressSequentially("000000");
    await page.getByText("Checking…").first().waitFor();
    release();
    await page.getByText("2 tries left").first().waitFor();
    await box("Verification code").fill("12");
    await box("Verification code").press("Enter");
    await page.getByText("Enter all six digits").first().waitFor();
    await person.context.setOffline(true);
    await person.enter("111111");
    await person.button("Try again").waitFor();
    await person.context.setOffline(false);
  });
  assert.deepEqual(moved, []);
  await person.button("Try again").click();
  await person.at("review");
});

it.everywhere("the review does not move; both buttons wait while it is shared, and the focus stays", async (person) => {
  const begun = await begin(it, "+12125550010");
  const { page, button } = person;
  await page.goto(begun.url);
  await person.enter(begun.code);
  await person.at("review");
  await person.context.setOffline(true);
  const lost = await movedBy(page, async () => {
    await button("Share").click();
    await page.getByText("No connection.").waitFor();
  });
  assert.deepEqual(lost, []);
  await person.context.setOffline(false);
  const release = await held(page, "**/api/page/decision");
  const moved = await movedBy(page, async () => {
    await button("Share").click();
    await button("Sharing…").waitFor();
    for (const name of ["Sharing…", "Don’t share"]) {
      assert.equal(await button(name).getAttribute("aria-disabled"), "true");
      assert.equal(await button(name).getAttribute("disabled"), null);
    }
    assert.equal(await page.evaluate("document.activeElement.textContent"), "Sharing…");
    await button("Don’t share").click({ force: true });
  });
  assert.deepEqual(moved, []);
  release();
  await person.landed("waited");
  assert.ok((await begun.read()).body.credentials);
});

it.everywhere("the questions do not move: a hint, checking, a wrong value", async (person) => {
  for (const [phone, name, wrong] of [
    ["+12125550022", "Birthday", "01011979"],
    ["+12125550021", "Last 4 digits of SSN", "0000"],
  ] as const) {
    const begun = await begin(it, phone);
    await person.page.goto(begun.url);
    await person.enter(begun.code);
    await person.box(name).waitFor();
    const release = await held(person.page, "**/api/page/inputs");
    const moved = await movedBy(person.page, async () => {
      await person.box(name).press("Enter");
      await person.page.locator("#answer-error").waitFor();
      await person.box(name).pressSequentially(wrong);
      await person.button("Checking…").waitFor();
      release();
      await person.page.getByText("doesn’t match.").first().waitFor();
    });
    assert.deepEqual(moved, []);
  }
});

it.everywhere("the phone screen does not move: typing, an invalid number, texting", async (_nobody, on) => {
  const person = await visitor(it, site, { on });
  await person.begin((await sdk.api.createSession({})).body.sessionKey);
  await person.at("phone");
  const frame = frameOf(person.page);
  const release = await held(person.page, "**/api/session/phone");
  const moved = await movedBy(frame, async () => {
    await person.button("Continue").click();
    await person.inside.getByText("Enter a US phone number").first().waitFor();
    await person.box("Phone number").pressSequentially("2125550010");
    await person.button("Sending…").waitFor();
  });
  assert.deepEqual(moved, []);
  release();
  await person.at("verificationCode");
  await person.done();
});

it.everywhere("a review in a frame does not move: a problem is below the decision", async (_nobody, on) => {
  const person = await visitor(it, site, { on });
  await person.begin((await sdk.api.createSession({ body: { phone: "+12125550010" } })).body.sessionKey);
  await person.consent();
  await person.at("review");
  await person.page.route("**/api/page/decision", (route) => route.abort(), { times: 1 });
  const problem = person.inside.getByText("No connection.").first();
  const moved = await movedBy(frameOf(person.page), async () => {
    await person.button("Share").click();
    await problem.waitFor();
  });
  assert.deepEqual(moved, []);
  const [said, still] = await Promise.all([problem.boundingBox(), person.inside.locator("#declining").boundingBox()]);
  assert.ok((said?.y ?? 0) >= (still?.y ?? 0) + (still?.height ?? 0));
  await person.at("review");
  await person.picture(`${on}-review-problem`);
  await person.done();
});

it.everywhere(
  "the account page's sign-in does not move: typing an invalid number, texting, a wrong code",
  async (person) => {
    const { page, box, button } = person;
    await page.goto(`${it.walletUrl}/`);
    await person.at("phone");
    const release = await held(page, "**/api/sign-in");
    const phoneMoved = await movedBy(page, async () => {
      await button("Continue").click();
      await page.getByText("Enter a US phone number").first().waitFor();
      await box("Phone number").pressSequentially("2125550010");
      await button("Continue").click();
      await button("Sending…").waitFor();
    });
    assert.deepEqual(phoneMoved, []);
    release();
    await person.at("verificationCode");
    const codeMoved = await movedBy(page, async () => {
      await box("Verification code").pressSequentially("000000");
      await page.getByText("2 tries left").first().waitFor();
    });
    assert.deepEqual(codeMoved, []);
  },
);
