/** Reporting pages that a copy of the database answers say how far it is behind. */
import assert from "node:assert/strict";
import test from "node:test";
import { browserDashboard } from "../harness/dashboard.ts";

const it = await browserDashboard();
const names = ["log", "analytics", "usage"] as const;

test("the log, analytics and usage say how far their copy of the data is behind, and nothing if it is the original", async () => {
  const { uuid } = await it.brand();
  const person = await it.member({ role: "viewer" });
  const { page } = person;
  let lagMs: number | null = 4_200;
  await page.route("**/api/report-lag", (route) => route.fulfill({ json: { lagMs } }));
  const note = page.getByText("This page reads a copy of the data");
  for (const name of names) {
    await page.goto(`/brands/${uuid}/sandbox/${name}`);
    await person.at(name);
    await page.getByText("This page reads a copy of the data that is 4 seconds behind.").waitFor();
    await person.picture(`lag-${name}`);
  }
  lagMs = null;
  const answered = page.waitForResponse("**/api/report-lag");
  await page.reload();
  await answered;
  await page.getByRole("table").first().or(page.locator(".empty")).first().waitFor();
  assert.equal(await note.count(), 0);
  await person.done();
});
