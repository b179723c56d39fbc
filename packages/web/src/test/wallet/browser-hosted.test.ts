// desktop: the steps are the same in a wide window
import assert from "node:assert/strict";
import test from "node:test";
import { freshPhone } from "../../../../service/src/test/harness/below-http.ts";
import { refusal } from "../../../../service/src/test/harness/sandbox.ts";
import { begin, browserSandbox, type Person, picture } from "../harness/browser.ts";

const it = await browserSandbox();
const primary = "+12125550010";

async function prove({ page, enter }: Person, { url, code }: { url: string; code: string }) {
  await page.goto(url);
  await enter(code);
}

it.everywhere(
  "v2.0 Hosted: after the code, the review, and sharing, the redirect has only identityUuid",
  async (person) => {
    const begun = await begin(it, primary, { body: { content: { title: "Apply", description: "For your account." } } });
    await person.page.goto(begun.url);
    assert.equal(await person.at("verificationCode"), "Enter your code");
    await person.box("Verification code").fill(begun.code);
    assert.equal(await person.at("review"), "Share with Demo Hosted?");
    const shown = await person.page.locator("main").innerText();
    assert.match(
      shown,
      /1-Click Apply[\s\S]*For your account\.[\s\S]*Richard Harrison Hendricks[\s\S]*Palo Alto, CA 94303/,
    );
    assert.match(shown, /08\/01\/••••/);
    assert.doesNotMatch(await person.page.content(), /1989|00045/);
    await person.button("Share").click();
    await person.at("done");
    await person.page
      .getByText(/^Demo Hosted can read these details until (?:today|tomorrow), \d+:\d\d\s[AP]M\.$/)
      .waitFor();
    assert.deepEqual(await person.page.locator(".receipt li").allInnerTexts(), [
      "Full name",
      "Phone",
      "Address",
      "Birthday",
      "Social Security number",
    ]);
    const back = await person.landed("waited");
    assert.deepEqual([...back.searchParams], [["identityUuid", begun.uuid]]);
    const { credentials } = (await begun.read()).body;
    assert.equal(credentials?.ssn, "000456789");
  },
);

it.everywhere(
  "asks for a first name, a birthday, or SSN digits, and finds the person after a corrected value",
  async (person) => {
    const asked = [
      ["+12125550023", "firstName", "First name", "Gavin", "Richard"],
      ["+12125550022", "birthday", "Birthday", "01/01/1979", "1989-08-01"],
      ["+12125550021", "ssn4", "Last 4 digits of SSN", "0000", "6789"],
    ] as const;
    for (const [phone, step, name, wrong, right] of asked) {
      const begun = await begin(it, phone);
      await prove(person, begun);
      await person.at(step);
      const give = async (text: string) => {
        await person.box(name).fill(text);
        // A name has no length at which it is complete.
        if (step === "firstName") await person.box(name).press("Enter");
      };
      await give(wrong);
      await person.page.getByText("doesn’t match.").first().waitFor();
      await person.at(step);
      await give(right);
      await person.at("review");
      await person.button("Share").click();
      await person.landed();
      assert.ok((await begun.read()).body.credentials);
    }
  },
);

it.everywhere("when one of several inputs is enough, the person chooses which one to give", async (person) => {
  const begun = await begin(it, "+12125550020");
  await prove(person, begun);
  await person.at("birthday");
  await person.button("I can’t answer this").click();
  await person.button("Use my first name instead").click();
  await person.at("firstName");
  await person.button("I can’t answer this").click();
  await person.button("Use the last 4 of my SSN instead").click();
  await person.at("ssn4");
  await person.box("Last 4 digits of SSN").fill("6789");
  await person.at("review");
});

it.everywhere("after declining, nothing is shared and the redirect has optedOut", async (person) => {
  const begun = await begin(it, primary);
  await prove(person, begun);
  await person.at("review");
  await person.button("Don’t share").click();
  assert.equal(await person.at("done"), "Your details weren’t shared");
  const back = await person.landed();
  assert.deepEqual(
    [...back.searchParams].sort(),
    [
      ["identityUuid", begun.uuid],
      ["optedOut", "true"],
    ].sort(),
  );
  assert.equal((await begun.read()).body.credentials, undefined);
});

it.everywhere("a person can continue without autofill before and after entering the code", async (person) => {
  const before = await begin(it, primary);
  await person.page.goto(before.url);
  await person.button("Continue without autofill").click();
  assert.equal((await person.landed("waited")).searchParams.get("optedOut"), "true");
  assert.equal((await refusal(before.read())).errorCode, "OCE015");
  const after = await begin(it, "+12125550022");
  await prove(person, after);
  await person.at("birthday");
  await picture(person.page, "birthday-still-gets");
  const gets = "Demo Hosted still gets your phone number and a fraud-risk rating for it.";
  const leaving = person.page.getByRole("button", { description: `If you don’t share, ${gets}` });
  assert.equal(await leaving.textContent(), "Continue without autofill");
  await leaving.click();
  assert.equal(await person.at("done"), "Your details weren’t shared");
  await person.page.getByText(gets).waitFor();
  await person.landed();
  assert.equal((await after.read()).body.credentials, undefined);
});

it.everywhere("hides Continue without autofill when the brand hides manual signup", async (person) => {
  const brand = await it.brand({
    integrationType: "hosted",
    manualSignup: "hide",
    redirectUrl: `${it.walletUrl}/demo/landing`,
  });
  const begun = await begin(it, "+12125550022", { apiKey: brand.apiKey });
  await person.page.goto(begun.url);
  await person.at("verificationCode");
  assert.equal(await person.button("Continue without autofill").count(), 0);
  await person.box("Verification code").fill(begun.code);
  await person.at("birthday");
  assert.equal(await person.button("Continue without autofill").count(), 0);
});

it.everywhere("the code box accepts a pasted 123-456 and sends a code at its sixth digit, once", async (person) => {
  const begun = await begin(it, primary);
  await person.page.goto(begun.url);
  const box = person.box("Verification code");
  assert.deepEqual(await Promise.all(["autocomplete", "inputmode"].map((name) => box.getAttribute(name))), [
    "one-time-code",
    "numeric",
  ]);
  assert.equal(await person.button("Continue").count(), 0);
  await box.fill("11 11 1");
  assert.equal(await box.inputValue(), "111-11");
  await box.fill("111-111");
  await person.at("review");
  const row = await it.store.db
    .selectFrom("verification")
    .select("attempts_used")
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  assert.equal(row.attempts_used, 1);
});

it.everywhere("fills in the code from a text that is bound to this host", async (person) => {
  const begun = await begin(it, primary);
  await person.page.addInitScript(
    "window.OTPCredential = class {}; navigator.credentials.get = async () => ({ code: '111111' });",
  );
  await person.page.goto(begun.url);
  await person.at("review");
});

it.everywhere(
  "shares the chosen one of several addresses, and marks edited values as self-attested",
  async (person) => {
    const parts = ["Line1Credential", "CityCredential", "StateCredential", "ZipCodeCredential"].map((type) => ({
      type,
    }));
    const credentialRequests = [
      { type: "FullNameCredential", children: [{ type: "FirstNameCredential" }, { type: "LastNameCredential" }] },
      { type: "AddressCredential", multi: true, children: parts, description: "Where you live now" },
      { type: "SsnCredential", allowUserInput: false },
      { type: "BirthDateCredential" },
    ];
    const begun = await begin(it, primary, { body: { credentialRequests } });
    await prove(person, begun);
    await person.at("review");
    await person.page.getByText("Where you live now").waitFor();
    assert.equal(await person.page.getByRole("radio").count(), 0);
    await person.button("Change (3 found) Address").click();
    await person.page.getByRole("radio", { name: /Tulsa/ }).check();
    await person.button("Edit").click();
    assert.equal(await person.at("review"), "Edit your details");
    assert.equal(await person.box("Social Security number").count(), 0);
    assert.equal(await person.box("City").inputValue(), "Tulsa");
    await person.box("First name").fill("Rick");
    await person.button("Change birthday").click();
    await person.box("Birthday").fill("2 August 1989");
    await person.box("ZIP code").fill("7410");
    await person.button("Save").click();
    await person.at("review");
    await person.page.getByText("Entered by you").first().waitFor();
    await person.button("Share").click();
    await person.landed();
    const { credentials, metadata } = (await begun.read()).body;
    assert.deepEqual(credentials?.fullName, { firstName: "Rick", lastName: "Hendricks" });
    assert.equal(credentials?.birthDate, "1989-08-02");
    assert.deepEqual(metadata.credentials?.verificationMethod.fullName, {
      firstName: "self_attested",
      lastName: "phone_carrier",
    });
    assert.equal(metadata.credentials?.verificationMethod.birthDate, "self_attested");
    assert.equal(metadata.credentials?.verificationMethod.ssn, "phone_carrier");
  },
);

it.everywhere(
  "a mandatory value without a source can be entered if that is allowed, and otherwise ends the page",
  async (person) => {
    const demanded = (allowUserInput: boolean) => ({
      body: { credentialRequests: [{ type: "SsnCredential", mandatory: "yes", allowUserInput }] },
    });
    const begun = await begin(it, "+13135550033", demanded(true));
    await prove(person, begun);
    assert.equal(await person.at("review"), "Add your Social Security number");
    await person.button("Continue").click();
    await person.page.getByText("Enter your Social Security number.").first().waitFor();
    await person.at("review");
    await person.box("Social Security number").fill("666-12-3456");
    await person.button("Continue").click();
    await person.page.getByText("No Social Security number has these digits.").first().waitFor();
    await person.box("Social Security number").fill("000-12-3456");
    await person.button("Continue").click();
    await person.page.getByText("Entered by you").first().waitFor();
    await person.button("Share").click();
    await person.landed();
    const { credentials, metadata } = (await begun.read()).body;
    assert.deepEqual([credentials?.ssn, metadata.credentials?.verificationMethod.ssn], ["000123456", "self_attested"]);

    const refused = await begin(it, "+13135550033", demanded(false));
    await prove(person, refused);
    assert.equal(await person.at("error"), "We couldn’t find your Social Security number");
    await person.page.getByText("Demo Hosted requires it, so your details weren’t shared.").waitFor();
    assert.equal((await refusal(refused.read())).errorCode, "OCE007");

    const declined = await begin(it, "+13135550033", demanded(true));
    await prove(person, declined);
    await person.at("review");
    await person.button("Don’t share").click();
    await person.landed();
    assert.equal((await declined.read()).body.credentials, undefined);
  },
);

test("a reloaded code page names the phone's last digits and continues the wait for another text", async () => {
  const phone = freshPhone();
  const person = await it.person();
  const headers = { authorization: "sk_sandbox_demo_v1" };
  const payload = { phone, verificationOptions: "only_code" };
  const { body } = await it.inject({ method: "POST", url: "/1-click", headers, payload });
  await it.runJobs();
  await it.advance(40_000);
  await person.page.goto((body as { url: string }).url);
  await person.at("verificationCode");
  await person.page.getByText(`(•••) •••-${phone.slice(-4)}`).waitFor();
  await person.button("Resend code").click();
  await person.page.getByText("A new code is on its way").first().waitFor();
  await it.runJobs();
  await it.advance(20_000);
  await person.page.reload();
  await person.page.getByText(/^Resend code in (10|\d) s$/).waitFor();
  await person.done();
});

test("stores the decision with its text, version, language, time, action, and page", async () => {
  const begun = await begin(it, primary);
  const person = await it.person({ locale: "es-US" });
  await person.page.goto(begun.url);
  await person.page.getByRole("textbox", { name: "Código de verificación" }).fill(begun.code);
  await person.at("review");
  await person.button("Compartir").click();
  await person.landed();
  const [row] = await it.store.db.selectFrom("consent").selectAll().where("one_click_uuid", "=", begun.uuid).execute();
  assert.deepEqual(
    [row?.source, row?.action, row?.language, row?.version, row?.at, row?.url],
    ["wallet", "share", "es", "2026-11-29", it.deps.clock.now(), `${it.walletUrl}/request`],
  );
  assert.match(
    row?.words ?? "",
    /^Al elegir Compartir.*Demo Hosted.*Condiciones de uso y la Política de privacidad\.$/,
  );
  await person.done();
});
