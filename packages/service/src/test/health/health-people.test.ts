import assert from "node:assert/strict";
import test from "node:test";
import { hydrate } from "../../domain/health/request.ts";
import { callerOf, freshPhone } from "../harness/below-http.ts";
import { errorsOf, healthBrand, lookUp, memberIds, person, plansOf, richard } from "../harness/health-lookup.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

test("a lookup is accepted at once and ends with the person's plans, the most likely first", async () => {
  const body = { ...richard, externalReference: "appointment-1042" };
  const started = await it.api.createHealthLookup({ body });
  assert.equal(started.body.externalReference, "appointment-1042");
  assert.match(started.body.healthDataUuid, /^[0-9a-f-]{36}$/);
  const entity = await lookUp(it, body);
  assert.equal(entity.status, "SUCCEEDED");
  assert.equal(entity.externalReference, "appointment-1042");
  assert.equal(entity.errors, undefined);
  assert.deepEqual(memberIds(entity), ["A484069", "B231615071"]);
  const [first, second] = plansOf(entity);
  assert.deepEqual([first?.payer.name, first?.payer.ids[0]], ["Aetna", "60054"]);
  assert.deepEqual([second?.payer.name, second?.payer.ids[0]], ["UnitedHealthcare", "87726"]);
  for (const plan of plansOf(entity)) {
    assert.equal(plan.verificationMethod, "clearinghouse");
    assert.deepEqual(plan.coverageTypes, ["medical"]);
    assert.equal(plan.isMedicare, false);
  }
});

test("an eligibility check returns the payer's 271, raw and parsed, with every field filled", async () => {
  const entity = await lookUp(it, { ...richard, checkAfterAutofill: true });
  const [plan] = plansOf(entity);
  assert.match(plan?.edi_271 ?? "", /^ISA\*00\*/);
  assert.match(plan?.edi_271 ?? "", /SE\*35\*0001~GE\*1\*1~IEA\*1\*000000001~$/);
  const { eligibility } = plan ?? {};
  assert.equal(eligibility?.coverageStatus, "active");
  assert.deepEqual(eligibility?.plan, {
    name: "AETNA CHOICE POS II",
    groupNumber: "123456",
    groupName: "PIED PIPER",
    insuranceTypeCodes: ["PR"],
    effectiveDate: "2026-01-01",
    terminationDate: "2026-12-31",
  });
  assert.deepEqual(eligibility?.serviceTypeCodes, ["30", "33", "47", "86", "88", "98", "MH", "UC"]);
  assert.deepEqual(eligibility?.member, {
    memberId: "A484069",
    fullName: { firstName: "RICHARD", lastName: "HENDRICKS" },
    birthDate: "1989-08-01",
    sex: "Male",
    address: { line1: "5320 NEWELL RD", line2: "STE 200", city: "PALO ALTO", state: "CA", zipCode: "94303" },
  });
  const medical = { level: "individual", insuranceTypeCode: "PR" };
  assert.deepEqual(eligibility?.benefits?.slice(0, 2), [
    { type: "deductible", serviceTypeCodes: ["30"], ...medical, network: "in", amount: "1500.00", remaining: "750.00" },
    { type: "deductible", serviceTypeCodes: ["30"], ...medical, level: "family", network: "in", amount: "3000.00" },
  ]);
  assert.deepEqual(
    eligibility?.contacts?.map(({ phone }) => phone),
    ["8005550154", "8005550143"],
  );
  assert.equal(plan?.network, undefined);
});

test("without an eligibility check, plans have no payer response and no network decision", async () => {
  const entity = await lookUp(it, { ...richard, checkAfterAutofill: false });
  assert.deepEqual(memberIds(entity), ["A484069", "B231615071"]);
  for (const plan of plansOf(entity)) {
    assert.deepEqual(Object.keys(plan).sort(), [
      "coverageTypes",
      "isMedicare",
      "memberId",
      "payer",
      "serviceTypeCodes",
      "verificationMethod",
    ]);
  }
});

test("a lookup of a person without insurance ends as FAILED with the message No coverage found", async () => {
  const entity = await lookUp(it, person("Gavin", "Belson", "1991-01-01"));
  assert.equal(entity.status, "FAILED");
  assert.deepEqual(entity.errors, [{ message: "No coverage found" }]);
  assert.deepEqual(plansOf(entity), []);
});

test("each test person has their plans, and Medicare is recognized by payer and insurance type", async () => {
  const cases = [
    { who: person("monica", "HALL", "1990-01-01"), ids: ["A664048"], medicare: [false] },
    { who: person("Monica", "Hall", "1990-01-02"), ids: ["A664048"], medicare: [false] },
    { who: person("Peter", "Gregory", "1952-03-15"), ids: ["1EG4TE5MK73"], medicare: [true] },
    { who: person("Jack", "Barker", "1955-11-20"), ids: ["7W34Q29JT50", "91234567A"], medicare: [true, false] },
    { who: person("Ron", "LaFlamme", "1958-07-07"), ids: ["101234567890"], medicare: [true] },
    { who: person("Russ", "Hanneman", "1978-09-09"), ids: ["U12345678"], medicare: [false] },
  ];
  for (const { who, ids, medicare } of cases)
    for (const checkAfterAutofill of [true, false]) {
      const entity = await lookUp(it, { ...who, checkAfterAutofill });
      assert.equal(entity.status, "SUCCEEDED");
      assert.deepEqual(memberIds(entity), ids);
      assert.deepEqual(
        plansOf(entity).map(({ isMedicare }) => isMedicare),
        medicare,
      );
    }
  const [peter] = plansOf(await lookUp(it, person("Peter", "Gregory", "1952-03-15")));
  assert.deepEqual(peter?.eligibility?.plan?.insuranceTypeCodes, ["MA", "MB"]);
  assert.deepEqual(peter?.coverageTypes, ["medical"]);
  const grouped = await lookUp(it, { ...person("Peter", "Gregory", "1952-03-15"), payer: { id: "GROUP_MEDICARE" } });
  assert.deepEqual(memberIds(grouped), ["1EG4TE5MK73"]);
});

test("coverage is indeterminate when the payer refers to another organization", async () => {
  const [plan] = plansOf(await lookUp(it, person("Nelson", "Bighetti", "1992-04-04")));
  assert.equal(plan?.eligibility?.coverageStatus, "indeterminate");
  assert.deepEqual(plan?.eligibility?.contacts?.at(-1), {
    name: "BEHAVIORAL HEALTH CARVE OUT",
    serviceTypeCodes: ["30"],
    phone: "8005551234",
  });
});

test("any other person gets two plans, and the payer's response has their own name", async () => {
  const entity = await lookUp(it, person("Zoë~EB*1", "O'Peña", "1971-12-31"));
  assert.deepEqual(memberIds(entity), ["A618095", "B895002692"]);
  assert.deepEqual(plansOf(entity)[0]?.eligibility?.member?.fullName, { firstName: "ZOE EB 1", lastName: "O'PENA" });
});

test("a lookup with a member ID and a payer checks only that payer", async () => {
  const check = (memberId: string, id: string, who = person("Any", "Body", "1970-01-01")) =>
    lookUp(it, { ...who, memberId, payer: { id } });
  const inactive = await check("INACTIVE60054", "60054");
  assert.equal(inactive.status, "SUCCEEDED");
  assert.equal(plansOf(inactive)[0]?.eligibility?.coverageStatus, "inactive");
  assert.equal(plansOf(inactive)[0]?.eligibility?.plan?.terminationDate, "2023-12-31");
  assert.equal(plansOf(inactive)[0]?.eligibility?.plan?.name, "AETNA CHOICE POS II");

  const unknownMember = await check("NOTFOUND001", "60054");
  assert.equal(unknownMember.status, "FAILED");
  assert.deepEqual(unknownMember.errors, [{ message: "No coverage found" }]);

  const active = await check("W345876123", "60054");
  assert.equal(plansOf(active)[0]?.eligibility?.coverageStatus, "active");
  assert.deepEqual(plansOf(active)[0]?.eligibility?.member?.fullName, { firstName: "ANY", lastName: "BODY" });
  for (const id of ["V404110", "aetna", "HPQRS"])
    assert.deepEqual(memberIds(await check("w345876123", id)), ["W345876123"]);

  const gilfoyle = [
    { birthDate: "1995-08-19", id: "00710" },
    { birthDate: "1990-01-01", id: "803" },
    { birthDate: "1980-03-03", id: "62308" },
  ];
  for (const { birthDate, id } of gilfoyle) {
    const entity = await check("ANY123", id, person("Bertram", "Gilfoyle", birthDate));
    assert.equal(plansOf(entity)[0]?.eligibility?.coverageStatus, "active", id);
    assert.equal((await check("ANY123", "60054", person("Bertram", "Gilfoyle", birthDate))).status, "FAILED");
  }
  assert.equal((await check("W345876123", "87726")).status, "FAILED");
});

test("the brand's coverage types and the request's service types filter the plans", async () => {
  const medical = await healthBrand(it, { health: { coverageTypes: ["medical"] } });
  const dinesh = person("Dinesh", "Chugtai", "1988-02-02");
  const erlich = person("Erlich", "Bachman", "1979-05-05");
  for (const checkAfterAutofill of [true, false]) {
    assert.deepEqual(errorsOf(await lookUp(it, { ...dinesh, checkAfterAutofill }, medical.api)), ["No coverage found"]);
    assert.deepEqual(memberIds(await lookUp(it, { ...erlich, checkAfterAutofill }, medical.api)), ["A700002"]);
    assert.deepEqual(memberIds(await lookUp(it, { ...dinesh, checkAfterAutofill })), ["D726687"]);
    const codes = (serviceTypeCodes: string[]) => ({ checkAfterAutofill, serviceCodes: { serviceTypeCodes } });
    assert.deepEqual(memberIds(await lookUp(it, { ...erlich, ...codes(["30", "35"]) })), ["B700002"]);
    assert.deepEqual(memberIds(await lookUp(it, { ...erlich, ...codes(["30", "98"]) })), ["A700002"]);
    assert.deepEqual(memberIds(await lookUp(it, { ...dinesh, ...codes(["30", "98"]) })), []);
  }
  const older = await lookUp(it, { ...erlich, serviceTypeCodes: ["30", "35"] });
  assert.deepEqual(memberIds(older), ["B700002"]);
});

test("a name or a birth date that a brand issued does not count as verified by a source", async () => {
  const phone = freshPhone();
  const data = [
    { type: "FirstNameCredential" as const, data: { firstName: "Monica" } },
    { type: "LastNameCredential" as const, data: { lastName: "Hall" } },
  ];
  const sourcedOf = async () => {
    const { uuid } = (await it.api.createOneClick({ body: { phone } })).body;
    return (await hydrate(await it.cellOf(phone), await callerOf(it), uuid)).sourced;
  };
  assert.deepEqual(await sourcedOf(), ["firstName", "lastName", "birthDate"]);
  await it.api.issueCredentials({ body: { phone, credentials: [{ type: "FullNameCredential", data }] } });
  assert.deepEqual(await sourcedOf(), ["birthDate"]);
});

test("the special answers of the sandbox's payers are read right", async () => {
  const planOf = async (first: string, last: string, born: string) =>
    plansOf(await lookUp(it, person(first, last, born)))[0]?.eligibility;
  const laurie = await planOf("Laurie", "Bream", "1975-06-06");
  assert.deepEqual([laurie?.plan?.name, laurie?.plan?.insuranceTypeCodes], ["AETNA CHOICE POS II", ["PR"]]);
  for (const first of ["José", "Jose"]) {
    const jose = await planOf(first, "Alvarez", "2010-10-14");
    assert.deepEqual([jose?.coverageStatus, jose?.member?.fullName?.firstName], ["active", "JOSE"]);
  }
  assert.deepEqual(errorsOf(await lookUp(it, person("Juan", "Alvarez", "2010-10-14"))), ["No coverage found"]);
  const amounts = (found: Awaited<ReturnType<typeof planOf>>, kind: string, service: string) =>
    found?.benefits
      ?.filter(({ type, serviceTypeCodes = [] }) => type === kind && serviceTypeCodes.includes(service))
      .map(({ amount, remaining }) => [amount, remaining]);
  assert.deepEqual(amounts(await planOf("Tracy", "Robertson", "1985-05-05"), "deductible", "48"), [
    ["500.00", "100.00"],
    ["500.00", "400.00"],
  ]);
  assert.deepEqual(amounts(await planOf("Keenan", "Feldspar", "1987-07-07"), "limitation", "33"), [
    [undefined, undefined],
    ["2500.00", "2000.00"],
  ]);
  const carla = await planOf("Carla", "Walton", "1983-08-08");
  assert.deepEqual([carla?.payer?.name, carla?.member?.address?.state], ["TRICARE EAST", "AE"]);
});
