/** Texts in the console: what carriers deliver, the opt-out of one number, vendors, erasures and keys. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConsoleTexts } from "@countersign/contract/console-texts";
import { createBrand } from "../../domain/brand/manage.ts";
import { countTextResults, writeTextResults } from "../../domain/verification/texts/text-result-rows.ts";
import { customerOf } from "../harness/below-http.ts";
import { both } from "../harness/both-environments.ts";
import { signedInStaff } from "../harness/console-staff.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await both({ OPERATOR_PORT: "4003" });
const { real } = it;
const { body: made } = await it.api.createSandboxBrand({ body: {} });
const brand = await createBrand(real.admin, {
  customerUuid: await customerOf(it, made.uuid),
  name: "Piper",
  settings: { consent: { declared: true } },
  approvals: ["production"],
});
const api = real.as(brand.apiKey);
const support = await signedInStaff(it, "support", "passkey");
let numbers = 0;
const newPhone = () => `+1650253${String(4_000 + 7 * numbers++)}`;
const reason = "Case 4711";

async function textTo(phone: string) {
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  await api.deliverVerification({ params: { uuid }, body: {} });
  await real.worker.runDue();
  return it.texts.at(-1) ?? assert.fail("nothing was texted");
}
const report = async (id: string, more: object) =>
  assert.equal((await it.called(`/callbacks/texts/${id}`, { id, ...more })).status, 204);

async function figures(days = "7", environment = "production"): Promise<ConsoleTexts> {
  await writeTextResults(real.deps.db);
  const { status, body } = await support.call("GET", `/api/console/texts?environment=${environment}&days=${days}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as unknown as ConsoleTexts;
}
const stored = async () => {
  await writeTextResults(real.deps.db);
  return (await it.store.pool.query("select * from text_result order by carrier, outcome")).rows;
};

test("counts texts by the carrier and the reason that the gateway reports, each end once", async () => {
  for (let count = 0; count < 3; count += 1) {
    const { id } = await textTo(newPhone());
    await report(id, { status: "delivered", carrier: "Alpha Mobile" });
    await report(id, { status: "delivered", carrier: "Alpha Mobile" });
  }
  const lost = await textTo(newPhone());
  await report(lost.id, { status: "failed", carrier: "Beta Wireless", reason: "filtered" });
  const unnamed = await textTo(newPhone());
  await report(unnamed.id, { status: "failed" });
  const { carriers, routes } = await figures();
  assert.deepEqual(
    carriers.map(({ carrier, delivered, failed, reasons }) => [carrier, delivered, failed, reasons]),
    [
      ["Beta Wireless", 0, 1, [{ reason: "filtered", texts: 1 }]],
      [null, 0, 1, [{ reason: "", texts: 1 }]],
      ["Alpha Mobile", 3, 0, []],
    ],
  );
  assert.deepEqual(
    routes.map(({ route, accepted, delivered, failed }) => [route, accepted, delivered, failed]),
    [["sms_gateway", 5, 3, 2]],
  );
});

test("the figures are of the asked days, and older ones are not in them", async () => {
  const beta = ({ carriers }: ConsoleTexts) => carriers.find(({ carrier }) => carrier === "Beta Wireless");
  it.pass(8 * 24 * 3_600_000);
  assert.equal(beta(await figures("7")), undefined);
  const month = beta(await figures("30"));
  assert.equal(month?.days.length, 30);
  assert.deepEqual(
    month?.days.flatMap(({ failed }, index) => (failed > 0 ? [index] : [])),
    [21],
  );
});

test("a gateway's words that could be a phone or an id are not stored", async () => {
  const phone = newPhone();
  for (const words of [
    { carrier: phone, reason: `to ${phone.slice(1)}` },
    { carrier: "650-253-4000", reason: "650 253 4000" },
    { carrier: "<b>", reason: "a\nb" },
    { carrier: "x".repeat(41), reason: "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21" },
  ])
    countTextResults(real.deps, [{ outcome: "failed", ...words }]);
  const today = (await stored()).filter(
    ({ outcome, day }) => outcome === "failed" && day >= real.clock.now() - 86_400_000,
  );
  assert.deepEqual(
    today.map(({ carrier, reason: why, texts }) => [carrier, why, texts]),
    [["", "other", 4]],
  );
});

test("no row of the counts leads to a phone, a person or a brand", async () => {
  const columns = Object.keys((await stored())[0] ?? {}).sort();
  assert.deepEqual(columns, ["carrier", "day", "environment", "outcome", "reason", "route", "texts"]);
});

test("tells whether one number sent STOP, with a reason, and records the look without the number", async () => {
  const phone = newPhone();
  const ask = async (asked: string, why: string | undefined = reason) =>
    await support.call("POST", "/api/console/texts/stop", { environment: "production", phone: asked, reason: why });
  assert.deepEqual((await ask(phone)).body, { isStopped: false, at: null });
  await it.called("/callbacks/texts", { id: "m-1", from: phone, body: "STOP" });
  const stopped = (await ask(phone)).body;
  assert.equal(stopped.isStopped, true);
  assert.equal(stopped.at, real.clock.now());
  assert.equal((await figures()).stopped, 1);
  assert.equal((await ask("12")).status, 400);
  assert.equal((await ask(phone, "x")).status, 400);
  const { data } = (await support.call("GET", "/api/console/audit?action=stop.viewed")).body as {
    data: { who: string; reason: string }[];
  };
  assert.deepEqual(
    data.map(({ who, reason: why }) => [who, why]),
    [
      [support.name, reason],
      [support.name, reason],
    ],
  );
  assert.ok(!JSON.stringify(data).includes(phone.slice(-7)));
});

test("the figures never list numbers, and support cannot ask for an environment that does not exist", async () => {
  const text = JSON.stringify(await figures("30"));
  assert.ok(!/\+1\d{10}/.test(text));
  const query = "/api/console/texts?environment=production&days=8";
  assert.equal((await support.call("GET", query)).status, 400);
});

test("a process that ends writes the counts that wait", async () => {
  const ending = await sandbox();
  countTextResults(ending.deps, [{ outcome: "failed", carrier: "Alpha Mobile", reason: "blocked" }]);
  const count = async () => (await ending.store.pool.query("select sum(texts)::int as all from text_result")).rows;
  assert.deepEqual(await count(), [{ all: null }]);
  await ending.close();
  assert.deepEqual(await count(), [{ all: 1 }]);
});
