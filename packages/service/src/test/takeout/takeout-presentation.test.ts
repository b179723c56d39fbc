import assert from "node:assert/strict";
import { test } from "node:test";
import { eraseOneClicks } from "../../domain/signup/one-click-rows.ts";
import { presentationLifeMs } from "../../domain/signup/page/presentation.ts";
import { copyLifeMs } from "../../domain/takeout/keys.ts";
import { birthDate, phoneOnRecord, signIn } from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { bind, holder, holderKey, offerTo, present, presenter, walletOverHttp } from "../harness/holder.ts";
import { hostedPage } from "../harness/hosted-share.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
await walletOverHttp(it);
const api = it.as("sk_sandbox_demo_hosted");
const app = presenter();
type Held = Awaited<ReturnType<ReturnType<typeof holder>["accept"]>>[number];

type Given = NonNullable<Parameters<typeof it.api.issueCredentials>[0]>["body"]["credentials"][number];
const employer = { type: "EmployerNameCredential" as const, data: { employer: "Pied Piper" } };

/** Someone whose wallet app holds what a brand issued to them under an earlier phone. */
async function withIssued(credential: Given = employer) {
  const phone = await phoneOnRecord(it);
  const body = { phone, credentials: [credential] };
  const issued = (await it.api.issueCredentials({ body })).body.credentials[0]?.id ?? "";
  const page = await signIn(it, phone);
  await page.proveAccount({ body: { birthDate } });
  const { offer, transactionCode } = (await page.takeOut({ body: { issued } })).body;
  const [held = assert.fail("no copy")] = await holder().accept(offer, transactionCode);
  return { page, held };
}

type Missing = "EmployerNameCredential" | "TitleCredential";

/** A page on which details are missing, and its request to a wallet app. */
async function asked(missing: readonly Missing[] = ["EmployerNameCredential"]) {
  const credentialRequests = missing.map((type) => ({ type, mandatory: "yes" as const, allowUserInput: true }));
  const { uuid, page, session, view } = await hostedPage(it, freshPhone(), credentialRequests);
  assert.deepEqual(view.fields?.[0]?.choices, []);
  const { request } = (await session.beginPresentation({ body: { page } })).body;
  return { uuid, page, session, request: await app.read(request) };
}
type PresentationRequest = Awaited<ReturnType<typeof asked>>["request"];

const show = async (held: Held, { nonce, audience }: PresentationRequest, frame: object = { employerName: true }) =>
  present(held, { ...frame }, { nonce, audience, at: it.deps.clock.now() });
const codeIn = (answer: { body: Record<string, unknown> }) =>
  new URL(String(answer.body.redirect_uri)).hash.slice("#wallet=".length);

test("a wallet app presents what is missing; the person reviews it, and the brand gets it as self-attested", async () => {
  const { held } = await withIssued();
  const { uuid, page, session, request } = await asked();
  assert.deepEqual(request.query.credentials[0]?.claims, [{ path: ["employerName"] }]);
  const answer = await app.send(request, { employerName: [await show(held, request)] });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(new URL(answer.body.redirect_uri).pathname, `/request/${page}`);
  assert.deepEqual((await session.viewPage()).body.fields?.[0]?.choices, [], "nothing is there without the code");
  assert.equal((await refusal(api.readOneClick({ params: { uuid } }))).errorCode, "OCE015");
  const { body } = await session.takePresentation({ body: { code: codeIn(answer) } });
  assert.equal(body.fields?.[0]?.choices[0]?.text, "Pied Piper");
  await session.decidePage({ body: { share: true, consent: agreed("share") } });
  const read = (await api.readOneClick({ params: { uuid } })).body;
  assert.equal(read.credentials?.employerName, "Pied Piper");
  assert.equal(read.metadata.credentials?.verificationMethod.employerName, "self_attested");
});

test("a value that does not fit is left out, and the values after it are used", async () => {
  const blank = (await withIssued({ ...employer, data: { employer: " " } })).held;
  const title = (await withIssued({ type: "TitleCredential", data: { title: "Engineer" } })).held;
  const { session, request } = await asked(["EmployerNameCredential", "TitleCredential"]);
  const answer = await app.send(request, {
    employerName: [await show(blank, request)],
    title: [await show(title, request, { title: true })],
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const { fields } = (await session.takePresentation({ body: { code: codeIn(answer) } })).body;
  assert.deepEqual(
    fields?.map(({ key, choices }) => [key, choices.map(({ text }) => text)]),
    [
      ["employerName", []],
      ["title", ["Engineer"]],
    ],
  );
});

test("what a wallet app presented is erased with its 1-Click, and an answer after the person's deletion is refused", async () => {
  const { held } = await withIssued();
  const { uuid, request } = await asked();
  const late = await asked();
  await app.send(request, { employerName: [await show(held, request)] });
  const { person_uuid: personUuid } = await it.store.db
    .selectFrom("one_click")
    .select("person_uuid")
    .where("uuid", "=", uuid)
    .executeTakeFirstOrThrow();
  await it.store.db.inTransaction((trx) =>
    eraseOneClicks(trx, { personUuid: personUuid ?? "", brands: null }, it.deps.clock.now()),
  );
  const rows = await it.store.db.selectFrom("presentation").selectAll().where("one_click_uuid", "=", uuid).execute();
  assert.deepEqual(rows, []);
  await it.store.pool.query(
    `update data_key set wrapped = null
      where uuid = (select data_key_uuid from presentation where one_click_uuid = $1)`,
    [late.uuid],
  );
  const answer = await app.send(late.request, { employerName: [await show(held, late.request)] });
  assert.deepEqual([answer.status, answer.body.error], [400, "invalid_request"]);
});

test("after the person declines, the answer of a wallet app is refused", async () => {
  const { held } = await withIssued();
  const { uuid, session, request } = await asked();
  await session.decidePage({ body: { share: false, consent: agreed("decline") } });
  const answer = await app.send(request, { employerName: [await show(held, request)] });
  assert.deepEqual([answer.status, answer.body.error], [400, "invalid_request"]);
  const rows = await it.store.db.selectFrom("presentation").selectAll().where("one_click_uuid", "=", uuid).execute();
  assert.deepEqual(rows, []);
});

test("another page, another code, and a used code get nothing", async () => {
  const { held } = await withIssued();
  const { session, request } = await asked();
  const other = await asked();
  const code = codeIn(await app.send(request, { employerName: [await show(held, request)] }));
  assert.equal((await refusal(other.session.takePresentation({ body: { code } }))).status, 404);
  assert.equal((await refusal(session.takePresentation({ body: { code: "x".repeat(43) } }))).status, 404);
  await session.takePresentation({ body: { code } });
  assert.equal((await refusal(session.takePresentation({ body: { code } }))).status, 404);
});

test("a wallet app returns only to the page that asked, and not to another one or to a changed address", async () => {
  const { session, page } = await asked();
  const other = await asked();
  for (const wrong of [other.page, `${page}?code=123456`, `../${page}`, `${page}/`])
    assert.equal((await refusal(session.beginPresentation({ body: { page: wrong } }))).status, 404, wrong);
  assert.equal((await session.beginPresentation({ body: { page } })).status, 201);
});

test("a request is answered once, and a presentation for another request is refused", async () => {
  const { held } = await withIssued();
  const { request } = await asked();
  const shown = await show(held, request);
  const answers = await Promise.all([1, 2, 3].map(() => app.send(request, { employerName: [shown] })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
  const next = await asked();
  assert.equal((await app.send(next.request, { employerName: [shown] })).status, 400, "its nonce is another one");
  const elsewhere = await show(held, { ...next.request, audience: "redirect_uri:https://other.example/answer" });
  assert.equal((await app.send(next.request, { employerName: [elsewhere] })).status, 400);
});

test("a stolen copy, a missing disclosure, another type and a presentation without the holder are refused", async () => {
  const { held } = await withIssued();
  const { request } = await asked();
  const { offer, transactionCode } = await offerTo(it, "phone");
  const [phone = assert.fail("no copy")] = await holder().accept(offer, transactionCode);
  const right = await show(held, request);
  const sameClaim = await withIssued({ type: "EmployerCredential", data: [employer] });
  for (const hostile of [
    await show({ copy: held.copy, key: await holderKey() }, request),
    await show(held, request, {}),
    await show(phone, request, { phone_number: true }),
    await show(sameClaim.held, request),
    right.slice(0, right.lastIndexOf("~") + 1),
    right.replace("~", "~x"),
    "x",
  ])
    assert.equal((await app.send(request, { employerName: [hostile] })).status, 400, hostile);
  assert.equal((await app.send(request, {})).status, 400);
  assert.equal((await app.send(request, { employerName: [right] })).status, 200, "none of them used the request");
});

/** A presentation whose disclosures and key-binding JWT are as given. */
async function forged(
  held: Held,
  request: PresentationRequest,
  {
    claims = {},
    header,
    extra = () => [],
  }: { claims?: object; header?: object; extra?(disclosures: string[]): string[] },
) {
  const [jwt = "", ...rest] = (await show(held, request)).split("~");
  const disclosures = rest.slice(0, -1);
  const { nonce, audience: aud } = request;
  const iat = Math.floor(it.deps.clock.now() / 1_000);
  const disclosed = [jwt, ...disclosures, ...extra(disclosures), ""].join("~");
  return await bind(held, disclosed, { iat, nonce, aud, ...claims }, header);
}
const disclosure = (...parts: string[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");

test("a key-binding JWT that is older than five minutes, from the future or expired is refused", async () => {
  const { held } = await withIssued();
  const { request } = await asked();
  const now = Math.floor(it.deps.clock.now() / 1_000);
  for (const claims of [
    { iat: 1 },
    { iat: now - 302 },
    { iat: now + 302 },
    { iat: String(now) },
    { exp: 1 },
    { exp: now },
    { exp: String(now + 60) },
  ]) {
    const hostile = await forged(held, request, { claims });
    assert.equal((await app.send(request, { employerName: [hostile] })).status, 400, JSON.stringify(claims));
  }
  const right = await forged(held, request, { claims: { iat: now - 299, exp: now + 60 } });
  assert.equal((await app.send(request, { employerName: [right] })).status, 200);
});

test("a key-binding JWT with another algorithm or a critical extension is refused", async () => {
  const { held } = await withIssued();
  const { request } = await asked();
  for (const header of [{ alg: "none" }, { alg: "HS256" }, { crit: ["b64"], b64: true }, { crit: [] }]) {
    const hostile = await forged(held, request, { header });
    assert.equal((await app.send(request, { employerName: [hostile] })).status, 400, JSON.stringify(header));
  }
  assert.equal((await app.send(request, { employerName: [await forged(held, request, {})] })).status, 200);
});

test("a wallet app signs with the real time, even if the sandbox's clock was moved", async () => {
  await it.advance(60 * 60_000);
  const { held } = await withIssued();
  const { request } = await asked();
  const real = await forged(held, request, { claims: { iat: Math.floor(it.deps.realClock.now() / 1_000) } });
  assert.equal((await app.send(request, { employerName: [real] })).status, 200);
});

test("unused and repeated disclosures are refused", async () => {
  const { held } = await withIssued();
  const { request } = await asked();
  for (const extra of [
    (all: string[]) => all.slice(0, 1),
    () => [disclosure("salt", "unused", "value")],
    () => [disclosure("salt", "employerName", "Hooli")],
    () => [disclosure("salt", "value")],
  ]) {
    const hostile = await forged(held, request, { extra });
    assert.equal((await app.send(request, { employerName: [hostile] })).status, 400, String(extra));
  }
  assert.equal((await app.send(request, { employerName: [await forged(held, request, {})] })).status, 200);
});

test("twenty answers for one page are verified, also if the page asks again", async () => {
  const { held } = await withIssued();
  const { request, session, page } = await asked();
  for (let sent = 0; sent < 20; sent += 1) assert.equal((await app.send(request, { employerName: ["x"] })).status, 400);
  const again = await app.read((await session.beginPresentation({ body: { page } })).body.request);
  assert.equal((await app.send(again, { employerName: [await show(held, again)] })).status, 400);
  const other = await asked();
  assert.equal((await app.send(other.request, { employerName: [await show(held, other.request)] })).status, 200);
});

test("a withdrawn copy and an expired one are refused, and so is an answer after ten minutes", async () => {
  const { held, page } = await withIssued();
  const other = await withIssued();
  const [one] = (await page.listTakeouts()).body.taken;
  await page.withdrawTakeout({ params: { uuid: one?.uuid ?? "" } });
  await it.runJobs();
  const { request } = await asked();
  assert.equal((await app.send(request, { employerName: [await show(held, request)] })).status, 400);
  await it.advance(presentationLifeMs);
  assert.equal((await app.send(request, { employerName: [await show(other.held, request)] })).status, 400);
  await it.advance(copyLifeMs);
  const late = await asked();
  assert.equal((await app.send(late.request, { employerName: [await show(other.held, late.request)] })).status, 400);
  await it.runJobs();
  const rows = await it.store.db.selectFrom("presentation").selectAll().execute();
  assert.equal(rows.length, 1, "requests are gone once they have expired");
});

test("the rows contain no value, and a page without missing details asks for nothing", async () => {
  const { held } = await withIssued();
  const { request } = await asked();
  await app.send(request, { employerName: [await show(held, request)] });
  const rows = await it.store.db.selectFrom("presentation").selectAll().execute();
  assert.ok(rows.length > 0);
  for (const { sealed } of rows) assert.ok(!sealed.includes("Pied Piper"));
  const { page, session } = await hostedPage(it, "+12125550010", [{ type: "FullNameCredential" }]);
  assert.equal((await refusal(session.beginPresentation({ body: { page } }))).status, 404);
});
