import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";
import { fakeTime } from "../harness/fake-time.ts";
import { carrierWorld, line } from "../harness/vendors/camara-journey.ts";
import { type Scenario, scenarios } from "../harness/vendors/camara-scenarios.ts";

const passed = { simulator: 0, adapter: 0, adapterByAnswer: 0 };

for (const scenario of scenarios) {
  test(`CAMARA, simulator: ${scenario.id}`, async () => {
    const { status, says } = scenario;
    const { response, body, correlator } = await ask(scenario);
    assert.equal(response.status, status);
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.equal(response.headers.get("x-correlator"), correlator);
    if (typeof says === "string") {
      assert.deepEqual([body.status, body.code], [status, says]);
      assert.match(String(body.message), /\w/);
    } else {
      for (const [name, value] of Object.entries(says)) assert.equal(body[name], value);
      const [member] = Object.values(body);
      assert.ok(
        scenario.operation === "verify" ? typeof member === "boolean" : /^\+[1-9]\d{4,14}$/.test(String(member)),
      );
    }
    passed.simulator += 1;
  });
  test(`CAMARA, adapter: ${scenario.id}`, async () => {
    const { adapter, operation } = scenario;
    const world = await carrierWorld(fakeTime(), { hashed: adapter.hashed ?? false });
    Object.assign(world.twist, adapter.twist);
    const isVerify = operation === "verify";
    const answer = await world.run(isVerify ? "silent" : "autofill", isVerify ? (adapter.phone ?? line) : undefined);
    assert.deepEqual(answer, adapter.proves ? { kind: "phone", phone: line } : { kind: "failed" });
    // In every scenario, the adapter's requests are valid.
    for (const body of world.bodies) assert.ok(isFit(body), JSON.stringify(body));
    await world.carrier.close();
    passed.adapter += 1;
    if (adapter.answerOnly !== undefined) passed.adapterByAnswer += 1;
  });
}

test("all 22 CAMARA scenarios pass with the simulator and with the adapter", (context) => {
  context.diagnostic(
    `simulator ${passed.simulator} of 22, adapter ${passed.adapter} of 22 (${passed.adapterByAnswer} of them by the answer only)`,
  );
  assert.deepEqual([scenarios.length, passed.simulator, passed.adapter], [22, 22, 22]);
});

async function ask({ operation, token, body }: Scenario) {
  const { issue, apiUrl, carrier } = await carrierWorld(fakeTime());
  const correlator = randomUUID();
  const isVerify = operation === "verify";
  const scope = `openid number-verification:${isVerify ? "verify" : "device-phone-number:read"}`;
  const bearer = token === null || typeof token === "string" ? token : issue({ line, amr: "nba", scope, ...token });
  const response = await fetch(`${apiUrl}/${isVerify ? "verify" : "device-phone-number"}`, {
    method: isVerify ? "POST" : "GET",
    headers: {
      "content-type": "application/json",
      "x-correlator": correlator,
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
    },
    ...(body === undefined || body === null ? {} : { body: JSON.stringify(body) }),
  });
  await carrier.close();
  return { response, correlator, body: (await response.json()) as Record<string, unknown> };
}

function isFit(body: unknown): boolean {
  const [[name, value] = ["", ""], ...more] = Object.entries(body ?? {});
  if (more.length > 0) return false;
  return name === "phoneNumber"
    ? /^\+[1-9]\d{4,14}$/.test(value)
    : name === "hashedPhoneNumber" && /^[0-9a-f]{64}$/.test(value);
}
