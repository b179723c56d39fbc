/** What the operator decides about brands in the console: production, names, logos, add-ons, limits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { WaitingChange, WaitingProduction } from "@countersign/contract/console-approvals";
import type { ConsoleBrandPage, ConsoleCustomer } from "@countersign/contract/console-customers";
import { lettersOf, lookAlikesOf, mixesScripts } from "../../domain/operator/look-alikes.ts";
import { phoneOnRecord } from "../harness/account-page.ts";
import { signedInStaff } from "../harness/console-staff.ts";
import { declaredEndpoints } from "../harness/contract-endpoints.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { requestProduction } from "../harness/production-request.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const operator = await signedInStaff(it);

/** A customer with a brand that has production settings. */
async function customerWithBrand(name: string) {
  const customerUuid = it.deps.random.uuid();
  await it.store.db.insertInto("customer").values({ uuid: customerUuid, name, created_at: 1 }).execute();
  const { call, uuid: memberUuid } = await signedIn(it, { customerUuid });
  const made = await call("POST", "/api/brands", { name, integrationType: "api" });
  const { uuid, apiKey } = made.body as { uuid: string; apiKey: string };
  assert.equal((await call("POST", `/api/brands/${uuid}/production`, { sourceVersion: 1 })).status, 201);
  return { customerUuid, memberUuid, uuid, apiKey, call };
}
type Customer = Awaited<ReturnType<typeof customerWithBrand>>;

async function request({ uuid: brandUuid, memberUuid }: Customer): Promise<void> {
  await requestProduction(it, { brandUuid, memberUuid, now: 5 });
}

async function queue() {
  const { body } = await operator.call("GET", "/api/console/approvals");
  return body as unknown as { production: WaitingProduction[]; names: WaitingChange[] };
}

async function entriesOf({ call }: Customer) {
  const { body } = await call("GET", "/api/audit");
  return body.data as { action: string; actor: string; who: string | null; reason: string | null; via: string }[];
}

test("a request for production shows the checklist, the differences from the sandbox and the note", async () => {
  const customer = await customerWithBrand("Pied Piper");
  const path = `/api/brands/${customer.uuid}/production/settings`;
  const { version } = (await customer.call("GET", path)).body;
  await customer.call("PATCH", path, { version, patch: { consent: { declared: true } } });
  await request(customer);
  const line = (await queue()).production.find(({ brand }) => brand === customer.uuid);
  assert.deepEqual([line?.name, line?.customerName, line?.note], ["Pied Piper", "Pied Piper", "Call us"]);
  assert.ok(line?.checked.includes("consentDeclared"));
  assert.ok(line?.notDone.includes("sandboxFlow"));
  assert.ok(line?.confirmed.includes("masking"));
  await customer.call("PATCH", path, { version: Number(version) + 1, patch: { otpOrigin: null, allowedOrigins: [] } });
  const changes = (await queue()).production.find(({ brand }) => brand === customer.uuid)?.changes ?? [];
  assert.ok(Array.isArray(changes));
  const me = (await operator.call("GET", "/api/console/me")).body;
  assert.equal(me.waiting, (await queue()).production.length + (await queue()).names.length);
});

test("a refusal tells the brand why, who asks again; a grant lets it in", async () => {
  const customer = await customerWithBrand("Hooli");
  await request(customer);
  const path = `/api/console/approvals/production/${customer.uuid}`;
  const reason = "The redirect URL is another company's";
  assert.equal((await operator.call("POST", path, { granted: false, reason })).status, 200);
  const approvals = async () => (await customer.call("GET", `/api/brands/${customer.uuid}/production/approvals`)).body;
  const { request: asked } = (await approvals()) as { request: { refused?: { reason: string } } };
  assert.equal(asked.refused?.reason, reason);
  assert.ok(!(await queue()).production.some(({ brand }) => brand === customer.uuid));
  assert.equal((await operator.call("POST", path, { granted: false, reason })).status, 404, "it is answered");
  await it.store.db
    .updateTable("approval_request")
    .set({ created_at: 4 })
    .where("brand_uuid", "=", customer.uuid)
    .execute();
  await request(customer);
  assert.ok(
    (await queue()).production.some(({ brand }) => brand === customer.uuid),
    "it asked again",
  );
  assert.equal((await operator.call("POST", path, { granted: true, reason: "All is well" })).status, 200);
  const granted = (await approvals()).granted as { approval: string }[];
  assert.deepEqual(
    granted.map(({ approval }) => approval),
    ["production"],
  );
  const entries = await entriesOf(customer);
  const own = entries.filter(({ actor }) => actor === "operator");
  assert.deepEqual(
    own.slice(0, 2).map(({ action, via, reason: why }) => [action, via, why]),
    [
      ["approval.granted", "console", "All is well"],
      ["approval.refused", "console", reason],
    ],
  );
  // The brand learns that the operator did it, but not who.
  assert.ok(!JSON.stringify(entries).includes(operator.name));
  assert.ok(own.every(({ who }) => who === null));
});

test("a changed name shows look-alikes of other customers and code points, and is approved or rejected", async () => {
  await customerWithBrand("Bachmanity Bank");
  const customer = await customerWithBrand("Raviga");
  const path = `/api/brands/${customer.uuid}/production/settings`;
  const ask = async (externalName: string) => {
    const { version } = (await customer.call("GET", path)).body;
    assert.equal((await customer.call("PATCH", path, { version, patch: { externalName } })).status, 200);
    return (await queue()).names.find(({ brand }) => brand === customer.uuid) ?? assert.fail("nothing waits");
  };
  const line = await ask("B\u0430chmanity Bank");
  assert.deepEqual(line.lookAlikes, [{ name: "Bachmanity Bank", customerName: "Bachmanity Bank", waits: false }]);
  assert.equal(line.escaped, "B\\u{430}chmanity Bank");
  assert.equal(line.mixesScripts, true);
  const answer = async (request: string, approved: boolean, reason: string) =>
    (await operator.call("POST", `/api/console/approvals/names/${request}`, { approved, reason })).status;
  assert.equal(await answer(line.request, false, "Another customer's name"), 200);
  assert.equal(await answer(line.request, true, "Again"), 404);
  const [rejected] = await entriesOf(customer);
  assert.deepEqual([rejected?.action, rejected?.reason], ["name.rejected", "Another customer's name"]);
  const second = await ask("Raviga Capital");
  assert.deepEqual(second.lookAlikes, []);
  assert.equal(second.mixesScripts, false);
  assert.equal(await answer(second.request, true, "Fits the company"), 200);
  const { settings } = (await customer.call("GET", path)).body as { settings: { externalName: string } };
  assert.equal(settings.externalName, "Raviga Capital");
  const [approved] = await entriesOf(customer);
  assert.deepEqual([approved?.action, approved?.reason], ["name.approved", "Fits the company"]);
});

test("two names that wait and look alike name each other", async () => {
  const [first, second] = [await customerWithBrand("Erlich One"), await customerWithBrand("Jian Yang")];
  for (const [{ call, uuid }, externalName] of [
    [first, "Seefood"],
    [second, "S\u0435efood"],
  ] as const) {
    const path = `/api/brands/${uuid}/production/settings`;
    const { version } = (await call("GET", path)).body;
    assert.equal((await call("PATCH", path, { version, patch: { externalName } })).status, 200);
  }
  const { names } = await queue();
  const lineOf = ({ uuid }: Customer) => names.find(({ brand }) => brand === uuid);
  assert.deepEqual(lineOf(first)?.lookAlikes, [{ name: "S\u0435efood", customerName: "Jian Yang", waits: true }]);
  assert.deepEqual(lineOf(second)?.lookAlikes, [{ name: "Seefood", customerName: "Erlich One", waits: true }]);
});

test("letters of two scripts in one name are found, also if no name looks like it", () => {
  for (const mixed of ["Lind\u0435n", "\u0410pple", "P\u03b1yPal", "\u0420\u03b1y", "Aram\u0565"])
    assert.ok(mixesScripts(mixed), mixed);
  for (const pure of [
    "Caf\u00e9 Zo\u00eb",
    "\u042f\u043d\u0434\u0435\u043a\u0441",
    "Sony \u682a\u5f0f\u4f1a\u793e",
    "7-Eleven",
    "",
  ])
    assert.ok(!mixesScripts(pure), pure);
});

const alike: [string, string, boolean][] = [
  ["PayPal", "PaypaI", true],
  ["PayPal", "Раураӏ", true],
  ["Amazon", "Arnazon Inc.", true],
  ["Wells Fargo", "VVells Fargo", true],
  ["Chase Bank", "Chase-Bank", true],
  ["Chase Bank", "Chasse Bank", true],
  ["Café Zoë", "Cafe Zoe", true],
  ["Delta", "Alpha", false],
  ["Visa", "Vista", false],
  ["Hooli", "Pied Piper", false],
  ["株式会社", "株式会社", true],
  ["Яндекс", "Hooli", false],
];
for (const [known, asked, isAlike] of alike)
  test(`${asked} ${isAlike ? "looks" : "does not look"} like ${known}`, () => {
    const names = [{ name: known, customerUuid: "a", customerName: known, waits: false }];
    assert.equal(lookAlikesOf({ name: asked, customerUuid: "b" }, names).length, isAlike ? 1 : 0, lettersOf(asked));
    assert.equal(lookAlikesOf({ name: asked, customerUuid: "a" }, names).length, 0, "a customer's own name");
  });

test("the console grants production only to a brand that asked for it, and again after a revocation", async () => {
  const customer = await customerWithBrand("Bachmanity");
  const answer = `/api/console/approvals/production/${customer.uuid}`;
  const change = `/api/console/brands/${customer.uuid}/approvals`;
  const addOn = { environment: "production", approval: "production", granted: true, reason: "They called" };
  const statuses = async () => [
    (await operator.call("POST", answer, { granted: true, reason: "They called" })).status,
    (await operator.call("POST", change, addOn)).status,
  ];
  assert.deepEqual(await statuses(), [409, 409]);
  const { body } = await operator.call("POST", change, addOn);
  assert.match(String(body.message), /no open request for production.*approvals grant/);
  assert.ok(!(await entriesOf(customer)).some(({ action }) => action === "approval.granted"));
  await request(customer);
  assert.deepEqual(await statuses(), [200, 200]);
  assert.equal((await operator.call("POST", change, { ...addOn, granted: false })).status, 200);
  assert.equal((await operator.call("POST", change, addOn)).status, 200);
});

test("customers are found by a part of a name and by uuid, with states, approvals and calls", async () => {
  const customer = await customerWithBrand("Aviato 100%");
  const { body: found } = await it.as(customer.apiKey).createOneClick({ body: { phone: "+12125550010" } });
  assert.ok(found);
  const search = async (text: string) => {
    const { body } = await operator.call("GET", `/api/console/customers?${new URLSearchParams({ search: text })}`);
    return (body.data as ConsoleCustomer[]).map(({ name }) => name);
  };
  for (const text of ["viato", "AVIATO", "100%", customer.uuid, customer.customerUuid.toUpperCase()])
    assert.deepEqual(await search(text), ["Aviato 100%"], text);
  for (const text of ["0_%", "%%", "\\", "nobody"]) assert.deepEqual(await search(text), [], text);
  const limited = { environment: "sandbox", mode: "stopped", reason: "Leaked key" };
  const path = `/api/console/brands/${customer.uuid}`;
  assert.equal((await operator.call("POST", `${path}/mode`, limited)).status, 200);
  const addOn = { environment: "production", approval: "addOns", granted: true, reason: "Contract signed" };
  assert.equal((await operator.call("POST", `${path}/approvals`, addOn)).status, 200);
  const { body } = await operator.call("GET", `/api/console/customers?search=${customer.uuid}`);
  const [line] = body.data as ConsoleCustomer[];
  const states = line?.brands[0]?.environments.map((one) => [one.environment, one.mode, one.approvals.join()]);
  assert.deepEqual(states?.[0], ["production", "active", "addOns"]);
  assert.deepEqual(states?.[1]?.slice(0, 2), ["sandbox", "stopped"]);
  const askedIn = async () => {
    const { body: page } = await operator.call("GET", path);
    return (page as unknown as ConsoleBrandPage).environments.map(({ askedAt }) => askedAt);
  };
  assert.deepEqual(await askedIn(), [null, null]);
  await request(customer);
  assert.deepEqual(await askedIn(), [5, null], "production waits, the sandbox does not");
  const entries = (await entriesOf(customer)).filter(({ via }) => via === "console");
  assert.deepEqual(
    entries.map(({ action, reason }) => [action, reason]),
    [
      // Two looks within ten minutes are one entry.
      ["brand.viewed", null],
      ["approval.granted", "Contract signed"],
      ["brand.limited", "Leaked key"],
    ],
  );
  const unknown = it.deps.random.uuid();
  assert.equal((await operator.call("POST", `/api/console/brands/${unknown}/mode`, limited)).status, 404);
});

test("a brand whose name contains another brand's uuid does not hide that brand's page", async () => {
  const wanted = await customerWithBrand("Zenith");
  await customerWithBrand(`A ${wanted.uuid}`);
  const { status, body } = await operator.call("GET", `/api/console/brands/${wanted.uuid}`);
  assert.deepEqual([status, (body as unknown as ConsoleBrandPage).customer.uuid], [200, wanted.customerUuid]);
});

test("the log of all accounts can be searched and saved, and saving is recorded", async () => {
  const get = async (query: Record<string, string>) =>
    (await operator.call("GET", `/api/console/audit?${new URLSearchParams(query)}`)).body as {
      data: { action: string; actor: string; who: string | null; customerName: string | null }[];
      hasOlder: boolean;
    };
  const acts = await get({ actor: operator.uuid });
  assert.ok(acts.data.length > 3 && acts.data.every(({ who, actor }) => who === operator.name && actor === "operator"));
  const signIns = await get({ action: "operator.signedIn" });
  assert.ok(signIns.data.some(({ who }) => who === operator.name));
  const members = await get({ actor: "member" });
  assert.ok(
    members.data.every(({ who }) => /^[0-9a-f-]{36}$/.test(who ?? "")),
    "members are uuids",
  );
  const decisions = await get({ group: "decisions" });
  assert.ok(decisions.data.length > 0);
  assert.deepEqual(
    decisions.data.filter(({ action }) => !/^(approval|name)\.|^brand\.limited$/.test(action)),
    [],
  );
  const saved = await operator.call("POST", "/api/console/audit-csv", { actor: "operator", reason: "Yearly review" });
  assert.match(String(saved.body.csv), /^"at","actor","who",/);
  const [newest] = (await get({ action: "audit.exported" })).data;
  assert.equal(newest?.who, operator.name);
  assert.ok(!JSON.stringify(members).includes("@example.com"));
});

test("every act in the console leaves an entry with the person and the reason", async () => {
  const phone = await phoneOnRecord(it);
  const record = { environment: "sandbox", phone, reason: "Case 1" };
  const { person } = (await operator.call("POST", "/api/console/people", record)).body as { person: { uuid: string } };
  await operator.call("POST", "/api/console/people/deletion", { ...record, person: person.uuid });
  await operator.call("POST", "/api/console/texts/stop", record);
  await operator.call("DELETE", "/api/console/session");
  const entries = await it.store.db.selectFrom("account_audit").selectAll().where("via", "=", "console").execute();
  const own = entries.filter((entry) => entry.operator_uuid === operator.uuid);
  // A challenge changes nothing, and a passkey needs an authenticator, as in a browser test.
  const others = ["beginOperatorPasskey", "finishOperatorPasskey", "beginPasskeyDeletion"];
  others.push("deleteOwnConsolePasskey", "deleteColleaguePasskey");
  for (const { id, auth, method, path } of declaredEndpoints) {
    if (auth !== "operator" || method === "GET" || others.includes(id)) continue;
    const found = own.filter(({ call }) => call === `${method} ${path}`);
    assert.ok(found.length > 0, `${id} has no entry`);
    for (const { reason } of found) assert.ok(id === "signOperatorOut" || reason !== null, `${id} has no reason`);
  }
});
