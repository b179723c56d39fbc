import assert from "node:assert/strict";
import test from "node:test";
import { secondDemoCustomer } from "../../providers/sandbox/demo.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { healthBrand, lookUp, plansOf, richard } from "../harness/health-lookup.ts";
import { sampleRules } from "../harness/sample-network-rules.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const owner = await signedIn(it);
const viewer = await signedIn(it, { role: "viewer" });
const stranger = await signedIn(it, { customerUuid: secondDemoCustomer.uuid });
const aetna = { payerId: "V404110" };
type Errors = { errors: { path: string; message: string }[] };
const errorsOf = (body: Record<string, unknown>) => (body.data as Errors).errors;

async function brandWithRules(networkRules: unknown[] = sampleRules) {
  const brand = await healthBrand(it, { networkRules });
  const base = `/api/brands/${brand.uuid}/sandbox`;
  const attempt = async (body: Record<string, unknown>, who = owner) =>
    await who.call("POST", `${base}/network-rules/trial`, body);
  return { brand, base, attempt };
}
type Match = { place: number; match: string; part?: string; conditions: string[] };
type Decision = { status: string; rules: Match[] };
const decisionsOf = (body: Record<string, unknown>) => body.decisions as Decision[];
/** The status, and the places of the rules that decide. */
const decided = (body: Record<string, unknown>) =>
  decisionsOf(body).map(({ status, rules }) => [
    status,
    rules.filter(({ part }) => part === "decides").map(({ place }) => place),
  ]);

test("a trial and a lookup make the same network decision for a plan", async () => {
  const rules = [
    { status: "OUT_OF_NETWORK", conditions: [{ key: "payerName", operator: "INCLUDE", values: ["aetna"] }] },
    {
      name: "PPO",
      status: "IN_NETWORK",
      conditions: [
        { key: "payerId", operator: "EQUAL", values: ["V404110"] },
        { key: "insuranceTypeCodes", operator: "INCLUDE", values: ["PR"] },
      ],
    },
  ];
  const { brand, attempt } = await brandWithRules(rules);
  const [plan] = plansOf(await lookUp(it, richard, brand.api));
  const { name, groupNumber, groupName, insuranceTypeCodes } = plan?.eligibility?.plan ?? {};
  const sample = { ...aetna, planName: name, groupNumber, groupName, insuranceTypeCodes };
  const { status, body } = await attempt({ plans: [sample] });
  assert.equal(status, 200);
  assert.deepEqual(decided(body), [[plan?.network?.status, [1]]]);
  assert.deepEqual(
    plan?.network?.rules.map((one) => one.name),
    ["PPO"],
  );
});

test("a trial evaluates rule dates, unknown facts and payer groups", async () => {
  const { attempt } = await brandWithRules();
  const full = {
    ...aetna,
    planName: "AETNA CHOICE POS II",
    groupNumber: "123456-123-12345",
    groupName: "Pied Piper",
    state: "ny",
    insuranceTypeCodes: ["PR"],
    relatedEntities: ["Hooli Health"],
  };
  const cases: [Record<string, unknown>, string | undefined, string, number[]][] = [
    [full, undefined, "IN_NETWORK", [0]],
    [full, "2027-09-30", "IN_NETWORK", [0]],
    [full, "2027-10-01", "OUT_OF_NETWORK", [1]],
    [full, "2025-09-30", "OUT_OF_NETWORK", [1]],
    // The more specific rule may apply, but the group name is unknown.
    [{ ...full, groupName: "" }, undefined, "INDETERMINATE", [1]],
    [{ ...full, state: "TX" }, undefined, "OUT_OF_NETWORK", [1]],
    // The rule about missing codes is disabled.
    [{ payerId: "62308" }, undefined, "INDETERMINATE", []],
  ];
  for (const [plan, day, status, places] of cases) {
    const { body } = await attempt({ plans: [plan], ...(day === undefined ? {} : { day }) });
    assert.deepEqual(decided(body), [[status, places]], JSON.stringify([plan, day]));
  }
  const group = {
    status: "IN_NETWORK",
    conditions: [{ key: "payerId", operator: "EQUAL", values: ["GROUP_MEDICARE"] }],
  };
  assert.deepEqual(decided((await attempt({ plans: [{ payerId: "MEDICARE" }], rules: [group] })).body), [
    ["IN_NETWORK", [0]],
  ]);
});

test("a trial accepts unsaved rules, saves nothing, and is available to viewers", async () => {
  const { brand, attempt } = await brandWithRules();
  const version = await it.store.db
    .selectFrom("brand_settings")
    .select((eb) => eb.fn.max("version").as("version"))
    .where("brand_uuid", "=", brand.uuid)
    .executeTakeFirstOrThrow();
  const rules = [{ status: "INDETERMINATE", conditions: [{ key: "payerId", operator: "EQUAL", values: ["V404110"] }] }];
  const { body } = await attempt({ plans: [aetna], rules }, viewer);
  assert.deepEqual(decided(body), [["INDETERMINATE", [0]]]);
  const after = await it.store.db
    .selectFrom("brand_settings")
    .select((eb) => eb.fn.max("version").as("version"))
    .where("brand_uuid", "=", brand.uuid)
    .executeTakeFirstOrThrow();
  assert.deepEqual(after, version);
  assert.equal((await attempt({ plans: [aetna] }, stranger)).status, 404);
});

test("every problem in trial and saved rules is reported with its path", async () => {
  const { base, attempt } = await brandWithRules();
  const rules = [
    {
      status: "IN_NETWORK",
      startDate: "2026-02-01",
      endDate: "2026-01-01",
      metadata: { priority: "high" },
      conditions: [
        { key: "zip", operator: "EQUAL", values: ["94303"] },
        { key: "state", operator: "INCLUDE", values: ["Texas"] },
        { key: "planName", operator: "INCLUDE", values: ["W123456789", " "] },
        { key: "planName", operator: "INCLUDE", values: [" ", "w123456789"] },
      ],
    },
  ];
  const expected = [
    "0.conditions.0.key UNKNOWN_KEY",
    "0.conditions.1.operator OPERATOR_NOT_ALLOWED_FOR_KEY",
    "0.conditions.1.values.0 UNKNOWN_ENUM_VALUE",
    "0.conditions.2.values.0 PHI_SUSPECTED",
    "0.conditions.2.values.1 VALUE_SHAPE",
    "0.conditions.3.values.0 VALUE_SHAPE",
    "0.conditions.3.values.1 PHI_SUSPECTED",
    "0.conditions.3 DUPLICATE_CONDITIONS",
    "0.endDate DATE_RANGE_INVERTED",
    "0.metadata METADATA_INVALID",
  ];
  const named = (problems: Errors["errors"], prefix: string) =>
    problems.map(({ path, message }) => `${path.replace(prefix, "")} ${message.split(":")[0]}`);
  const tried = await attempt({ plans: [aetna], rules });
  assert.deepEqual([tried.status, named(tried.body.problems as Errors["errors"], "rules.")], [200, expected]);
  const { version } = (await owner.call("GET", `${base}/settings`)).body;
  const saved = await owner.call("PATCH", `${base}/settings`, { version, patch: { networkRules: rules } });
  assert.deepEqual([saved.status, named(errorsOf(saved.body), "settings.networkRules.")], [400, expected]);
  const unknown = await attempt({ plans: [aetna, { payerId: "nobody" }] });
  assert.deepEqual(
    errorsOf(unknown.body).map(({ path }) => path),
    ["body.plans.1.payerId"],
  );
});

test("a trial explains each rule for each plan, and an incomplete rule takes no part", async () => {
  const { attempt } = await brandWithRules();
  const payerIs = (vendorId: string) => ({ key: "payerId", operator: "EQUAL", values: [vendorId] });
  const rules = [
    { status: "IN_NETWORK", conditions: [payerIs("V404110")] },
    {
      status: "OUT_OF_NETWORK",
      conditions: [payerIs("V404110"), { key: "groupName", operator: "INCLUDE", values: ["Pied Piper"] }],
    },
    { status: "OUT_OF_NETWORK", enabled: false, conditions: [payerIs("V404110")] },
    { status: "OUT_OF_NETWORK", endDate: "2020-01-01", conditions: [payerIs("V404110")] },
    { status: "OUT_OF_NETWORK", conditions: [payerIs("V404110"), payerIs("")] },
  ];
  const cigna = { payerId: "V253146" };
  const { body } = await attempt({ rules, plans: [aetna, cigna], explain: [0, 1, 2, 3, 4, 9] });
  assert.deepEqual(body.decisions, [
    {
      status: "INDETERMINATE",
      rules: [
        { place: 0, match: "matches", part: "decides", conditions: ["matches"] },
        { place: 1, match: "unknown", part: "prevents", conditions: ["matches", "unknown"] },
        { place: 2, match: "off", conditions: [] },
        { place: 3, match: "notInForce", conditions: ["matches"] },
        { place: 4, match: "incomplete", conditions: [] },
      ],
    },
    {
      status: "INDETERMINATE",
      rules: [
        { place: 0, match: "differs", conditions: ["differs"] },
        { place: 1, match: "differs", conditions: ["differs", "unknown"] },
        { place: 2, match: "off", conditions: [] },
        { place: 3, match: "notInForce", conditions: ["differs"] },
        { place: 4, match: "incomplete", conditions: [] },
      ],
    },
  ]);
  // Without `explain`, only the rules that decide are listed.
  const [short] = decisionsOf((await attempt({ rules, plans: [aetna] })).body);
  assert.deepEqual(
    short?.rules.map(({ place }) => place),
    [0, 1],
  );
  const ninePlans = Array.from({ length: 9 }, () => aetna);
  assert.equal((await attempt({ rules, plans: ninePlans })).status, 400);
});

test("saving rules based on an older version is refused, and saved rules keep their order", async () => {
  const { base } = await brandWithRules();
  const read = async () => (await owner.call("GET", `${base}/settings`)).body;
  const before = await read();
  const rules = (before.settings as { networkRules: { uuid: string; name: string }[] }).networkRules;
  const save = async (networkRules: unknown[]) =>
    await owner.call("PATCH", `${base}/settings`, { version: before.version, patch: { networkRules } });
  assert.equal((await save([...rules].reverse())).status, 200);
  assert.equal((await save([])).status, 409);
  const after = (await read()).settings as { networkRules: unknown[] };
  assert.deepEqual(after.networkRules, [...rules].reverse());
  const refused = await viewer.call("PATCH", `${base}/settings`, { version: 2, patch: { networkRules: [] } });
  assert.equal(refused.status, 403);
});

test("payers and groups are found by name and by ID, and returned with the IDs that rules use", async () => {
  const { base } = await brandWithRules();
  const find = async (query: string) =>
    (await viewer.call("GET", `${base}/payers?${query}`)).body.data as Record<string, string>[];
  assert.deepEqual((await find("search=aetna"))[0], { vendorId: "V404110", name: "Aetna", id: "60054" });
  assert.equal((await find("search=60054"))[0]?.vendorId, "V404110");
  assert.ok((await find("search=medicare")).some(({ vendorId }) => vendorId === "GROUP_MEDICARE"));
  assert.ok((await find("search=")).length <= 10);
  const named = await find("ids=V404110,GROUP_BLUES,nobody,v816685");
  assert.deepEqual(
    named.map(({ asked, name }) => [asked, name]),
    [
      ["V404110", "Aetna"],
      ["GROUP_BLUES", "Blue Cross Blue Shield (all payers)"],
      ["v816685", "UnitedHealthcare"],
    ],
  );
  assert.equal((await stranger.call("GET", `${base}/payers?search=aetna`)).status, 404);
});

test("ids that no payer has are not searched for in names", async (t) => {
  const { base } = await brandWithRules();
  const ids = Array.from({ length: 200 }, (_, at) => `longestwordx${at}`).join();
  const { mock } = t.mock.method(String.prototype, "startsWith");
  assert.deepEqual((await viewer.call("GET", `${base}/payers?ids=${ids}`)).body.data, []);
  assert.ok(mock.callCount() < 10_000, `${mock.callCount()} comparisons`);
});
