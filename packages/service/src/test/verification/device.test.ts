import assert from "node:assert/strict";
import test from "node:test";
import type { ClientResponse } from "@countersign/contract/client";
import { changeApproval, setMode } from "../../domain/brand/manage.ts";
import { assertEnvelope, demoKey, otherKey, refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const primaryDevice = "::121:2555:0010";

async function begin(body: Record<string, string>, key = demoKey): Promise<ClientResponse> {
  return await it.inject({
    method: "POST",
    url: "/v2/1-click/verifications",
    headers: { authorization: key },
    payload: body,
  });
}

async function locationOf(body: Record<string, string>, key = demoKey): Promise<string> {
  const { status, headers } = await begin(body, key);
  assert.equal(status, 302);
  return headers.location ?? assert.fail("no Location");
}

/** Acts as the device: it follows redirects without cookies and reads the final answer from another site. */
async function follow(location: string, hopsMax = 5): Promise<ClientResponse> {
  let next = location;
  for (let hop = 0; hop < hopsMax; hop += 1) {
    const url = new URL(next);
    assert.equal(url.origin, "http://localhost:4000");
    const response = await it.inject({
      method: "GET",
      url: `${url.pathname}${url.search}`,
      headers: { origin: "https://brand.example" },
    });
    assert.equal(response.headers["access-control-allow-origin"], "*");
    assert.equal(response.headers["set-cookie"], undefined);
    if (response.status !== 302) return response;
    next = response.headers.location ?? assert.fail("no Location");
  }
  return assert.fail("too many redirects");
}

/** Returns the path to which the carrier sends the device back. */
async function resultOf(location: string): Promise<string> {
  const first = await it.inject({ method: "GET", url: new URL(location).pathname });
  const carrier = await it.inject({ method: "GET", url: new URL(first.headers.location ?? "").pathname });
  return new URL(carrier.headers.location ?? "").pathname;
}

function entity(response: ClientResponse): Record<string, unknown> {
  assert.equal(response.status, 200);
  return response.body as Record<string, unknown>;
}

function errorCode(response: ClientResponse): unknown {
  assertEnvelope(response.status, response.body);
  return (response.body as { data: { errorCode?: unknown } }).data.errorCode;
}

test("returns the device's own address as IPv6 to any origin and ignores X-Forwarded-For", async () => {
  assert.deepEqual((await it.as(null).readDeviceIp()).body, { deviceIp: primaryDevice });
  const foreign = await it.inject({
    method: "GET",
    url: "/1-click/verifications/device-ip",
    remoteAddress: "203.0.113.9",
    headers: { origin: "https://brand.example" },
  });
  assert.deepEqual(foreign.body, { deviceIp: "::ffff:203.0.113.9" });
  assert.equal(foreign.headers["access-control-allow-origin"], "*");
  const forged = await it.inject({
    method: "GET",
    url: "/1-click/verifications/device-ip",
    remoteAddress: "203.0.113.9",
    headers: { "x-forwarded-for": "2001:db8::5" },
  });
  assert.deepEqual(forged.body, { deviceIp: "::ffff:203.0.113.9" });
});

test("a channel is available when the brand is approved and the device is eligible", async () => {
  const { channels } = (await it.api.readChannels({ query: { deviceIp: primaryDevice } })).body;
  assert.deepEqual(channels, {
    autofill: { available: true, brandApproved: true, deviceIpEligible: true },
    silent: { available: true, brandApproved: true, deviceIpEligible: true },
    sms: { available: true, brandApproved: true },
  });
  const unnamed = (await it.api.readChannels()).body.channels;
  assert.deepEqual(unnamed.autofill, { available: false, brandApproved: true, deviceIpEligible: false });
  const elsewhere = (await it.api.readChannels({ query: { deviceIp: "::11" } })).body.channels;
  assert.deepEqual(elsewhere.silent, { available: false, brandApproved: true, deviceIpEligible: false });
  assert.equal((await refusal(it.api.readChannels({ query: { deviceIp: "127.0.0.1" } }))).errorCode, "ERR001");
});

test("a channel that the brand disabled reads as not approved and cannot start a verification", async () => {
  const brand = await it.brand({ channels: { autofill: false, sms: false } });
  const { channels } = (await brand.api.readChannels({ query: { deviceIp: primaryDevice } })).body;
  assert.deepEqual(
    [channels.autofill.brandApproved, channels.silent.brandApproved, channels.sms.available],
    [false, true, false],
  );
  const bodies: Record<string, string>[] = [
    { channel: "autofill", deviceIp: primaryDevice },
    { channel: "sms", phone: "+12125550010" },
  ];
  for (const body of bodies) {
    assert.equal((await begin(body, brand.apiKey)).status, 403);
  }
});

const reached: [string, string, string?][] = [
  ["autofill", primaryDevice],
  ["autofill", "::165:6555:0000"],
  ["autofill", "2001:db8::1"],
  ["autofill", "::10"],
  ["silent", primaryDevice, "+12125550010"],
  ["silent", "::8", "+12125550020"],
  ["silent", "2001:db8::1", "+12125550020"],
];
for (const [channel, deviceIp, phone] of reached) {
  test(`${channel} from ${deviceIp} verifies the phone`, async () => {
    const proven = entity(
      await follow(await locationOf({ channel, deviceIp, ...(phone === undefined ? {} : { phone }) })),
    );
    const expected = deviceIp === "::165:6555:0000" ? "+16565550000" : (phone ?? "+12125550010");
    assert.deepEqual(
      [proven.channel, proven.phone, proven.verified, proven.deviceIp],
      [channel, expected, true, deviceIp],
    );
  });
}

const failing: [string, string, string | undefined, string][] = [
  ["autofill", "::8", undefined, "OCV008"],
  ["autofill", "::12", undefined, "OCV008"],
  ["autofill", primaryDevice, "+12125550020", "OCV008"],
  ["silent", "::10", "+12125550010", "OCV010"],
  ["silent", "::12", "+12125550010", "OCV010"],
  ["silent", primaryDevice, "+12125550020", "OCV010"],
];
for (const [channel, deviceIp, phone, code] of failing) {
  const forPhone = phone === undefined ? "" : ` for ${phone}`;
  test(`${channel} from ${deviceIp}${forPhone} fails with ${code} and reveals no phone number`, async () => {
    const ended = await follow(await locationOf({ channel, deviceIp, ...(phone === undefined ? {} : { phone }) }));
    assert.equal(errorCode(ended), code);
    assert.doesNotMatch(JSON.stringify(ended.body), /\+1\d{10}/);
  });
}

test("an ineligible device is rejected with OCV011 and gets no redirect", async () => {
  for (const [channel, message] of [
    ["autofill", "Autofill not eligible."],
    ["silent", "Silent not eligible."],
  ] as const) {
    const response = await begin({ channel, deviceIp: "::11", phone: "+12125550010" });
    assert.equal(errorCode(response), "OCV011");
    assert.equal((response.body as { message: string }).message, message);
  }
});

test("invalid input for a device channel is rejected, and the error names the field", async () => {
  const invalid: [Record<string, string>, string][] = [
    [{ channel: "autofill" }, "body.deviceIp"],
    [{ channel: "silent", deviceIp: primaryDevice }, "body.phone"],
    [{ channel: "silent", deviceIp: "10.0.0.1", phone: "+12125550010" }, "body.deviceIp"],
  ];
  for (const [body, path] of invalid) {
    const response = await begin(body);
    assert.equal(errorCode(response), "ERR001");
    assert.match(JSON.stringify(response.body), new RegExp(path.replace(".", "\\.")));
  }
  assert.equal(errorCode(await begin({ channel: "email" })), "OCV006");
  assert.equal(
    errorCode(await begin({ channel: "silent", deviceIp: primaryDevice, phone: "+442071838750" })),
    "OCV009",
  );
});

test("each redirect of a device verification works once; a replay verifies nothing", async () => {
  const location = await locationOf({ channel: "autofill", deviceIp: primaryDevice });
  const result = await resultOf(location);
  assert.equal(errorCode(await it.inject({ method: "GET", url: new URL(location).pathname })), "OCV005");
  const ends = await Promise.all(Array.from({ length: 20 }, () => it.inject({ method: "GET", url: result })));
  assert.equal(ends.filter((end) => end.status === 200).length, 1);
  assert.equal(errorCode(await it.inject({ method: "GET", url: result })), "OCV005");
});

test("the redirects of a device verification expire after sixty seconds", async () => {
  const late = await locationOf({ channel: "autofill", deviceIp: primaryDevice });
  await it.advance(60_000);
  assert.equal(errorCode(await follow(late)), "OCV005");
  const inTime = await locationOf({ channel: "autofill", deviceIp: primaryDevice });
  await it.advance(59_999);
  assert.equal(entity(await follow(inTime)).verified, true);
  const back = await resultOf(await locationOf({ channel: "autofill", deviceIp: primaryDevice }));
  await it.advance(60_000);
  assert.equal(errorCode(await it.inject({ method: "GET", url: back })), "OCV005");
});

test("the redirects of a device verification do not work in another environment", async () => {
  const begun = () => locationOf({ channel: "autofill", deviceIp: primaryDevice });
  const paths = [new URL(await begun()).pathname, await resultOf(await begun())];
  const move = (environment: "sandbox" | "production") =>
    it.store.db.updateTable("verification").set({ environment }).where("status", "=", "pending").execute();
  await move("production");
  for (const url of paths) assert.equal(errorCode(await it.inject({ method: "GET", url })), "OCV005");
  await move("sandbox");
  for (const url of paths) assert.ok((await it.inject({ method: "GET", url })).status < 400);
});

test("a phone verified by its device has the method phone_carrier, and only its brand can use the verification", async () => {
  const proven = entity(await follow(await locationOf({ channel: "autofill", deviceIp: "::165:6555:0000" })));
  const verificationUuid = String(proven.uuid);
  const { identity } = (await it.api.createOneClick({ body: { verificationUuid } })).body;
  assert.equal(identity.identifiers.phone, "+16565550000");
  assert.equal(identity.metadata.identifiers.verificationMethod.phone, "phone_carrier");
  assert.equal((await refusal(it.as(otherKey).createOneClick({ body: { verificationUuid } }))).errorCode, "OCV005");
});

test("a device verification has no code: it rejects deliver and any submitted code", async () => {
  const location = await locationOf({ channel: "autofill", deviceIp: primaryDevice });
  const { uuid } = await it.store.db
    .selectFrom("verification")
    .select("uuid")
    .orderBy("created_at", "desc")
    .where("channel", "=", "autofill")
    .where("status", "=", "pending")
    .executeTakeFirstOrThrow();
  assert.equal((await refusal(it.api.deliverVerification({ params: { uuid } }))).errorCode, "OCV003");
  const typed = await refusal(it.api.submitVerificationCode({ params: { uuid }, body: { code: "111111" } }));
  assert.deepEqual([typed.errorCode, typed.data.attemptsRemaining], ["OCV001", 3]);
  assert.equal(entity(await follow(location)).verified, true);
});

test("the simulated carrier does not redirect to other addresses", async () => {
  for (const path of [
    "/carrier/https://evil.example",
    "/carrier//evil.example",
    "/carrier/1-click/verifications/device/x/result/../../../..",
    "/carrier/v2/1-click",
  ]) {
    const response = await it.inject({ method: "GET", url: path });
    assert.deepEqual([response.status, response.headers.location], [404, undefined], path);
  }
});

for (const [what, end] of [
  ["the operator stops its brand", (brandUuid: string) => setMode(it.admin, { brandUuid, mode: "stopped" })],
  [
    "its brand loses the channel",
    (brandUuid: string) => changeApproval(it.admin, { brandUuid, approval: "autofill", granted: false }),
  ],
] as const)
  test(`a device learns nothing more after ${what}, at either step`, async () => {
    const early = await it.brand();
    const beforeCarrier = await locationOf({ channel: "autofill", deviceIp: primaryDevice }, early.apiKey);
    await end(early.uuid);
    const refused = await follow(beforeCarrier);
    assertEnvelope(refused.status, refused.body);
    assert.deepEqual([refused.status, refused.body.data.errorCode], [404, "OCV005"]);

    const late = await it.brand();
    const device = await locationOf({ channel: "autofill", deviceIp: primaryDevice }, late.apiKey);
    const atCarrier = await it.inject({ method: "GET", url: new URL(device).pathname });
    assert.equal(atCarrier.status, 302);
    await end(late.uuid);
    const answer = await follow(atCarrier.headers.location ?? "");
    assertEnvelope(answer.status, answer.body);
    assert.equal(answer.body.data.errorCode, "OCV008");
    const { rows } = await it.store.pool.query("select status, person_uuid from verification where brand_uuid = $1", [
      late.uuid,
    ]);
    assert.deepEqual(rows, [{ status: "failed", person_uuid: null }]);
  });
