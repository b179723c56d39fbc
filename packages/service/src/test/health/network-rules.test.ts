import assert from "node:assert/strict";
import test from "node:test";
import type { BrandSettings } from "@countersign/contract/brand";
import { compiledRules, compileRules, decideNetwork, type PlanFacts } from "../../domain/health/network.ts";
import { healthBrand, lookUp, person, plansOf, richard } from "../harness/health-lookup.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
type Rule = BrandSettings["networkRules"][number];
type Status = Rule["status"];
const rule = (
  status: Status,
  conditions: [key: string, operator: string, ...values: string[]][],
  more: Partial<Rule> = {},
): Rule => ({
  status,
  conditions: conditions.map(([key, operator, ...values]) => ({ key, operator, values })),
  ...more,
});
const decide = (rules: Rule[], facts: PlanFacts, day = "2026-01-02") => decideNetwork(compileRules(rules), facts, day);
const status = (rules: Rule[], facts: PlanFacts, day?: string) => decide(rules, facts, day).status;

const demonstration: Rule[] = [
  rule(
    "IN_NETWORK",
    [
      ["payerId", "EQUAL", "V404110"],
      ["insuranceTypeCodes", "INCLUDE", "PR"],
    ],
    { name: "Aetna PPO" },
  ),
  rule("OUT_OF_NETWORK", [["payerId", "EQUAL", "V816685"]], { name: "UHC" }),
  rule(
    "IN_NETWORK",
    [
      ["payerId", "EQUAL", "V253146"],
      ["state", "EQUAL", "TX"],
    ],
    { name: "Cigna TX" },
  ),
  rule("IN_NETWORK", [["insuranceTypeCodes", "INCLUDE", "MA", "MB", "HN"]], { name: "Medicare" }),
  rule("OUT_OF_NETWORK", [["insuranceTypeCodes", "INCLUDE", "MC"]], {
    name: "Medicaid",
    notes: "Self-pay",
    metadata: { selfPay: true, priority: 1 },
  }),
  rule("INDETERMINATE", [["insuranceTypeCodes", "INCLUDE", "NONE"]], { name: "no code" }),
];
const hooli = rule("IN_NETWORK", [["groupName", "INCLUDE", "Hooli"]], { name: "Hooli" });

test("each plan gets the decision of the rule that matches it, also with the example rules", async () => {
  const brand = await healthBrand(it, { networkRules: demonstration });
  const decisions = async (who: Parameters<typeof lookUp>[1], api = brand.api) =>
    plansOf(await lookUp(it, who, api)).map(({ memberId, network }) => [
      memberId,
      network?.status,
      network?.rules.map(({ name }) => name).join(),
    ]);
  assert.deepEqual(await decisions(richard), [
    ["A484069", "IN_NETWORK", "Aetna PPO"],
    ["B231615071", "OUT_OF_NETWORK", "UHC"],
  ]);
  assert.deepEqual(await decisions(person("Jack", "Barker", "1955-11-20")), [
    ["7W34Q29JT50", "IN_NETWORK", "Medicare"],
    ["91234567A", "OUT_OF_NETWORK", "Medicaid"],
  ]);
  assert.deepEqual(await decisions(person("Russ", "Hanneman", "1978-09-09")), [
    ["U12345678", "IN_NETWORK", "Cigna TX"],
  ]);
  for (const [first, last, born, memberId] of [
    ["Monica", "Hall", "1990-01-01", "A664048"],
    ["Nelson", "Bighetti", "1992-04-04", "A700001"],
    ["Dinesh", "Chugtai", "1988-02-02", "D726687"],
    ["Jared", "Dunn", "1986-03-03", "V726687"],
  ] as const)
    assert.deepEqual(await decisions(person(first, last, born)), [[memberId, "INDETERMINATE", "no code"]]);
  assert.deepEqual(await decisions(person("Erlich", "Bachman", "1979-05-05")), [
    ["A700002", "IN_NETWORK", "Aetna PPO"],
    ["B700002", "INDETERMINATE", "no code"],
  ]);
  assert.deepEqual(
    (await decisions({ ...richard, checkAfterAutofill: false })).map(([, found]) => found),
    [undefined, undefined],
  );
  const tied = await healthBrand(it, { networkRules: [...demonstration, hooli] });
  assert.deepEqual(await decisions(richard, tied.api), [
    ["A484069", "IN_NETWORK", "Aetna PPO"],
    ["B231615071", "INDETERMINATE", "UHC,Hooli"],
  ]);
});

test("plans are sorted by network status, and a stored decision stays the same when the rules change", async () => {
  const out = rule("OUT_OF_NETWORK", [["payerId", "EQUAL", "V404110"]], { notes: "as stored" });
  const brand = await healthBrand(it, { networkRules: [out, rule("IN_NETWORK", [["payerId", "EQUAL", "V816685"]])] });
  const { body } = await brand.api.createHealthLookup({ body: richard });
  await it.runJobs();
  await it.api.patchSandboxBrand({ params: { uuid: brand.uuid }, body: { networkRules: [] } });
  const entity = (await brand.api.readHealthLookup({ params: { healthDataUuid: body.healthDataUuid } })).body;
  assert.deepEqual(
    plansOf(entity).map(({ memberId, network }) => [memberId, network?.status]),
    [
      ["B231615071", "IN_NETWORK"],
      ["A484069", "OUT_OF_NETWORK"],
    ],
  );
  const [shown] = plansOf(entity)[1]?.network?.rules ?? [];
  assert.match(shown?.uuid ?? "", /^[0-9a-f-]{36}$/);
  const { uuid: _uuid, ...rest } = shown ?? {};
  assert.deepEqual(rest, { name: "Rule 1", ...out });
});

test("conditions combine with AND and values with OR; text matching ignores case and extra spaces", () => {
  const facts: PlanFacts = { payerName: ["  Blue  Cross ", "BCBS"], state: ["TX"], planName: ["Gold PPO 500"] };
  const is = (...conditions: [string, string, ...string[]][]) =>
    status([rule("IN_NETWORK", conditions)], facts) === "IN_NETWORK";
  assert.ok(is(["payerName", "EQUAL", "blue cross"], ["state", "EQUAL", "ca", "tx"]));
  assert.ok(!is(["payerName", "EQUAL", "blue"], ["state", "EQUAL", "TX"]));
  assert.ok(is(["payerName", "INCLUDE", "blue"]));
  assert.ok(is(["planName", "INCLUDE", "HMO", "ppo"]));
  assert.ok(!is(["planName", "INCLUDE", ""]));
  assert.ok(is(["planName", "NOT_INCLUDE", "HMO"]));
  assert.ok(!is(["payerName", "NOT_EQUAL", "bcbs", "other"]));
  assert.equal(status([rule("IN_NETWORK", [["payerId", "EQUAL", "00601"]])], { payerId: ["601"] }), "INDETERMINATE");
  assert.equal(
    status([rule("IN_NETWORK", [["insuranceTypeCodes", "INCLUDE", "M"]])], { insuranceTypeCodes: ["MA"] }),
    "INDETERMINATE",
  );
});

test("only the first 200 characters of a text and the first 500 values are compared, whatever a payer sends", () => {
  const is = (key: string, facts: PlanFacts) =>
    status([rule("IN_NETWORK", [[key, "INCLUDE", "gold"]])], facts) === "IN_NETWORK";
  const entities = (count: number) => [...Array.from({ length: count }, (_, index) => `Entity ${index}`), "Gold"];
  assert.ok(is("planName", { planName: [`${"x".repeat(196)}Gold`] }));
  assert.ok(!is("planName", { planName: [`${"x".repeat(197)}Gold`] }));
  assert.ok(is("relatedEntities", { relatedEntities: entities(499) }));
  assert.ok(!is("relatedEntities", { relatedEntities: entities(500) }));
});

test("a rule applies from its start date through the day before its end date", () => {
  const dated = (startDate: string | null, endDate: string | null) => [
    rule("IN_NETWORK", [["state", "EQUAL", "TX"]], { startDate, endDate }),
  ];
  const facts: PlanFacts = { state: ["TX"] };
  assert.equal(status(dated("2026-01-02", null), facts), "IN_NETWORK");
  assert.equal(status(dated("2026-01-03", null), facts), "INDETERMINATE");
  assert.equal(status(dated(null, "2026-01-03"), facts), "IN_NETWORK");
  assert.equal(status(dated(null, "2026-01-02"), facts), "INDETERMINATE");
  assert.equal(status([rule("IN_NETWORK", [["state", "EQUAL", "TX"]], { enabled: false })], facts), "INDETERMINATE");
});

test("the most specific matching rules decide if they agree; unknown facts can only make the result indeterminate", () => {
  const facts: PlanFacts = { state: ["TX"], payerId: ["V1"] };
  const inTexas = rule("IN_NETWORK", [["state", "EQUAL", "TX"]]);
  const outV1 = rule("OUT_OF_NETWORK", [["payerId", "EQUAL", "V1"]], { metadata: { priority: -1 } });
  const both = rule("OUT_OF_NETWORK", [
    ["state", "EQUAL", "TX"],
    ["payerId", "EQUAL", "V1"],
  ]);
  const doubt = (more: Status, ...others: [string, string, ...string[]][]) =>
    rule(more, [["state", "EQUAL", "TX"], ["groupName", "EQUAL", "X"], ...others]);
  assert.deepEqual(decide([inTexas, both], facts).rules.length, 1);
  assert.equal(status([inTexas, both], facts), "OUT_OF_NETWORK");
  assert.deepEqual(
    [status([inTexas, outV1], facts), decide([inTexas, outV1], facts).rules.length],
    ["INDETERMINATE", 2],
  );
  assert.deepEqual(
    [status([inTexas, inTexas], facts), decide([inTexas, inTexas], facts).rules.length],
    ["IN_NETWORK", 2],
  );
  assert.equal(status([inTexas, doubt("OUT_OF_NETWORK")], facts), "INDETERMINATE");
  assert.equal(status([inTexas, doubt("IN_NETWORK")], facts), "IN_NETWORK");
  assert.equal(status([both, doubt("IN_NETWORK")], facts), "OUT_OF_NETWORK");
  assert.equal(status([inTexas, doubt("OUT_OF_NETWORK", ["payerId", "EQUAL", "V2"])], facts), "IN_NETWORK");
  assert.deepEqual(decide([rule("IN_NETWORK", [["groupName", "EQUAL", "X"]])], facts), {
    status: "INDETERMINATE",
    rules: [],
  });
  assert.deepEqual(decide([], facts), { status: "INDETERMINATE", rules: [] });
});

test("one response lists every error in the rules, each with its path", async () => {
  const networkRules = [
    rule("IN_NETWORK", [
      ["payer", "EQUAL", "x"],
      ["state", "INCLUDE", "ZZ"],
      ["insuranceTypeCodes", "INCLUDE", "XX"],
      ["planName", "EQUAL", " "],
    ]),
    rule("IN_NETWORK", [
      ["planName", "INCLUDE", "W345876123"],
      ["groupNumber", "EQUAL", "123456789"],
      ["groupName", "EQUAL", "2020-01-01"],
    ]),
    rule(
      "IN_NETWORK",
      [
        ["state", "EQUAL", "TX", "CA"],
        ["state", "EQUAL", "ca", "tx"],
      ],
      { startDate: "2026-02-01", endDate: "2026-01-01", metadata: { selfPay: "yes" } },
    ),
  ];
  const { status: code, data } = await refusal(it.api.createSandboxBrand({ body: { settings: { networkRules } } }));
  assert.equal(code, 400);
  const found = (data.errors as { path: string; message: string }[]).map(
    ({ path, message }) => `${path.slice("settings.networkRules.".length)} ${message.split(":")[0]}`,
  );
  assert.deepEqual(found, [
    "0.conditions.0.key UNKNOWN_KEY",
    "0.conditions.1.operator OPERATOR_NOT_ALLOWED_FOR_KEY",
    "0.conditions.1.values.0 UNKNOWN_ENUM_VALUE",
    "0.conditions.2.values.0 UNKNOWN_ENUM_VALUE",
    "0.conditions.3.values.0 VALUE_SHAPE",
    "1.conditions.0.values.0 PHI_SUSPECTED",
    "1.conditions.2.values.0 PHI_SUSPECTED",
    "2.conditions.1 DUPLICATE_CONDITIONS",
    "2.endDate DATE_RANGE_INVERTED",
    "2.metadata METADATA_INVALID",
  ]);
});

test("10,000 rules are accepted and matched as plain text, and 10,001 are rejected", async () => {
  const hostile = Array.from({ length: 10_000 }, (_, index) =>
    rule("OUT_OF_NETWORK", [["planName", "INCLUDE", `(a+)+${index}$`]]),
  );
  const facts: PlanFacts = { planName: [`${"a".repeat(5_000)}!`] };
  assert.deepEqual(decide(hostile, facts), { status: "INDETERMINATE", rules: [] });
  const literal = decide(hostile, { planName: ["(a+)+9999$ plan"] });
  assert.deepEqual([literal.status, literal.rules.length], ["OUT_OF_NETWORK", 1]);
  const short = (count: number) =>
    Array.from({ length: count }, () => rule("IN_NETWORK", [["planName", "EQUAL", "x"]]));
  const brand = await healthBrand(it, { networkRules: short(10_000) });
  const tooMany = it.api.patchSandboxBrand({ params: { uuid: brand.uuid }, body: { networkRules: short(10_001) } });
  assert.equal((await refusal(tooMany)).status, 400);
});

test("the cache keeps compiled rules, but only a limited amount of them", () => {
  const brand = { environment: "sandbox", brandUuid: "cached" };
  const large = Array.from({ length: 10_000 }, () => rule("IN_NETWORK", [["planName", "EQUAL", "x"]]));
  const first = compiledRules({ ...brand, version: 1 }, large);
  assert.equal(compiledRules({ ...brand, version: 1 }, large), first);
  for (let version = 2; version <= 12; version += 1) compiledRules({ ...brand, version }, large);
  assert.notEqual(compiledRules({ ...brand, version: 1 }, large), first);
});
