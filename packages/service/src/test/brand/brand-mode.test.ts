/** Stopping a brand blocks its keys, pages, payer checks and deliveries at once. Reactivating it resumes all four. */
import assert from "node:assert/strict";
import test from "node:test";
import { client } from "@countersign/contract/client";
import { readPage } from "@countersign/contract/wallet";
import { findBrand } from "../../domain/brand/brand-rows.ts";
import { changeApproval, setMode } from "../../domain/brand/manage.ts";
import { startLookup } from "../../domain/health/request.ts";
import type { OutboundAnswer } from "../../domain/ports.ts";
import { defineEndpoint } from "../../domain/webhook/endpoint.ts";
import { sandboxClearinghouse } from "../../providers/sandbox/clearinghouse.ts";
import { freshPhone } from "../harness/below-http.ts";
import { healthBrand, richard } from "../harness/health-lookup.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";
import { scriptCalls } from "../harness/script-calls.ts";

const received: string[] = [];
let asked = 0;
const real = sandboxClearinghouse();
const it = await sandbox({
  vendors: {
    clearinghouse: {
      ...real,
      async discover(question) {
        asked += 1;
        return await real.discover(question);
      },
    },
    outbound: {
      judge: () => null,
      async post({ url }): Promise<OutboundAnswer> {
        received.push(url);
        return { kind: "answered", status: 204, durationMs: 1 };
      },
    },
  },
});
const wallet = client({ readPage }, { send: scriptCalls(it.wallet) });
const phone = "+12125550010";
const statusOf = async (call: Promise<{ status: number }>) =>
  await call.then(
    ({ status }) => status,
    ({ status }) => status,
  );

/** The two ways in which the operator stops a brand, and how each one ends. */
const stops = {
  stopped: (brandUuid: string, isOn: boolean) => setMode(it.admin, { brandUuid, mode: isOn ? "stopped" : "active" }),
  unapproved: (brandUuid: string, isOn: boolean) =>
    changeApproval(it.admin, { brandUuid, approval: "production", granted: !isOn }),
};

test("a stopped brand's keys are refused, a read-only brand's keys can read, and an active brand's keys work again", async () => {
  const brand = await it.brand({});
  const other = await it.brand({});
  const { uuid } = (await brand.api.createOneClick({ body: { phone } })).body;
  const tried = async () => [
    await statusOf(brand.api.createOneClick({ body: { phone } })),
    await statusOf(brand.api.readOneClick({ params: { uuid } })),
  ];
  await setMode(it.admin, { brandUuid: brand.uuid, mode: "stopped" });
  assert.deepEqual(await tried(), [403, 403]);
  assert.match((await refusal(brand.api.readOneClick({ params: { uuid } }))).message, /stopped/);
  assert.equal(await statusOf(other.api.createOneClick({ body: { phone } })), 201);
  await setMode(it.admin, { brandUuid: brand.uuid, mode: "readOnly" });
  assert.deepEqual(await tried(), [403, 200]);
  await setMode(it.admin, { brandUuid: brand.uuid, mode: "active" });
  assert.deepEqual(await tried(), [201, 200]);
});

test("the page of a stopped or read-only brand is closed, and opens again when the brand is active", async () => {
  const brand = await it.brand({ integrationType: "hosted", redirectUrl: "https://brand.example/welcome" });
  const { url = "" } = (await brand.api.beginOneClick({ body: { phone } })).body;
  const params = { page: new URL(url).pathname.slice("/request/".length) };
  for (const mode of ["stopped", "readOnly"] as const) {
    await setMode(it.admin, { brandUuid: brand.uuid, mode });
    assert.equal((await refusal(wallet.readPage({ params }))).errorCode, "OCE015", mode);
  }
  await setMode(it.admin, { brandUuid: brand.uuid, mode: "active" });
  assert.equal((await wallet.readPage({ params })).status, 200);
  await stops.unapproved(brand.uuid, true);
  assert.equal((await refusal(wallet.readPage({ params }))).errorCode, "OCE015");
});

test("a read-only brand cannot read with a code, because the service would ask the source and release data", async () => {
  const brand = await it.brand({ integrationType: "semiHosted" });
  const { uuid, code } = (await brand.api.beginOneClick({ body: { phone } })).body;
  const read = () => brand.api.readOneClick({ params: { uuid }, query: { code: String(code) } });
  await setMode(it.admin, { brandUuid: brand.uuid, mode: "readOnly" });
  assert.equal((await refusal(read())).status, 403);
  await setMode(it.admin, { brandUuid: brand.uuid, mode: "active" });
  assert.equal((await read()).status, 200);
  await setMode(it.admin, { brandUuid: brand.uuid, mode: "readOnly" });
  assert.equal((await read()).status, 200);
});

for (const [name, stop] of Object.entries(stops))
  test(`for a brand that is ${name}, no payer is asked and nothing is delivered`, async () => {
    [asked, received.length] = [0, 0];
    const brand = await healthBrand(it);
    await defineEndpoint(it.deps, brand.uuid, { url: "https://brand.example/hook", authentication: { type: "none" } });
    // The brand was looked up just before it is stopped, as in a request that is under way.
    const staleBrand = await findBrand(it.store.home, "sandbox", brand.uuid);
    assert.ok(staleBrand);
    await stop(brand.uuid, true);
    const caller = { brand: staleBrand, apiKeyUuid: null, requestId: "a request" };
    const { uuid: healthDataUuid } = await startLookup(it.deps, caller, richard);
    await it.runJobs();
    assert.deepEqual([asked, received], [0, []]);
    await stop(brand.uuid, false);
    const { status, errors } = (await brand.api.readHealthLookup({ params: { healthDataUuid } })).body;
    assert.deepEqual([status, errors?.length], ["FAILED", 1]);
    await it.advance(30 * 60_000);
    assert.deepEqual(received, ["https://brand.example/hook"]);
  });

for (const [name, stop] of Object.entries(stops))
  test(`credentials of a brand that is ${name} are not released until it may issue again`, async () => {
    const issuer = await it.brand({});
    const to = freshPhone();
    const credentials = [{ type: "EmployerNameCredential" as const, data: { employer: "Hooli" } }];
    await issuer.api.issueCredentials({ body: { phone: to, credentials } });
    const employer = async () => {
      const body = { phone: to, credentialRequests: [{ type: "EmployerNameCredential" as const }] };
      return (await it.api.createOneClick({ body })).body.identity?.credentials?.employerName;
    };
    assert.equal(await employer(), "Hooli");
    await stop(issuer.uuid, true);
    assert.equal(await employer().catch(() => undefined), undefined);
    await stop(issuer.uuid, false);
    assert.equal(await employer(), "Hooli");
  });
