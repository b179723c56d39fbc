/** Between the review and the decision, an issued value can end. The brand then does not get it. */
import assert from "node:assert/strict";
import test from "node:test";
import { client } from "@countersign/contract/client";
import type { CredentialRequest } from "@countersign/contract/credential";
import type { IssuanceRequest } from "@countersign/contract/issuance";
import { continueSession, openSession } from "@countersign/contract/session";
import { decidePage, viewPage } from "@countersign/contract/wallet";
import { changeApproval, setMode } from "../../domain/brand/manage.ts";
import { primaryPerson } from "../../providers/sandbox/people.ts";
import { agreed } from "../harness/consent-shown.ts";
import { hostedPage } from "../harness/hosted-share.ts";
import { frameOfKey, refusal, sandbox, takeApproval, testStart } from "../harness/sandbox.ts";
import { scriptCalls } from "../harness/script-calls.ts";

const it = await sandbox();
const issuer = await it.brand();
const { uuid: brandUuid } = issuer;

let phones = 0;
/** Returns a phone that no other test uses. */
const freshPhone = () => `+1212557${String(phones++).padStart(4, "0")}`;
type Given = IssuanceRequest["credentials"][number];
const employer: Given = { type: "EmployerNameCredential", data: { employer: "Hooli" } };
const email: Given = { type: "EmailCredential", data: { email: "ada@example.com" } };
const fullName: Given = {
  type: "FullNameCredential",
  data: [
    { type: "FirstNameCredential", data: { firstName: "Ada" } },
    { type: "LastNameCredential", data: { lastName: "Lovelace" } },
  ],
};
const issue = async (phone: string, credentials: Given[]) => {
  const { body } = await issuer.api.issueCredentials({ body: { phone, credentials } });
  return body.credentials.map(({ id }) => id);
};
const share = { share: true, edits: {}, consent: agreed("share") };
/** Shares what the page showed first, without a new view. */
const shareSeen = ({ session, view: { shown = "" } }: Awaited<ReturnType<typeof hostedPage>>) =>
  session.decidePage({ body: { ...share, consent: { ...agreed("share"), shown } } });
const revoke = (id: string | undefined) =>
  issuer.api.changeCredential({ params: { id: id ?? "" }, body: { status: "revoked" } });

type End = { end(id: string): Promise<unknown>; undo(): Promise<unknown> };
const approval = (granted: boolean) => changeApproval(it.admin, { brandUuid, approval: "issuance", granted });
const ends: Record<string, End> = {
  "the issuer revoked it": { end: revoke, undo: async () => {} },
  "it expired": {
    end: (id) => issuer.api.changeCredential({ params: { id }, body: { expirationDate: testStart - 1 } }),
    undo: async () => {},
  },
  "the issuer lost its approval": { end: () => approval(false), undo: () => approval(true) },
  "the issuer was stopped": {
    end: () => setMode(it.admin, { brandUuid, mode: "stopped" }),
    undo: () => setMode(it.admin, { brandUuid, mode: "active" }),
  },
};

for (const [why, { end, undo }] of Object.entries(ends))
  test(`a value that the review showed is not released if ${why} before the person shares, and nothing says it was`, async () => {
    const phone = freshPhone();
    const [id = ""] = await issue(phone, [employer]);
    const requests: CredentialRequest[] = [{ type: "EmployerNameCredential" }, { type: "EmailCredential" }];
    const page = await hostedPage(it, phone, requests);
    assert.deepEqual(page.view.fields?.[0]?.choices[0]?.text, "Hooli");
    await end(id);
    assert.equal((await refusal(shareSeen(page))).status, 409);
    const now = (await page.session.viewPage()).body;
    await undo();
    assert.deepEqual(now.fields?.[0]?.choices, []);
    const done = (await page.session.decidePage({ body: share })).body;
    assert.equal(done.outcome, "shared");
    assert.deepEqual(
      done.shared?.details.map(({ key }) => key),
      ["email"],
    );
    assert.deepEqual((await page.read()).body.credentials, { email: primaryPerson.email });
    const { rows } = await it.store.pool.query(
      "select detail from audit where one_click_uuid = $1 and action = 'oneClick.released'",
      [page.uuid],
    );
    assert.deepEqual(rows[0]?.detail.types, ["EmailCredential"]);
    const { rows: earned } = await it.store.pool.query("select 1 from ledger_entry where subject_uuid = $1", [id]);
    assert.equal(earned.length, 0);
  });

for (const [why, { end, undo }] of Object.entries(ends))
  test(`a new view of an open review no longer shows a value if ${why}`, async () => {
    const phone = freshPhone();
    const [id = ""] = await issue(phone, [employer]);
    const page = await hostedPage(it, phone, [{ type: "EmployerNameCredential" }, { type: "EmailCredential" }]);
    assert.match(JSON.stringify(page.view.fields), /Hooli/);
    await end(id);
    const now = (await page.session.viewPage()).body;
    await undo();
    assert.deepEqual(
      [now.step, now.fields?.map(({ choices }) => choices[0]?.text)],
      ["review", [undefined, primaryPerson.email]],
    );
    assert.equal((await page.session.decidePage({ body: share })).body.outcome, "shared");
  });

test("without a required value that ended, the person reviews what another source has; without a source, the page ends with OCE007", async () => {
  const phone = freshPhone();
  const [mail, work] = await issue(phone, [email, employer]);
  const other = await hostedPage(it, phone, [{ type: "EmailCredential", mandatory: "yes", allowUserInput: false }]);
  const only = await hostedPage(it, phone, [
    { type: "EmployerNameCredential", mandatory: "yes", allowUserInput: false },
  ]);
  await revoke(mail);
  await revoke(work);
  assert.equal((await refusal(shareSeen(other))).status, 409);
  const again = (await other.session.viewPage()).body;
  assert.deepEqual([again.step, again.fields?.[0]?.choices[0]?.text], ["review", primaryPerson.email]);
  await other.session.decidePage({ body: share });
  assert.deepEqual((await other.read()).body.credentials, { email: primaryPerson.email });
  assert.equal((await refusal(shareSeen(only))).status, 409);
  const over = (await only.session.viewPage()).body;
  assert.deepEqual([over.step, over.errorCode], ["error", "OCE007"]);
});

test("a value that is a part of an issued one is released, and not released once the whole one ended", async () => {
  const phone = freshPhone();
  const [whole] = await issue(phone, [fullName]);
  const pages = [
    await hostedPage(it, phone, [{ type: "FirstNameCredential" }]),
    await hostedPage(it, phone, [{ type: "FirstNameCredential" }]),
  ] as const;
  assert.equal((await pages[0].session.decidePage({ body: share })).body.outcome, "shared");
  await revoke(whole);
  assert.equal((await refusal(shareSeen(pages[1]))).status, 409);
  const [field] = (await pages[1].session.viewPage()).body.fields ?? [];
  assert.equal((await pages[1].session.decidePage({ body: share })).body.outcome, "shared");
  assert.deepEqual((await pages[0].read()).body.credentials, { firstName: "Ada" });
  assert.deepEqual((await pages[1].read()).body.credentials, { firstName: field?.choices[0]?.text });
});

test("neither a view nor a decision of a review for a bare phone works once barePhone is revoked", async () => {
  const phone = freshPhone();
  await issue(phone, [employer]);
  const defaultCredentialRequests = [{ type: "EmployerNameCredential" }, { type: "EmailCredential" }];
  const brand = await it.brand({ integrationType: "sdk", defaultCredentialRequests });
  const { sessionKey } = (await brand.api.createSession({ body: { phone } })).body;
  const framed = (token?: string) =>
    client({ openSession, continueSession, decidePage, viewPage }, { send: scriptCalls(it.wallet, token) });
  const { sessionToken } = (await framed().openSession({ body: { sessionKey, frame: frameOfKey(sessionKey) } })).body;
  const page = (await framed(sessionToken).continueSession({ body: { consent: agreed("proveKnown") } })).body;
  const session = framed(page.sessionToken);
  const seen = (await session.viewPage()).body;
  assert.match(JSON.stringify(seen.fields), /Hooli/);
  await takeApproval(it, brand.uuid, "barePhone");
  assert.equal((await refusal(session.viewPage())).errorCode, "OCE015");
  const consent = { ...agreed("share"), shown: seen.shown ?? "" };
  assert.equal((await refusal(session.decidePage({ body: { share: true, consent } }))).errorCode, "OCE015");
});
