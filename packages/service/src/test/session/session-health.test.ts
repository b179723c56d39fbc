import assert from "node:assert/strict";
import test from "node:test";
import { consentWords } from "@countersign/contract/consent";
import { sql } from "kysely";
import { chooseInsurance as decideInsurance } from "../../domain/health/insurance.ts";
import { findOneClick } from "../../domain/signup/one-click-rows.ts";
import { birthDate, phoneOnRecord, signIn } from "../harness/account-page.ts";
import { callerOf, withoutIds } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { insuranceFrames } from "../harness/insurance-frame.ts";
import { interrupted } from "../harness/interrupted.ts";
import { refusal, sandbox, sdkKey } from "../harness/sandbox.ts";

const it = await sandbox();
const sdk = it.as(sdkKey);
const consent = agreed("insurance");

const { reviewing, ...frames } = insuranceFrames(it);
const shared = (api = sdk, phone = "+12125550010") => frames.shared(api, phone);

async function offered() {
  const { page } = await shared();
  await page.findInsurance({ body: {} });
  await it.runJobs();
  return { page, view: (await page.viewPage()).body };
}

const read = (uuid: string | undefined) => sdk.readHealthLookup({ params: { healthDataUuid: uuid ?? "" } });

/** Returns the uuids of lookups that were started on the page, for one 1-Click or for all. */
async function held(identityUuid?: string): Promise<string[]> {
  const all = it.store.db.selectFrom("health_lookup").select("uuid").where("held", "=", true);
  const rows = await (identityUuid === undefined ? all : all.where("one_click_uuid", "=", identityUuid)).execute();
  return rows.map((row) => row.uuid);
}

const search = (identityUuid = "", more = {}) => sdk.createHealthLookup({ body: { identityUuid, ...more } });
const byMemberId = { memberId: "W345876123", payer: { id: "60054" } };

test("before the person searches for their plans, while they decide and after that, the brand cannot search for plans", async () => {
  const { page, view } = await shared();
  const { identityUuid = "" } = view;
  assert.equal((await refusal(search(identityUuid))).status, 403);
  await page.findInsurance({ body: {} });
  await it.runJobs();
  assert.equal((await refusal(search(identityUuid))).status, 403);
  await page.chooseInsurance({ body: { plan: 0, consent } });
  assert.equal((await refusal(search(identityUuid))).status, 403);
});

test("the insurance step shows known details and found plans with birth year and member IDs masked", async () => {
  const { page, view } = await shared();
  assert.deepEqual(
    [view.step, view.health],
    [
      "health",
      {
        state: "details",
        known: { firstName: "Richard", lastName: "Hendricks", birthDate: "08/01/••••" },
        fixed: ["firstName", "lastName", "birthDate"],
      },
    ],
  );
  await page.findInsurance({ body: {} });
  await it.runJobs();
  const found = (await page.viewPage()).body;
  assert.deepEqual(
    found.health?.plans?.map((plan) => [plan.payer, plan.memberId, plan.coverageTypes]),
    [
      ["Aetna", "••••069", ["medical"]],
      ["UnitedHealthcare", "••••071", ["medical"]],
    ],
  );
  assert.doesNotMatch(withoutIds(JSON.stringify(found)), /A484069|B231615071|1989/);
});

test("the brand gets no plan until the person chooses one, and then only that plan", async () => {
  const hook = await it.store.db.selectFrom("webhook_delivery").selectAll().execute();
  const others = await held();
  const { page } = await offered();
  const uuid = (await held()).find((one) => !others.includes(one));
  const early = (await read(uuid)).body;
  assert.deepEqual([early.status, early.results, early.errors], ["PROCESSING", undefined, undefined]);
  const done = (await page.chooseInsurance({ body: { plan: 1, consent } })).body;
  assert.deepEqual([done.step, done.outcome, done.healthDataUuid], ["done", "insured", uuid]);
  const { status, results = [] } = (await read(done.healthDataUuid)).body;
  assert.deepEqual([status, results.map((plan) => plan.memberId)], ["SUCCEEDED", ["B231615071"]]);
  assert.equal(results[0]?.edi_271?.startsWith("ISA"), true);
  const { rows } = await sql<{ words: string }>`
    select consent.words from audit join consent on consent.uuid::text = audit.detail->>'consent'
    where audit.action = 'health.released' and audit.detail->>'healthDataUuid' = ${done.healthDataUuid}`.execute(
    it.store.db,
  );
  assert.deepEqual(rows, [{ words: consentWords("insurance", consent, "Demo SDK") }]);
  assert.deepEqual(await it.store.db.selectFrom("webhook_delivery").selectAll().execute(), hook);
});

test("the webhook event is queued when the person decides, not before, and only once", async () => {
  const brand = await it.brand({ integrationType: "sdk", health: { enabled: true } });
  const deliveries = () =>
    it.store.db.selectFrom("webhook_delivery").select("uuid").where("brand_uuid", "=", brand.uuid).execute();
  await it.inject({
    method: "POST",
    url: `/sandbox/brands/${brand.uuid}/webhooks`,
    headers: { authorization: brand.apiKey, "content-type": "application/json" },
    payload: JSON.stringify({ url: "http://127.0.0.1:2/hook" }),
  });
  const { page } = await shared(brand.api);
  await page.findInsurance({ body: {} });
  await it.runJobs();
  assert.equal((await deliveries()).length, 0);
  await Promise.all([0, 1, 0].map((plan) => page.chooseInsurance({ body: { plan, consent } })));
  assert.equal((await deliveries()).length, 1);
});

test("insurers are offered by name, and a plan that the person enters is marked self_attested", async () => {
  const { page } = await offered();
  const offers = (await page.searchInsurers({ query: { search: "blue" } })).body.map(({ name }) => name);
  assert.ok(offers.length > 1);
  assert.deepEqual(
    offers,
    offers.toSorted((a, b) => a.localeCompare(b, "en")),
  );
  const [insurer] = (await page.searchInsurers({ query: { search: "cigna" } })).body;
  assert.ok(insurer !== undefined);
  for (const body of [
    { payerId: "NOBODY", memberId: "X1", consent },
    { payerId: "GROUP_MEDICARE", memberId: "X1", consent },
    { payerId: insurer.payerId, consent },
    { plan: 0, memberId: "*", consent },
  ])
    assert.equal((await refusal(page.chooseInsurance({ body }))).errorCode, "ERR001");
  const done = (await page.chooseInsurance({ body: { payerId: insurer.payerId, memberId: " U12345678 ", consent } }))
    .body;
  const { results = [] } = (await read(done.healthDataUuid)).body;
  assert.deepEqual(
    results.map((plan) => [plan.memberId, plan.verificationMethod, plan.edi_271]),
    [["U12345678", "self_attested", undefined]],
  );
});

/** A brand that requests no name, so that the person types it. */
async function typing(details: { firstName: string; lastName: string; birthDate: string }) {
  const defaultCredentialRequests = [{ type: "EmailCredential" as const }];
  const brand = await it.brand({ integrationType: "sdk", health: { enabled: true }, defaultCredentialRequests });
  const phone = await phoneOnRecord(it);
  const { page, view: before } = await shared(brand.api, phone);
  assert.deepEqual(before.health, { state: "details", known: {}, fixed: [] });
  await page.findInsurance({ body: details });
  await it.runJobs();
  return { page, view: (await page.viewPage()).body, api: brand.api, phone };
}

test("a person cannot replace a name or birth date from a source, and no lookup starts", async () => {
  const { page } = await shared();
  const before = (await held()).length;
  const theirs = { firstName: "Monica", lastName: "Hall", birthDate: "1990-01-01" };
  const own = { firstName: "Richard", lastName: "Hendricks" };
  for (const [body, ...refused] of [
    [theirs, "firstName", "lastName", "birthDate"],
    [{ ...own, firstName: "Monica" }, "firstName"],
    [{ ...own, lastName: "Hall" }, "lastName"],
    [{ birthDate: "1990-01-01" }, "birthDate"],
  ] as const) {
    const { errorCode, data } = await refusal(page.findInsurance({ body }));
    assert.equal(errorCode, "ERR001");
    assert.deepEqual(
      data.errors,
      refused.map((detail) => ({ path: `body.${detail}`, message: "Use the value that was shared." })),
    );
  }
  assert.equal((await held()).length, before);
  await page.findInsurance({ body: { ...own, lastName: " hendricks " } });
  assert.equal((await held()).length, before + 1);
});

test("a person who typed the name sees nothing of the member ID, neither on the page nor in their download", async () => {
  const { page, view, api, phone } = await typing({ firstName: "Monica", lastName: "Hall", birthDate: "1990-01-01" });
  assert.deepEqual(view.health?.plans, [{ payer: "Aetna", memberId: "••••", coverageTypes: ["medical"] }]);
  const done = (await page.chooseInsurance({ body: { plan: 0, consent } })).body;
  const { results = [] } = (await api.readHealthLookup({ params: { healthDataUuid: done.healthDataUuid ?? "" } })).body;
  assert.deepEqual(
    results.map((plan) => plan.memberId),
    ["A664048"],
  );
  const browser = await signIn(it, phone);
  await browser.proveAccount({ body: { birthDate } });
  const headers = { cookie: browser.cookie(), "sec-fetch-site": "same-origin" };
  for (const url of ["/api/account/download", "/everything"]) {
    const { body } = await it.wallet.inject({ url, headers });
    assert.match(body, /Aetna/);
    assert.doesNotMatch(body, /A664048|Hall|1990-01-01/);
  }
});

test("a person whose details come from a source gets the member ID in their download", async () => {
  const brand = await it.brand({ integrationType: "sdk", health: { enabled: true } });
  const phone = await phoneOnRecord(it);
  const { page } = await shared(brand.api, phone);
  await page.findInsurance({ body: {} });
  await it.runJobs();
  await page.chooseInsurance({ body: { plan: 0, consent } });
  const browser = await signIn(it, phone);
  await browser.proveAccount({ body: { birthDate } });
  const headers = { cookie: browser.cookie(), "sec-fetch-site": "same-origin" };
  assert.match((await it.wallet.inject({ url: "/api/account/download", headers })).body, /A484069|A093102/);
});

test("if no plan is found, the person can continue without one, and the brand reads the reason", async () => {
  const { page, view, api } = await typing({ firstName: "Gavin", lastName: "Belson", birthDate: "1991-01-01" });
  assert.deepEqual(view.health, { state: "plans", plans: [] });
  const done = (await page.chooseInsurance({ body: { consent } })).body;
  assert.deepEqual([done.step, done.outcome], ["done", "uninsured"]);
  const { status, errors } = (await api.readHealthLookup({ params: { healthDataUuid: done.healthDataUuid ?? "" } }))
    .body;
  assert.deepEqual([status, errors], ["FAILED", [{ message: "No coverage found" }]]);
});

test("a person who skips insurance, before or after the search, shares their details and no insurance data", async () => {
  const early = await shared();
  const late = await offered();
  for (const [{ page }, lookups] of [
    [early, 0],
    [late, 1],
  ] as const) {
    const done = (await page.chooseInsurance({ body: { consent } })).body;
    assert.deepEqual([done.step, done.outcome, done.healthDataUuid], ["done", "shared", undefined]);
    // The decision is final: neither another choice nor another search changes it.
    await page.chooseInsurance({ body: { plan: 0, consent } });
    await page.findInsurance({ body: {} });
    const again = (await page.viewPage()).body;
    assert.deepEqual([again.step, again.outcome, again.healthDataUuid], ["done", "shared", undefined]);
    const found = await held(done.identityUuid);
    assert.equal(found.length, lookups);
    // Skipping ends the search and erases what it found.
    for (const uuid of found) assert.equal((await refusal(read(uuid))).status, 404);
    assert.equal((await refusal(search(done.identityUuid))).status, 403);
    assert.equal((await search(done.identityUuid, byMemberId)).status, 201);
  }
});

test("if a person chooses a plan and skips at once, the first call counts", async () => {
  const { page, view } = await offered();
  const { identityUuid = "" } = view;
  const deps = await it.deps.cells.ofUuid(identityUuid);
  const caller = await callerOf(it, sdkKey);
  const oneClick = (await findOneClick(deps, deps.db, caller, identityUuid)) ?? assert.fail();
  const first = interrupted(deps, () => page.chooseInsurance({ body: { plan: 0, consent } }));
  const skips = { choice: { kind: "none" as const }, consent: { ...consent, url: "https://wallet.example/" } };
  await decideInsurance(first, { caller, oneClick }, skips);
  const done = (await page.viewPage()).body;
  assert.equal(done.outcome, "insured");
  assert.equal((await read(done.healthDataUuid)).body.results?.length, 1);
});

test("a skip counts even if its page was read before the share", async () => {
  const { page, view } = await reviewing(sdk, "+12125550010");
  const { identityUuid = "" } = view;
  const deps = await it.deps.cells.ofUuid(identityUuid);
  const caller = await callerOf(it, sdkKey);
  const oneClick = (await findOneClick(deps, deps.db, caller, identityUuid)) ?? assert.fail();
  assert.equal(oneClick.state, "awaitingDecision");
  await page.decidePage({ body: { share: true, consent: agreed("share") } });
  const skips = { choice: { kind: "none" as const }, consent: { ...consent, url: "https://wallet.example/" } };
  await decideInsurance(deps, { caller, oneClick }, skips);
  const { step, outcome } = (await page.viewPage()).body;
  assert.deepEqual([step, outcome], ["done", "shared"]);
});

test("repeated searches start one lookup, and brands without 1-Click Health have no insurance step", async () => {
  const { page } = await shared();
  const before = (await held()).length;
  await Promise.all([1, 2, 3, 4].map(() => page.findInsurance({ body: {} })));
  await page.findInsurance({ body: {} });
  assert.equal((await held()).length, before + 1);
  const brand = await it.brand({ integrationType: "sdk" });
  assert.equal((await shared(brand.api)).view.step, "done");
});
