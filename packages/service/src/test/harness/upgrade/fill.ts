/** Fills a database through the API, the pages and the console, so that each table has rows in each of their states. */
import assert from "node:assert/strict";
import { client } from "@countersign/contract/client";
import type { ChallengeInput } from "@countersign/contract/errors";
import { continueSession, openSession } from "@countersign/contract/session";
import { decidePage, findInsurance, viewPage } from "@countersign/contract/wallet";
import { askForStateId } from "../../../domain/state-id/ask.ts";
import { birthDate, phoneOnRecord, signIn } from "../account-page.ts";
import { freshPhone } from "../below-http.ts";
import { type Given, walks } from "../client-journeys.ts";
import { agreed } from "../consent-shown.ts";
import { eventually } from "../eventually.ts";
import { healthBrand, lookUp, person, richard } from "../health-lookup.ts";
import { holder, offerTo, walletOverHttp } from "../holder.ts";
import { hostedPage, hostedShare } from "../hosted-share.ts";
import { exchange, openidBrand, signIn as openidSignIn } from "../openid.ts";
import { sampleRules } from "../sample-network-rules.ts";
import { demoKey, frameOfKey, refusal, sdkKey } from "../sandbox.ts";
import { scriptCalls } from "../script-calls.ts";
import { populate } from "../tenants.ts";
import type { Upgradable } from "./open.ts";
import { fillBelow, operate } from "./operate.ts";

const hourMs = 3_600_000;
const framePaths = { openSession, continueSession, viewPage, decidePage, findInsurance };
const employer = { type: "EmployerNameCredential" as const, mandatory: "yes" as const, allowUserInput: true };

/** What the callers and the people of the filled database hold, and need later. */
export type Held = Awaited<ReturnType<typeof fill>>;

export async function fill(it: Upgradable) {
  const hooked = await hook(it);
  await passADay(it, hooked.api);
  const population = await populate(it);
  const walked = await walkEach(it);
  const verifications = await verify(it);
  const pages = await openPages(it);
  const openid = await grant(it);
  const health = await lookUpEach(it);
  const issued = await issue(it);
  const people = await signInEach(it);
  const console = await operate(it, population.real.uuid);
  await fillBelow(it);
  await textReal(it, population.real.apiKey);
  const pendingEvent = await failOnce(it, hooked.api);
  const queued = await leaveQueued(it, hooked.api);
  return {
    owner: population.owner.token,
    brands: { sandbox: population.brands.api.uuid, production: population.real.uuid, hooked: hooked.uuid },
    keys: {
      sandbox: [
        demoKey,
        "sk_sandbox_demo_hosted",
        hooked.apiKey,
        ...Object.values(population.brands).map(({ apiKey }) => apiKey),
        ...walked,
        ...health,
      ],
      production: [population.real.apiKey],
    },
    webhook: { secret: hooked.secret, pending: pendingEvent },
    verifications,
    queued,
    pages,
    openid,
    issued,
    people,
    console,
  };
}

/** A brand whose webhook gets its health events. */
async function hook(it: Upgradable) {
  const brand = await healthBrand(it, { networkRules: sampleRules });
  const { status, body } = await it.inject({
    method: "POST",
    url: `/sandbox/brands/${brand.uuid}/webhooks`,
    headers: { authorization: demoKey },
    payload: { url: "https://brand.example/hook" },
  });
  assert.equal(status, 201);
  return { ...brand, secret: String((body as { signingSecret: string }).signingSecret) };
}

/** What takes a day: an event that no attempt delivers, and a verification that is erased. */
async function passADay(it: Upgradable, api: Upgradable["api"]): Promise<void> {
  await it.api.createVerification({ body: { channel: "sms", phone: freshPhone() } });
  it.receiver.status = 500;
  await lookUp(it, richard, api);
  for (let hours = 0; hours < 25; hours += 1) {
    await it.advance(hourMs);
    await it.runJobs();
  }
  it.receiver.status = 204;
}

/** An event whose first attempt failed, so that another one is due later. Returns its lookup. */
async function failOnce(it: Upgradable, api: Upgradable["api"]): Promise<string> {
  it.receiver.status = 500;
  const { healthDataUuid } = (await api.createHealthLookup({ body: richard })).body;
  await it.runJobs();
  const { db } = it.store;
  // The first attempt begins without a worker's turn.
  await eventually(async () => {
    const delivery = db.selectFrom("webhook_delivery").select("attempts").where("subject_uuid", "=", healthDataUuid);
    return (await delivery.executeTakeFirst())?.attempts === 1 ? true : undefined;
  });
  it.receiver.status = 204;
  return healthDataUuid;
}

const inputs: Record<ChallengeInput, Given> = {
  birthDate: { birthDate },
  ssn4: { ssn4: "6789" },
  "fullName.firstName": { fullName: { firstName: "Richard" } },
};

/** Each journey of each generation, from its first call to the data. Returns the brands' keys. */
async function walkEach(it: Upgradable): Promise<string[]> {
  const keys: string[] = [];
  const codeTo = async (phone: string) => {
    await it.runJobs();
    const [text] = (await it.api.listMessages({ query: { to: phone } })).body.data;
    return /\b\d{3}-?\d{3}\b/.exec(text?.body ?? "")?.[0] ?? assert.fail(`no code was texted to ${phone}`);
  };
  const target = { inject: it.inject, wallet: it.wallet, codeTo };
  const answer = (asked: readonly ChallengeInput[]) => inputs[asked[0] ?? "birthDate"];
  for (const [name, { integrationType, settings = {}, go }] of Object.entries(walks)) {
    const { apiKey } = await it.brand({ redirectUrl: "https://brand.example/back", ...settings, integrationType });
    const end = await go({ target, apiKey, phone: freshPhone(), answer });
    assert.equal(end.kind, "data", `${name}: ${JSON.stringify(end)}`);
    keys.push(apiKey);
  }
  return keys;
}

/** Verifications in each state. One has a code that its person has not entered yet. */
async function verify(it: Upgradable) {
  const texted = async () => {
    const phone = freshPhone();
    const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
    await it.api.deliverVerification({ params: { uuid }, body: {} });
    await it.runJobs();
    const [text] = (await it.api.listMessages({ query: { to: phone } })).body.data;
    return { uuid, phone, code: /\d{6}/.exec(text?.body ?? "")?.[0] ?? "" };
  };
  const failed = await texted();
  const wrong = failed.code === "000000" ? "000001" : "000000";
  for (let tries = 0; tries < 3; tries += 1)
    await refusal(it.api.submitVerificationCode({ params: { uuid: failed.uuid }, body: { code: wrong } }));
  const verified = await texted();
  await it.api.submitVerificationCode({ params: { uuid: verified.uuid }, body: { code: verified.code } });
  return { texted: await texted() };
}

/** Texts of production: one that the gateway accepted, one that arrived, and one that failed. */
async function textReal(it: Upgradable, apiKey: string): Promise<void> {
  const api = it.real.as(apiKey);
  for (const [at, state] of [null, "delivered", "failed"].entries()) {
    const { uuid } = (await api.createVerification({ body: { channel: "sms", phone: `+1650253770${at}` } })).body;
    await api.deliverVerification({ params: { uuid }, body: {} });
    await it.real.worker.runDue();
    const { id } = it.texts.at(-1) ?? assert.fail("nothing was texted");
    if (state !== null) assert.equal((await it.called(`/callbacks/texts/${id}`, { id, status: state })).status, 204);
  }
}

/** A text and a lookup whose jobs have not run, and a text that the first one replaced. */
async function leaveQueued(it: Upgradable, api: Upgradable["api"]) {
  await it.worker.stop();
  const phone = freshPhone();
  const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
  for (let texts = 0; texts < 2; texts += 1) await it.api.deliverVerification({ params: { uuid }, body: {} });
  const lookup = (await api.createHealthLookup({ body: richard })).body.healthDataUuid;
  return { text: { uuid, phone }, lookup };
}

/** 1-Clicks in each state, and what their pages can ask a wallet app for. */
async function openPages(it: Upgradable) {
  const hosted = it.as("sk_sandbox_demo_hosted");
  const waiting = (await hosted.beginOneClick({ body: { phone: freshPhone() } })).body;
  const asked = await hostedPage(it, freshPhone(), [employer]);
  await asked.session.beginPresentation({ body: { page: asked.page } });
  const asking = { subject: asked.uuid, browser: "a session", origin: it.deps.addresses.walletUrl };
  await askForStateId(await it.deps.cells.ofUuid(asked.uuid), { ...asking, elements: ["given_name"] });
  await hostedShare(it, freshPhone(), { share: false });
  // A person who must answer, one who answered wrongly too often, and one with a high risk.
  await hostedPage(it, "+10019999999", [{ type: "FullNameCredential" }]);
  const phone = freshPhone();
  for (const year of [1970, 1971, 1972, 1973])
    await refusal(it.api.createOneClick({ body: { phone, birthDate: `${year}-01-01` } }));
  await refusal(it.as("sk_sandbox_demo_non_hosted").createOneClick({ body: { phone: "+15555550002" } }));
  const answered = { phone: freshPhone() };
  const idempotencyKey = "kept-for-a-day";
  const first = await it.api.createOneClick({ body: answered, headers: { "idempotency-key": idempotencyKey } });
  const { sessionKey } = (await it.as(sdkKey).createSession({ body: { phone: freshPhone() } })).body;
  return {
    waiting: { uuid: waiting.uuid, url: waiting.url ?? "", code: waiting.code ?? "" },
    idempotent: { key: idempotencyKey, body: answered, answer: first.body },
    sessionKey,
  };
}

/** A sign-in by OpenID Connect with a refresh token. */
async function grant(it: Upgradable) {
  const client = await openidBrand(it);
  const offline = { scope: "openid profile offline_access", prompt: "consent" };
  const { status, body } = await exchange(it, client, await openidSignIn(it, client, offline, { phone: freshPhone() }));
  assert.equal(status, 200);
  const { clientId, secret } = client;
  return { clientId, secret, refresh: String(body.refresh_token), madeAt: it.deps.realClock.now() };
}

/** Lookups with each result, and one whose person has not decided yet. Returns the keys of their brands. */
async function lookUpEach(it: Upgradable): Promise<string[]> {
  const brand = await healthBrand(it, { networkRules: sampleRules });
  const { uuid } = (await brand.api.createOneClick({ body: { phone: freshPhone() } })).body;
  await brand.api.createHealthLookup({ body: { identityUuid: uuid } });
  const silent = it.deps.vendors.payers.payers.find(({ eligibilitySupport }) => eligibilitySupport === "NOT_SUPPORTED");
  const typed = { ...richard, memberId: "X123", payer: { id: silent?.vendorId ?? "" } };
  const wanted = { SUCCEEDED: richard, PARTIAL: typed, FAILED: person("Gavin", "Belson", "1991-01-01") };
  for (const [status, body] of Object.entries(wanted)) assert.equal((await lookUp(it, body, brand.api)).status, status);
  const { sessionKey } = (await it.as(sdkKey).createSession({ body: { phone: "+12125550010" } })).body;
  const frame = (token?: string) => client(framePaths, { send: scriptCalls(it.wallet, token) });
  const opened = (await frame().openSession({ body: { sessionKey, frame: frameOfKey(sessionKey) } })).body;
  const proven = agreed("proveKnownHealth");
  const page = frame(
    (await frame(opened.sessionToken).continueSession({ body: { consent: proven } })).body.sessionToken,
  );
  await page.viewPage();
  await page.decidePage({ body: { share: true, consent: agreed("share") } });
  await page.findInsurance({ body: {} });
  await it.runJobs();
  return [brand.apiKey, sdkKey];
}

/** A credential that another brand used, one that its issuer revoked, and one that was changed. */
async function issue(it: Upgradable) {
  const issuer = await it.brand();
  const give = async (phone: string) => {
    const credentials = [{ type: "EmployerNameCredential" as const, data: { employer: "Pied Piper" } }];
    return (await issuer.api.issueCredentials({ body: { phone, credentials } })).body.credentials[0]?.id ?? "";
  };
  const phone = freshPhone();
  const valid = await give(phone);
  await it.api.createOneClick({ body: { phone, credentialRequests: [{ type: "EmployerNameCredential" }] } });
  const revoked = await give(freshPhone());
  await issuer.api.changeCredential({ params: { id: revoked }, body: { status: "revoked" } });
  return { apiKey: issuer.apiKey, valid, revoked };
}

/** People with their own page: one who shared, one who stopped it, one who left, and one with a new number. */
async function signInEach(it: Upgradable) {
  const onPage = async (phone: string) => {
    const page = await signIn(it, phone);
    await page.proveAccount({ body: { birthDate } });
    return page;
  };
  const sharing = freshPhone();
  await hostedShare(it, sharing);
  await it.api.createOneClick({ body: { phone: sharing } });
  const page = await onPage(sharing);
  const [deleted, handedOver] = [freshPhone(), freshPhone()];
  for (const phone of [deleted, handedOver]) await hostedShare(it, phone);
  await (await onPage(deleted)).deleteAccount({ body: { consent: agreed("delete") } });
  await (await onPage(handedOver)).takeOverNumber({ body: { consent: agreed("handOver") } });
  for (const body of ["STOP", "START"]) await it.api.answerText({ body: { from: await phoneOnRecord(it), body } });
  const stopped = freshPhone();
  await it.api.answerText({ body: { from: stopped, body: "STOP" } });
  return { sharing: { phone: sharing, cookie: page.cookie() }, stopped, copies: await takeOut(it) };
}

/** An offer that no wallet app has used, and copies that one has. */
async function takeOut(it: Upgradable) {
  const { walletUrl } = it.deps.addresses;
  await walletOverHttp(it);
  const { page, offer, transactionCode } = await offerTo(it, "address");
  await holder().accept(offer, transactionCode);
  await page.takeOut({ body: { own: "name" } });
  it.deps.addresses.walletUrl = walletUrl;
  return { cookie: page.cookie() };
}
