import assert from "node:assert/strict";
import test from "node:test";
import { readCheck } from "../../domain/health/answer.ts";
import { discoveredPlan } from "../../domain/health/plan.ts";
import { bundledPayers } from "../../providers/payers/directory.ts";
import { composePlan271, composeRejection271, sandboxClearinghouse } from "../../providers/sandbox/clearinghouse.ts";
import { checkPlans } from "../../providers/sandbox/insured.ts";
import { stediClearinghouse } from "../../providers/stedi/clearinghouse.ts";
import { directoryOf, syncPayers } from "../../providers/stedi/payers.ts";
import { checkOf, clearinghouseConformance, person } from "../harness/conformance/clearinghouse.ts";
import { type FakeTime, fakeTime } from "../harness/fake-time.ts";
import { type FakeReply, type FakeRequest, fakeVendor } from "../harness/vendors/fake-vendor.ts";
import { faultTable } from "../harness/vendors/fault-table.ts";

const payer = { id: "60054", name: "Aetna" };
const memberId = "AETNA9wcSu";
const apiKey = "stedi-key-for-tests";
const [samplePlan] = checkPlans;
const item = (twist: object = {}) => ({
  payer: { name: payer.name, payorIdentification: payer.id },
  subscriber: { memberId, firstName: "MONICA", lastName: "HALL", dateOfBirth: "19900101" },
  benefitsInformation: [{ code: "1", serviceTypeCodes: ["30", "35"], insuranceTypeCode: "C1" }],
  confidence: { level: "HIGH" },
  ...twist,
});

/** Fakes the requests of Stedi's API that the service uses. `who` is the member that payers know. */
async function stedi(time: FakeTime, options: { who?: typeof person; discovery?: object[]; pending?: number } = {}) {
  let pending = options.pending ?? 0;
  const done = () =>
    pending-- > 0
      ? { discoveryId: "d-1", status: "PENDING" }
      : { discoveryId: "d-1", status: "COMPLETE", items: options.discovery ?? [item()] };
  const reply = (request: FakeRequest): FakeReply => {
    if (request.headers.authorization !== apiKey) return { status: 403, body: { message: "Forbidden" } };
    if (request.url.pathname.includes("/insurance-discovery/")) return { body: done() };
    const trace = /~TRN\*1\*(\w+)/.exec(JSON.parse(request.body).x12)?.[1] ?? "";
    const asked = { trace, at: time.clock.now(), payer, npi: "1999999984", person: options.who ?? person };
    assert.ok(samplePlan);
    return { body: { controlNumber: "1", x12: composePlan271(asked, memberId, samplePlan) } };
  };
  const vendor = await fakeVendor(time, reply);
  const settings = { apiUrl: vendor.url, apiKey, sender: "COUNTERSIGN", mode: "production" as const, provider: null };
  const clearinghouse = stediClearinghouse(settings, time.tools);
  const check = () => clearinghouse.check(checkOf(clearinghouse, { payer, memberId }));
  const discover = () => clearinghouse.discover({ person, npi: "1999999984", deadlineMs: 45_000 });
  return { vendor, clearinghouse, check, discover };
}

clearinghouseConformance("the sandbox", async () => ({ clearinghouse: sandboxClearinghouse(), close: async () => {} }));
clearinghouseConformance("Stedi", async () => {
  const { clearinghouse } = await stedi(fakeTime());
  return { clearinghouse, close: clearinghouse.close };
});

// One check sends one request: paid requests are never retried.
faultTable("Stedi check", {
  requestsMax: 1,
  async make(time) {
    const { vendor, clearinghouse, check } = await stedi(time);
    return {
      vendor,
      ask: check,
      isOpen: ({ kind }: { kind: string }) => kind === "answered",
      close: clearinghouse.close,
    };
  },
});
faultTable("Stedi discovery", {
  requestsMax: 1,
  async make(time) {
    const { vendor, clearinghouse, discover } = await stedi(time);
    return {
      vendor,
      ask: discover,
      isOpen: ({ kind }: { kind: string }) => kind === "found",
      close: clearinghouse.close,
    };
  },
});

test("a rejected request returns a failure, and a request with an unknown outcome throws", async () => {
  const time = fakeTime();
  const { vendor, clearinghouse, check } = await stedi(time);
  for (const fault of ["429", "503"] as const) {
    vendor.break(fault);
    assert.deepEqual(await check(), { kind: "failed", retryable: true });
  }
  for (const fault of ["401", "403", "404"] as const) {
    vendor.break(fault);
    assert.deepEqual(await check(), { kind: "failed", retryable: false });
  }
  for (const fault of ["502", "slow", "reset", "half an answer", "garbage", "an empty object"] as const) {
    vendor.break(fault);
    await assert.rejects(check(), /stedi/, fault);
    vendor.mend();
    await check().catch(() => time.advance(60_000));
  }
  await clearinghouse.close();
});

test("a payer's rejection is read from a 400 or a 200 response, with or without X12", async () => {
  const time = fakeTime();
  const asked = { trace: "T", at: time.clock.now(), payer, npi: "1999999984", person };
  const x12 = composeRejection271(asked, memberId, "75");
  const replies: [FakeReply, object][] = [
    [
      { status: 400, body: { x12, errors: [{ code: "75" }] } },
      { kind: "answered", x12 },
    ],
    [
      { status: 400, body: { errors: [{ field: "AAA", code: "42" }] } },
      { kind: "failed", retryable: true },
    ],
    [
      { status: 400, body: { errors: [{ code: "80", followupAction: "Please Resubmit Original Transaction" }] } },
      { kind: "failed", retryable: true },
    ],
    [
      { status: 400, body: { errors: [{ code: "80", followupAction: "Resubmission Not Allowed" }] } },
      { kind: "failed", retryable: false },
    ],
    [
      { status: 200, body: { errors: [{ field: "AAA", code: "72" }] } },
      { kind: "failed", retryable: false },
    ],
    [
      { status: 400, body: { message: "bad", fieldList: [] } },
      { kind: "failed", retryable: false },
    ],
  ];
  for (const [reply, outcome] of replies) {
    const vendor = await fakeVendor(time, () => reply);
    const clearinghouse = stediClearinghouse(
      { apiUrl: vendor.url, apiKey, sender: "CS", mode: "test", provider: null },
      time.tools,
    );
    assert.deepEqual(await clearinghouse.check(checkOf(clearinghouse, { payer, memberId })), outcome);
    assert.equal(clearinghouse.envelope.usage, "T");
    await clearinghouse.close();
  }
});

test("a payer's response about another person is withheld, and so is a discovered plan of another person", async () => {
  const other = { firstName: "Erlich", lastName: "Bachman", birthDate: "1980-05-05" };
  const theirs = item({
    subscriber: { memberId: "X1", firstName: "ERLICH", lastName: "BACHMAN", dateOfBirth: "19800505" },
  });
  const { clearinghouse, check, discover } = await stedi(fakeTime(), { who: other, discovery: [theirs] });
  const reading = readCheck(await check(), { ...person, memberId: "another" }, "another trace");
  assert.equal(reading.kind, "withheld");
  assert.deepEqual(await discover(), { kind: "found", coverages: [] });
  await clearinghouse.close();
});

test("a discovery waits for its result, drops duplicate plans, and puts low-confidence plans last", async () => {
  const doubtful = item({ confidence: { level: "REVIEW_NEEDED" }, payer: { payorIdentification: "00601" } });
  const { vendor, clearinghouse, discover } = await stedi(fakeTime(), {
    pending: 3,
    discovery: [doubtful, item(), item()],
  });
  const found = await discover();
  assert.ok(found.kind === "found");
  assert.deepEqual(
    found.coverages.map(({ payerId }) => payerId),
    ["60054", "00601"],
  );
  assert.deepEqual(found.coverages[0], {
    payerId: "60054",
    memberId,
    serviceTypeCodes: ["30", "35"],
    isMedicare: false,
  });
  assert.equal(vendor.requests.filter(({ method }) => method === "POST").length, 1);
  await clearinghouse.close();
});

test("a discovered plan has the coverage types that a check would find", () => {
  const [insurer = assert.fail("no payer")] = bundledPayers().payers;
  const typesOf = (serviceTypeCodes: string[]) =>
    discoveredPlan({ addresses: { apiUrl: "https://api.example", walletUrl: "" } }, insurer, {
      payerId: payer.id,
      memberId,
      serviceTypeCodes,
    }).coverageTypes;
  assert.deepEqual([typesOf(["V3"]), typesOf(["30", "AL"]), typesOf(["88"])], [["dental"], ["medical", "vision"], []]);
});

test("a discovery that does not finish fails and is not started again", async () => {
  const { vendor, clearinghouse, discover } = await stedi(fakeTime(), { pending: 1_000 });
  await assert.rejects(discover(), /did not end/);
  assert.equal(vendor.requests.filter(({ method }) => method === "POST").length, 1);
  await clearinghouse.close();
});

const row = (stediId: string, primaryPayerId: string, displayName: string) => ({
  stediId,
  displayName,
  primaryPayerId,
  aliases: [primaryPayerId, `A${stediId}`],
  names: [displayName, "Another name"],
  coverageTypes: ["MEDICAL", "dental"],
  operatingStates: ["NATIONAL"],
  transactionSupport: { eligibilityCheck: "ENROLLMENT_REQUIRED" },
});

test("payers keep their ids in every sync, and new payers get unused ids", async () => {
  const known = bundledPayers().payers.filter(({ name }) => name === "Aetna");
  const rows = [
    row("HPQRS", "60054", "Aetna"),
    ...Array.from({ length: 3_500 }, (_, at) => row(`S${at}`, `P${at}`, `Blue Cross ${at}`)),
  ];
  const first = directoryOf(rows, known);
  assert.equal(new Set(first.map(({ vendorId }) => vendorId)).size, rows.length);
  assert.equal(first.find(({ name }) => name === "Aetna")?.vendorId, "V404110");
  assert.deepEqual(directoryOf([...rows].reverse(), first), first);
  const { name, aliases, ids, coverageTypes, eligibilitySupport, groups, kind } =
    first.find(({ ids: [id] }) => id === "P0") ?? {};
  assert.deepEqual(
    { name, aliases, ids, coverageTypes, eligibilitySupport, groups, kind },
    {
      name: "Blue Cross 0",
      aliases: ["Another name"],
      ids: ["P0", "AS0"],
      coverageTypes: ["medical", "dental"],
      eligibilitySupport: "ENROLLMENT_REQUIRED",
      groups: ["GROUP_BLUES"],
      kind: "national",
    },
  );
});

test("an incomplete payer list is rejected", async () => {
  const time = fakeTime();
  const vendor = await fakeVendor(time, () => ({ body: { items: [row("HPQRS", "60054", "Aetna")] } }));
  const sync = (known: Parameters<typeof syncPayers>[2]) =>
    syncPayers({ apiUrl: vendor.url, apiKey }, time.tools, known);
  assert.equal((await sync([])).length, 1);
  await assert.rejects(sync(bundledPayers().payers), /list of payers is incomplete/);
  for (const fault of ["garbage", "half an answer", "an empty object", "401", "slow"] as const) {
    vendor.break(fault);
    await assert.rejects(sync([]), /list of payers is incomplete/, fault);
  }
});
