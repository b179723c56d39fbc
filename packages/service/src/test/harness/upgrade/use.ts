/** What the callers and people of a filled database do next, with what they held before. */
import assert from "node:assert/strict";
import { mock } from "node:test";
import { birthDate, browserOf } from "../account-page.ts";
import { agreed } from "../consent-shown.ts";
import { wallet } from "../hosted-share.ts";
import { call } from "../openid.ts";
import { demoKey, frameOfKey, refusal } from "../sandbox.ts";
import { signatureUnder } from "../webhook-receiver.ts";
import type { Held } from "./fill.ts";
import type { Upgradable } from "./open.ts";

type Use = (it: Upgradable, held: Held) => Promise<void>;

/** Phones that the filled database does not have. */
const newPhone = (line: number) => `+1415555${String(1000 + line)}`;

/** By what it proves. They run in this order, because some of them end what others need. */
export const uses: Record<string, Use> = {
  "a texted code proves its phone": async (it, { verifications: { texted } }) => {
    const params = { uuid: texted.uuid };
    await it.api.submitVerificationCode({ params, body: { code: texted.code } });
    assert.equal((await it.api.readVerification({ params })).body.status, "verified");
    const again = it.api.submitVerificationCode({ params, body: { code: texted.code } });
    assert.equal((await refusal(again)).errorCode, "OCV001", "a code works once");
  },
  "a texted link leads to a page, where the person shares": async (it, { pages: { waiting } }) => {
    const page = new URL(waiting.url).pathname.slice("/request/".length);
    const { sessionToken } = (await wallet(it).provePage({ params: { page }, body: { code: waiting.code } })).body;
    const session = wallet(it, sessionToken);
    await session.viewPage();
    await session.decidePage({ body: { share: true, edits: {}, consent: agreed("share") } });
    const api = it.as("sk_sandbox_demo_hosted");
    const read = (await api.readOneClick({ params: { uuid: waiting.uuid } })).body;
    assert.equal(read.credentials?.birthDate, birthDate);
  },
  "a repeated request with its Idempotency-Key gets the first answer": async (it, { pages: { idempotent } }) => {
    const headers = { "idempotency-key": idempotent.key };
    const { body } = await it.api.createOneClick({ body: idempotent.body, headers });
    assert.deepEqual(body, idempotent.answer);
  },
  "a session key opens a frame": async (it, { pages: { sessionKey } }) => {
    const payload = { sessionKey, frame: frameOfKey(sessionKey) };
    assert.equal((await it.wallet.inject({ method: "POST", url: "/api/session", payload })).statusCode, 201);
  },
  "a refresh token gets new tokens": async (it, { openid: { refresh, madeAt, ...client } }) => {
    const form = { grant_type: "refresh_token", refresh_token: refresh };
    // It ends an hour later by the machine's clock, which the sandbox's does not move.
    mock.timers.enable({ apis: ["Date"], now: madeAt });
    try {
      assert.equal((await call(it, "/openid/token", form, client)).status, 200);
    } finally {
      mock.timers.reset();
    }
  },
  "a text and a lookup that waited are done, and STOP is heeded": async (it, { queued, people, keys }) => {
    const { body: stopped } = await it.api.createVerification({ body: { channel: "sms", phone: people.stopped } });
    const { errorCode } = await refusal(it.api.deliverVerification({ params: { uuid: stopped.uuid }, body: {} }));
    assert.equal(errorCode, "OCV011");
    await it.runJobs();
    const texts = await it.store.db
      .selectFrom("message")
      .select("status")
      .where("verification_uuid", "=", queued.text.uuid)
      .orderBy("number")
      .execute();
    assert.deepEqual(
      texts.map(({ status }) => status),
      ["superseded", "sent"],
    );
    const api = it.as(keys.sandbox[2] ?? "");
    const { body } = await api.readHealthLookup({ params: { healthDataUuid: queued.lookup } });
    assert.equal(body.status, "SUCCEEDED");
  },
  "a webhook that failed once is sent again, with the signature of its secret": async (it, { webhook }) => {
    await it.advance(60_000);
    const isTheirs = ({ body }: { body: string }) => body.includes(webhook.pending);
    const { headers, body } = it.posted.find(isTheirs) ?? assert.fail("nothing was sent");
    const signed = signatureUnder(webhook.secret, headers["x-webhook-timestamp"], body);
    assert.equal(headers["x-webhook-signature"], signed);
  },
  "an issuer revokes what it issued": async (it, { issued }) => {
    const params = { id: issued.valid };
    const api = it.as(issued.apiKey);
    assert.equal((await api.changeCredential({ params, body: { status: "revoked" } })).body.status, "revoked");
  },
  "a person withdraws a copy": async (it, { people }) => {
    const page = browserOf(it.wallet, { cookie: people.copies.cookie });
    const [copy] = (await page.listTakeouts()).body.taken;
    const { taken } = (await page.withdrawTakeout({ params: { uuid: copy?.uuid ?? "" } })).body;
    assert.equal(taken[0]?.state, "withdrawn");
    await it.runJobs();
  },
  "a person stops sharing, and then leaves": async (it, { people }) => {
    const page = browserOf(it.wallet, { cookie: people.sharing.cookie });
    const [brand, ...others] = (await page.readAccount()).body.brands;
    const after = await page.stopSharing({ params: { uuid: brand?.uuid ?? "" }, body: { consent: agreed("stop") } });
    assert.equal(after.status, 200);
    assert.equal((await page.readAccount()).body.brands.filter(({ stopped }) => !stopped).length, others.length);
    await page.deleteAccount({ body: { consent: agreed("delete") } });
    assert.equal((await refusal(page.readAccount())).status, 401);
  },
  "new people sign up in both environments": async (it, { keys }) => {
    for (const [line, apiKey] of ["sk_sandbox_demo_non_hosted", demoKey].entries())
      assert.ok((await it.as(apiKey).createOneClick({ body: { phone: newPhone(line) } })).body.identity);
    const real = it.real.as(keys.production[0] ?? "");
    await it.prove(real, "+16502537790");
  },
};
