// desktop: the steps are the same in a wide window
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Route } from "playwright-core";
import { refusal } from "../../../../service/src/test/harness/sandbox.ts";
import { begin, browserSandbox, type Person, picture } from "../harness/browser.ts";

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

it.everywhere("a wrong code shows how many tries are left, and the correct code still works", async (person) => {
  const begun = await begin(it, primary);
  await person.page.goto(begun.url);
  await person.enter("000000");
  await person.page.getByText("2 tries left").first().waitFor();
  await person.at("verificationCode");
  assert.equal(await errorOf(begun), "OCE015");
  await person.enter(begun.code);
  await person.at("review");
});

it.everywhere(
  "too many wrong codes end the page, the brand gets no data, and a link leads back to the brand",
  async (person) => {
    const begun = await begin(it, primary);
    await person.page.goto(begun.url);
    for (const left of ["2 tries left", "1 try left"]) {
      await person.enter("000000");
      await person.page.getByText(left).first().waitFor();
    }
    await person.enter("000000");
    assert.equal(await person.at("error"), "Too many wrong codes");
    await person.page.reload();
    assert.equal(await person.at("error"), "Too many wrong codes");
    await person.page.getByRole("link", { name: "Start again" }).click();
    assert.equal((await person.landed("waited")).searchParams.get("identityUuid"), begun.uuid);
    assert.equal(await errorOf(begun), "OCE015");
  },
);

it.everywhere(
  "a correct code sent again after a lost response is reported as already used, not as wrong",
  async (person, on) => {
    const begun = await begin(it, primary);
    const { page } = person;
    await page.goto(begun.url);
    const loseAnswer = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route("**/api/page/*/code", loseAnswer, { times: 1 });
    await person.enter(begun.code);
    await page.getByText("No connection.").first().waitFor();
    await person.at("verificationCode");
    await person.button("Try again").click();
    assert.equal(await person.at("error"), "This code was already used");
    await picture(page, `${on}-elsewhere-after-lost-answer`);
    assert.equal(await errorOf(begun), "OCE015");
  },
);

it.everywhere(
  "an expired code shows an error without a submit and on submit, and the error has the focus",
  async (person) => {
    const begun = await begin(it, primary);
    await person.page.clock.install();
    await person.page.goto(begun.url);
    await person.at("verificationCode");
    assert.equal(await person.page.getByText("The code expires in").count(), 0);
    await person.page.clock.fastForward(4 * minute);
    await person.page.getByText(/^The code expires in (1:00|0:5\d)$/).waitFor();
    await person.box("Verification code").fill("123");
    await person.page.clock.fastForward(minute);
    assert.equal(await person.at("error"), "This code has expired");
    await person.page.locator("h1:focus").waitFor();
    assert.equal(await person.box("Verification code").count(), 0);

    const late = await begin(it, primary);
    const other = await it.person();
    await other.page.goto(late.url);
    await other.at("verificationCode");
    await it.advance(5 * minute);
    await other.enter(late.code);
    assert.equal(await other.at("error"), "This code has expired");
    assert.equal(await errorOf(late), "OCE015");
    await other.done();
  },
);

/**
 * The guide to test people. `people` has those whose outcome has an error code: phone, code, needed input and outcome.
 */
const guide = await readFile(new URL("../../../../../docs/reference/test-people.md", import.meta.url), "utf8");
const people = [
  ...guide.matchAll(/^\| (?:<a id="\d+"><\/a>)?`(\+1\d{10})` \| `(\d{6})` \| (.+) \| \d+ \| (.*OCE\d{3}.*) \|$/gm),
].map(([, phone = "", code = "", needs = "", outcome = ""]) => ({ phone, code, needs, outcome }));
const headings = new Map([
  ["OCE013", "We couldn’t find your details"],
  ["OCE017", "This number didn’t pass a security check"],
]);
const boxes = new Map([
  ["fullName.firstName", { step: "firstName", box: "First name" }],
  ["birthDate", { step: "birthday", box: "Birthday" }],
  ["ssn4", { step: "ssn4", box: "Last 4 digits of SSN" }],
]);

it.everywhere(
  "each test person with an error code in the guide gets that outcome on the page and in the API",
  async (person) => {
    assert.ok(people.length >= 12, String(people.length));
    for (const { phone, code, needs, outcome } of people) {
      const begun = await begin(it, phone);
      await person.page.goto(begun.url);
      await person.enter(code);
      if (outcome.includes("OCE011")) {
        const named = needs.includes("`birthDate`") ? /`(birthDate)`(?: = `([^`]+)`)?/ : /`([\w.]+)`(?: = `([^`]+)`)?/;
        const [, input = "", value = "1/1/1980"] = named.exec(needs) ?? [];
        const { step, box } = boxes.get(input) ?? assert.fail(needs);
        await person.at(step);
        await person.box(box).fill(value);
        if (step === "firstName") await person.box(box).press("Enter");
      }
      const end = /OCE013|OCE017/.exec(outcome)?.[0];
      if (end === undefined) {
        await person.at("review");
        continue;
      }
      // No ID is offered after an input that had to be compared.
      if (end === "OCE013" && !outcome.includes("OCE011")) await person.button("Continue without it").click();
      assert.equal(await person.at("error"), headings.get(end), phone);
      await person.page.getByText("Demo Hosted still gets your phone number and a fraud-risk rating for it.").waitFor();
      assert.doesNotMatch(await person.page.content(), /OCR\d|riskSignals/);
      assert.equal(await errorOf(begun), end);
      await person.page.getByRole("link", { name: "Continue" }).click();
      await person.landed("waited");
    }
  },
);

it.everywhere("after three wrong birthdays, the fourth ends the page with OCE019", async (person) => {
  const begun = await review(person, "+12125550022");
  for (const day of ["1/1/1971", "1/1/1972", "1/1/1973"]) {
    await person.box("Birthday").fill(day);
    await person.page.getByText("Checking…").first().waitFor({ state: "detached" });
    await person.page.getByText("doesn’t match").first().waitFor();
  }
  await person.box("Birthday").fill("1/1/1974");
  assert.equal(await person.at("error"), "Too many wrong answers");
  assert.equal(await errorOf(begun), "OCE019");
  await it.advance(31 * minute);
});

it.everywhere("rejects an invalid birthday before sending it, and reads the common formats", async (person) => {
  await review(person, "+12125550022");
  for (const [typed, problem] of [
    ["August", "Enter your birthday as MM/DD/YYYY."],
    ["02/30/1989", "Enter a valid date of birth"],
    ["08/01/2199", "Enter a valid date of birth"],
  ] as const) {
    await person.box("Birthday").fill(typed);
    await person.box("Birthday").press("Enter");
    await person.page.getByText(problem).first().waitFor();
  }
  for (const typed of ["Aug 1, 1989", "1 August 1989"]) {
    await person.box("Birthday").fill("");
    await person.box("Birthday").fill(typed);
    await person.page.getByText("August 1, 1989", { exact: true }).waitFor();
  }
  await person.context.setOffline(true);
  for (const typed of ["08/01/1989", "8-1-1989", "8/1/1989", "08011989", "1989-08-01"]) {
    await person.box("Birthday").fill("");
    await person.box("Birthday").fill(typed);
    assert.equal(await person.box("Birthday").inputValue(), "08/01/1989");
    await person.page.getByText("No connection.").first().waitFor();
  }
  await person.context.setOffline(false);
});

it.everywhere(
  "an expired session and an unknown page each explain themselves, and nothing is shared",
  async (person) => {
    const begun = await review(person);
    await person.at("review");
    await it.advance(61 * minute);
    await person.button("Share").click();
    assert.equal(await person.at("error"), "Your session has expired");
    await person.page.getByText("Your details weren’t shared.").waitFor();
    assert.equal(await errorOf(begun), "OCE015");
    await person.page.goto(`${it.walletUrl}/request/0000000000000000000000`);
    assert.equal(await person.at("error"), "We can’t open this page");
    await person.page.getByText("This link is too old or incomplete.").waitFor();
    await person.page.goto(`${it.walletUrl}/request`);
    assert.equal(await person.at("error"), "We can’t open this page");
  },
);

it.everywhere("after sharing, the expired page does not say that nothing was shared", async (person, on) => {
  const begun = await review(person);
  await person.button("Share").click();
  await person.landed();
  assert.ok((await begun.read()).body.credentials);
  await it.advance(61 * minute);
  await person.page.goto(begun.url);
  assert.equal(await person.at("error"), "Your session has expired");
  await person.page.getByText("If you already shared your details, you’re done.").waitFor();
  await picture(person.page, `${on}-expired-after-sharing`);
  assert.doesNotMatch(await person.page.locator("main").innerText(), /weren’t shared/);
});

it.everywhere("a lost connection keeps the typed input, and the same button continues afterwards", async (person) => {
  await review(person, "+12125550022");
  await person.at("birthday");
  await person.context.setOffline(true);
  await person.box("Birthday").fill("08/01/1989");
  await person.page.getByText("No connection. What you entered is still here").first().waitFor();
  assert.equal(await person.box("Birthday").inputValue(), "08/01/1989");
  await person.at("birthday");
  await person.context.setOffline(false);
  await person.button("Continue").click();
  await person.at("review");
});

it.everywhere("after a lost connection, Continue without autofill still works", async (person, on) => {
  await review(person, "+12125550022");
  await person.at("birthday");
  await person.context.setOffline(true);
  await person.button("Continue without autofill").click();
  await person.page.getByText("No connection. Try again.").waitFor();
  assert.equal(await person.at("birthday"), "When were you born?");
  const [leaving, said] = await Promise.all([
    person.button("Continue without autofill").boundingBox(),
    person.page.locator(".actions > .problem").boundingBox(),
  ]);
  const gap = (said?.y ?? 0) - (leaving?.y ?? 0) - (leaving?.height ?? 0);
  assert.ok(gap >= 0 && gap <= 16, `the problem is ${gap} pixels below its button`);
  await picture(person.page, `${on}-opt-out-offline`);
  await person.context.setOffline(false);
  await person.button("Continue without autofill").click();
  assert.equal(await person.at("done"), "Your details weren’t shared");
});

it.everywhere(
  "a failed Share says whether the details were shared, directly above the decision",
  async (person, on) => {
    const begun = await review(person);
    const { page } = person;
    await person.at("review");
    const isAbove = async () => {
      const [said, bar] = await Promise.all([
        page.locator(".above .problem").boundingBox(),
        page.locator(".stuck, .short > .dock").boundingBox(),
      ]);
      const gap = (bar?.y ?? 0) - (said?.y ?? 0) - (said?.height ?? 0);
      assert.ok(gap >= 0 && gap <= 24, String(gap));
    };
    await person.context.setOffline(true);
    await person.button("Share").click();
    await page.getByText("No connection. Your details weren’t shared. Try again.", { exact: true }).waitFor();
    await isAbove();
    await picture(page, `${on}-share-offline`);
    assert.equal(await errorOf(begun), "OCE015");
    await person.context.setOffline(false);
    const loseAnswer = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route("**/api/page/decision", loseAnswer, { times: 1 });
    await person.button("Share").click();
    const lost = "No connection. Your details may already have been shared. It’s safe to choose Share again.";
    await page.getByText(lost, { exact: true }).waitFor();
    await isAbove();
    await page.getByText("Your details may already be shared.", { exact: true }).waitFor();
    assert.equal(await page.getByText("only if you choose").count(), 0);
    await picture(page, `${on}-share-lost`);
    await person.button("Share").click();
    await person.landed("waited");
    assert.ok((await begun.read()).body.credentials);
  },
);
