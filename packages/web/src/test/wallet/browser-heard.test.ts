// desktop: the steps are the same in a wide window
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import test from "node:test";
import { begin, browserSandbox } from "../harness/browser.ts";
import { brandSite, visitor } from "../harness/sdk-frame.ts";
import { tourOfEnds, tourOfFlow } from "../harness/wallet-tour.ts";

const it = await browserSandbox();
const site = await brandSite(it);
const insured = await it.brand({ integrationType: "sdk", externalName: "Bachmanity", health: { enabled: true } });
/**
 * The accessibility tree of each screen. `HEARD=1 npm test -- browser-heard` rewrites these files; review the changes.
 */
const golden = (name: string) => new URL(`./screens/${name.replace(/\W+/g, "-")}.txt`, import.meta.url);

test("the accessibility tree of each screen equals its snapshot", async () => {
  const person = await it.person();
  const see = async (name: string) => {
    await person.page.getByRole("heading", { name: "One moment…" }).waitFor({ state: "detached" });
    await person.page.locator("h1").first().waitFor();
    const heard = `${steady(await person.page.locator("body").ariaSnapshot())}\n`;
    if (process.env.HEARD !== undefined) await writeFile(golden(name), heard);
    assert.equal(heard, await readFile(golden(name), "utf8"), name);
  };
  const tour = { it, person, apiKey: "sk_sandbox_demo_hosted", see };
  await tourOfFlow(tour);
  await tourOfEnds(tour);
  for (const [name, path] of [
    ["link over", "/v/none"],
    ["terms", "/terms"],
    ["privacy", "/privacy"],
    ["home", "/"],
    ["landing", "/demo/landing"],
  ] as const) {
    await person.page.goto(`${it.walletUrl}${path}`);
    await see(name);
  }
  await person.done();
});

/** Removes what differs between runs: remaining time, ports, UUIDs and the current focus. */
function steady(tree: string): string {
  return tree
    .replace(/\b\d\d?:\d\d\s[AP]M/g, "0:00 PM")
    .replace(/\btomorrow, /g, "today, ")
    .replace(/\b\d:\d\d\b/g, "0:00")
    .replace(/localhost:\d+/g, "localhost")
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "…")
    .replaceAll(" [active]", "");
}

it.everywhere(
  "announces problems and progress to screen readers, and moves the focus to a new heading",
  async (person) => {
    const begun = await begin(it, "+12125550010");
    await person.page.goto(begun.url);
    await person.at("verificationCode");
    const box = person.box("Verification code");
    await box.fill("000000");
    await person.page.getByRole("alert").getByText("2 tries left").waitFor();
    assert.equal(await box.getAttribute("aria-invalid"), "true");
    assert.match((await box.getAttribute("aria-describedby")) ?? "", /code-error/);
    assert.equal(await box.inputValue(), "");
    await person.page.locator(".cell.next:first-child").waitFor();
    await person.enter(begun.code);
    await person.at("review");
    await person.page.locator("h1:focus").waitFor();
  },
);

it.everywhere("the problems of a typed plan are announced, and the first one has the focus", async (_nobody, on) => {
  const person = await visitor(it, site, { on });
  await person.begin((await insured.api.createSession({ body: { phone: "+12125550010" } })).body.sessionKey);
  await person.consent();
  await person.button("Share").click();
  await person.button("Find my insurance").click();
  await person.inside.getByText("A different plan").click();
  const list = await person.inside.locator(".plans").boundingBox();
  const label = await person.inside.getByText("Insurer", { exact: true }).boundingBox();
  assert.ok((label?.y ?? 0) - ((list?.y ?? 0) + (list?.height ?? 0)) >= 16);
  await person.button("Share").click();
  await person.inside.getByRole("alert").getByText("Fix 2 fields.").waitFor();
  await person.inside.locator("#insurer:focus").waitFor();
  await person.page.route("**/api/insurers?*", (route) => route.abort(), { times: 1 });
  await person.inside.getByRole("combobox", { name: "Insurer" }).fill("zzz");
  await person.inside.locator("#insurer-hint").getByText("The search didn’t work.").waitFor();
  await person.inside.getByRole("combobox", { name: "Insurer" }).fill("zzzz");
  await person.inside.locator("#insurer-hint").getByText("No insurer found. Check the spelling.").waitFor();
  await person.inside.getByRole("combobox", { name: "Insurer" }).fill("cigna");
  await person.inside.getByRole("option").first().click();
  await person.button("Share").click();
  await person.inside.getByRole("alert").getByText("Fix one field.").waitFor();
  await person.inside.locator("#memberId:focus").waitFor();
  await person.at("health");
  await person.done();
});
