/** What a person's own page says about their insurance before they choose a plan, and if a brand gets none. */
import assert from "node:assert/strict";
import test from "node:test";
import { birthDate, phoneOnRecord, signIn, wholeTimeline } from "../harness/account-page.ts";
import { agreed } from "../harness/consent-shown.ts";
import { insuranceFrames } from "../harness/insurance-frame.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const frames = insuranceFrames(it);
const consent = agreed("insurance");
const stranger = { firstName: "Gavin", lastName: "Belson", birthDate: "1991-01-01" };

/** A person who is asked about their insurance at a brand. `known`: whether the search finds plans. */
async function asked({ known }: { known: boolean }) {
  const requests = known ? {} : { defaultCredentialRequests: [{ type: "EmailCredential" as const }] };
  const brand = await it.brand({ integrationType: "sdk", health: { enabled: true }, ...requests });
  const phone = await phoneOnRecord(it);
  const { page } = await frames.shared(brand.api, phone);
  await page.findInsurance({ body: known ? {} : stranger });
  await it.runJobs();
  const own = await signIn(it, phone);
  return {
    page,
    own,
    untilAt: async () => (await own.readAccount()).body.brands.find(({ uuid }) => uuid === brand.uuid)?.insuranceUntil,
    actions: async () =>
      (await wholeTimeline(own)).map(({ action }) => action).filter((action) => action.startsWith("health.")),
  };
}

test("a brand cannot read plans that the person has not chosen yet, and the page says so", async () => {
  const { page, untilAt, actions } = await asked({ known: true });
  assert.equal((await page.viewPage()).body.health?.state, "plans");
  assert.equal(await untilAt(), undefined);
  await page.chooseInsurance({ body: { plan: 0, consent } });
  assert.ok(await untilAt());
  assert.deepEqual(await actions(), ["health.requested", "health.released"]);
});

test("a brand that got no plan has received nothing, on the page, in the record and in the download", async () => {
  const { page, own, untilAt, actions } = await asked({ known: false });
  assert.equal((await page.chooseInsurance({ body: { consent } })).body.outcome, "uninsured");
  assert.equal(await untilAt(), undefined);
  assert.deepEqual(await actions(), ["health.requested", "health.ended"]);
  await own.proveAccount({ body: { birthDate } });
  assert.deepEqual((await own.downloadAccount()).body.insurance, []);
});

test("a search of a brand that finds no plan is no release", async () => {
  const brand = await it.brand({ health: { enabled: true } });
  const phone = await phoneOnRecord(it);
  const { uuid: identityUuid } = (await brand.api.createOneClick({ body: { phone } })).body;
  const body = { identityUuid, payer: { name: "No such payer" } };
  const { healthDataUuid } = (await brand.api.createHealthLookup({ body })).body;
  await it.runJobs();
  assert.equal((await brand.api.readHealthLookup({ params: { healthDataUuid } })).body.status, "FAILED");
  const own = await signIn(it, phone);
  const actions = (await wholeTimeline(own)).map(({ action }) => action);
  assert.deepEqual([actions.includes("health.ended"), actions.includes("health.released")], [true, false]);
  assert.equal(
    (await own.readAccount()).body.brands.find(({ uuid }) => uuid === brand.uuid)?.insuranceUntil,
    undefined,
  );
});
