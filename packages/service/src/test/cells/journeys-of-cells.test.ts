// alone: sets STORES for the process
/** Every journey, with races, deletion and time travel, while people are stored in several databases. */
process.env.STORES ??= "two";

import assert from "node:assert/strict";
import test, { after } from "node:test";
import type { Journey, JourneyLine } from "@countersign/contract/dashboard-journeys";
import { composeService } from "../../compose/service.ts";
import type { Deps } from "../../domain/deps.ts";
import { openMetrics } from "../../http/metrics.ts";
import { birthDate, signIn } from "../harness/account-page.ts";
import { codesSentTo, freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { eventually } from "../harness/eventually.ts";
import { faultyJourneys } from "../harness/faults/faulty-journeys.ts";
import { minute, openTrip } from "../harness/faults/retrying-client.ts";
import { brandClient, demoKey, injectInto, refusal, sandbox, stillClock } from "../harness/sandbox.ts";

const it = await sandbox();
/** Another process on the same databases. */
const other = await composeService(
  { config: it.config, log: { info() {}, warn() {}, error() {} }, ...it.stores, metrics: openMetrics() },
  { sandbox: { clock: stillClock() } },
);
after(other.close);
await other.sandbox.app.ready();
const otherApi = brandClient(injectInto(other.sandbox.app), demoKey, "/v2");

/** Each journey runs this often, so that its people are in different cells. */
const turns = 4;
const hour = 60 * minute;
const cells = it.deps.cells.all();

/** A phone whose person is stored in this cell. */
async function phoneIn(cell: Deps): Promise<string> {
  const phone = freshPhone();
  return (await it.cellOf(phone)) === cell ? phone : await phoneIn(cell);
}

async function countPeople(phone: string): Promise<number[]> {
  const index = it.deps.vault.index("phone", "sandbox", phone);
  const rows = cells.map(({ db }) => db.selectFrom("person").select("uuid").where("phone_index", "=", index).execute());
  return (await Promise.all(rows)).map(({ length }) => length);
}
const onlyIn = (cell: Deps) => cells.map((one) => (one === cell ? 1 : 0));

for (const [name, journey] of Object.entries(faultyJourneys))
  test(`${name}: the journey has the expected result in several cells`, async () => {
    for (let turn = 0; turn < turns; turn += 1) {
      await journey(openTrip(it, { keyed: true, losesAnswers: false }));
      await it.advance(2 * minute);
    }
  });

test("200 simultaneous first calls for one phone over two processes create one person, in each cell", async () => {
  for (const cell of cells) {
    const phone = await phoneIn(cell);
    const call = (at: number) => (at % 2 === 0 ? it.api : otherApi).createOneClick({ body: { phone } });
    await Promise.all(Array.from({ length: 200 }, (_, at) => call(at)));
    assert.deepEqual(await countPeople(phone), onlyIn(cell));
  }
});

test("a verification's code is accepted once, in each cell", async () => {
  for (const cell of cells) {
    const phone = await phoneIn(cell);
    const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
    await it.api.deliverVerification({ params: { uuid } });
    const [code = ""] = await codesSentTo(it, phone);
    const submit = () => it.api.submitVerificationCode({ params: { uuid }, body: { code } });
    const answers = await Promise.allSettled(Array.from({ length: 12 }, submit));
    assert.equal(answers.filter(({ status }) => status === "fulfilled").length, 1);
  }
});

test("a brand's members open the journeys of each cell, and list those of all cells", async () => {
  const { uuid: brand, api } = await it.brand();
  const member = await signedIn(it, { role: "viewer" });
  const get = async (rest: string) => (await member.call("GET", `/api/brands/${brand}/sandbox/journeys${rest}`)).body;
  const made: string[] = [];
  for (const cell of cells) {
    const phone = await phoneIn(cell);
    const { uuid } = (await api.createOneClick({ body: { phone } })).body;
    made.push(uuid);
    const journey = await eventually(async () => {
      const found = (await get(`/${uuid}`)) as Journey;
      return found.steps.some(({ call }) => call !== null) ? found : undefined;
    });
    assert.deepEqual([journey.kind, journey.outcome, journey.phoneLastFour], ["signup", "shared", phone.slice(-4)]);
    const line = journey.steps.find(({ call }) => call !== null)?.call?.line;
    assert.equal((await member.call("GET", `/api/brands/${brand}/sandbox/log/${line}`)).status, 200);
  }
  const { data } = (await get("")) as { data: JourneyLine[] };
  assert.deepEqual(data.map(({ uuid }) => uuid).toSorted(), made.toSorted());
});

test("deleting an account leaves the phone in no cell", async () => {
  for (const cell of cells) {
    const phone = await phoneIn(cell);
    const { uuid } = (await it.api.createOneClick({ body: { phone } })).body;
    const browser = await signIn(it, phone);
    await browser.proveAccount({ body: { birthDate } });
    assert.deepEqual(await countPeople(phone), onlyIn(cell));
    assert.equal((await browser.deleteAccount({ body: { consent: agreed("delete") } })).body.outcome, "deleted");
    assert.deepEqual(
      await countPeople(phone),
      cells.map(() => 0),
    );
    assert.equal((await refusal(it.api.readOneClick({ params: { uuid } }))).status, 404);
  }
});

test("moving the clock ends and erases expired data in each cell", async () => {
  const made = await Promise.all(
    cells.map(async (cell) => (await it.api.createOneClick({ body: { phone: await phoneIn(cell) } })).body.uuid),
  );
  await it.advance(2 * hour);
  await it.runJobs();
  for (const uuid of made) assert.equal((await refusal(it.api.readOneClick({ params: { uuid } }))).status, 404);
  for (const { db } of cells) {
    const rows = await db.selectFrom("one_click").select("uuid").where("sealed", "is not", null).execute();
    assert.deepEqual(rows, []);
  }
});
