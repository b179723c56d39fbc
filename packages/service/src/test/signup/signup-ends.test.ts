import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";
import { acceptLink, readPressedLink } from "../../domain/verification/link.ts";
import { sandboxIdentity } from "../../providers/sandbox/identity.ts";
import { birthDate, signIn } from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed, onView } from "../harness/consent-shown.ts";
import { pressLink } from "../harness/link-form.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

/** Runs during a lookup at the source, before it answers. */
let meanwhile: () => Promise<void> = async () => {};
const identity = sandboxIdentity();
const it = await sandbox({
  vendors: {
    identity: {
      ...identity,
      lookUp: async (question) => {
        const answer = await identity.lookUp(question);
        await meanwhile();
        return answer;
      },
    },
  },
});
const minute = 60_000;
const semi = it.as("sk_sandbox_demo_semi_hosted");
const begin = async (phone: string) => (await semi.beginOneClick({ body: { phone } })).body.uuid;
const read = (uuid: string) => semi.readOneClick({ params: { uuid }, query: { code: "111111" } });
const released = (uuid: string) =>
  it.store.db
    .selectFrom("audit")
    .select("id")
    .where("one_click_uuid", "=", uuid)
    .where("action", "=", "oneClick.released")
    .execute();

test("a 1-Click that expires during the source lookup releases nothing and stays expired", async (t) => {
  t.after(() => {
    meanwhile = async () => {};
  });
  const uuid = await begin("+12125550010");
  meanwhile = async () => {
    meanwhile = async () => {};
    await it.advance(60 * minute);
  };
  assert.equal((await refusal(read(uuid))).errorCode, "OCE015");
  assert.deepEqual(await released(uuid), []);
  const row = await it.store.db.selectFrom("one_click").select("sealed").where("uuid", "=", uuid).executeTakeFirst();
  assert.equal(row?.sealed, null);
  const proven = await begin("+10019999997");
  await refusal(read(proven));
  meanwhile = async () => {
    meanwhile = async () => {};
    await it.store.db
      .updateTable("one_click")
      .set({ expires_at: it.deps.clock.now() })
      .where("uuid", "=", proven)
      .execute();
  };
  const late = semi.amendOneClick({ params: { uuid: proven }, body: { birthDate: "1989-08-01" } });
  assert.equal((await refusal(late)).errorCode, "OCE015");
  assert.deepEqual(await released(proven), []);
});

test("a 1-Click that is refused during the source lookup stays refused and records no release", async () => {
  const uuid = await begin("+10019999997");
  await refusal(read(uuid));
  meanwhile = async () => {
    meanwhile = async () => {};
    await it.store.db
      .updateTable("one_click")
      .set({ state: "refused", refusal: "OCE019" })
      .where("uuid", "=", uuid)
      .execute();
  };
  const late = semi.amendOneClick({ params: { uuid }, body: { birthDate: "1989-08-01" } });
  assert.equal((await refusal(late)).errorCode, "OCE019");
  assert.deepEqual(await released(uuid), []);
});

/** Creates a brand and a phone that is proven by text. The person has shared with the brand and is signed in. */
async function proven() {
  const phone = freshPhone();
  const { api } = await it.brand();
  const { uuid: verificationUuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  await api.deliverVerification({ params: { uuid: verificationUuid }, body: {} });
  await it.runJobs();
  const [text] = (await it.api.listMessages({ query: { to: phone } })).body.data;
  const code = /\d{6}/.exec(text?.body ?? "")?.[0] ?? "";
  await api.submitVerificationCode({ params: { uuid: verificationUuid }, body: { code } });
  const { uuid: identityUuid } = (await api.createOneClick({ body: { verificationUuid } })).body;
  const browser = await signIn(it, phone);
  await browser.proveAccount({ body: { birthDate } });
  const records = async () =>
    (
      await it.store.pool.query(
        `select (select count(*) from audit where action = 'oneClick.released') as released,
                (select count(*) from consent where action = 'share') as consents,
                (select count(*) from person) as people`,
      )
    ).rows[0];
  const [share] = (await browser.readAccount()).body.brands;
  const stop = () => browser.stopSharing({ params: { uuid: share?.uuid ?? "" }, body: { consent: agreed("stop") } });
  return { api, verificationUuid, identityUuid, browser, records, stop };
}

test("data that the person withdraws during the source lookup is not released, and no release is recorded", async () => {
  for (const asks of ["identityUuid", "verificationUuid"] as const) {
    const { verificationUuid, ...one } = await proven();
    const scored = await one.api.createOneClick({ body: { verificationUuid, credentialRequests: [] } });
    const before = await one.records();
    meanwhile = async () => {
      meanwhile = async () => {};
      await one.stop();
    };
    const named = { identityUuid: scored.body.uuid, verificationUuid };
    const body = { [asks]: named[asks], credentialRequests: [{ type: "EmailCredential" as const }] };
    const late = await refusal(one.api.createOneClick({ body }));
    assert.deepEqual([late.errorCode, await one.records()], ["OCE015", before], asks);
  }
});

test("a person who deletes their data during the source lookup is not created again by its result", async () => {
  const one = await proven();
  const before = await one.records();
  meanwhile = async () => {
    meanwhile = async () => {};
    await one.browser.deleteAccount({ body: { consent: agreed("delete") } });
  };
  const late = await refusal(one.api.createOneClick({ body: { verificationUuid: one.verificationUuid } }));
  assert.deepEqual([late.errorCode, await one.records()], ["OCE015", before]);
});

test("a previous holder's 1-Click releases nothing about the number's new holder", async () => {
  const one = await proven();
  await one.browser.takeOverNumber({ body: { consent: agreed("handOver") } });
  const before = await one.records();
  const body = { identityUuid: one.identityUuid, birthDate };
  const { errorCode } = await refusal(one.api.createOneClick({ body }));
  assert.deepEqual([errorCode, await one.records()], ["OCE015", before]);
});

test("after a number changed hands, identityUuid alone reads what a GET reads, and nothing else reuses it", async () => {
  const { api, identityUuid, browser, records } = await proven();
  const { body: released } = await api.readOneClick({ params: { uuid: identityUuid } });
  await browser.takeOverNumber({ body: { consent: agreed("handOver") } });
  const before = await records();
  const { body } = await api.createOneClick({ body: { identityUuid } });
  assert.deepEqual(body, { uuid: identityUuid, identity: released });
  const reuse = { identityUuid, email: "new@example.com" };
  assert.equal((await refusal(api.createOneClick({ body: reuse }))).errorCode, "OCE015");
  assert.deepEqual(await records(), before, "no release and no consent of the new holder");
  const { rows } = await it.store.pool.query(
    "select count(distinct person_uuid)::int as people from audit where one_click_uuid = $1",
    [identityUuid],
  );
  assert.equal(rows[0].people, 1, "the read is recorded with the former holder");
});

/** Texts a link to the review of a brand's data, and opens it as the person. */
async function openReview(phone: string) {
  const brand = await it.brand({ redirectUrl: "https://brand.example/home" });
  const { uuid: verificationUuid } = (await brand.api.createVerification({ body: { channel: "sms", phone } })).body;
  const link = { format: "link", redirectUserAfter: "infoConfirmation" } as const;
  await brand.api.deliverVerification({ params: { uuid: verificationUuid }, body: link });
  await it.runJobs();
  const [text] = (await it.api.listMessages({ query: { to: phone } })).body.data;
  const { pathname } = new URL(/http\S+/.exec(text?.body ?? "")?.[0] ?? "");
  const answered = await pressLink(it, pathname);
  const headers = { authorization: `Bearer ${new URL(String(answered.headers.location)).hash.slice(1)}` };
  const page = await it.wallet.inject({ method: "GET", url: "/api/page", headers });
  const decide = async (payload: object) => {
    const body = onView(payload, page.json());
    const decided = await it.wallet.inject({ method: "POST", url: "/api/page/decision", headers, payload: body });
    assert.equal(decided.statusCode, 200, decided.body);
  };
  const ask = async (body: object) => (await brand.api.createOneClick({ body })).body;
  const identityUuid: string = page.json().identityUuid;
  return { brand, verificationUuid, identityUuid, step: page.json().step, decide, ask };
}

test("after a person declines on a texted link's page, the same verification gets OCE021", async () => {
  const { verificationUuid, decide, ask } = await openReview("+12025550199");
  assert.equal((await refusal(ask({ verificationUuid }))).errorCode, "ERR001");
  await decide({ share: false, consent: agreed("decline") });
  assert.equal((await refusal(ask({ verificationUuid }))).errorCode, "OCE021");
});

test("what a person leaves out on our page, the brand does not get by asking again", async () => {
  const { brand, verificationUuid, identityUuid, decide, ask } = await openReview("+12125550010");
  await decide({ share: true, leftOut: ["address", "birthDate", "ssn"], consent: agreed("share") });
  const credentialRequests = [{ type: "SsnCredential" }];
  for (const body of [
    { identityUuid, credentialRequests },
    { identityUuid, birthDate: "1989-08-01" },
    { identityUuid, verificationUuid },
    { verificationUuid },
    { verificationUuid, credentialRequests },
  ])
    assert.match((await refusal(ask(body))).message, /^The person decides on our page/, JSON.stringify(body));
  // Asking for nothing new reads what was shared.
  const { credentials } = (await ask({ identityUuid })).identity ?? {};
  assert.deepEqual(Object.keys(credentials ?? {}), ["fullName", "phone"]);
  assert.deepEqual((await brand.api.readOneClick({ params: { uuid: identityUuid } })).body.credentials, credentials);
});

test("a link to a review proves the phone for our page only, also before the page has opened", async () => {
  const brand = await it.brand({ redirectUrl: "https://brand.example/home" });
  const phone = freshPhone();
  const { uuid } = (await brand.api.createVerification({ body: { channel: "sms", phone } })).body;
  const link = { format: "link", redirectUserAfter: "infoConfirmation" } as const;
  await brand.api.deliverVerification({ params: { uuid }, body: link });
  await it.runJobs();
  const [text] = (await it.api.listMessages({ query: { to: phone } })).body.data;
  const id = /\/v\/(\w+)/.exec(text?.body ?? "")?.[1] ?? "";
  const pressed = (await readPressedLink(it.deps, id)) ?? assert.fail("no link");
  assert.ok(await acceptLink(it.deps, id, pressed, randomUUID()));
  assert.equal((await brand.api.readVerification({ params: { uuid } })).body.verified, true);
  const early = await refusal(brand.api.createOneClick({ body: { verificationUuid: uuid } }));
  assert.match(early.message, /^The person decides on our page/);
});

test("while our page asks a person for an input, the brand cannot answer and decide in their place", async () => {
  const { identityUuid, step, ask } = await openReview("+12125550020");
  assert.equal(step, "inputs");
  for (const body of [
    { identityUuid },
    { identityUuid, birthDate: "1989-08-01" },
    { identityUuid, credentialRequests: [] },
  ])
    assert.equal((await refusal(ask(body))).message, "The person has not decided yet.", JSON.stringify(body));
  assert.equal((await released(identityUuid)).length, 0);
});

test("the first read of a v1 1-Click does not extend its 60 minutes", async () => {
  const headers = { authorization: "sk_sandbox_demo_v1" };
  const payload = { phone: "+10123456789", birthDate: "1970-08-01" };
  const created = await it.inject({ method: "POST", url: "/1-click/trusted", headers, payload });
  const url = `/1-click/${(created.body as { uuid: string }).uuid}`;
  await it.advance(59 * minute);
  assert.equal((await it.inject({ method: "GET", url, headers })).status, 200);
  await it.advance(minute);
  assert.equal((await it.inject({ method: "GET", url, headers })).status, 404);
});
