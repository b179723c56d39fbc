import assert from "node:assert/strict";
import test from "node:test";
import type { CarrierAnswer, Phone } from "../../domain/ports.ts";
import { isSameDevice } from "../../providers/camara/carrier.ts";
import { sandboxCarrier } from "../../providers/sandbox/carrier.ts";
import { carrierConformance } from "../harness/conformance/carrier.ts";
import { fakeTime } from "../harness/fake-time.ts";
import { carrierWorld, deviceIp, line, otherLine } from "../harness/vendors/camara-journey.ts";
import { faultTable } from "../harness/vendors/fault-table.ts";

const failed = { kind: "failed" };
const returnTo = "https://api.example.com/1-click/verifications/device/w0/result";

carrierConformance("the sandbox", async () => ({
  carrier: sandboxCarrier(() => "https://api.example.com"),
  deviceIp: "::165:0253:0000",
  line: "+16502530000" as Phone,
  other: otherLine,
  returnTo,
  visit: async () => undefined,
  close: async () => {},
}));
carrierConformance("CAMARA", async () => {
  const { carrier, visit } = await carrierWorld(fakeTime());
  return { carrier, deviceIp, line, other: otherLine, returnTo, visit, close: carrier.close };
});

for (const channel of ["silent", "autofill"] as const) {
  faultTable(`CAMARA ${channel}`, {
    requestsMax: 6,
    steps: {
      "the token request": ({ url }) => url.pathname === "/token",
      "the number request": ({ url }) => url.pathname.startsWith("/number-verification"),
    },
    async make(time) {
      const { vendor, carrier, run } = await carrierWorld(time);
      const ask = () => run(channel, channel === "silent" ? line : undefined);
      return { vendor, ask, isOpen: ({ kind }: CarrierAnswer) => kind === "phone", close: carrier.close };
    },
  });
}

test("a callback is accepted once, and only for its own journey, from the same device, before it expires", async () => {
  const time = fakeTime();
  const world = await carrierWorld(time);
  const { carrier, journey, visit, finish, vendor } = world;
  const going = journey("silent", line);
  const answer = await visit((await carrier.begin(going)).location);
  const tokenCalls = () => vendor.requests.filter(({ url }) => url.pathname === "/token").length;
  const query = new URLSearchParams(answer);
  const altered = (change: (query: URLSearchParams) => void) => {
    const copy = new URLSearchParams(query);
    change(copy);
    return copy.toString();
  };
  const refusals = [
    finish(journey("silent", line), answer),
    finish({ ...going, phone: otherLine }, answer),
    finish({ ...going, channel: "autofill" }, answer),
    finish({ ...going, deviceIp: "2600:380:1:3::9" }, answer, "2600:380:1:3::9"),
    finish(going, answer, "2600:380:1:3::9"),
    finish(going, answer, "93.184.215.14"),
    finish(going, ""),
    finish(
      going,
      altered((one) => one.delete("code")),
    ),
    finish(
      going,
      altered((one) => one.set("state", `${one.get("state")}x`)),
    ),
    finish(
      going,
      altered((one) => one.append("state", "another")),
    ),
    finish(
      going,
      altered((one) => one.set("state", (one.get("state") ?? "").replace(/^\w+/, "w9"))),
    ),
    finish(
      going,
      altered((one) => one.set("iss", "https://other.example")),
    ),
    finish(
      going,
      altered((one) => one.set("error", "access_denied")),
    ),
  ];
  for (const one of await Promise.all(refusals)) assert.deepEqual(one, failed);
  assert.equal(tokenCalls(), 0, "no rejected callback reached the carrier");
  assert.deepEqual(await finish(going, answer, "2600:380:1:2:ffff::1"), { kind: "phone", phone: line });
  assert.deepEqual(await finish(going, answer), failed);
  assert.equal(tokenCalls(), 1);
  const late = journey("silent", line);
  const lateAnswer = await visit((await carrier.begin(late)).location);
  time.advance(60_001);
  assert.deepEqual(await finish(late, lateAnswer), failed);
  assert.equal(tokenCalls(), 1);
  await carrier.close();
});

test("an authorization code from another journey fails, even with the right state", async () => {
  const { carrier, journey, visit, finish } = await carrierWorld(fakeTime());
  const [mine, theirs] = [journey("autofill"), journey("autofill")];
  const query = new URLSearchParams(await visit((await carrier.begin(mine)).location, otherLine));
  const stolen = new URLSearchParams(await visit((await carrier.begin(theirs)).location));
  query.set("code", stolen.get("code") ?? "");
  assert.deepEqual(await finish(mine, query.toString()), failed);
  await carrier.close();
});

test("an ID token for another client, journey, issuer or time fails", async () => {
  for (const claims of [
    { aud: "other" },
    { aud: ["countersign", "other"] },
    { nonce: "other" },
    { iss: "https://other.example" },
    { exp: 1 },
    { iat: 1 },
  ]) {
    const world = await carrierWorld(fakeTime());
    Object.assign(world.twist, { claims });
    assert.deepEqual(await world.run("autofill"), failed, JSON.stringify(claims));
    await world.carrier.close();
  }
});

test("the check fails when the device's number is not the requested phone, or is unknown", async () => {
  const { run, carrier } = await carrierWorld(fakeTime());
  assert.deepEqual(await run("autofill", line, otherLine), failed);
  assert.deepEqual(await run("silent", line, otherLine), failed);
  assert.deepEqual(await run("silent", line, null), failed, "a device that the network does not recognize");
  await carrier.close();
});

test("IPv6 addresses in one /64 are the same device; IPv4 addresses must be equal", () => {
  assert.ok(isSameDevice("2600:380:1:2::9", "2600:380:1:2:abcd:1::"));
  assert.ok(isSameDevice("::ffff:93.184.215.14", "93.184.215.14"));
  assert.ok(isSameDevice("::ffff:5db8:d70e", "93.184.215.14"));
  for (const [named, caller] of [
    ["2600:380:1:2::9", "2600:380:1:3::9"],
    ["::ffff:93.184.215.14", "93.184.215.15"],
    ["::1", "::ffff:93.184.215.14"],
    ["nonsense", "nonsense"],
  ] as const)
    assert.ok(!isSameDevice(named, caller), `${named} ${caller}`);
});

test("when the carrier's IP ranges are configured, other addresses are not eligible", async () => {
  const { carrier } = await carrierWorld(fakeTime(), { networks: ["2600:380::/32", "166.128.0.0/9"] });
  const eligible = (address: string) => carrier.eligible({ channel: "silent", deviceIp: address });
  assert.deepEqual(
    await Promise.all(
      [deviceIp, "::ffff:166.137.1.1", "2a00:1450::1", "::ffff:93.184.215.14", "::ffff:10.0.0.1"].map(eligible),
    ),
    [true, true, false, false, false],
  );
  await carrier.close();
});
