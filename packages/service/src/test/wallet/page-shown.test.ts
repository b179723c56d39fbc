import assert from "node:assert/strict";
import test from "node:test";
import { client } from "@countersign/contract/client";
import { continueSession, openSession } from "@countersign/contract/session";
import { chooseInsurance, decidePage, findInsurance, viewPage } from "@countersign/contract/wallet";
import { signIn, wholeTimeline } from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { wallet } from "../harness/hosted-share.ts";
import { frameOfKey, refusal, sandbox } from "../harness/sandbox.ts";
import { scriptCalls } from "../harness/script-calls.ts";
import { fullNameRequest, stateIdPage } from "../harness/state-id-page.ts";

const it = await sandbox();
const noBirthDate = "+13135550034";
const birthDate = { type: "BirthDateCredential" as const, mandatory: "yes" as const };

/** A page at its review, and its brand. `seen`: the consent to what a screen shows that was not loaded again. */
async function reviewed(settings: Record<string, unknown> = {}, phone = freshPhone()) {
  const brand = await it.brand({ integrationType: "hosted", externalName: "Alpha Shop", ...settings });
  const { uuid, url, code } = (await brand.api.beginOneClick({ body: { phone } })).body;
  const page = new URL(url ?? "").pathname.slice("/request/".length);
  const { sessionToken } = (await wallet(it).provePage({ params: { page }, body: { code: code ?? "" } })).body;
  const session = wallet(it, sessionToken);
  const view = (await session.viewPage()).body;
  const change = (body: Record<string, unknown>) => it.api.patchSandboxBrand({ params: { uuid: brand.uuid }, body });
  const read = async () => (await brand.api.readOneClick({ params: { uuid } })).body;
  return { uuid, phone, session, view, change, read };
}
const seenOn = (kind: "share" | "decline" | "leave" | "insurance", { shown = "" }: { shown?: string }) => ({
  ...agreed(kind),
  shown,
});
const wordsOf = async (uuid: string) => {
  const rows = it.store.db.selectFrom("consent").select("words").where("one_click_uuid", "=", uuid);
  return (await rows.execute()).map(({ words }) => words);
};

for (const [what, settings] of Object.entries({
  "the brand's name": { externalName: "Beta Lender" },
  "the purpose": { styling: { oneClickWord: "Apply" } },
  "the website below the name": { redirectUrl: "https://beta.example/back" },
  "that the brand requires a state ID": { governmentId: { required: true } },
}))
  test(`if ${what} changes while the review is open, neither Share nor Don't share decides; after a new view they do`, async () => {
    for (const share of [true, false]) {
      const page = await reviewed();
      await page.change(settings);
      const kind = share ? "share" : "decline";
      const stale = page.session.decidePage({ body: { share, consent: seenOn(kind, page.view) } });
      assert.equal((await refusal(stale)).status, 409);
      assert.deepEqual(await wordsOf(page.uuid), []);
      assert.equal((await refusal(page.read())).errorCode, "OCE015");
      if (share && "governmentId" in settings) continue;
      const now = (await page.session.viewPage()).body;
      await page.session.decidePage({ body: { share, consent: seenOn(kind, now) } });
      const [words = ""] = await wordsOf(page.uuid);
      assert.ok(!share || words?.includes(now.brand.name));
    }
  });

test("a decision that names no view, or another page's, decides nothing; a repeated decision answers as the first one", async () => {
  const [page, other] = [await reviewed(), await reviewed()];
  for (const shown of ["", "A".repeat(43), other.view.shown ?? ""]) {
    const body = { share: true, consent: { ...agreed("share"), shown } };
    assert.equal((await refusal(page.session.decidePage({ body }))).status, 409);
  }
  const same = { body: { share: true, consent: seenOn("share", page.view) } };
  const first = (await page.session.decidePage(same)).body;
  await page.change({ externalName: "Beta Lender" });
  const again = (await page.session.decidePage(same)).body;
  assert.deepEqual([first.outcome, again.outcome, again.shared], ["shared", "shared", first.shared]);
  assert.equal((await wordsOf(page.uuid)).length, 1);
});

test("what a decline gives is what was scored: the page, the record and the brand agree if risk signals are switched meanwhile", async () => {
  for (const riskSignals of [true, false]) {
    const page = await reviewed({ riskSignals });
    await page.change({ riskSignals: !riskSignals });
    const { brand } = (await page.session.viewPage()).body;
    assert.equal(brand.anyway, page.view.brand.anyway);
    await page.session.decidePage({ body: { share: false, consent: seenOn("decline", page.view) } });
    const { metadata } = await page.read();
    const [{ anyway } = {}] = (await wholeTimeline(await signIn(it, page.phone))).filter((one) => one.anyway);
    const got = metadata.identifiers.riskSignals === undefined ? "phone" : "phoneAndRisk";
    assert.deepEqual([brand.anyway, anyway, got], Array(3).fill(riskSignals ? "phoneAndRisk" : "phone"));
  }
});

test("if another tab uses a state ID, the tab before it shares nothing until it shows the ID's values", async () => {
  const requests = [fullNameRequest, birthDate];
  const page = await stateIdPage(it, noBirthDate, requests, { reported: true, onConflict: "preferId" });
  const edits = { birthDate: "1989-08-01" };
  await page.use({ id: "renamed" });
  const stale = page.session.decidePage({ body: { share: true, edits, consent: seenOn("share", page.view) } });
  assert.equal((await refusal(stale)).status, 409);
  assert.deepEqual(await wordsOf(page.uuid), []);
  const now = (await page.session.viewPage()).body;
  await page.session.decidePage({ body: { share: true, consent: seenOn("share", now) } });
  const { credentials } = await page.read();
  assert.deepEqual(credentials?.fullName, now.fields?.[0]?.choices[0]?.parts);
});

test("a state ID's value that is typed again as the same text is typed: for the record and for the brand", async () => {
  const page = await stateIdPage(it, noBirthDate, [fullNameRequest, birthDate], { reported: true });
  const view = await page.use();
  assert.deepEqual(view.fields?.[1]?.choices[0]?.sources, [{ method: "government_id", state: "California" }]);
  const edits = { birthDate: "1989-08-01" };
  await page.session.decidePage({ body: { share: true, edits, consent: seenOn("share", view) } });
  const { metadata } = await page.read();
  assert.equal(metadata.credentials?.verificationMethod.birthDate, "self_attested");
  const [words = ""] = await wordsOf(page.uuid);
  assert.match(words ?? "", /your full name and birthday, and agree/);
});

test("each source of a value names its parts, so that a screen knows what is left of it beside typed parts", async () => {
  const { view } = await reviewed();
  const name = view.fields?.find(({ key }) => key === "fullName")?.choices[0];
  assert.deepEqual(name?.sources.flatMap(({ parts = [] }) => parts).sort(), Object.keys(name?.parts ?? {}).sort());
});

test("a decline of the question decides nothing if another tab has answered it", async () => {
  const page = await reviewed({}, "+12125550022");
  assert.equal(page.view.step, "inputs");
  await page.session.amendPage({ body: { birthDate: "1989-08-01" } });
  const stale = page.session.decidePage({ body: { share: false, consent: seenOn("leave", page.view) } });
  assert.equal((await refusal(stale)).status, 409);
});

const framed = (token?: string) =>
  client(
    { openSession, continueSession, viewPage, decidePage, findInsurance, chooseInsurance },
    { send: scriptCalls(it.wallet, token) },
  );

/** A frame at its first screen. */
async function openFrame() {
  const brand = await it.brand({ integrationType: "sdk", externalName: "Alpha Shop", health: { enabled: true } });
  const { sessionKey } = (await brand.api.createSession({ body: { phone: "+12125550010" } })).body;
  const { sessionToken, start } = (await framed().openSession({ body: { sessionKey, frame: frameOfKey(sessionKey) } }))
    .body;
  const rename = () =>
    it.api.patchSandboxBrand({ params: { uuid: brand.uuid }, body: { externalName: "Beta Lender" } });
  const consent = { ...agreed("proveKnownSsnAndHealth"), shown: start.shown };
  const proceed = async () => (await framed(sessionToken).continueSession({ body: { consent } })).body.sessionToken;
  return { rename, proceed };
}

test("a frame's first screen is over if the brand has another name by now", async () => {
  const { rename, proceed } = await openFrame();
  await rename();
  assert.equal((await refusal(proceed())).status, 401);
});

test("if the brand's name changes while plans are shown, no plan is shared before a new view; skipping needs none", async () => {
  const { rename, proceed } = await openFrame();
  const page = framed(await proceed());
  await page.decidePage({ body: { share: true, consent: agreed("share") } });
  await page.findInsurance({ body: {} });
  await it.runJobs();
  const view = (await page.viewPage()).body;
  await rename();
  for (const choice of [{ plan: 0 }, { payerId: "60054", memberId: "W345876123" }])
    assert.equal(
      (await refusal(page.chooseInsurance({ body: { ...choice, consent: seenOn("insurance", view) } }))).status,
      409,
    );
  const now = (await page.viewPage()).body;
  const done = (await page.chooseInsurance({ body: { plan: 0, consent: seenOn("insurance", now) } })).body;
  assert.equal(done.outcome, "insured");
  assert.ok((await wordsOf(now.identityUuid ?? "")).some((words) => words?.includes("give it to Beta Lender")));
});

test("two tabs that find the identity at once show the same, so either can decide", async () => {
  const brand = await it.brand({ integrationType: "hosted" });
  const { url, code } = (await brand.api.beginOneClick({ body: { phone: freshPhone() } })).body;
  const page = new URL(url ?? "").pathname.slice("/request/".length);
  const { sessionToken } = (await wallet(it).provePage({ params: { page }, body: { code: code ?? "" } })).body;
  const tab = wallet(it, sessionToken);
  const views = await Promise.all(Array.from({ length: 4 }, () => tab.viewPage()));
  assert.equal(new Set(views.map(({ body }) => body.shown)).size, 1);
});
