/** People who end their data while a call about them runs. The call must store and deliver nothing afterwards. */
import assert from "node:assert/strict";
import test from "node:test";
import { Failure } from "../../domain/failure.ts";
import { readOneClick } from "../../domain/signup/api/read.ts";
import { birthDate, signIn } from "../harness/account-page.ts";
import { callerOf, freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { interrupted } from "../harness/interrupted.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

/** A person who is signed in. A brand has their data. */
async function known(phone = freshPhone()) {
  const brand = await it.brand();
  await brand.api.createOneClick({ body: { phone } });
  const page = await signIn(it, phone);
  await page.proveAccount({ body: { birthDate } });
  return {
    phone,
    brand,
    page,
    delete: () => page.deleteAccount({ body: { consent: agreed("delete") } }),
    handOver: () => page.takeOverNumber({ body: { consent: agreed("handOver") } }),
    stopAt: (uuid: string) => page.stopSharing({ params: { uuid }, body: { consent: agreed("stop") } }),
  };
}

/** What is stored about people. */
async function stored() {
  const { rows } = await it.store.pool.query(
    `select (select count(*) from one_click where sealed is not null) as "oneClicks",
            (select count(*) from person where phone_index is not null) as people,
            (select count(*) from consent where action = 'prove') as consents,
            (select count(*) from audit where action = 'verification.verified') as proofs,
            (select count(*) from audit where action = 'oneClick.read') as reads`,
  );
  return rows[0];
}

/** The step, and what was stored right after it. */
function noting(step: () => Promise<unknown>) {
  const noted: { after?: unknown } = {};
  const happens = async () => {
    await step();
    noted.after = await stored();
  };
  return { noted, happens };
}

const failsWith = (expected: string | number) => (error: unknown) =>
  error instanceof Failure && (error.data?.errorCode ?? error.status) === expected;

test("a v1 read that runs while the person stops sharing returns nothing and records no read", async () => {
  const person = await known();
  const key = "sk_sandbox_demo_v1";
  const payload = { phone: person.phone, birthDate };
  const made = await it.inject({
    method: "POST",
    url: "/1-click/trusted",
    headers: { authorization: key },
    payload,
  });
  const { uuid } = made.body as { uuid: string };
  const caller = await callerOf(it, key);
  const { noted, happens } = noting(() => person.stopAt(caller.brand.uuid));
  const reading = readOneClick(interrupted(await it.cellOf(person.phone), happens), caller, { uuid });
  await assert.rejects(reading, failsWith("OCE015"));
  assert.deepEqual(await stored(), noted.after);
});

test("a device that proves a phone whose person was deleted meanwhile records nothing and creates nobody", async () => {
  const { phone, brand, ...person } = await known();
  const payload = { channel: "silent", deviceIp: "::121:2555:0010", phone };
  const headers = { authorization: brand.apiKey };
  const begun = await it.inject({ method: "POST", url: "/v2/1-click/verifications", headers, payload });
  const hop = async (location: string | undefined) => {
    const { pathname, search } = new URL(location ?? "");
    return await it.inject({ method: "GET", url: `${pathname}${search}` });
  };
  const carrier = await hop((await hop(begun.headers.location)).headers.location);
  const { noted, happens } = noting(person.delete);
  const { finish } = it.deps.carrier;
  it.deps.carrier.finish = async () => {
    it.deps.carrier.finish = finish;
    await happens();
    return { kind: "phone", phone };
  };
  const { status, body: answer } = await hop(carrier.headers.location);
  assert.deepEqual([status, (answer as { data: { errorCode?: string } }).data.errorCode], [404, "OCV005"]);
  assert.deepEqual(await stored(), noted.after);
});
