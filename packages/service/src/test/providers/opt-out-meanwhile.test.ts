/** A START that arrives while the gateway's refusal of a text is on its way is newer than the refusal. */
import assert from "node:assert/strict";
import test from "node:test";
import { createBrand } from "../../domain/brand/manage.ts";
import { customerOf } from "../harness/below-http.ts";
import { both } from "../harness/both-environments.ts";

const it = await both();
const { real } = it;
const { body: made } = await it.api.createSandboxBrand({ body: {} });
const brand = await createBrand(real.admin, {
  customerUuid: await customerOf(it, made.uuid),
  name: "Piper",
  settings: { consent: { declared: true } },
  approvals: ["production"],
});
const api = real.as(brand.apiKey);
const phone = "+16502534000";
const begun = async () => (await api.createVerification({ body: { channel: "sms", phone } })).body.uuid;

test("a phone that texts START during the gateway's refusal gets texts", async (t) => {
  const asked = Promise.withResolvers<void>();
  const refusal = Promise.withResolvers<Awaited<ReturnType<typeof real.deps.sms.send>>>();
  t.mock.method(
    real.deps.sms,
    "send",
    () => {
      asked.resolve();
      return refusal.promise;
    },
    { times: 1 },
  );
  await api.deliverVerification({ params: { uuid: await begun() }, body: {} });
  const running = real.worker.runDue();
  await asked.promise;
  it.pass(1_000);
  assert.equal((await it.called("/callbacks/texts", { id: "in-1", from: phone, body: "START" })).status, 200);
  refusal.resolve({ kind: "rejected", reason: "opted out", optedOut: true });
  await running;
  const { status } = await api.deliverVerification({ params: { uuid: await begun() }, body: {} });
  assert.equal(status, 200);
});
