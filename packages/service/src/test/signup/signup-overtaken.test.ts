/** A call that another one overtakes while a source is asked stores nothing, and answers with what is stored. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";
import type { Deps } from "../../domain/deps.ts";
import type { SourceAnswer } from "../../domain/ports.ts";
import { decidePage } from "../../domain/signup/page/decide.ts";
import { findPage } from "../../domain/signup/page/page.ts";
import { sandboxIdentity } from "../../providers/sandbox/identity.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { hostedPage, wallet } from "../harness/hosted-share.ts";
import { interrupted } from "../harness/interrupted.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

/** Runs once, during a lookup at the source. It may replace the source's answer. */
let meanwhile: (() => Promise<SourceAnswer | undefined>) | null = null;
const identity = sandboxIdentity();
const it = await sandbox({
  vendors: {
    identity: {
      ...identity,
      lookUp: async (question) => {
        const answer = await identity.lookUp(question);
        const now = meanwhile;
        meanwhile = null;
        return (await now?.()) ?? answer;
      },
    },
  },
});
const unknown: SourceAnswer = { kind: "unknown" };
const email = { type: "EmailCredential" as const };
const employer = { type: "EmployerNameCredential" as const, mandatory: "no" as const };
const asked = "+12125550022";
const birthDate = "1989-08-01";

/** What was recorded about a 1-Click: the actions, and the person's decisions. */
async function recordOf(uuid: string) {
  const of = { text: "one_click_uuid = $1", values: [uuid] };
  const audits = await it.store.pool.query(`select action from audit where ${of.text} order by id`, of.values);
  const consents = await it.store.pool.query(`select action from consent where ${of.text} order by at`, of.values);
  return {
    actions: audits.rows.map((row) => String(row.action)),
    decisions: consents.rows.map((row) => String(row.action)),
  };
}

type Shown = Awaited<ReturnType<typeof hostedPage>>;

/** Another tab's decision on what it has shown, whatever is stored by now. */
async function otherTab(phone: string, { page, view }: Shown) {
  const cell = await it.cellOf(phone);
  const before = await findPage(cell, { page }, randomUUID());
  return async (share: boolean, { leftOut = [], deps = cell }: { leftOut?: string[]; deps?: Deps } = {}) => {
    const kind = share ? "share" : view.step === "inputs" ? "leave" : "decline";
    const consent = { ...agreed(kind), shown: view.shown ?? "", url: "http://localhost:4001/request" };
    return await decidePage(deps, before, { share, choices: {}, edits: {}, leftOut, consent });
  };
}

test("a first view shows that another tab has shared meanwhile, and records no second review", async () => {
  const brand = await it.brand({ integrationType: "hosted" });
  const { uuid, url, code } = (await brand.api.beginOneClick({ body: { phone: freshPhone() } })).body;
  const page = new URL(url ?? "").pathname.slice("/request/".length);
  const { sessionToken } = (await wallet(it).provePage({ params: { page }, body: { code: code ?? "" } })).body;
  const tab = wallet(it, sessionToken);
  meanwhile = async () => {
    await tab.viewPage();
    await tab.decidePage({ body: { share: true, consent: agreed("share") } });
    return undefined;
  };
  const { step, outcome } = (await tab.viewPage()).body;
  assert.deepEqual([step, outcome], ["done", "shared"]);
  assert.deepEqual((await recordOf(uuid)).actions, ["oneClick.shown", "oneClick.released"]);
});

const found: [string, SourceAnswer | undefined][] = [
  ["another review", undefined],
  ["an error", unknown],
];
for (const [what, answer] of found)
  test(`a view that asks the sources again, because an issued value ended, shows another tab's share and not ${what}`, async () => {
    const phone = freshPhone();
    const issuer = await it.brand();
    const credentials = [{ type: employer.type, data: { employer: "Hooli" } }];
    const [issued] = (await issuer.api.issueCredentials({ body: { phone, credentials } })).body.credentials;
    const page = await hostedPage(it, phone, [employer, email]);
    const share = await otherTab(phone, page);
    await issuer.api.changeCredential({ params: { id: issued?.id ?? "" }, body: { status: "revoked" } });
    meanwhile = async () => {
      await share(true, { leftOut: [page.view.fields?.[0]?.key ?? ""] });
      return answer;
    };
    const now = (await page.session.viewPage()).body;
    assert.deepEqual([now.step, now.outcome, now.shared?.details.map(({ key }) => key)], ["done", "shared", ["email"]]);
    assert.deepEqual((await recordOf(page.uuid)).actions, ["oneClick.shown", "oneClick.released"]);
  });

test("an answer to the question that no source knows shows that another tab has declined meanwhile", async () => {
  const page = await hostedPage(it, asked, [email]);
  meanwhile = async () => {
    await page.session.decidePage({ body: { share: false, consent: agreed("leave") } });
    return unknown;
  };
  const { step, outcome } = (await page.session.amendPage({ body: { birthDate } })).body;
  assert.deepEqual([step, outcome], ["done", "declined"]);
  assert.deepEqual((await recordOf(page.uuid)).actions, ["oneClick.declined"]);
});

test("a first view whose source asks for a birth date shows the review that another tab's answer got meanwhile", async () => {
  const brand = await it.brand({ integrationType: "hosted", defaultCredentialRequests: [email] });
  const { url, code } = (await brand.api.beginOneClick({ body: { phone: asked } })).body;
  const page = new URL(url ?? "").pathname.slice("/request/".length);
  const { sessionToken } = (await wallet(it).provePage({ params: { page }, body: { code: code ?? "" } })).body;
  const tab = wallet(it, sessionToken);
  meanwhile = async () => {
    await tab.viewPage();
    assert.equal((await tab.amendPage({ body: { birthDate } })).body.step, "review");
    return undefined;
  };
  assert.equal((await tab.viewPage()).body.step, "review");
  assert.equal((await tab.decidePage({ body: { share: true, consent: agreed("share") } })).body.outcome, "shared");
});

test("a right answer that comes after another tab ended the page shows that end, because the brand has read it", async () => {
  const page = await hostedPage(it, asked, [email]);
  meanwhile = async () => {
    meanwhile = async () => unknown;
    await page.session.amendPage({ body: { birthDate } });
    return undefined;
  };
  const now = (await page.session.amendPage({ body: { birthDate } })).body;
  assert.deepEqual([now.step, now.errorCode], ["error", "OCE013"]);
  assert.deepEqual((await recordOf(page.uuid)).actions, ["oneClick.refused"]);
});

test("a decline records nothing if another tab's answer has ended the page meanwhile, and shows that end", async () => {
  const page = await hostedPage(it, asked, [email]);
  const decide = await otherTab(asked, page);
  const deps = interrupted(await it.cellOf(asked), async () => {
    meanwhile = async () => unknown;
    await page.session.amendPage({ body: { birthDate } });
  });
  const step = await decide(false, { deps });
  assert.deepEqual([step.step, "errorCode" in step && step.errorCode], ["error", "OCE013"]);
  assert.deepEqual(await recordOf(page.uuid), { actions: ["oneClick.refused"], decisions: [] });
});

test("a share of a page that has ended meanwhile shows that end, without what only the brand may see", async () => {
  const phone = freshPhone();
  const page = await hostedPage(it, phone, [email]);
  const decide = await otherTab(phone, page);
  const end = () =>
    it.store.pool.query("update one_click set state = 'refused', refusal = 'OCE019' where uuid = $1", [page.uuid]);
  const step = await decide(true, { deps: interrupted(await it.cellOf(phone), end) });
  assert.deepEqual([step.step, "errorCode" in step && step.errorCode], ["error", "OCE019"]);
  assert.deepEqual(await recordOf(page.uuid), { actions: ["oneClick.shown"], decisions: [] });
});

const semi = it.as("sk_sandbox_demo_semi_hosted");
const begin = async (phone: string) => (await semi.beginOneClick({ body: { phone } })).body.uuid;
const read = (uuid: string) => semi.readOneClick({ params: { uuid }, query: { code: "111111" } });

test("of two reads that no source can answer, one records the refusal", async () => {
  const uuid = await begin("+12125550010");
  meanwhile = async () => {
    meanwhile = async () => unknown;
    assert.equal((await refusal(read(uuid))).errorCode, "OCE013");
    return unknown;
  };
  assert.equal((await refusal(read(uuid))).errorCode, "OCE013");
  assert.deepEqual((await recordOf(uuid)).actions, ["oneClick.refused"]);
});

test("a read that no source can answer returns what another read has released meanwhile", async () => {
  const uuid = await begin("+12125550010");
  let first: unknown;
  meanwhile = async () => {
    first = (await read(uuid)).body;
    return unknown;
  };
  assert.deepEqual((await read(uuid)).body, first);
  assert.deepEqual((await recordOf(uuid)).actions, ["oneClick.released", "oneClick.read"]);
});
