import assert from "node:assert/strict";
import test from "node:test";
import { type Disclosure, disclosures } from "../../domain/audit/disclosures.ts";
import { fullNames } from "../../domain/brand/brand-rows.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const phone = "+12125550010";
const sources = { cells: [it.store.db], namesOf: (brands: readonly string[]) => fullNames(it.store.home, brands) };

async function listDisclosures(filter: Partial<Parameters<typeof disclosures>[1]> = {}): Promise<Disclosure[]> {
  const all = { environment: "sandbox" as const, from: 0, to: Number.MAX_SAFE_INTEGER, ...filter };
  const lines: Disclosure[] = [];
  for await (const line of disclosures(sources, all)) lines.push(line);
  return lines;
}

test("disclosures lists the releases and reads of a brand, key or person in a time range, without values", async () => {
  const brand = await it.brand({});
  const other = await it.brand({});
  const from = it.deps.clock.now();
  const { uuid } = (await brand.api.createOneClick({ body: { phone } })).body;
  await it.advance(60_000);
  await brand.api.readOneClick({ params: { uuid } });
  await other.api.createOneClick({ body: { phone: "+12125550020", birthDate: "1989-08-01" } });
  await other.api.createOneClick({ body: { phone, birthDate: "1979-01-01" } }).catch(() => {});
  const own = await listDisclosures({ brandUuid: brand.uuid });
  assert.deepEqual(
    own.map(({ action, oneClickUuid }) => [action, oneClickUuid]),
    [
      ["oneClick.released", uuid],
      ["oneClick.read", uuid],
    ],
  );
  assert.ok(
    own.every(
      ({ types, personUuid, apiKeyUuid, requestId }) =>
        types.includes("SsnCredential") && personUuid && apiKeyUuid && requestId,
    ),
  );
  assert.equal((await listDisclosures({ brandUuid: other.uuid })).length, 1);
  const early = await listDisclosures({ brandUuid: brand.uuid, from, to: from + 60_000 });
  assert.deepEqual(
    early.map(({ action }) => action),
    ["oneClick.released"],
  );
  const ofKey = await listDisclosures({ apiKeyUuid: own[0]?.apiKeyUuid ?? "" });
  assert.equal(ofKey.length, 2);
  const ofPerson = await listDisclosures({ personUuid: own[0]?.personUuid ?? "" });
  assert.equal(ofPerson.length, 2);
  assert.deepEqual(await listDisclosures({ environment: "production" }), []);
  assert.doesNotMatch(JSON.stringify(own), /Hendricks|2125550010|000456789/);
});

test("disclosures over several pages are listed once each and in order", async () => {
  const brand = await it.brand({});
  const { uuid } = (await brand.api.createOneClick({ body: { phone } })).body;
  const [first] = await listDisclosures({ brandUuid: brand.uuid });
  assert.ok(first);
  const row = {
    environment: "sandbox",
    action: "oneClick.read",
    brand_uuid: brand.uuid,
    api_key_uuid: null,
    person_uuid: null,
    one_click_uuid: uuid,
    verification_uuid: null,
    detail: "{}",
  };
  const rows = Array.from({ length: 2_300 }, (_, i) => ({ ...row, at: 10 + i, request_id: String(i) }));
  for (const part of [rows.slice(0, 1_150), rows.slice(1_150)])
    await it.store.db.insertInto("audit").values(part).execute();
  const read = await listDisclosures({ brandUuid: brand.uuid, from: 10, to: 10 + 2_300 });
  assert.deepEqual(
    read.map(({ requestId }) => Number(requestId)),
    rows.map((_, i) => i),
  );
});
