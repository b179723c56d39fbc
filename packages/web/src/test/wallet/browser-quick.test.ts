// desktop: the steps are the same in a wide window
/** How little a person has to do, and what they can find out on the way. */
import assert from "node:assert/strict";
import test from "node:test";
import { freshPhone } from "../../../../service/src/test/harness/below-http.ts";
import { begin, browserSandbox, type Person, picture } from "../harness/browser.ts";
import { brandSite, frameOf, visitor } from "../harness/sdk-frame.ts";

const it = await browserSandbox();
const site = await brandSite(it);
const piper = await it.brand({ integrationType: "sdk", externalName: "Pied Piper" });
const hooli = await it.brand({ integrationType: "api", externalName: "Hooli" });
const primary = "+12125550010";

/** Counts the taps and the keys Enter and Space that follow, in every frame. */
async function countTaps({ page, context }: Pick<Person, "page" | "context">): Promise<() => number> {
  let taps = 0;
  await context.exposeFunction("tapped", () => (taps += 1));
  await context.addInitScript(`
    addEventListener("pointerdown", () => window.tapped(), true);
    addEventListener("keydown", ({ key }) => { if (key === "Enter" || key === " ") window.tapped(); }, true);
  `);
  await page.reload();
  return () => taps;
}

it.everywhere("SDK, with nothing missing: after the phone and the code, one tap shares", async (_nobody, on) => {
  const person = await visitor(it, site, { on });
  const taps = await countTaps(person);
  await person.begin((await piper.api.createSession({})).body.sessionKey);
  await person.at("phone");
  await person.box("Phone number").pressSequentially("2125550010");
  await person.at("verificationCode");
  await person.box("Verification code").pressSequentially("111111");
  await person.at("review");
  assert.equal(taps(), 0);
  await person.button("Share").click();
  assert.equal((await person.result()).type, "USER_SHARED_CREDENTIALS");
  assert.equal(taps(), 1);
  await person.done();
});

test("an autofilled number is sent once, even if it is reported twice or Continue is pressed", async () => {
  // In the page, because the number sends itself soon. The second event follows after the screen has rendered the first.
  const press = 'requestAnimationFrame(() => document.querySelector("button[type=submit]").click())';
  const repeat = `requestAnimationFrame(() => requestAnimationFrame(() => {
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }))`;
  for (const then of ["", press, repeat]) {
    const phone = freshPhone();
    const person = await visitor(it, site);
    await person.begin((await piper.api.createSession({})).body.sessionKey);
    await person.at("phone");
    await frameOf(person.page).evaluate(`{
      const box = document.querySelector("#phone");
      box.value = "${phone}";
      box.dispatchEvent(new Event("input", { bubbles: true }));
      ${then}
    }`);
    await person.at("verificationCode");
    await it.runJobs();
    assert.equal((await it.api.listMessages({ query: { to: phone } })).body.data.length, 1);
    await person.done();
  }
});

it.everywhere("from a texted link, three taps share, and there is nothing to type", async (person) => {
  const phone = freshPhone();
  const headers = { authorization: "sk_sandbox_demo_v1" };
  const payload = { phone, verificationOptions: "both_link_and_code" };
  await it.inject({ method: "POST", url: "/1-click", headers, payload });
  await it.runJobs();
  const [text] = (await it.api.listMessages({ query: { to: phone } })).body.data;
  const link = /http\S+\/v\/\w+/.exec(text?.body ?? "")?.[0] ?? assert.fail(text?.body);
  const taps = await countTaps(person);
  await person.page.goto(link);
  assert.equal(await person.page.getByRole("textbox").count(), 0);
  await person.button("Continue").click();
  await person.at("review");
  assert.equal(await person.page.getByRole("textbox").count(), 0);
  await person.button("Share").click();
  await person.landed("waited");
  // The tap on the link in the text is the first one.
  assert.equal(1 + taps(), 3);
});

it.everywhere("a code from the page's URL waits for a tap on Continue", async (person) => {
  const begun = await begin(it, primary);
  await person.page.goto(`${begun.url}?code=${begun.code}`);
  await person.at("verificationCode");
  assert.equal(await person.box("Verification code").inputValue(), "111-111");
  await person.button("Continue").click();
  await person.at("review");
});

it.everywhere(
  "both resends are half a minute apart, and then the screen says that there are none left",
  async (_nobody, on) => {
    const person = await visitor(it, site, { on });
    await person.page.clock.install();
    await person.begin((await piper.api.createSession({})).body.sessionKey);
    await person.phone(freshPhone());
    await person.at("verificationCode");
    const waiting = person.inside.getByText(/^Resend code in \d+ s$/);
    for (const isLast of [false, true]) {
      await waiting.waitFor();
      assert.equal(await person.button("Resend code").count(), 0);
      await person.page.clock.fastForward(30_000);
      await person.button("Resend code").click();
      await person.inside.getByText("A new code is on its way").first().waitFor();
      // Typing removes the message, so that the next one is about the next text.
      await person.box("Verification code").fill("1");
      await person.inside.getByText("A new code is on its way").first().waitFor({ state: "detached" });
      if (isLast) await person.inside.getByText("We can’t text another code. Use the newest one.").waitFor();
    }
    assert.equal(await waiting.count(), 0);
    await person.done();
  },
);

it.everywhere(
  "the review says where each value comes from, and a link leads to the person's own page",
  async (person) => {
    const phone = freshPhone();
    const credentials = [{ type: "EmployerNameCredential", data: { employer: "Aviato" } }];
    await hooli.api.issueCredentials({ body: { phone, credentials } });
    const credentialRequests = [
      { type: "FullNameCredential" },
      { type: "AddressCredential" },
      { type: "EmployerNameCredential" },
      { type: "EmailCredential" },
    ];
    const begun = await begin(it, phone, { body: { credentialRequests } });
    await person.page.goto(begun.url);
    await person.enter(begun.code);
    await person.at("review");
    const { page } = person;
    await person.button("Edit").click();
    await person.box("First name").fill("Rick");
    await person.button("Save").click();
    assert.deepEqual(
      (await page.locator("dl.row, fieldset.row").allInnerTexts()).map((text) => text.split("\n").at(-1)),
      ["Partly entered by you; the rest from your carrier", "From a credit bureau", "From Hooli", "From our records"],
    );
    const source = person.button("From Hooli");
    assert.equal(await source.getAttribute("aria-expanded"), "false");
    await source.click();
    await page.getByText("Hooli issued this to you.").waitFor();
    await person.at("review");
    await source.click();
    assert.equal(await page.getByText("Hooli issued this to you.").count(), 0);
    await person.button("Share").click();
    const own = person.page.getByRole("link", { name: /^Manage what you share/ });
    assert.equal(await own.getAttribute("href"), "/");
    assert.equal(await own.getAttribute("target"), "_blank");
  },
);

test("in a frame, too, a link leads to the person's own page", async () => {
  const person = await visitor(it, site);
  await person.begin((await piper.api.createSession({ body: { phone: primary } })).body.sessionKey);
  await person.consent();
  await person.button("Share").click();
  await person.at("done");
  const own = person.inside.getByRole("link", { name: /^Manage what you share/ });
  assert.equal(await own.getAttribute("href"), "/");
  await person.done();
});

it.everywhere("the Edit form accepts the ways in which people write a ZIP, state, SSN and birthday", async (person) => {
  const credentialRequests = [
    { type: "AddressCredential", mandatory: "yes" },
    { type: "BirthDateCredential" },
    { type: "SsnCredential" },
  ];
  const begun = await begin(it, primary, { body: { credentialRequests } });
  await person.page.goto(begun.url);
  await person.enter(begun.code);
  await person.at("review");
  await person.page.getByText("•••-••-6789").waitFor();
  await person.button("Edit").click();
  await person.page.getByText("•••-••-6789").waitFor();
  await person.page.getByText("(optional)").waitFor();
  const state = person.page.getByRole("combobox", { name: "State" });
  const places = await Promise.all([person.box("City"), state, person.box("ZIP code")].map((one) => one.boundingBox()));
  assert.equal(new Set(places.map((place) => Math.round(place?.y ?? 0))).size, 1);
  assert.equal(await state.inputValue(), "CA");
  await state.selectOption("NV");
  await person.button("Change Social Security number").click();
  await person.page.locator("#ssn:focus").waitFor();
  await person.box("Social Security number").pressSequentially("000123456");
  assert.equal(await person.box("Social Security number").inputValue(), "000-12-3456");
  await person.button("Change birthday").click();
  await person.box("Birthday").pressSequentially("08021989");
  await person.button("Save").click();
  await person.button("Share").click();
  await person.landed("waited");
  const { credentials } = (await begun.read()).body;
  assert.deepEqual([credentials?.ssn, credentials?.birthDate], ["000123456", "1989-08-02"]);
  assert.match(JSON.stringify(credentials?.address), /NV/);
});

test("What is Countersign? opens four sentences, and Close gives the focus back", async () => {
  const person = await it.person();
  const { page } = person;
  await page.goto((await begin(it, primary)).url);
  await person.at("verificationCode");
  await person.button("What is Countersign?").click();
  const sheet = page.getByRole("dialog", { name: "What is Countersign?" });
  assert.equal(await sheet.getByRole("listitem").count(), 4);
  await person.at("verificationCode");
  await person.button("Close").click();
  assert.equal(await sheet.count(), 0);
  assert.equal(await page.evaluate("document.activeElement?.textContent"), "What is Countersign?");
  await person.done();
});

test("a screen shows the brand's letter and the host of its website, and no host of this machine", async () => {
  const linden = await it.brand({
    integrationType: "hosted",
    externalName: "Linden Bank",
    redirectUrl: "https://www.linden.example/welcome",
  });
  const person = await it.person();
  const { page } = person;
  await page.goto((await begin(it, primary, { apiKey: linden.apiKey })).url);
  await person.at("verificationCode");
  assert.deepEqual((await page.locator("header").innerText()).split("\n"), ["L", "Linden Bank", "linden.example"]);
  await picture(page, "lock-up");
  await page.goto((await begin(it, primary)).url);
  await person.at("verificationCode");
  assert.deepEqual((await page.locator("header").innerText()).split("\n"), ["D", "Demo Hosted"]);
  await person.done();
});

test("the list of countries is short until the person asks for all", async () => {
  const person = await it.person();
  const { page } = person;
  const body = { credentialRequests: [{ type: "AddressCredential", children: [{ type: "CountryCredential" }] }] };
  const begun = await begin(it, primary, { body });
  await page.goto(begun.url);
  await person.enter(begun.code);
  await person.at("review");
  await person.button("Edit").click();
  const list = page.getByRole("combobox", { name: "Country" });
  assert.deepEqual(await list.locator("option").allInnerTexts(), ["Choose", "United States", "Show all countries"]);
  await list.selectOption({ label: "Show all countries" });
  assert.equal(await list.inputValue(), "US");
  await list.selectOption({ label: "Canada" });
  assert.equal(await list.inputValue(), "CA");
  await person.done();
});
