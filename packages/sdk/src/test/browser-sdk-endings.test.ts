/** What the frame says at each ending, and the button that closes it. */
import assert from "node:assert/strict";
import test from "node:test";
import { browserSandbox } from "../../../web/src/test/harness/browser.ts";
import { brandSite, frameOf, visitor } from "../../../web/src/test/harness/sdk-frame.ts";

const it = await browserSandbox("browser");
const site = await brandSite(it);
const name = { type: "FullNameCredential" };
const { api } = await it.brand({
  integrationType: "sdk",
  externalName: "Hooli",
  defaultCredentialRequests: [name, { type: "SsnCredential", mandatory: "yes", allowUserInput: false }],
});

const still = "Hooli still gets your phone number and a fraud-risk rating for it.";
const see = "Continue to see what you can do next.";
const enter = "Continue to enter your details yourself.";
const none = "Hooli gets none of your details.";
/** `said`: the sentences of the end. */
type Ending = { phone?: string; press?: string; step: string; title?: string; said: string | RegExp; help?: string };

for (const [what, ending] of Object.entries({
  shared: {
    phone: "+12125550010",
    press: "Share",
    step: "done",
    said: /^Hooli can read these details until (?:today|tomorrow), \d+:\d\d\s[AP]M\.$/,
  },
  declined: {
    phone: "+12125550010",
    press: "Don’t share",
    step: "done",
    said: `${still}\n\n${enter}`,
  },
  "opted out": { press: "Continue without autofill", step: "done", said: `${none}\n\n${enter}` },
  "no data": { phone: "+14045551300", step: "error", said: `${still}\n\n${enter}` },
  risk: {
    phone: "+14045551775",
    step: "error",
    said: `Your details weren’t shared. ${still}\n\n${see}`,
    help: "If this seems wrong, ask Hooli for help.",
  },
  "a detail that cannot be entered": {
    phone: "+13135550033",
    step: "error",
    title: "We couldn’t find your Social Security number",
    said: `Hooli requires it, so your details weren’t shared. Hooli still gets your phone number.\n\n${enter}`,
  },
} as Record<string, Ending>))
  test(`after an ending (${what}), the frame says what happened, and its button removes the frame`, async () => {
    const person = await visitor(it, site);
    await person.page.locator("#begin").focus();
    await person.begin((await api.createSession({})).body.sessionKey);
    if (ending.phone !== undefined) {
      await person.phone(ending.phone);
      await person.code();
    }
    if (ending.press !== undefined) await person.button(ending.press).click();
    const title = await person.at(ending.step);
    if (ending.title !== undefined) assert.equal(title, ending.title);
    const said = await person.inside.locator(".lead").allInnerTexts();
    const sentences = said.map((text) => text.trim()).filter((text) => text !== "");
    if (typeof ending.said === "string") assert.equal(sentences.join("\n\n"), ending.said);
    else assert.match(sentences.join("\n"), ending.said);
    if (ending.help !== undefined) await person.inside.getByText(ending.help, { exact: true }).waitFor();
    await person.picture(`ending-${what.replaceAll(" ", "-")}`);
    await person.button("Continue").focus();
    // The page itself clicks, because Playwright's click would fail when the frame is removed.
    await frameOf(person.page).evaluate("void requestAnimationFrame(() => document.activeElement.click())");
    await person.page.locator("#place > *").waitFor({ state: "detached" });
    assert.equal(await person.page.evaluate("document.activeElement.id"), "begin");
    const final = (await person.told()).filter(({ who }) => who !== "onEvent");
    assert.equal(final.length, 1);
    await person.done();
  });

const formless = await it.brand({ integrationType: "sdk", externalName: "Hooli", manualSignup: "hide" });
const noCode = "For your security, this code no longer works. Your details weren’t shared.";

for (const [what, of, onward, button] of [
  ["with a form", api, enter, "Continue"],
  ["without a form", formless.api, "Close this, then start again.", "Close"],
] as const)
  test(`after too many wrong codes, the frame of a brand ${what} says: ${onward}`, async () => {
    const person = await visitor(it, site);
    await person.begin((await of.createSession({})).body.sessionKey);
    await person.phone("+12125550010");
    for (const left of ["2 tries left", "1 try left"]) {
      await person.code("000000");
      await person.inside.getByText(left).first().waitFor();
    }
    await person.code("000000");
    assert.equal(await person.at("error"), "Too many wrong codes");
    assert.deepEqual(await person.inside.locator(".lead").allInnerTexts(), [`${noCode}\n\n${onward}`]);
    await person.picture(`ending-attempts-${what.replaceAll(" ", "-")}`);
    assert.equal((await person.result()).type, "MAX_VERIFICATION_CODE_ATTEMPTS_EXCEEDED");
    await person.button(button).click();
    await person.page.locator("#place > *").waitFor({ state: "detached" });
    await person.done();
  });
