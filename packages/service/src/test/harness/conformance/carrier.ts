import assert from "node:assert/strict";
import test from "node:test";
import type { Carrier, Phone } from "../../../domain/ports.ts";

/** A carrier and a device that it recognizes. */
export type CarrierCase = {
  carrier: Carrier;
  deviceIp: string;
  /** The device's line. `other` is a different line. */
  line: Phone;
  other: Phone;
  returnTo: string;
  /** Opens `location` as the device and returns the answer in the redirect back. */
  visit(location: string): Promise<string | undefined>;
  close(): Promise<void>;
};

/** Tests that every carrier adapter must pass. */
export function carrierConformance(name: string, make: () => Promise<CarrierCase>): void {
  const run = async (channel: "silent" | "autofill", phone?: (one: CarrierCase) => Phone) => {
    const one = await make();
    const journey = {
      channel,
      deviceIp: one.deviceIp,
      returnTo: one.returnTo,
      ...(phone ? { phone: phone(one) } : {}),
    };
    const { location } = await one.carrier.begin(journey);
    const answer = await one.visit(location);
    const back = {
      ...journey,
      callerIp: one.deviceIp,
      deadlineMs: 10_000,
      ...(answer === undefined ? {} : { answer }),
    };
    const outcome = await one.carrier.finish(back);
    await one.close();
    return { one, location, outcome };
  };
  test(`${name}: autofill returns the device's phone number`, async () => {
    const { one, outcome } = await run("autofill");
    assert.deepEqual(outcome, { kind: "phone", phone: one.line });
  });
  test(`${name}: silent confirms only the device's own phone number`, async () => {
    const { one, outcome } = await run("silent", ({ line }) => line);
    assert.deepEqual(outcome, { kind: "phone", phone: one.line });
    assert.deepEqual((await run("silent", ({ other }) => other)).outcome, { kind: "failed" });
  });
  test(`${name}: the redirect URL does not contain the phone number`, async () => {
    const { one, location } = await run("silent", ({ line }) => line);
    assert.ok(!decodeURIComponent(location).includes(one.line.slice(1)));
  });
  test(`${name}: writes device addresses as IPv6, and treats no internal address as a mobile device`, async () => {
    const { carrier, close } = await make();
    assert.equal(carrier.deviceIpOf("93.184.215.14"), "::ffff:93.184.215.14");
    assert.equal(carrier.deviceIpOf("2600:380:1:2::9"), "2600:380:1:2::9");
    for (const inside of ["127.0.0.1", "10.0.0.1", "192.168.1.1", "::1", "fe80::1"])
      assert.equal(carrier.mobileDeviceOf(inside), null, inside);
    await close();
  });
}
