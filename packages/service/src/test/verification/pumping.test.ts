/**
 * SMS pumping: an attacker earns money from texts, using sequential numbers, many brands, and a new address for each
 * request. The published limits must hold.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { createBrand } from "../../domain/brand/manage.ts";
import { countAlarms, listAlarms } from "../../domain/verification/limits/conversion-alarm-rows.ts";
import { productionCaps } from "../../providers/caps.ts";
import { customerOf } from "../harness/below-http.ts";
import { both } from "../harness/both-environments.ts";
import { demoKey } from "../harness/sandbox.ts";
import { birthDate, knownPhone } from "../harness/vendors/fake-sources.ts";

const it = await both();
const { real } = it;
const hour = 60 * 60_000;
const customerUuid = await newCustomer(demoKey);
const brands = await Promise.all([1, 2, 3, 4].map(realBrand));

async function newCustomer(apiKey: string): Promise<string> {
  const { body } = await it.as(apiKey).createSandboxBrand({ body: {} });
  return await customerOf(it, body.uuid);
}

async function realBrand() {
  const settings = { consent: { declared: true } };
  return await createBrand(real.admin, { customerUuid, name: "Piper", settings, approvals: ["production"] });
}

/** Requests one text from its own IP address, with forged forwarding headers, and returns the status. */
async function text(phone: string, { apiKey, from }: { apiKey: string; from: number }): Promise<number> {
  const headers = {
    authorization: apiKey,
    "content-type": "application/json",
    "x-forwarded-for": `198.51.${from >> 8}.${from & 255}`,
    forwarded: `for=198.51.${from >> 8}.${from & 255}`,
  };
  const remoteAddress = `203.0.${from >> 8}.${from & 255}`;
  const begun = await real.inject({
    method: "POST",
    url: "/v2/1-click/verifications",
    headers,
    remoteAddress,
    payload: JSON.stringify({ channel: "sms", phone }),
  });
  assert.equal(begun.status, 201);
  const { uuid } = begun.body as { uuid: string };
  const url = `/v2/1-click/verifications/${uuid}/deliver`;
  return (await real.inject({ method: "POST", url, headers, remoteAddress, payload: "{}" })).status;
}

async function pump(phones: string[], keys = brands.map(({ apiKey }) => apiKey)) {
  const statuses: number[] = [];
  for (let at = 0; at < phones.length; at += 20)
    statuses.push(
      ...(await Promise.all(
        phones
          .slice(at, at + 20)
          .map((phone, index) => text(phone, { apiKey: keys[(at + index) % keys.length] ?? "", from: at + index })),
      )),
    );
  await real.worker.runDue();
  return statuses;
}
const inBlock = (block: string, count: number) =>
  Array.from({ length: count }, (_, index) => `+1${block}${String(index).padStart(3, "0")}`);
const refusedOnly = (statuses: number[]) => assert.deepEqual(new Set(statuses), new Set([200, 429]));
const textsTo = (prefix: string) => it.texts.filter(({ to }) => to.startsWith(prefix)).length;
const { pumping, textsToPhone } = productionCaps;
assert.ok(pumping);

test("limits texts to a number block when no code is entered, across IP addresses and brands", async (context) => {
  const statuses = await pump(inBlock("6502531", 200));
  refusedOnly(statuses);
  assert.equal(textsTo("+16502531"), pumping.block.textsMax);
  context.diagnostic(`200 requested in one block: ${textsTo("+16502531")} sent`);
  assert.equal((await countAlarms(real.deps)).block, 1);
  it.pass(hour);
  refusedOnly(await pump(inBlock("6502531", 200)));
  assert.equal(textsTo("+16502531"), 2 * pumping.block.textsMax);
});

test("one phone has its own limit across brands, and production texts do not count in the sandbox", async () => {
  const phone = "+16502532000";
  await pump(Array.from({ length: 40 }, () => phone));
  assert.equal(textsTo(phone), textsToPhone[0]?.max);
  const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
  assert.equal((await it.api.deliverVerification({ params: { uuid }, body: {} })).status, 200);
});

test("a brand whose texts are not answered is limited, counted in the metrics, and sees an alarm", async (context) => {
  const brand = await realBrand();
  const phones = Array.from({ length: 60 }, (_, block) => inBlock(`415${String(2_000 + block).slice(0, 4)}`, 8)).flat();
  const before = it.texts.length;
  refusedOnly(await pump(phones, [brand.apiKey]));
  const sent = it.texts.length - before;
  context.diagnostic(`${phones.length} requested in 60 blocks by one brand: ${sent} sent`);
  // The counter is sharded, and some shards are used up before the others.
  assert.ok(sent >= pumping.brand.textsMin && sent <= pumping.brand.textsMax, String(sent));
  const [alarm] = await listAlarms(real.deps, brand.uuid);
  assert.equal(alarm?.kind, "brand");
  assert.equal(alarm?.verified, 0);
  const [other] = brands;
  assert.deepEqual(
    (await listAlarms(real.deps, other?.uuid ?? "")).filter(({ kind }) => kind === "brand"),
    [],
  );
  assert.match(await it.metrics.registry.metrics(), /conversion_alarms\{environment="production",kind="brand"\} 1/);
});

test("a code that the API returned to the brand does not count as an answered text", async () => {
  const settings = {
    integrationType: "v1",
    consent: { declared: true },
    redirectUrl: "https://shop.example/back",
    v1: { sendsSmsItself: true },
  };
  const { uuid, apiKey } = await createBrand(real.admin, {
    customerUuid,
    name: "Piper",
    settings,
    approvals: ["production"],
  });
  const answered = async () => {
    const counters = it.store.db.selectFrom("use_count").select("used").where("scope", "=", `verified.brand.${uuid}`);
    return (await counters.execute()).length;
  };
  const payload = { phone: knownPhone, isHosted: false, birthDate };
  const begun = await real.inject({ method: "POST", url: "/1-click", headers: { authorization: apiKey }, payload });
  const { url = "", smsBody = "" } = begun.body as { url?: string; smsBody?: string };
  const code = /\d{3}-?\d{3}/.exec(smsBody)?.[0];
  const followed = await real.wallet.inject(`${new URL(url).pathname}?code=${code}`);
  assert.equal(followed.statusCode, 303);
  assert.equal(await answered(), 0);
});

test("a number block whose texts are answered gets all texts up to its limit", async () => {
  it.pass(hour);
  const brand = await realBrand();
  const api = real.as(brand.apiKey);
  const phones = inBlock("6502537", 40);
  for (const phone of phones.slice(0, 4)) await it.prove(api, phone);
  await pump(phones.slice(4), [brand.apiKey]);
  assert.equal(textsTo("+16502537"), productionCaps.textsToBlock.max);
});
