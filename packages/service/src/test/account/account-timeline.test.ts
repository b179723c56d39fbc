import assert from "node:assert/strict";
import test from "node:test";
import { recordWords } from "@countersign/contract/record-words";
import fc from "fast-check";
import { disclosures } from "../../domain/audit/disclosures.ts";
import { phoneOnRecord, signIn, wholeTimeline } from "../harness/account-page.ts";
import { freshPhone, withoutIds } from "../harness/below-http.ts";
import { sharedWords } from "../harness/consent-shown.ts";
import { hostedPage, hostedShare } from "../harness/hosted-share.ts";
import { demoKey, otherKey, refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const hostedKey = "sk_sandbox_demo_hosted";
const api = it.as(demoKey);
const other = it.as(otherKey);

/** The state of one run: shared items that can be read, and the entries that the page must list. */
type World = {
  phone: string;
  oneClicks: string[];
  hosted: string[];
  lookups: string[];
  issued: string[];
  expected: string[];
};
type Step = (world: World, pick: number) => Promise<void>;

async function decide(world: World, share: boolean): Promise<void> {
  const { uuid } = await hostedShare(it, world.phone, { share });
  const decided = share ? "released" : "declined";
  world.expected.push(
    ...["verification.verified", "oneClick.shown", `oneClick.${decided}`].map((one) => `Demo Hosted ${one}`),
  );
  world.hosted.push(uuid);
}

const read = async (world: World, key: string, uuid: string | undefined, name: string) => {
  if (uuid === undefined) return;
  await it.as(key).readOneClick({ params: { uuid } });
  world.expected.push(`${name} oneClick.read`);
};
const at = (all: string[], pick: number) => all[pick % Math.max(1, all.length)];

const steps: Record<string, Step> = {
  async release(world) {
    world.oneClicks.push((await api.createOneClick({ body: { phone: world.phone } })).body.uuid);
    world.expected.push("Demo API oneClick.released");
  },
  read: (world, pick) => read(world, demoKey, at(world.oneClicks, pick), "Demo API"),
  share: (world) => decide(world, true),
  decline: (world) => decide(world, false),
  readDecided: (world, pick) => read(world, hostedKey, at(world.hosted, pick), "Demo Hosted"),
  async twoReadsAtOnce(world, pick) {
    const uuid = at(world.oneClicks, pick);
    await Promise.all([read(world, demoKey, uuid, "Demo API"), read(world, demoKey, uuid, "Demo API")]);
  },
  async issue(world) {
    const credentials = [{ type: "EmployerNameCredential", data: { employer: "Hooli" } }];
    const { body } = await api.issueCredentials({ body: { phone: world.phone, credentials } });
    world.issued.push(body.credentials[0]?.id ?? "");
    world.expected.push("Demo API credential.issued");
  },
  async issuerReads(world, pick) {
    const id = at(world.issued, pick);
    if (id === undefined) return;
    await api.readCredential({ params: { id } });
    world.expected.push("Demo API credential.read");
  },
  async insurance(world, pick) {
    const identityUuid = at(world.oneClicks, pick);
    if (identityUuid === undefined) return;
    world.lookups.push((await api.createHealthLookup({ body: { identityUuid } })).body.healthDataUuid);
    await it.runJobs();
    world.expected.push("Demo API health.requested", "Demo API health.released");
  },
  async readInsurance(world, pick) {
    const healthDataUuid = at(world.lookups, pick);
    if (healthDataUuid === undefined) return;
    await api.readHealthLookup({ params: { healthDataUuid } });
    world.expected.push("Demo API health.read");
  },
  // Another customer's brand uses the same number. The audit log records it, but this page does not list it.
  async anotherCustomer({ phone }) {
    const { uuid } = (await other.createOneClick({ body: { phone } })).body;
    await other.readOneClick({ params: { uuid } });
  },
  async refusedReads(world) {
    await other.readOneClick({ params: { uuid: world.oneClicks[0] ?? "" } }).catch(() => undefined);
    await api.readOneClick({ params: { uuid: world.phone } }).catch(() => undefined);
  },
  async later() {
    await it.advance(60_000);
  },
};

test("the timeline lists every release and read exactly once, in order", async () => {
  let listed = 0;
  const sequence = fc.array(fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.nat(20)), {
    minLength: 4,
    maxLength: 24,
  });
  await fc.assert(
    fc.asyncProperty(sequence, async (chosen) => {
      const phone = freshPhone();
      const world: World = { phone, oneClicks: [], hosted: [], lookups: [], issued: [], expected: [] };
      await steps.release?.(world, 0);
      for (const [name, pick] of chosen) await steps[name]?.(world, pick);
      const entries = await wholeTimeline(await signIn(it, phone));
      const brands = entries.filter(({ brand }) => brand !== undefined);
      assert.deepEqual(
        brands.map(({ brand, action }) => `${brand?.name} ${action}`),
        world.expected,
      );
      assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length);
      listed += brands.length;
    }),
    { numRuns: 25 },
  );
  assert.ok(listed > 100, `only ${listed} entries`);
});

test("an entry shows the data types, the purpose and the consent words, but no values", async () => {
  const phone = freshPhone();
  const world: World = { phone, oneClicks: [], hosted: [], lookups: [], issued: [], expected: [] };
  await decide(world, true);
  await it.as(hostedKey).readOneClick({ params: { uuid: world.hosted[0] ?? "" } });
  await steps.release?.(world, 0);
  const entries = await wholeTimeline(await signIn(it, phone));
  const shared = entries.find(({ action }) => action === "oneClick.released");
  assert.deepEqual(shared?.consent?.words, sharedWords("Demo Hosted"));
  assert.deepEqual([shared?.consent?.source, shared?.consent?.language, shared?.purpose], ["wallet", "en", "Signup"]);
  assert.ok(shared?.types.includes("SsnCredential"));
  const declared = entries.findLast(({ action }) => action === "oneClick.released");
  assert.equal(declared?.consent?.source, "brandDeclaration");
  assert.doesNotMatch(withoutIds(JSON.stringify(entries)), /Hendricks|1989|000456789|Newell/);
});

test("a review that is opened and not decided is an entry with its types, once, and the operator's list has it", async () => {
  const phone = freshPhone();
  const page = await hostedPage(it, phone, [{ type: "FullNameCredential" }, { type: "SsnCredential" }]);
  for (let views = 0; views < 3; views += 1) assert.equal((await page.session.viewPage()).body.step, "review");
  const entries = await wholeTimeline(await signIn(it, phone));
  const shown = entries.filter(({ action }) => action === "oneClick.shown");
  assert.deepEqual(
    shown.map(({ brand, types }) => [brand?.name, types]),
    [["Demo Hosted", ["FullNameCredential", "SsnCredential"]]],
  );
  assert.deepEqual(
    (["en", "es"] as const).map((language) => recordWords[language].events["oneClick.shown"]("Hooli")),
    [
      "Your details were shown for review on Hooli’s page",
      "Sus datos se mostraron en la página de Hooli para que usted los revisara",
    ],
  );
  const sources = { cells: it.deps.cells.all().map(({ db }) => db), namesOf: async () => new Map<string, string>() };
  const listed: string[] = [];
  for await (const { action, oneClickUuid, types } of disclosures(sources, {
    environment: "sandbox",
    from: 0,
    to: Number.MAX_SAFE_INTEGER,
  }))
    if (oneClickUuid === page.uuid) listed.push(`${action} ${types.join()}`);
  assert.deepEqual(listed, ["oneClick.shown FullNameCredential,SsnCredential"]);
});

test("an entry's ID is random and stable, and another person cannot page with it", async () => {
  const [phone, stranger] = [freshPhone(), await phoneOnRecord(it)];
  const { uuid } = (await api.createOneClick({ body: { phone } })).body;
  for (let reads = 0; reads < 60; reads += 1) await api.readOneClick({ params: { uuid } });
  const browser = await signIn(it, phone);
  const entries = await wholeTimeline(browser);
  const { rows } = await it.store.pool.query("select id from audit");
  const numbers = new Set(rows.map(({ id }) => String(id)));
  assert.ok(entries.length > 60 && numbers.size > 60);
  for (const { id } of entries) {
    assert.match(id, /^[\w-]{22}$/);
    const bytes = Buffer.from(id, "base64url");
    assert.ok(!numbers.has(id) && bytes.readBigUInt64BE(0) !== 0n && !numbers.has(String(bytes.readBigUInt64BE(8))));
  }
  // Ids are not in time order: among 61 random ids, some neighbors rise and some fall.
  const rising = entries.filter(({ id }, index) => index > 0 && id > (entries[index - 1]?.id ?? "")).length;
  assert.ok(rising > 10 && rising < entries.length - 10, `${rising} of ${entries.length} rise`);
  assert.deepEqual(
    (await wholeTimeline(browser)).map(({ id }) => id),
    entries.map(({ id }) => id),
  );

  const { next = "" } = (await browser.readTimeline()).body;
  const theirs = await signIn(it, stranger);
  for (const before of [next, "A".repeat(22)])
    assert.equal((await refusal(theirs.readTimeline({ query: { before } }))).errorCode, "ERR001");
});

test("a long timeline is paged without duplicates", async () => {
  const phone = freshPhone();
  const { uuid } = (await api.createOneClick({ body: { phone } })).body;
  for (let reads = 0; reads < 120; reads += 1) await api.readOneClick({ params: { uuid } });
  const browser = await signIn(it, phone);
  const first = (await browser.readTimeline()).body;
  assert.equal(first.entries.length, 50);
  const all = await wholeTimeline(browser);
  assert.equal(all.filter(({ action }) => action === "oneClick.read").length, 120);
  const [brand] = (await browser.readAccount()).body.brands;
  assert.deepEqual([brand?.name, brand?.reads, brand?.canRead, brand?.stopped], ["Demo API", 120, true, false]);
  const ofBrand = (await browser.readTimeline({ query: { brand: brand?.uuid ?? "" } })).body;
  assert.deepEqual(new Set(ofBrand.entries.map((entry) => entry.brand?.uuid)), new Set([brand?.uuid]));
});

test("the page says until when a brand can read insurance, also after the 1-Click has ended", async () => {
  const minute = 60_000;
  const phone = freshPhone();
  const { uuid: identityUuid } = (await api.createOneClick({ body: { phone } })).body;
  const brand = async () => {
    const [{ canRead, insuranceUntil } = {}] = (await (await signIn(it, phone)).readAccount()).body.brands;
    return [canRead, insuranceUntil];
  };
  assert.deepEqual(await brand(), [true, undefined]);
  await it.advance(50 * minute);
  await api.createHealthLookup({ body: { identityUuid } });
  await it.runJobs();
  const until = it.deps.clock.now() + 60 * minute;
  await it.advance(15 * minute);
  assert.deepEqual(await brand(), [true, until]);
  await it.advance(60 * minute);
  assert.deepEqual(await brand(), [false, undefined]);
});
