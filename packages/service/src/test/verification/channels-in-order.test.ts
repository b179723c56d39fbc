import assert from "node:assert/strict";
import { test } from "node:test";
import { demoKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const phone = "+12125550010";
const deviceIp = "::121:2555:0010";
const order = ["silent", "autofill", "sms"];

async function begin(body: Record<string, unknown>, { key = demoKey, path = "/v2.1" } = {}) {
  const url = `${path}/1-click/verifications`;
  return await it.inject({ method: "POST", url, headers: { authorization: key }, payload: body });
}

test("the first channel that can start is used, and the answer names it", async () => {
  const first = await begin({ channels: order, phone, deviceIp });
  assert.deepEqual([first.status, first.headers["countersign-channel"]], [302, "silent"]);
  assert.match(String(first.headers.location), /\/verifications\/device\//);
  // Without a phone, the carrier can only name it.
  const second = await begin({ channels: order, deviceIp });
  assert.deepEqual([second.status, second.headers["countersign-channel"]], [302, "autofill"]);
  const third = await begin({ channels: order, phone });
  assert.equal(third.status, 201);
  assert.ok(typeof third.body === "object" && third.body !== null && "channel" in third.body);
  assert.equal(third.body.channel, "sms");
});

test("a channel that the settings disable is skipped, and the order of the request decides", async () => {
  const brand = await it.brand({ channels: { silent: false, autofill: true, sms: true } });
  const key = brand.apiKey;
  const skipped = await begin({ channels: order, phone, deviceIp }, { key });
  assert.equal(skipped.headers["countersign-channel"], "autofill");
  assert.equal((await begin({ channels: ["sms", "silent"], phone, deviceIp }, { key })).status, 201);
});

test("if no channel can start, the answer is the last channel's error", async () => {
  const { status, body } = await begin({ channels: ["silent", "autofill"], phone, deviceIp: "::11" });
  assert.equal(status, 400);
  assert.match(JSON.stringify(body), /OCV011/);
  assert.equal((await begin({ channels: [] })).status, 400);
  assert.equal((await begin({ channels: ["sms", "sms"], phone })).status, 400);
  assert.equal((await begin({ channels: ["fax"], phone })).status, 400);
});

test("v2.0 has no order of channels, so channel is required", async () => {
  for (const path of ["/v2", ""]) {
    const { status, body } = await begin({ channels: order, phone }, { path });
    assert.equal(status, 400);
    assert.match(JSON.stringify(body), /body\.channel/);
  }
});
