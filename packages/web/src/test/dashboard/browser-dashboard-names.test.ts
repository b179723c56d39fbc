/** Names in the dashboard: a refused name shows an error at its field, and a pending name waits for the operator. */
import assert from "node:assert/strict";
import test from "node:test";
import { refuseProduction } from "../../../../service/src/domain/member/approvals.ts";
import { demoBrands, firstDemoCustomer } from "../../../../service/src/providers/sandbox/demo.ts";
import { requestProduction } from "../../../../service/src/test/harness/production-request.ts";
import { browserDashboard } from "../harness/dashboard.ts";

const it = await browserDashboard();
const brand = demoBrands.find(({ customerUuid }) => customerUuid === firstDemoCustomer.uuid)?.uuid ?? "";

test("shows why a name is rejected beside its field", async () => {
  const person = await it.member();
  await person.page.goto(`/brands/${brand}/sandbox/settings/general`);
  await person.at("settings");
  await person.box("External name").fill("evil.com/login");
  await person.button("Save changes").click();
  await person.page.locator("p.problem", { hasText: "A name can't contain a web address." }).waitFor();
  await person.at("settings");
  assert.equal(await person.box("External name").getAttribute("aria-invalid"), "true");
  await person.page.goto("/brands/new");
  await person.at("newBrand");
  await person.box("Name").fill("123");
  await person.button("Create brand").click();
  await person.page.locator("p.problem", { hasText: "Use at least one letter." }).waitFor();
  await person.at("newBrand");
  await person.done();
});

test("a new production name waits for approval beside the current one until the request is canceled", async () => {
  const person = await it.member();
  await person.member.call("POST", `/api/brands/${brand}/production`, { sourceVersion: 1 });
  const path = `/brands/${brand}/production`;
  await person.page.goto(`${path}/settings/general`);
  await person.at("settings");
  await person.box("External name").fill("Hooli XYZ");
  await person.button("Save changes").click();
  const note = person.page.locator(".note", { hasText: "Waiting for approval" });
  await note.getByText("Hooli XYZ").waitFor();
  await person.at("settings");
  await person.picture("name-waiting");
  const inUse = await person.box("External name").inputValue();
  assert.notEqual(inUse, "Hooli XYZ");
  assert.equal(await note.getByText(inUse, { exact: true }).count(), 1);
  await person.page.goto(`${path}/approvals`);
  await person.at("approvals");
  await note.getByText("Hooli XYZ").waitFor();
  await person.picture("approvals-name-waiting");
  await person.page.goto(`${path}/compare`);
  await person.at("compare");
  await person.page.getByText("Waiting for approval: Hooli XYZ").waitFor();
  assert.ok(await person.button("Copy to production General").isEnabled(), "the sandbox has another name");
  await person.page.goto(`${path}/settings/general`);
  await person.at("settings");
  await person.button("Cancel request").click();
  await note.waitFor({ state: "detached" });
  await person.page.goto("/audit");
  await person.at("audit");
  await person.page.locator("strong").getByText("Canceled a requested name").first().waitFor();
  await person.done();
});

test("a refused request for production shows the operator's reason, on the approvals page and in the audit log", async () => {
  const person = await it.member();
  await person.member.call("POST", `/api/brands/${brand}/production`, { sourceVersion: 1 });
  await requestProduction(it, { brandUuid: brand, memberUuid: person.member.uuid });
  const reason = "The redirect URL is another company's";
  await refuseProduction(it.accounts, brand, reason);
  await person.page.goto(`/brands/${brand}/production/approvals`);
  await person.at("approvals");
  const note = person.page.getByRole("alert");
  await note.getByText("The operator refused the request on").waitFor();
  await note.getByText(reason).waitFor();
  await person.button("Request approval again").waitFor();
  await person.picture("approvals-refused");
  await person.page.goto("/audit");
  await person.at("audit");
  await person.page.getByText(`Reason: ${reason}`).waitFor();
  await person.done();
});
