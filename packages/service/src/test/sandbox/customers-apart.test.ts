/** Customers of one sandbox test with the same numbers, and do not meet. */
import assert from "node:assert/strict";
import test from "node:test";
import { freshPhone } from "../harness/below-http.ts";
import { demoKey, otherKey, refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const [one, other] = [it.as(demoKey), it.as(otherKey)];
const employer = [{ type: "EmployerNameCredential" as const }];

test("what a brand issued reaches brands of its own customer, and no brand of another customer", async () => {
  for (const phone of [freshPhone(), "+12125550010"]) {
    const credentials = [{ type: "EmployerNameCredential" as const, data: { employer: "Hooli" } }];
    await one.issueCredentials({ body: { phone, credentials } });
    const read = async (api: typeof one) => {
      const { body } = await api.createOneClick({ body: { phone, credentialRequests: employer } });
      return JSON.stringify("identity" in body ? body.identity?.credentials : body);
    };
    assert.match(await read(one), /Hooli/, phone);
    const colleague = await it.brand({ integrationType: "api" });
    assert.match(await read(colleague.api), /Hooli/, phone);
    assert.doesNotMatch(await read(other).catch((error) => JSON.stringify(error)), /Hooli/, phone);
  }
});

test("a STOP ends the texts of the customer who made it up, and no others", async () => {
  const phone = freshPhone();
  const text = async (api: typeof one) => {
    const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
    return { uuid, status: (await api.deliverVerification({ params: { uuid }, body: {} })).status };
  };
  assert.equal((await other.answerText({ body: { from: phone, body: "STOP" } })).body.heeded, "stopped");
  assert.equal((await refusal(text(other))).errorCode, "OCV011");
  assert.equal((await text(one)).status, 200);
  await other.answerText({ body: { from: phone, body: "START" } });
  assert.equal((await text(other)).status, 200);
});
