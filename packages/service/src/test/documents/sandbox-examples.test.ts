/** The examples of sandbox control are real: each request is sent to the sandbox, and its answer is compared. */
import assert from "node:assert/strict";
import test from "node:test";
import { declaredEndpoints } from "../harness/contract-endpoints.ts";
import { differences } from "../harness/document-blocks.ts";
import { exampleOf, exampleSender, type Params } from "../harness/example-requests.ts";
import { png } from "../harness/logo-pictures.ts";
import { sandbox } from "../harness/sandbox.ts";
import { hookReceiver } from "../harness/webhook-receiver.ts";

const it = await sandbox();
const send = exampleSender(it);

function member(body: unknown, name: string): string {
  assert.ok(typeof body === "object" && body !== null, JSON.stringify(body));
  return String(new Map<string, unknown>(Object.entries(body)).get(name));
}
/** The answer to an example's request, which must succeed. */
async function said(...request: Parameters<typeof send>): Promise<unknown> {
  const { status, body } = await send(...request);
  assert.equal(status, exampleOf(request[0]).status, JSON.stringify(body));
  return body;
}
const uuidOf = async (answer: Promise<unknown>): Promise<Params> => ({ uuid: member(await answer, "uuid") });

async function texted(): Promise<void> {
  await said("deliverVerification", { params: await uuidOf(said("createVerification")) });
}
const aBrand = () => uuidOf(said("createSandboxBrand"));
/** A webhook of a new brand, with a test event that its receiver has acknowledged. */
async function acknowledged(): Promise<{ webhook: Params; delivery: Params }> {
  const params = await aBrand();
  const { url, answer } = await hookReceiver();
  Object.assign(answer, { status: 200, text: "received" });
  const webhook = await uuidOf(said("createSandboxWebhook", { params, body: { url } }));
  const deliveries = member(await said("triggerSandboxEvent", { body: triggeredAt(params) }), "deliveries");
  await it.runJobs();
  return { webhook, delivery: { uuid: deliveries } };
}
const triggeredAt = ({ uuid }: Params) => ({ ...Object(exampleOf("triggerSandboxEvent").example.body), brand: uuid });
/** A listener of a new brand, for which a test event waits. */
async function listening(): Promise<Params> {
  const brand = await aBrand();
  const forward = Object(exampleOf("createSandboxListener").example.body);
  const listener = await uuidOf(said("createSandboxListener", { body: { ...forward, brand: brand.uuid } }));
  await said("triggerSandboxEvent", { body: triggeredAt(brand) });
  return listener;
}

/** How the answer of each example comes about. */
const answers: Record<string, () => Promise<unknown>> = {
  async listSandboxMessages() {
    await said("resetSandbox");
    await texted();
    await it.runJobs();
    return await said("listSandboxMessages");
  },
  answerSandboxText: () => said("answerSandboxText"),
  readSandboxClock: () => said("readSandboxClock"),
  async moveSandboxClock() {
    await texted();
    return await said("moveSandboxClock");
  },
  resetSandboxClock: () => said("resetSandboxClock"),
  createSandboxBrand: () => said("createSandboxBrand"),
  readSandboxBrand: async () => await said("readSandboxBrand", { params: await aBrand() }),
  patchSandboxBrandSettings: async () => await said("patchSandboxBrandSettings", { params: await aBrand() }),
  async putSandboxBrandLogo() {
    const bytes = { type: "image/png", content: png() };
    return await said("putSandboxBrandLogo", { params: await aBrand(), bytes });
  },
  deleteSandboxBrandLogo: async () => await said("deleteSandboxBrandLogo", { params: await aBrand() }),
  async resetSandbox() {
    await said("resetSandbox");
    await texted();
    await it.runJobs();
    return await said("resetSandbox");
  },
  createSandboxWebhook: () => said("createSandboxWebhook"),
  rotateSandboxWebhook: async () =>
    await said("rotateSandboxWebhook", { params: await uuidOf(said("createSandboxWebhook")) }),
  listSandboxDeliveries: async () => await said("listSandboxDeliveries", { params: (await acknowledged()).webhook }),
  readSandboxDelivery: async () => await said("readSandboxDelivery", { params: (await acknowledged()).delivery }),
  replaySandboxDelivery: async () => await said("replaySandboxDelivery", { params: (await acknowledged()).delivery }),
  createSandboxListener: () => said("createSandboxListener"),
  async takeSandboxForwards() {
    const params = await listening();
    const answer = await said("takeSandboxForwards", { params });
    // The delivery would wait in real time for the listener's answer.
    await said("deleteSandboxWebhook", { params });
    return answer;
  },
  async answerSandboxForward() {
    const params = await listening();
    const [, delivery = assert.fail("no request")] =
      /"delivery":"([^"]+)"/.exec(JSON.stringify(await said("takeSandboxForwards", { params }))) ?? [];
    const result = { ...Object(exampleOf("answerSandboxForward").example.body), delivery };
    return await said("answerSandboxForward", { params, body: result });
  },
  deleteSandboxWebhook: async () =>
    await said("deleteSandboxWebhook", { params: await uuidOf(said("createSandboxWebhook")) }),
  async triggerSandboxEvent() {
    const brand = await aBrand();
    await said("createSandboxWebhook", { params: brand });
    return await said("triggerSandboxEvent", { body: triggeredAt(brand) });
  },
};

test("every call of sandbox control has an example, and every example is compared", () => {
  const controls = declaredEndpoints.filter(({ tag }) => tag === "Sandbox control");
  assert.deepEqual(Object.keys(answers).sort(), controls.map(({ id }) => id).sort());
});

/** How long a receiver took differs from run to run. */
const measured = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, one) => (name === "durationMs" ? 0 : one));

for (const [id, answer] of Object.entries(answers))
  test(`the example of ${id} is a real answer`, async () => {
    const real = measured(await answer());
    assert.deepEqual(differences(measured(exampleOf(id).example.reply), real), [], JSON.stringify(real));
  });
