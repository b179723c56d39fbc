/** Gateways decide on STOP and START. A START during the gateway's refusal of a text is newer than the refusal. */
import assert from "node:assert/strict";
import test from "node:test";
import { createBrand } from "../../domain/brand/manage.ts";
import { customerOf } from "../harness/below-http.ts";
import { both } from "../harness/both-environments.ts";
import { refusal } from "../harness/sandbox.ts";

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
  const refused = Promise.withResolvers<Awaited<ReturnType<typeof real.deps.vendors.sms.send>>>();
  t.mock.method(
    real.deps.vendors.sms,
    "send",
    () => {
      asked.resolve();
      return refused.promise;
    },
    { times: 1 },
  );
  await api.deliverVerification({ params: { uuid: await begun() }, body: {} });
  const running = real.worker.runDue();
  await asked.promise;
  it.pass(1_000);
  assert.equal((await it.called("/callbacks/texts", { id: "in-1", from: phone, body: "START" })).status, 200);
  refused.resolve({ kind: "rejected", reason: "opted out", optedOut: true });
  await running;
  const { status } = await api.deliverVerification({ params: { uuid: await begun() }, body: {} });
  assert.equal(status, 200);
});

test("the gateway's own decision about a reply counts, in any language", async () => {
  const say = (id: string, body: string, keyword: string) =>
    it.called("/callbacks/texts", { id, from: phone, body, keyword });
  const deliver = async () => api.deliverVerification({ params: { uuid: await begun() }, body: {} });
  await say("in-2", "BAJA", "stop");
  assert.equal((await refusal(deliver())).errorCode, "OCV011");
  await say("in-3", "START", "none");
  assert.equal((await refusal(deliver())).errorCode, "OCV011");
  await say("in-4", "ALTA", "start");
  await say("in-5", "END", "none");
  assert.equal((await deliver()).status, 200);
});

test("without the gateway's decision, words of English and Spanish count, however they are written", async () => {
  const pairs = [
    ["Stop!", "start"],
    ["\u201copt-out\u201d", "UNSTOP"],
    ["\uff33\uff34\uff2f\uff30", "\u200eStart\u00a0"],
    ["Parar.", "Alta"],
    ["C\u00e1ncelar", "reanudar"],
  ] as const;
  for (const [index, [stop, start]] of pairs.entries()) {
    const from = `+1650253401${index}`;
    const say = (id: string, body: string) => it.called("/callbacks/texts", { id: `${id}-${index}`, from, body });
    const deliver = async () => {
      const { uuid } = (await api.createVerification({ body: { channel: "sms", phone: from } })).body;
      return api.deliverVerification({ params: { uuid }, body: {} });
    };
    await say("stop", stop);
    assert.equal((await refusal(deliver())).errorCode, "OCV011", stop);
    await say("start", start);
    assert.equal((await deliver()).status, 200, start);
  }
});
