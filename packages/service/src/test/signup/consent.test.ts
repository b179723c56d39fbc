/** A consent is recorded in the service's own words, whatever text the browser sends. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import { type ConsentKind, type ConsentLanguage, consentTexts, consentWords } from "@countersign/contract/consent";
import { birthDate, ownHeaders, phoneOnRecord, signIn, wholeTimeline } from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed, onView, sharedWords } from "../harness/consent-shown.ts";
import { hostedShare } from "../harness/hosted-share.ts";
import { frameOfKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const forged = "I sell my data to anybody.";
const name = "Pied Piper";
const ssn = [{ type: "SsnCredential" }];
const hosted = await it.brand({
  integrationType: "hosted",
  externalName: name,
  redirectUrl: "http://localhost:4001/demo/landing",
});
const frameOf = (settings: object) => it.brand({ integrationType: "sdk", externalName: name, ...settings });

/** Calls the wallet as a browser does, with a session token or a cookie. */
async function call(url: string, payload: object, by: { token?: string; cookie?: string } = {}) {
  const headers = {
    "sec-fetch-site": "same-origin",
    ...(by.token === undefined ? {} : { authorization: `Bearer ${by.token}` }),
    ...(by.cookie === undefined ? {} : await ownHeaders(it.wallet, by.cookie)),
  };
  // Only the view of a page names what a decision on it agrees to.
  const view = url.startsWith("/api/page/") && (await it.wallet.inject({ method: "GET", url: "/api/page", headers }));
  const { statusCode, json } = await it.wallet.inject({
    method: "POST",
    url,
    payload: view === false ? payload : onView(payload, view.json()),
    headers,
  });
  const body = json<Record<string, unknown> & { data?: { errors?: { path: string }[] } }>();
  return { status: statusCode, body };
}
type Ready = { url: string; payload?: object; by?: { token?: string; cookie?: string }; person: string };

async function hostedPage(phone: string, body: object = {}): Promise<string> {
  const begun = (await hosted.api.beginOneClick({ body: { phone, ...body } })).body;
  const page = new URL(begun.url ?? "").pathname.slice("/request/".length);
  const { body: proven } = await call(`/api/page/${page}/code`, { code: begun.code });
  const token = String(proven.sessionToken);
  await it.wallet.inject({ method: "GET", url: "/api/page", headers: { authorization: `Bearer ${token}` } });
  return token;
}

async function begun(settings: object, body: object = {}): Promise<{ uuid: string; token: string; shown: string }> {
  const { uuid, api } = await frameOf(settings);
  const { sessionKey } = (await api.createSession({ body })).body;
  const opened = await call("/api/session", { sessionKey, frame: frameOfKey(sessionKey) });
  const { shown } = opened.body.start as { shown: string };
  return { uuid, token: String(opened.body.sessionToken), shown };
}
async function session(settings: object, body: object = {}): Promise<string> {
  return (await begun(settings, body)).token;
}

const decision = "/api/page/decision";
const deciding = (share: boolean, body: object) => async (): Promise<Ready> => {
  const person = freshPhone();
  return { url: decision, payload: { share }, by: { token: await hostedPage(person, body) }, person };
};
const texting = (settings: object) => async (): Promise<Ready> => {
  const person = freshPhone();
  const by = { token: await session(settings) };
  return { url: "/api/session/phone", payload: { phone: person, silent: false }, by, person };
};
const plain = [{ type: "FullNameCredential" }];
const passing = (settings: object) => async (): Promise<Ready> => {
  const person = freshPhone();
  return { url: "/api/session/continue", by: { token: await session(settings, { phone: person }) }, person };
};
const ownPage = (url: (brand: string) => string, proves: boolean, person = freshPhone()) => {
  return async (): Promise<Ready> => {
    await hostedShare(it, person);
    const browser = await signIn(it, person);
    if (proves) await browser.proveAccount({ body: { birthDate } });
    const [brand] = (await browser.readAccount()).body.brands;
    return { url: url(brand?.uuid ?? ""), by: { cookie: browser.cookie() }, person };
  };
};

/** How a person gets to each text, and the brand that the text names. */
const ways: Partial<Record<ConsentKind, { ready(): Promise<Ready>; brand?: string }>> = {
  share: { ready: deciding(true, {}), brand: name },
  decline: { ready: deciding(false, {}) },
  leave: { ready: async () => ({ ...(await deciding(false, {})()), ...(await atChallenge()) }) },
  insurance: { ready: atInsurance, brand: name },
  proveVerify: { ready: texting({ defaultCredentialRequests: [] }), brand: name },
  proveData: { ready: texting({ defaultCredentialRequests: [{ type: "FullNameCredential" }] }), brand: name },
  proveSsn: { ready: texting({ defaultCredentialRequests: ssn }), brand: name },
  proveHealth: {
    ready: texting({ defaultCredentialRequests: [{ type: "FullNameCredential" }], health: { enabled: true } }),
    brand: name,
  },
  proveSsnAndHealth: { ready: texting({ defaultCredentialRequests: ssn, health: { enabled: true } }), brand: name },
  proveKnown: { ready: passing({ defaultCredentialRequests: plain }), brand: name },
  proveKnownSsn: { ready: passing({ defaultCredentialRequests: ssn }), brand: name },
  proveKnownHealth: { ready: passing({ defaultCredentialRequests: plain, health: { enabled: true } }), brand: name },
  proveKnownSsnAndHealth: {
    ready: passing({ defaultCredentialRequests: ssn, health: { enabled: true } }),
    brand: name,
  },
  signIn: {
    async ready() {
      const person = await phoneOnRecord(it);
      return { url: "/api/sign-in", payload: { phone: person }, person };
    },
  },
  stop: { ready: ownPage((brand) => `/api/account/brands/${brand}/stop`, false), brand: "Demo Hosted" },
  delete: { ready: ownPage(() => "/api/account/deletion", true) },
  reset: { ready: ownPage(() => "/api/account/deletion", true, "+12125550010") },
  handOver: { ready: ownPage(() => "/api/account/new-holder", false) },
  addToWallet: { ready: startInWallet, brand: "wallet.example" },
};

/** Opens the page of a fixed person who must first answer a challenge. */
async function atChallenge(): Promise<Omit<Ready, "payload">> {
  const person = "+12125550022";
  return { url: decision, by: { token: await hostedPage(person) }, person };
}

/** A wallet app's request for what the person offered. */
async function startInWallet(): Promise<Ready> {
  const person = freshPhone();
  await hostedShare(it, person);
  const browser = await signIn(it, person);
  await browser.proveAccount({ body: { birthDate } });
  const { offer } = (await browser.takeOut({ body: { own: "phone" } })).body;
  const { grants } = JSON.parse(new URL(offer).searchParams.get("credential_offer") ?? "");
  const url = `/api/account/takeouts/${grants.authorization_code.issuer_state}/authorization`;
  const redirectUri = "https://wallet.example/back";
  const payload = { allow: true, clientId: "a-wallet", redirectUri, challenge: "c".repeat(43) };
  return { url, payload, by: { cookie: browser.cookie() }, person };
}

async function atInsurance(): Promise<Ready> {
  const person = "+12125550010";
  const token = await session({ health: { enabled: true } }, { phone: person });
  const { body } = await call("/api/session/continue", { consent: agreed("proveKnownSsnAndHealth") }, { token });
  const by = { token: String(body.sessionToken) };
  await it.wallet.inject({ method: "GET", url: "/api/page", headers: { authorization: `Bearer ${by.token}` } });
  await call(decision, { share: true, consent: agreed("share") }, by);
  await call("/api/page/health", {}, by);
  await it.runJobs();
  return { url: "/api/page/health/choice", payload: { plan: 0 }, by, person };
}

const recorded = async () =>
  await it.store.db.selectFrom("consent").select(["uuid", "version", "language", "words"]).execute();
const isKind = (kind: string): kind is ConsentKind => Object.hasOwn(consentTexts, kind);

for (const kind of Object.keys(consentTexts).filter(isKind))
  test(`${kind}: the consent record has the service's own text in both languages; other versions and languages get 400`, async () => {
    const way = ways[kind] ?? assert.fail(`no steps are defined for ${kind}`);
    for (const language of ["en", "es"] satisfies ConsentLanguage[]) {
      const { url, payload, by } = await way.ready();
      const right = agreed(kind, language);
      const before = await recorded();
      for (const [consent, path] of [
        [{ ...right, version: "2026-01" }, "body.consent.version"],
        [{ ...right, version: "__proto__" }, "body.consent.version"],
        [{ ...right, language: "xx" }, "body.consent.language"],
      ] as const) {
        const refused = await call(url, { ...payload, consent: { ...consent, words: forged } }, by);
        assert.deepEqual([refused.status, refused.body.data?.errors?.[0]?.path], [400, path]);
      }
      assert.equal((await recorded()).length, before.length, "a rejected request leaves no record");
      const { status } = await call(url, { ...payload, consent: { ...right, words: forged, url: forged } }, by);
      assert.ok(status < 300, `${status}`);
      // The consent to a sign-in is recorded by the job that sends its text.
      await it.runJobs();
      const known = new Set(before.map(({ uuid }) => uuid));
      const fresh = (await recorded()).filter(({ uuid }) => !known.has(uuid));
      const words = kind === "share" ? sharedWords(way.brand, language) : consentWords(kind, right, way.brand);
      assert.deepEqual(
        fresh.map((row) => [row.version, row.language, row.words]),
        [[right.version, language, words]],
      );
      assert.ok(words?.includes("{") === false && (way.brand === undefined || words.includes(way.brand)));
    }
    const rows = it.store.db.selectFrom("consent").select("uuid");
    assert.deepEqual(
      await rows.where(({ or, eb }) => or([eb("words", "=", forged), eb("url", "=", forged)])).execute(),
      [],
    );
  });

test("a receipt signs the service's own text, even if the browser sent another", async () => {
  const phone = freshPhone();
  const token = await hostedPage(phone);
  await call(decision, { share: true, consent: { ...agreed("share", "es"), words: forged } }, { token });
  const browser = await signIn(it, phone);
  const shared = (await wholeTimeline(browser)).find(({ action }) => action === "oneClick.released")?.consent;
  const { receipt } = (await browser.readReceipt({ params: { uuid: shared?.uuid ?? "" } })).body;
  const { words } = JSON.parse(Buffer.from(receipt.split(".")[1] ?? "", "base64url").toString());
  const own = sharedWords(name, "es") ?? "";
  assert.equal(words.sha256, createHash("sha256").update(own).digest("base64url"));
  assert.deepEqual([words.version, words.language], [consentTexts.share.version, "es"]);
});

test("the consent record of a v1 brand's page has the service's own text", async () => {
  const landing = "http://localhost:4001/demo/landing";
  const { apiKey } = await it.brand({ integrationType: "v1", externalName: name, redirectUrl: landing });
  const payload = { phone: "+10123456789", birthDate: "1970-08-01", isHosted: true };
  const begun = await it.inject({ method: "POST", url: "/1-click", headers: { authorization: apiKey }, payload });
  const { url, uuid } = begun.body as { url: string; uuid: string };
  const page = new URL(url).pathname.slice("/request/".length);
  const token = String((await call(`/api/page/${page}/code`, { code: "111111" })).body.sessionToken);
  await it.wallet.inject({ method: "GET", url: "/api/page", headers: { authorization: `Bearer ${token}` } });
  const share = { share: true, consent: { ...agreed("share", "es"), words: forged } };
  assert.equal((await call(decision, { ...share, consent: { version: "1", language: "es" } }, { token })).status, 400);
  assert.equal((await call(decision, share, { token })).status, 200);
  const details =
    "estos datos: nombre completo, correo electrónico, teléfono, dirección, fecha de nacimiento y número de Seguro Social";
  const rows = it.store.db.selectFrom("consent").select(["words"]).where("one_click_uuid", "=", uuid);
  assert.deepEqual(await rows.execute(), [{ words: sharedWords(name, "es", details) }]);
});

test("if a brand requests no credentials, the share record has the text below the phone", async () => {
  const phone = freshPhone();
  const token = await session({ defaultCredentialRequests: [] }, { phone });
  const { body } = await call("/api/session/continue", { consent: agreed("proveKnown", "es") }, { token });
  const by = { token: String(body.sessionToken) };
  await it.wallet.inject({ method: "GET", url: "/api/page", headers: { authorization: `Bearer ${by.token}` } });
  assert.equal((await call(decision, { share: true, consent: agreed("share") }, by)).status, 200);
  const rows = await it.store.db
    .selectFrom("consent")
    .select(["action", "language", "words"])
    .where("phone_index", "=", it.deps.vault.index("phone", "sandbox", phone))
    .execute();
  const words = consentWords("proveKnown", agreed("proveKnown", "es"), name);
  assert.deepEqual(rows.map((row) => [row.action, row.language, row.words]).sort(), [
    ["prove", "es", words],
    ["share", "es", words],
  ]);
});

test("if the brand asks for more after a screen was shown, the session ends, because its text does not cover that", async () => {
  const phone = freshPhone();
  const wider = { data: { defaultCredentialRequests: plain }, ssn: { defaultCredentialRequests: ssn } };
  for (const [before, after] of [
    [{ defaultCredentialRequests: [] }, wider.data],
    [wider.data, wider.ssn],
    [wider.data, { health: { enabled: true } }],
  ]) {
    const { uuid, token, shown } = await begun(before ?? {});
    await it.api.patchSandboxBrand({ params: { uuid }, body: after ?? {} });
    const consent = { ...agreed(before === wider.data ? "proveData" : "proveVerify"), shown };
    const refused = await call("/api/session/phone", { phone, silent: false, consent }, { token });
    assert.deepEqual([refused.status, refused.body.message], [401, "SESSION_TIMEOUT"]);
  }
});

test("if the brand asks for less after a screen was shown, the record has the text of that screen", async () => {
  const phone = freshPhone();
  const { uuid, token, shown } = await begun({ defaultCredentialRequests: ssn });
  await it.api.patchSandboxBrand({ params: { uuid }, body: { defaultCredentialRequests: plain } });
  const consent = { ...agreed("proveSsn"), shown };
  for (const chosen of ["proveVerify", await begun({}).then((other) => other.shown)])
    assert.equal(
      (await call("/api/session/phone", { phone, silent: false, consent: { ...consent, shown: chosen } }, { token }))
        .status,
      401,
      "a browser cannot choose another text",
    );
  assert.equal((await call("/api/session/phone", { phone, silent: false, consent }, { token })).status, 201);
  const rows = it.store.db
    .selectFrom("consent")
    .select("words")
    .where("phone_index", "=", it.deps.vault.index("phone", "sandbox", phone));
  assert.deepEqual(await rows.execute(), [{ words: consentWords("proveSsn", agreed("proveSsn"), name) }]);
});

test("the record of a declined share has the decline button's text, not the sharing text", async () => {
  const phone = freshPhone();
  await hostedShare(it, phone, { share: false });
  const browser = await signIn(it, phone);
  const declined = (await wholeTimeline(browser)).find(({ action }) => action === "oneClick.declined");
  assert.deepEqual([declined?.consent?.words, declined?.consent?.language], ["Don’t share", "en"]);
});
