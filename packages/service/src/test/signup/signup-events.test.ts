/** The events that tell a brand's webhooks what a person decided, and when what they shared ends. */
import assert from "node:assert/strict";
import test from "node:test";
import type { WebhookEventName } from "@countersign/contract/webhook";
import { birthDate, signIn } from "../harness/account-page.ts";
import { assertNotStored, freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { hostedShare } from "../harness/hosted-share.ts";
import { demoKey, sandbox, testStart } from "../harness/sandbox.ts";
import { hookReceiver } from "../harness/webhook-receiver.ts";

const it = await sandbox();
const signupEvents: WebhookEventName[] = ["1-click.signup.shared", "1-click.signup.declined", "1-click.signup.ended"];

/** A webhook of a brand, and the bodies that it got. */
async function listening(brandUuid: string, events: readonly WebhookEventName[] | null = signupEvents) {
  const { received, url } = await hookReceiver();
  const made = await it.app.inject({
    method: "POST",
    url: `/sandbox/brands/${brandUuid}/webhooks`,
    headers: { authorization: demoKey },
    payload: { url, ...(events === null ? {} : { events }) },
  });
  assert.equal(made.statusCode, 201);
  return {
    uuid: made.json().uuid as string,
    got: async (): Promise<unknown[]> => {
      await it.runJobs();
      return received.splice(0).map(({ body }) => JSON.parse(body));
    },
  };
}

const hosted = "b0000000-0000-4000-8000-000000000004";
const now = testStart;

test("a webhook gets what the person decided, without personal data, and only the events that it chose", async () => {
  const chosen = await listening(hosted);
  const usual = await listening(hosted, null);
  const onlyDeclined = await listening(hosted, ["1-click.signup.declined"]);
  const shared = await hostedShare(it, freshPhone());
  assert.deepEqual(await chosen.got(), [{ event: "1-click.signup.shared", identityUuid: shared.uuid, sentAt: now }]);
  const declined = await hostedShare(it, freshPhone(), { share: false });
  const about = { event: "1-click.signup.declined", identityUuid: declined.uuid, sentAt: now };
  assert.deepEqual(await chosen.got(), [about]);
  assert.deepEqual(await onlyDeclined.got(), [about]);
  assert.deepEqual(await usual.got(), []);
});

test("a call that is answered now is a share too", async () => {
  const { uuid: brandUuid, api } = await it.brand();
  const hook = await listening(brandUuid);
  const { uuid } = (await api.createOneClick({ body: { phone: freshPhone() } })).body;
  assert.deepEqual(await hook.got(), [{ event: "1-click.signup.shared", identityUuid: uuid, sentAt: now }]);
});

for (const reason of ["withdrawn", "deleted"] as const)
  test(`what the person shared is reported as ended when it is ${reason}, once for each 1-Click and to each brand`, async () => {
    const phone = freshPhone();
    const [one, other, silent] = await Promise.all([it.brand(), it.brand(), it.brand()]);
    const hook = await listening(one.uuid, ["1-click.signup.ended"]);
    const otherHook = await listening(other.uuid, ["1-click.signup.ended"]);
    const share = async ({ api }: typeof one) => (await api.createOneClick({ body: { phone } })).body.uuid;
    const uuids = [await share(one), await share(one)];
    const othersUuid = await share(other);
    await share(silent);
    const page = await signIn(it, phone);
    await page.proveAccount({ body: { birthDate } });
    if (reason === "withdrawn")
      await page.stopSharing({ params: { uuid: one.uuid }, body: { consent: agreed("stop") } });
    else await page.deleteAccount({ body: { consent: agreed("delete") } });
    const ended = (identityUuid: string) => ({ event: "1-click.signup.ended", identityUuid, sentAt: now, reason });
    const got = await hook.got();
    assert.deepEqual(
      new Set(got.map((one) => JSON.stringify(one))),
      new Set(uuids.map((one) => JSON.stringify(ended(one)))),
    );
    assert.deepEqual(await otherHook.got(), reason === "deleted" ? [ended(othersUuid)] : []);
    if (reason === "withdrawn") {
      await page.stopSharing({ params: { uuid: one.uuid }, body: { consent: agreed("stop") } });
      assert.deepEqual(await hook.got(), []);
    }
  });

test("an event about the end can be read and sent again after the person is deleted, because it has its own key", async () => {
  const phone = freshPhone();
  const { uuid: brandUuid, api } = await it.brand();
  const hook = await listening(brandUuid);
  await api.createOneClick({ body: { phone } });
  const page = await signIn(it, phone);
  await page.proveAccount({ body: { birthDate } });
  await page.deleteAccount({ body: { consent: agreed("delete") } });
  await hook.got();
  const asControl = async (method: "GET" | "POST", path: string) =>
    (await it.app.inject({ method, url: `/sandbox${path}`, headers: { authorization: demoKey } })).json();
  const { data } = await asControl("GET", `/webhooks/${hook.uuid}/deliveries`);
  const ended = data.find((one: { event: string }) => one.event === "1-click.signup.ended");
  assert.match(ended.identityUuid, /^[0-9a-f-]{36}$/);
  assert.equal(ended.healthDataUuid, undefined);
  await asControl("POST", `/deliveries/${ended.uuid}/replay`);
  assert.equal((await hook.got()).length, 1);
  await assertNotStored(it, [phone]);
});

test("a test event is sent to the webhooks that chose it", async () => {
  const { uuid: brand } = await it.brand();
  const hook = await listening(brand, ["1-click.signup.ended"]);
  const trigger = (event: WebhookEventName) =>
    it.app.inject({
      method: "POST",
      url: "/sandbox/events",
      headers: { authorization: demoKey },
      payload: { brand, event },
    });
  assert.equal((await trigger("1-click.signup.ended")).statusCode, 202);
  const [body] = (await hook.got()) as { test: boolean; reason: string }[];
  assert.deepEqual([body?.test, body?.reason], [true, "withdrawn"]);
  const refused = await trigger("1-click.health.lookup");
  assert.equal(refused.statusCode, 409);
  assert.match(refused.json().message, /No active webhook of the brand gets 1-click\.health\.lookup/);
});
