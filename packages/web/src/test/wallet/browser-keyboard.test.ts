// desktop: the steps are the same in a wide window
import assert from "node:assert/strict";
import { freshPhone } from "../../../../service/src/test/harness/below-http.ts";
import { begin, browserSandbox, type Person } from "../harness/browser.ts";
import { several } from "../harness/wallet-tour.ts";

const it = await browserSandbox();
const foot = ["What is Countersign?", "Terms", "Privacy", "Español"];
const legal = ["Terms of use", "Privacy policy"];
const stopsMax = 40;

/** The focused element: its tag, its name, and whether its focus ring is visible. */
type Focus = { tag: string; name: string; isSeen: boolean };
const focusScript = `(() => {
  const at = document.activeElement;
  const isRing = (one) => getComputedStyle(one).outlineStyle !== "none" && parseFloat(getComputedStyle(one).outlineWidth) >= 2;
  const words = [...at.childNodes].filter((node) => !node.classList?.contains("hidden")).map((node) => node.textContent).join("");
  const name = at.ariaLabel !== null ? at.ariaLabel : at.labels?.length > 0 ? at.labels[0].innerText.replace(/\\s+/g, " ") : words;
  const drawn = at.classList.contains("code") ? at.parentElement.querySelector(".next") : at;
  return { tag: at.tagName, name: name.trim(), isSeen: isRing(drawn) };
})()`;

function keyboardOf({ page }: Person) {
  const focus = async () => (await page.evaluate(focusScript)) as Focus;
  const press = (key: string) => page.keyboard.press(key);
  return {
    focus,
    press,
    type: (text: string) => page.keyboard.type(text),
    /**
     * Presses Tab until the end of the page and returns the names of the stops. Each stop must have a visible focus.
     */
    async stops(): Promise<string[]> {
      const found: string[] = [];
      for (let count = 0; count < stopsMax; count += 1) {
        await press("Tab");
        const { tag, name, isSeen } = await focus();
        if (tag === "BODY" || tag === "HTML") return found;
        assert.ok(isSeen, `the focus on "${name}" is not visible`);
        found.push(name);
        if (name === foot.at(-1)) return found;
      }
      return assert.fail(`Tab does not reach the last stop after ${found.join(", ")}`);
    },
    async to(name: string, key: "Tab" | "Shift+Tab" = "Shift+Tab"): Promise<void> {
      for (let count = 0; count < stopsMax; count += 1) {
        const shown = (await focus()).name;
        // "Share" also finds "Share 4 details".
        if (shown === name || (name === "Share" && /^Share \d+ details?$/.test(shown))) return;
        await press(key);
      }
      assert.fail(`"${name}" is not reached by ${key}`);
    },
    /** Checks that a new screen puts the focus on its heading or in its first text box. */
    async arrived(where: "heading" | string): Promise<void> {
      const isHeading = where === "heading";
      await page.locator(isHeading ? "h1:focus" : "input:focus").waitFor();
      if (!isHeading) assert.equal((await focus()).name, where);
    },
  };
}

/** Opens the other ways to answer, answers in one, and comes back to the birthday. */
async function otherWays(person: Person, keys: ReturnType<typeof keyboardOf>): Promise<void> {
  const ways = ["Use my first name instead", "Use the last 4 of my SSN instead", "Continue without autofill"];
  assert.deepEqual(await keys.stops(), ["Continue", "Use your state ID", "I can’t answer this", ...foot]);
  await keys.to("I can’t answer this");
  await keys.press("Enter");
  assert.equal((await keys.focus()).name, ways[0]);
  assert.deepEqual([(await keys.focus()).name, ...(await keys.stops())], [...ways, ...foot]);
  await keys.to("Use my first name instead");
  await keys.press("Enter");
  await person.at("firstName");
  await keys.arrived("First name");
  await keys.to("I can’t answer this", "Tab");
  await keys.press("Enter");
  await keys.to("Use my birthday instead", "Tab");
  await keys.press("Enter");
  await person.at("birthday");
  await keys.arrived("Birthday");
  await keys.press("Enter");
  await person.page.getByText("Enter your birthday as MM/DD/YYYY.").first().waitFor();
  await keys.arrived("Birthday");
}

it.everywhere(
  "by keyboard: enters a code and a birthday, chooses an address, cancels an edit, and shares",
  async (person) => {
    const keys = keyboardOf(person);
    const begun = await begin(it, "+12125550020", { body: { credentialRequests: several() } });
    await person.page.goto(begun.url);
    await person.at("verificationCode");
    await keys.arrived("Verification code");
    assert.deepEqual(await keys.stops(), [...legal, "Go back to Demo Hosted", "Continue without autofill", ...foot]);
    await keys.to("Verification code");
    await keys.type("000000");
    await person.page.getByText("2 tries left").first().waitFor();
    await keys.arrived("Verification code");
    await keys.type(begun.code.slice(0, 5));
    await keys.press("Backspace");
    await keys.type(begun.code.slice(4));
    await person.at("birthday");
    await keys.arrived("Birthday");
    await otherWays(person, keys);
    await keys.type("08011989");
    await person.at("review");
    await keys.arrived("heading");
    const newell = "5320 Newell Rd Palo Alto, CA 94303 From a credit bureau";
    assert.deepEqual(await keys.stops(), [
      "Edit",
      "From your carrier",
      "Share full name",
      "From a credit bureau",
      "Change (3 found)",
      "Share address",
      "From your carrier",
      "Share birthday",
      "From your carrier",
      ...legal,
      "Share 4 details",
      "Don’t share",
      ...foot,
    ]);
    await keys.to("Change (3 found)");
    await keys.press("Enter");
    await person.page.locator("input:focus").waitFor();
    assert.equal((await keys.focus()).name, newell);
    await keys.press("ArrowDown");
    assert.match((await keys.focus()).name, /Tulsa/);
    await keys.to("Edit");
    await keys.press("Space");
    await person.page.getByRole("heading", { name: "Edit your details" }).waitFor();
    await keys.arrived("heading");
    const boxes = ["First name", "Last name", "Street address", "City", "State", "ZIP code"];
    const rest = ["Change", "Change", "Employer"];
    assert.deepEqual(await keys.stops(), [...boxes, ...rest, "Save", "Cancel", ...foot]);
    await keys.to("First name");
    await keys.press("Control+a");
    await keys.type("Rick");
    await keys.to("Cancel", "Tab");
    await keys.press("Enter");
    await person.page.getByRole("heading", { name: "Share with Demo Hosted?" }).waitFor();
    await keys.arrived("heading");
    await keys.to("Share", "Tab");
    await keys.press("Space");
    await person.landed("waited");
    const { fullName, address } = (await begun.read()).body.credentials ?? {};
    assert.deepEqual(fullName, { firstName: "Richard", lastName: "Hendricks" });
    assert.match(JSON.stringify(address), /Tulsa/);
  },
);

it.everywhere("by keyboard: pastes a code and declines to share", async (person) => {
  const keys = keyboardOf(person);
  const begun = await begin(it, "+12125550010");
  await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await person.page.goto(begun.url);
  await person.at("verificationCode");
  await person.page.evaluate("navigator.clipboard.writeText(' 111-111 ')");
  await keys.press("Control+v");
  await person.at("review");
  await keys.to("Don’t share", "Tab");
  await keys.press("Enter");
  await keys.arrived("heading");
  assert.equal((await person.landed("waited")).searchParams.get("optedOut"), "true");
});

it.everywhere("by keyboard: continues without autofill before entering the code", async (person) => {
  const keys = keyboardOf(person);
  await person.page.goto((await begin(it, "+12125550010")).url);
  await person.at("verificationCode");
  await keys.to("Continue without autofill", "Tab");
  await keys.press("Enter");
  assert.equal((await person.landed("waited")).searchParams.get("optedOut"), "true");
});

it.everywhere("by keyboard: reaches an error page and returns to the brand", async (person) => {
  const keys = keyboardOf(person);
  const begun = await begin(it, "+14045551775");
  await person.page.goto(begun.url);
  await person.at("verificationCode");
  await keys.type(begun.code);
  await person.at("error");
  await keys.arrived("heading");
  assert.deepEqual(await keys.stops(), ["Continue to Demo Hosted", ...foot]);
  await keys.to("Continue to Demo Hosted");
  await keys.press("Enter");
  await person.landed("waited");
});

/** Creates a v1 1-Click, for which the service sends the text. */
async function texted(verificationOptions: string) {
  const phone = freshPhone();
  const headers = { authorization: "sk_sandbox_demo_v1" };
  const payload = { phone, verificationOptions };
  const { body } = await it.inject({ method: "POST", url: "/1-click", headers, payload });
  const find = async (pattern: RegExp) => {
    await it.runJobs();
    const [text] = (await it.api.listMessages({ query: { to: phone } })).body.data;
    return pattern.exec(text?.body ?? "")?.[0] ?? assert.fail(text?.body);
  };
  return { url: (body as { url: string }).url, code: () => find(/\d{3}-?\d{3}/), link: () => find(/http\S+\/v\/\w+/) };
}

it.everywhere("by keyboard, v1: resends the code, switches the language and back, and shares", async (person) => {
  const keys = keyboardOf(person);
  const { url, code } = await texted("only_code");
  await it.advance(30_000);
  await person.page.goto(url);
  await person.at("verificationCode");
  await keys.to("Resend code", "Tab");
  await keys.press("Space");
  await person.page.getByText("A new code is on its way").first().waitFor();
  await keys.arrived("Verification code");
  await keys.to("Español", "Tab");
  await keys.press("Enter");
  await person.page.getByRole("heading", { name: "Ingrese su código" }).waitFor();
  assert.equal((await keys.focus()).name, "English");
  await keys.press("Enter");
  await person.page.getByRole("heading", { name: "Enter your code" }).waitFor();
  await keys.to("Verification code");
  await keys.type(await code());
  await person.at("review");
  await keys.arrived("heading");
  await keys.to("Share", "Tab");
  await keys.press("Enter");
  await person.landed("waited");
});

it.everywhere("by keyboard: continues from one texted link and denies another", async (person) => {
  const keys = keyboardOf(person);
  await person.page.goto(await (await texted("both_link_and_code")).link());
  await person.at("link");
  assert.deepEqual(await keys.stops(), ["Continue", "I didn’t ask for this", ...foot]);
  await keys.to("Continue");
  await keys.press("Enter");
  await person.at("review");
  await keys.to("Share", "Tab");
  await keys.press("Enter");
  await person.landed("waited");
  await person.page.goto(await (await texted("both_link_and_code")).link());
  await keys.to("I didn’t ask for this", "Tab");
  await keys.press("Space");
  assert.equal(await person.at("done"), "Thanks for letting us know");
});
