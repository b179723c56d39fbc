import assert from "node:assert/strict";
import test from "node:test";
import { type FakeTime, fakeTime } from "../fake-time.ts";
import { type FakeRequest, type FakeVendor, type FaultName, faultNames } from "./fake-vendor.ts";

/**
 * An adapter with its own vendor. `isOpen` returns whether an outcome claims something that only a valid answer may
 * claim.
 */
export type Exposed<Outcome> = {
  vendor: FakeVendor;
  ask(): Promise<Outcome>;
  isOpen(outcome: Outcome): boolean;
  close(): Promise<void>;
};
type FaultTableOptions<Outcome> = {
  make(time: FakeTime): Promise<Exposed<Outcome>>;
  /** The most requests that one question may send. */
  requestsMax: number;
  /** Selects the requests that get the fault, for each step. The default is all requests. */
  steps?: Record<string, (request: FakeRequest) => boolean>;
  /** Selects the requests that fail while the vendor is down. The default is the requests of all steps. */
  gone?: (request: FakeRequest) => boolean;
  /** Faults that do not matter to this adapter, with the reason. */
  harmless?: Partial<Record<FaultName, string>>;
};

/**
 * Tests each fault at each step of an adapter. The adapter must finish, respect its request limit, and claim nothing.
 */
export function faultTable<Outcome>(name: string, options: FaultTableOptions<Outcome>): void {
  const steps = options.steps ?? { "the call": () => true };
  test(`${name}: accepts a valid answer`, async () => {
    const { ask, isOpen, close } = await options.make(fakeTime());
    assert.equal(isOpen(await ask()), true);
    await close();
  });
  const isStep = (request: FakeRequest) => Object.values(steps).some((where) => where(request));
  const figures = { closed: 0, open: 0 };
  for (const [step, where] of Object.entries(steps)) {
    for (const fault of faultNames) {
      if (options.harmless?.[fault] !== undefined) continue;
      test(`${name}: ${fault} at ${step} does not count as a valid answer`, async () => {
        const time = fakeTime();
        const { vendor, ask, isOpen, close } = await options.make(time);
        vendor.break(fault, { where });
        const outcome = await ask().then(
          (value) => ({ open: isOpen(value) }),
          (error: Error) => ({ open: false, error: error.message }),
        );
        figures[outcome.open ? "open" : "closed"] += 1;
        assert.equal(outcome.open, false);
        const requests = vendor.requests.filter(isStep).length;
        assert.ok(requests <= options.requestsMax, `${requests} requests`);
        await close();
      });
    }
  }
  test(`${name}: stops calling a failing vendor and calls it again after a minute`, async () => {
    const time = fakeTime();
    const { vendor, ask, isOpen, close } = await options.make(time);
    const quietly = () => ask().then(isOpen, () => false);
    vendor.break("500", { where: options.gone ?? isStep });
    for (let round = 0; round < 10; round += 1) figures[(await quietly()) ? "open" : "closed"] += 1;
    vendor.mend();
    const before = vendor.requests.filter(isStep).length;
    assert.equal(await quietly(), false);
    assert.equal(vendor.requests.filter(isStep).length, before);
    time.advance(60_000);
    assert.equal(await quietly(), true, "the vendor is called again after a pause");
    await close();
  });
  test(`${name}: no fault fails open`, (context) => {
    context.diagnostic(`${name}: ${figures.closed} of ${figures.closed + figures.open} closed`);
    assert.equal(figures.open, 0);
  });
}
