import assert from "node:assert/strict";
import test from "node:test";
import { sampleRules } from "../../../../service/src/test/harness/sample-network-rules.ts";
import { demoKey } from "../../../../service/src/test/harness/sandbox.ts";
import { browserDashboard, type Visitor } from "../harness/dashboard.ts";

const it = await browserDashboard();
const rulesOf = async (uuid: string) =>
  (await it.as(demoKey).readSandboxBrand({ params: { uuid } })).body.settings.networkRules;

const condition = ({ page }: Visitor, place: number) =>
  page.getByRole("group", { name: `Condition ${place}`, exact: true });

/** Chooses a further action of a rule. */
async function more(person: Visitor, action: "Duplicate" | "Delete", rule: string) {
  await person.button(`More actions for ${rule}`).click();
  await person.button(`${action} ${rule}`).click();
}

async function start(networkRules: unknown[] = [], at: Parameters<typeof it.member>[0] = {}) {
  const person = await it.member(at);
  const brand = await it.brand({ networkRules });
  const path = `/brands/${brand.uuid}/sandbox/network-rules`;
  await person.page.goto(path);
  await person.at("network-rules");
  return { person, uuid: brand.uuid, path };
}

test("writes and saves a rule by keyboard alone, and finds its payer by name", async () => {
  const { person, uuid } = await start();
  const { page } = person;
  await person.picture("rules-none");
  await person.button("Add a rule").focus();
  await page.keyboard.press("Enter");
  await person.box("Name").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Aetna in Texas");
  await condition(person, 1).getByRole("combobox", { name: "Add a payer" }).focus();
  await page.keyboard.type("aetna");
  await page.locator('[role="option"]').first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Remove Aetna/ }).waitFor();
  await person.button("Add a condition").focus();
  await page.keyboard.press("Enter");
  await condition(person, 2).getByRole("combobox", { name: "Field" }).selectOption("state");
  await condition(person, 2).getByRole("textbox", { name: "Values" }).focus();
  await page.keyboard.type("tx, ok");
  await person.at("network-rules");
  await person.picture("rule-open");
  await person.button("Save changes").focus();
  await page.keyboard.press("Enter");
  await page.getByText("Saved.").waitFor();
  const [rule] = await rulesOf(uuid);
  assert.deepEqual(
    [rule?.name, rule?.status, rule?.conditions],
    [
      "Aetna in Texas",
      "IN_NETWORK",
      [
        { key: "payerId", operator: "EQUAL", values: ["V404110"] },
        { key: "state", operator: "EQUAL", values: ["TX", "OK"] },
      ],
    ],
  );
  await person.done();
});

test("a failed search for a payer is announced as failed, and the next search works", async () => {
  const { person } = await start();
  const { page } = person;
  await person.button("Add a rule").click();
  const field = condition(person, 1).getByRole("combobox", { name: "Add a payer" });
  const status = condition(person, 1).getByRole("status");
  await page.route("**/payers?search=*", (route) => route.abort(), { times: 1 });
  await field.fill("aetn");
  await status.filter({ hasText: /./ }).waitFor({ state: "attached" });
  const failed = "The search failed. Change the text to try again.";
  assert.equal(await status.textContent(), failed);
  await page.locator("[id$=-hint]:visible", { hasText: failed }).waitFor();
  await person.at("network-rules");
  await person.picture("rules-search-failed");
  await field.fill("aetna");
  await page.locator('[role="option"]').first().waitFor();
  assert.match((await status.textContent()) ?? "", /payers? found/);
  await person.done();
});

test("shows all problems of all rules at once, each beside its field", async () => {
  const { person } = await start();
  await person.button("Add a rule").click();
  await condition(person, 1).getByRole("combobox", { name: "Field" }).selectOption("planName");
  await condition(person, 1).getByRole("textbox", { name: "Values" }).fill("Member 1234567");
  await person.button("Add a condition").click();
  await condition(person, 2).getByRole("combobox", { name: "Field" }).selectOption("state");
  await condition(person, 2).getByRole("textbox", { name: "Values" }).fill("TEXAS");
  await person.page.getByLabel("First day").fill("2026-05-01");
  await person.page.getByLabel("Ends on").fill("2026-04-01");
  await person.button("Add a rule").click();
  await person.button("Save changes").click();
  await person.page.getByText("4 problems").or(person.page.getByText("3 problems")).waitFor();
  await person.page.getByText("Fix 4 fields.").waitFor();
  await person.at("network-rules");
  await person.picture("rules-problems");
  const beside = (text: RegExp) => person.page.locator("fieldset .problem").filter({ hasText: text });
  await person.page.locator('[aria-invalid="true"]:focus').waitFor();
  for (const text of [/looks like a member ID/, /state code/, /a date after the start/, /^Enter a value/])
    assert.equal(await beside(text).count(), 1, String(text));
  await person.done();
});

test("rules keep their order when one is duplicated and one is deleted", async () => {
  const { person, uuid } = await start(sampleRules, { colorScheme: "dark" });
  await more(person, "Duplicate", "Other Aetna");
  await person.at("network-rules");
  await more(person, "Delete", "Aetna PPO of Pied Piper");
  await person.button("Save changes").click();
  await person.page.getByText("Saved.").waitFor();
  const saved = await rulesOf(uuid);
  assert.deepEqual(
    saved.map(({ name }) => name),
    ["Other Aetna", "Other Aetna (copy)", "No code"],
  );
  assert.equal(new Set(saved.map((rule) => rule.uuid)).size, 3);
  await person.done();
});

test("editing one field of a rule leaves its other fields unchanged", async () => {
  const { person, uuid } = await start(sampleRules);
  const [before] = await rulesOf(uuid);
  await person.button("Edit Aetna PPO of Pied Piper").click();
  await person.at("network-rules");
  await person.picture("rule-full");
  await person.box("Notes").fill("Signed again");
  await person.button("Save changes").click();
  await person.page.getByText("Saved.").waitFor();
  assert.deepEqual((await rulesOf(uuid))[0], { ...before, notes: "Signed again" });
  await person.done();
});

test("an open rule fits on a phone", async () => {
  const { person } = await start(sampleRules, { on: "phone" });
  await person.button("Edit Aetna PPO of Pied Piper").click();
  await person.at("network-rules");
  assert.ok(Number(await person.page.evaluate("document.documentElement.scrollWidth")) <= 390);
  for (const label of ["Field", "Comparison", "Values"]) {
    const box = await condition(person, 5).locator(".label", { hasText: label }).boundingBox();
    assert.ok(box !== null && box.width > 10, `the label ${label} is seen`);
  }
  await person.picture("rule-full-phone");
  await person.done();
});

/** One member deletes the rule "No code". Another one, who has the page open, deletes "Other Aetna" and saves. */
async function conflict(at: Parameters<typeof it.member>[0] = {}) {
  const { person, uuid, path } = await start(sampleRules, at);
  const colleague = await it.member();
  await colleague.page.goto(path);
  await colleague.at("network-rules");
  await more(colleague, "Delete", "No code");
  await colleague.button("Save changes").click();
  await colleague.page.getByText("Saved.").waitFor();
  await colleague.done();
  await more(person, "Delete", "Other Aetna");
  await person.button("Save changes").click();
  await person.page.getByText("changed these settings while you edited them").waitFor();
  await person.at("network-rules");
  return { person, namesOf: async () => (await rulesOf(uuid)).map(({ name }) => name) };
}

test("when two members edit rules, the second sees each changed rule and keeps both changes", async () => {
  const { person, namesOf } = await conflict();
  await person.picture("rules-conflict");
  assert.deepEqual(await namesOf(), ["Aetna PPO of Pied Piper", "Other Aetna"]);
  await person.page.getByRole("row", { name: "No code Deleted None" }).waitFor();
  assert.equal(await person.page.locator(".note").getByRole("row").count(), 2, "only what they changed is listed");
  await person.button("Keep my changes").click();
  await person.button("Save changes").click();
  await person.page.getByText("Saved.").waitFor();
  assert.deepEqual(await namesOf(), ["Aetna PPO of Pied Piper"]);
  await person.done();
});

test("a member can give up their own rules for those that another member saved", async () => {
  const { person, namesOf } = await conflict({ on: "phone", colorScheme: "dark" });
  await person.picture("rules-conflict-phone");
  await person.button("Discard my changes").click();
  await person.page.getByText("No code").waitFor({ state: "detached" });
  await person.button("Edit Other Aetna").waitFor();
  assert.deepEqual(await namesOf(), ["Aetna PPO of Pied Piper", "Other Aetna"]);
  await person.done();
});

/** The cells of a row of the picture, by the row's first word. */
const cells = ({ page }: Visitor, row: string | RegExp) =>
  page.getByRole("table", { name: "Sample plans and rules" }).getByRole("row", { name: row }).getByRole("cell");

test("the picture changes as one edits, and nothing is saved", async () => {
  const { person, uuid } = await start(sampleRules);
  await cells(person, /^Decision/)
    .first()
    .getByText("In network", { exact: true })
    .waitFor();
  await cells(person, /^Aetna PPO/)
    .first()
    .getByText("Decides")
    .waitFor();
  await cells(person, /^Other Aetna/)
    .first()
    .getByText("Matches")
    .waitFor();
  await cells(person, /^Decision/)
    .nth(1)
    .getByText("No rule matches for certain.")
    .waitFor();
  await person.at("network-rules");
  await person.picture("rules-tried");
  await more(person, "Delete", "Aetna PPO of Pied Piper");
  await cells(person, /^Decision/)
    .first()
    .getByText("Out of network", { exact: true })
    .waitFor();
  await cells(person, /^Other Aetna/)
    .first()
    .getByText("Decides")
    .waitFor();
  assert.match(
    (await person.page.locator(".trial [role=status]").textContent()) ?? "",
    /^Aetna POS II by employer: Out of network\./,
  );
  assert.equal((await rulesOf(uuid)).length, 3);
  await person.done();
});

test("the open rule shows what the sample plans make of it", async () => {
  const { person } = await start(sampleRules, { colorScheme: "dark" });
  await person.button("Edit Other Aetna").click();
  const strip = person.page.getByRole("list", { name: "This rule and the sample plans" });
  await strip.getByText("Matches").waitFor();
  await condition(person, 1).getByRole("textbox", { name: "Values" }).fill("Cigna");
  await strip.getByText("Matches").waitFor({ state: "detached" });
  await person.at("network-rules");
  await person.picture("rules-strip");
  await person.done();
});

test("the trial has the width of the page, and a plan of one's own joins the picture by keyboard", async () => {
  const { person } = await start(sampleRules);
  const { page } = person;
  const [list, trial] = [
    await page.getByRole("list", { name: "Rules" }).boundingBox(),
    await page.getByRole("region", { name: "Try the rules" }).boundingBox(),
  ];
  assert.ok(list !== null && trial !== null && trial.width >= list.width, JSON.stringify([list, trial]));
  await person.button("Add your own plan").press("Enter");
  await cells(person, /^Other Aetna/)
    .nth(4)
    .getByText("Decides")
    .waitFor();
  await page.getByRole("combobox", { name: "Payer (now Aetna)" }).focus();
  await page.keyboard.type("cigna");
  await page.locator('[role="option"]').first().waitFor();
  const options = await page.locator(".options:visible").boundingBox();
  assert.ok(options !== null && options.width > 600 && options.height <= 250, JSON.stringify(options));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await cells(person, /^Other Aetna/)
    .nth(4)
    .getByText("No match")
    .waitFor();
  await person.at("network-rules");
  await person.picture("rules-own-plan");
  await person.done();
});

test("an unfinished rule decides nothing, and its button leads to the field that is wrong", async () => {
  const { person } = await start(sampleRules, { on: "phone" });
  await person.button("Add a rule").click();
  await person.box("Name").fill("Cigna in Texas");
  await person.page.getByText("This rule isn’t finished, so it decides nothing yet.").waitFor();
  assert.equal(await person.page.locator('[aria-invalid="true"]').count(), 0, "not while one writes it");
  await cells(person, /^Decision/)
    .first()
    .getByText("In network", { exact: true })
    .waitFor();
  await person.button("Fix Cigna in Texas").click();
  await person.page.locator('[aria-invalid="true"]:focus').waitFor();
  await person.at("network-rules");
  const field = await person.page.locator(":focus").boundingBox();
  assert.ok(field !== null && field.y > 0 && field.y + field.height < 844, JSON.stringify(field));
  assert.ok(Number(await person.page.evaluate("document.documentElement.scrollWidth")) <= 390);
  await person.picture("rules-fix-phone");
  await person.done();
});
