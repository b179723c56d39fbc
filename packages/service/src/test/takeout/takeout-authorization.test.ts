import assert from "node:assert/strict";
import { test } from "node:test";
import { walletTextMax } from "@countersign/contract/takeout";
import { authorizationCodeLifeMs } from "../../domain/takeout/authorization.ts";
import { offerLifeMs } from "../../domain/takeout/offer.ts";
import { type Browser, birthDate, phoneOnRecord, signIn, wholeTimeline } from "../harness/account-page.ts";
import { agreed } from "../harness/consent-shown.ts";
import { answerFor, holder, offerTo, walletOverHttp } from "../harness/holder.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
await walletOverHttp(it);
const issuer = `${it.deps.addresses.walletUrl}/credentials`;
const wallet = holder();
const preAuthorized = "urn:ietf:params:oauth:grant-type:pre-authorized_code";

/** A wallet's request for an offered phone, and the page of the person to whom it was offered. */
async function asked(redirectUri?: string) {
  const { page, offer, transactionCode } = await offerTo(it, "phone");
  return { page, offer, transactionCode, request: await wallet.ask(offer, redirectUri) };
}

/** A request whose code the wallet has not exchanged yet. */
async function withCode() {
  const { page, offer, transactionCode, request } = await asked();
  return { page, offer, transactionCode, request, code: wallet.codeIn(request, await answerFor(page, request.url)) };
}

async function tokenFor(form: Record<string, string>): Promise<{ status: number; error?: string }> {
  const body = new URLSearchParams(form).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await fetch(`${issuer}/token`, { method: "POST", headers, body });
  const { error } = await response.json();
  return { status: response.status, ...(error === undefined ? {} : { error }) };
}
type Request = Awaited<ReturnType<typeof wallet.ask>>;
const formOf = ({ redirectUri, verifier }: Request, code: string) => ({
  grant_type: "authorization_code",
  client_id: "a-wallet",
  redirect_uri: redirectUri,
  code_verifier: verifier,
  code,
});

test("a wallet gets copies with a code, without transaction code, and the person sees them", async () => {
  const { page, request, code } = await withCode();
  const copies = await wallet.copiesOf(await wallet.exchange(request, code), 3);
  assert.equal(copies.length, 3);
  const { taken } = (await page.listTakeouts()).body;
  assert.deepEqual(
    taken.map(({ kind, copies: count }) => [kind, count]),
    [["phone", 3]],
  );
});

/** The consents to wallet apps in the person's download. */
async function consentsOf(page: Browser): Promise<Record<string, unknown>[]> {
  const { decisions } = (await page.downloadAccount()).body;
  assert.ok(Array.isArray(decisions));
  return decisions.filter(({ action }) => action === "addToWallet");
}

test("the person's consent is recorded with the wallet app's host, and a refusal or an ended offer records none", async () => {
  const { page, request } = await asked();
  await answerFor(page, request.url, false);
  assert.deepEqual(await consentsOf(page), []);
  await answerFor(page, request.url);
  const words =
    "Your details go to wallet.example Continue only if you know this wallet app and opened it yourself. Add";
  const { version } = agreed("addToWallet");
  const given = await consentsOf(page);
  assert.deepEqual(
    given.map((one) => [one.words, one.language, one.version]),
    [[words, "en", version]],
  );
  const entry = (await wholeTimeline(page)).find(({ action }) => action === "account.allowedWallet");
  assert.deepEqual(
    [entry?.consent?.uuid, entry?.consent?.words, entry?.types],
    [given[0]?.uuid, words, ["PhoneCredential"]],
  );
  await wallet.exchange(request, wallet.codeIn(request, await answerFor(page, request.url)));
  assert.equal((await refusal(answerFor(page, request.url))).status, 404);
  assert.equal((await consentsOf(page)).length, 2);
});

test("the consent to an app without a site names its scheme", async () => {
  const { page, request } = await asked("com.example.wallet://back");
  await answerFor(page, request.url);
  assert.match(String((await consentsOf(page))[0]?.words), /^Your details go to com\.example\.wallet /);
});

test("the address of an app works, even with a query", async () => {
  const { page, request } = await asked("com.example.wallet://back?from=countersign");
  const answer = await answerFor(page, request.url);
  assert.match(answer, /^com\.example\.wallet:\/\/back\?from=countersign&/);
  assert.ok(await wallet.exchange(request, wallet.codeIn(request, answer)));
});

test("an address and a state that are as long as allowed work", async () => {
  const { page, request } = await asked(`https://wallet.example/${"b".repeat(walletTextMax - 23)}`);
  const url = new URL(request.url);
  const long = { ...request, state: "s".repeat(walletTextMax) };
  url.searchParams.set("state", long.state);
  assert.ok(await wallet.exchange(long, wallet.codeIn(long, await answerFor(page, url.toString()))));
  url.searchParams.set("state", `${long.state}s`);
  assert.equal((await fetch(url, { redirect: "manual" })).status, 400);
});

test("a person who refuses sends access_denied, and the digits still work", async () => {
  const { page, offer, transactionCode, request } = await asked();
  const answer = new URL(await answerFor(page, request.url, false));
  assert.deepEqual(
    [answer.searchParams.get("error"), answer.searchParams.get("iss"), answer.searchParams.get("state")],
    ["access_denied", issuer, request.state],
  );
  assert.equal((await holder().accept(offer, transactionCode)).length, 1);
});

test("code replay: a code works once, even for five parallel requests", async () => {
  const { request, code } = await withCode();
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => tokenFor(formOf(request, code))));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400]);
  assert.equal((await tokenFor(formOf(request, code))).error, "invalid_grant");
});

test("code theft: another verifier, wallet or address gets nothing, and the third attempt ends the code", async () => {
  const { request, code } = await withCode();
  const right = formOf(request, code);
  const other = await asked();
  for (const wrong of [
    { ...right, code_verifier: other.request.verifier },
    { ...right, redirect_uri: "https://attacker.example/back" },
    { ...right, client_id: "another-wallet" },
  ])
    assert.deepEqual(await tokenFor(wrong), { status: 400, error: "invalid_grant" });
  assert.equal((await tokenFor(right)).error, "invalid_grant");
});

test("code injection: a code of another person's request does not work in this one", async () => {
  const attacker = await withCode();
  const victim = await asked();
  assert.equal((await tokenFor(formOf(victim.request, attacker.code))).error, "invalid_grant");
  const answer = new URL(await answerFor(attacker.page, attacker.request.url));
  assert.throws(() => wallet.codeIn(victim.request, answer.toString()), /another request/);
});

test("downgrade: a request without a challenge or with plain is refused, and so is a token request without the verifier", async () => {
  const { request } = await asked();
  for (const [name, value] of [
    ["code_challenge", null],
    ["code_challenge", "short"],
    ["code_challenge_method", null],
    ["code_challenge_method", "plain"],
    ["response_type", "token"],
    ["response_mode", "fragment"],
    ["request", "x.y.z"],
    ["request_uri", "https://attacker.example/request"],
    ["authorization_details", "[]"],
    ["issuer_state", null],
    ["client_id", null],
  ] as const) {
    const url = new URL(request.url);
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    const response = await fetch(url, { redirect: "manual" });
    assert.deepEqual([response.status, response.headers.get("location")], [400, null], `${name} ${value}`);
  }
  const { request: next, code } = await withCode();
  const { code_verifier: _, ...without } = formOf(next, code);
  assert.equal((await tokenFor(without)).error, "invalid_request");
});

test("downgrade: a code does not work as a pre-authorized code, and a pre-authorized code does not work as a code", async () => {
  const { request, code } = await withCode();
  const challenge = new URL(request.url).searchParams.get("code_challenge") ?? "";
  const seen = JSON.stringify(["a-wallet", request.redirectUri, challenge]);
  const asDigits = { grant_type: preAuthorized, "pre-authorized_code": code, tx_code: seen };
  assert.equal((await tokenFor(asDigits)).error, "invalid_grant");
  const { offer, request: other } = await asked();
  const { grants } = JSON.parse(new URL(offer).searchParams.get("credential_offer") ?? "");
  assert.equal((await tokenFor(formOf(other, grants[preAuthorized]["pre-authorized_code"]))).error, "invalid_grant");
});

test("redirect tricks: an address that is not https or an app's gets no redirect and no code", async () => {
  const { page, request } = await asked();
  for (const redirectUri of [
    "http://wallet.example/back",
    "javascript:alert(1)",
    "data:text/html,x",
    "intent://x#Intent;end",
    "https://wallet.example/back#fragment",
    "https://wallet.example@attacker.example/back",
    "https://wallet.example\\@attacker.example/back",
    "https:wallet.example/back",
    "https://wallet.example/back?iss=https://attacker.example",
    "https://wallet.example/back?%63ode=mine",
    "https://wallet.example/\nback",
    " https://wallet.example/back",
    "java\tscript.x:alert(1)",
    "//attacker.example",
    "",
  ]) {
    const url = new URL(request.url);
    url.searchParams.set("redirect_uri", redirectUri);
    const response = await fetch(url, { redirect: "manual" });
    assert.deepEqual([response.status, response.headers.get("location")], [400, null], redirectUri);
    const uuid = url.searchParams.get("issuer_state") ?? "";
    const challenge = url.searchParams.get("code_challenge") ?? "";
    for (const allow of [true, false]) {
      const body = { allow, clientId: "a-wallet", redirectUri, challenge, consent: agreed("addToWallet") };
      assert.equal((await refusal(page.answerWallet({ params: { uuid }, body }))).status, 400, redirectUri);
    }
  }
  const twice = `${request.url}&redirect_uri=${encodeURIComponent("https://attacker.example/back")}`;
  assert.equal((await fetch(twice, { redirect: "manual" })).status, 400, "an address that is sent twice");
});

test("mix-up: the answer names the issuer, and a wallet refuses an answer with another issuer or none", async () => {
  const { page, request } = await asked();
  const answer = new URL(await answerFor(page, request.url));
  assert.equal(answer.searchParams.get("iss"), issuer);
  const other = new URL(answer);
  other.searchParams.set("iss", "https://attacker.example");
  assert.throws(() => wallet.codeIn(request, other.toString()), /iss/);
  other.searchParams.delete("iss");
  assert.throws(() => wallet.codeIn(request, other.toString()), /iss/);
});

test("only the person whom the request is about can answer it, with a proof and a session", async () => {
  const { request } = await asked();
  const stranger = (await offerTo(it, "phone")).page;
  const uuid = new URL(request.url).searchParams.get("issuer_state") ?? "";
  assert.equal((await refusal(answerFor(stranger, request.url))).status, 404);
  assert.equal((await refusal(stranger.readOffer({ params: { uuid } }))).status, 404);
  const phone = await phoneOnRecord(it);
  const proven = await signIn(it, phone);
  await proven.proveAccount({ body: { birthDate } });
  const { offer } = (await proven.takeOut({ body: { own: "phone" } })).body;
  const unproven = await signIn(it, phone);
  const { url } = await wallet.ask(offer);
  assert.equal((await refusal(answerFor(unproven, url))).status, 403);
  assert.match(await answerFor(unproven, url, false), /access_denied/);
  await proven.signOut();
  assert.equal((await refusal(answerFor(proven, url))).status, 401);
});

test("another session of a fixed test person, whom everyone can sign in as, cannot answer an offer", async () => {
  const richard = "+12125550010";
  const { page, offer } = await offerTo(it, "phone", richard);
  const other = (await offerTo(it, "phone", richard)).page;
  const { url } = await wallet.ask(offer);
  assert.equal((await refusal(answerFor(other, url))).status, 404);
  assert.ok(await answerFor(page, url));
});

test("a code expires after one minute and an offer after ten, and an answer ends the offer's digits", async () => {
  const late = await asked();
  const early = await withCode();
  await it.advance(authorizationCodeLifeMs);
  assert.equal((await tokenFor(formOf(early.request, early.code))).error, "invalid_grant");
  await assert.rejects(holder().accept(early.offer, early.transactionCode), /invalid_grant|offer is over/);
  await it.advance(offerLifeMs);
  await late.page.proveAccount({ body: { birthDate } });
  assert.equal((await refusal(answerFor(late.page, late.request.url))).status, 404);
});

test("an answer, also a repeated one, does not extend the offer", async () => {
  const { page, request } = await asked();
  await it.advance(offerLifeMs - 2_000);
  await page.proveAccount({ body: { birthDate } });
  await answerFor(page, request.url);
  const code = wallet.codeIn(request, await answerFor(page, request.url));
  await it.advance(2_000);
  assert.equal((await tokenFor(formOf(request, code))).error, "invalid_grant");
});

test("an offer that a wallet accepted, or that had three wrong guesses of its digits, gets no code", async () => {
  const used = await asked();
  await holder().begin(used.offer, used.transactionCode);
  assert.equal((await refusal(answerFor(used.page, used.request.url))).status, 404);
  const guessed = await asked();
  const wrong = guessed.transactionCode.replace(/./g, (digit) => String((Number(digit) + 1) % 10));
  for (let tries = 0; tries < 3; tries += 1)
    await assert.rejects(holder().begin(guessed.offer, wrong), /invalid_grant/);
  assert.equal((await refusal(answerFor(guessed.page, guessed.request.url))).status, 404);
});
