/** Journeys through the service in which one operation fails. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { birthDate } from "../account-page.ts";
import { freshPhone } from "../below-http.ts";
import { agreed, onView } from "../consent-shown.ts";
import { demoKey, frameOfKey, sdkKey } from "../sandbox.ts";
import { type Body, minute, type Trip } from "./retrying-client.ts";

const hostedKey = "sk_sandbox_demo_hosted";
const v1Key = "sk_sandbox_demo_v1";
const consent = agreed("share");

/** A journey must end as it would without the failure, or report what the failure cost. */
export type FaultyJourney = (trip: Trip) => Promise<void>;

export const faultyJourneys: Record<string, FaultyJourney> = {
  verify,
  device,
  oneClickApi,
  hosted: (trip) => hosted(trip, true),
  declined: (trip) => hosted(trip, false),
  session,
  v1,
  health,
  issuance,
  account,
};

async function verify({ ask, textedTo }: Trip): Promise<void> {
  const authorization = demoKey;
  const phone = freshPhone();
  const path = "/v2/1-click/verifications";
  const begun = await ask({ path, body: { channel: "sms", phone }, authorization }, { status: 201 });
  const own = `${path}/${begun?.uuid}`;
  await ask({ path: `${own}/deliver`, body: {}, authorization }, { status: 200 });
  const [code] = await textedTo(phone);
  await ask({ path: `${own}/verify`, body: { code }, authorization }, { status: 200, done: ["OCV001"] });
  const read = await ask({ path: own, authorization }, { status: 200 });
  assert.deepEqual([read?.status, read?.verified], ["verified", true]);
  const made = await ask(
    { path: "/v2/1-click", body: { verificationUuid: begun?.uuid }, authorization },
    { status: 201 },
  );
  assert.equal(identityOf(made).identifiers.phone, phone);
}

async function device({ ask }: Trip): Promise<void> {
  const authorization = demoKey;
  const path = "/v2/1-click/verifications";
  const asked = { channel: "autofill", deviceIp: "::121:2555:0010" };
  // If the carrier does not answer, the person continues by text.
  const without = ["OCV011", "OCV008"];
  const begun = await ask({ path, body: asked, authorization }, { status: 302, without });
  if (begun === null) return;
  // Each step can be used once. If its answer is lost, the person continues by text.
  const spent = ["OCV005", "OCV008"];
  const pathOf = (body: Body | null) => String(body?.location).replace("http://localhost:4000", "");
  const toCarrier = await ask({ path: pathOf(begun) }, { status: 302, done: spent, without });
  if (toCarrier === null) return;
  const back = await ask({ path: pathOf(toCarrier) }, { status: 302 });
  const ended = await ask({ path: pathOf(back) }, { status: 200, done: spent, without });
  if (ended === null) return;
  assert.deepEqual([ended.status, ended.phone], ["verified", "+12125550010"]);
}

async function oneClickApi({ ask }: Trip): Promise<void> {
  const authorization = demoKey;
  const path = "/v2/1-click";
  const phone = freshPhone();
  const body = { phone, birthDate, ssn4: "6789" };
  const made = await ask({ path, body, authorization }, { status: 201 });
  assert.equal(identityOf(made).credentials.birthDate, birthDate);
  const read = await ask({ path: `${path}/${made?.uuid}`, authorization }, { status: 200 });
  assert.deepEqual(read, made?.identity);
  // Correct answers use no attempts, even if they were sent several times.
  for (const wrong of ["1970-01-01", "1970-01-02", "1970-01-03"])
    await ask({ path, body: { phone, birthDate: wrong }, authorization }, { status: 400, done: ["OCE019"] });
  await ask({ path, body: { phone, birthDate }, authorization }, { status: 400 });
}

async function hosted({ ask, losesAnswers }: Trip, share: boolean): Promise<void> {
  const phone = freshPhone();
  const begun = await ask({ path: "/v2/1-click", body: { phone }, authorization: hostedKey }, { status: 201 });
  const own = { path: `/v2/1-click/${begun?.uuid}`, authorization: hostedKey };
  const address = `/api/page/${new URL(String(begun?.url)).pathname.slice("/request/".length)}`;
  await ask({ path: address, wallet: true }, { status: 200 });
  await ask(own, { status: 404 });
  const proven = await ask(
    { path: `${address}/code`, body: { code: begun?.code }, wallet: true },
    { status: 201, done: ["OCV001"] },
  );
  await ask(own, { status: 404 });
  // Only the session that proved the phone can continue. If its token is lost, the person starts over.
  assert.ok(proven !== null || losesAnswers);
  if (proven === null) return;
  const page = { wallet: true, authorization: `Bearer ${proven.sessionToken}` } as const;
  const view = await ask({ path: "/api/page", ...page }, { status: 200 });
  assert.equal(view?.step, "review");
  await ask(own, { status: 404 });
  const decision = onView({ share, edits: {}, consent: agreed(share ? "share" : "decline") }, view);
  const decided = await ask({ path: "/api/page/decision", body: decision, ...page }, { status: 200 });
  assert.equal(decided?.outcome, share ? "shared" : "declined");
  const read = await ask(own, { status: 200 });
  assert.equal(Object.keys(credentialsOf(read)).length > 0, share);
}

async function session({ ask, textedTo, losesAnswers }: Trip): Promise<void> {
  const phone = freshPhone();
  const made = await ask(
    { path: "/v2/client/1-click", body: { email: "a@example.com" }, authorization: sdkKey },
    { status: 201 },
  );
  const sessionKey = String(made?.sessionKey);
  const opened = await ask(
    { path: "/api/session", body: { sessionKey, frame: frameOfKey(sessionKey) }, wallet: true },
    { status: 201, done: ["INVALID_SESSION_KEY"] },
  );
  // A session key opens one session. If the session's token is lost, the brand creates another key.
  if (opened === null) return;
  const frame = { wallet: true, authorization: `Bearer ${opened.sessionToken}` } as const;
  const begun = await ask(
    { path: "/api/session/phone", body: { phone, silent: false, consent: agreed("proveData") }, ...frame },
    { status: 201 },
  );
  const [code] = await textedTo(phone);
  const proven = await ask(
    { path: `/api/page/${begun?.page}/code`, body: { code }, wallet: true },
    { status: 201, done: ["OCV001"] },
  );
  assert.ok(proven !== null || losesAnswers);
  if (proven === null) return;
  const page = { wallet: true, authorization: `Bearer ${proven.sessionToken}` } as const;
  const view = await ask({ path: "/api/page", ...page }, { status: 200 });
  const decided = await ask(
    { path: "/api/page/decision", body: onView({ share: true, edits: {}, consent }, view), ...page },
    { status: 200 },
  );
  const own = { path: `/v2/1-click/${decided?.identityUuid}`, authorization: sdkKey };
  const read = await ask(own, { status: 200 });
  assert.equal(credentialsOf(read).birthDate, birthDate);
}

async function v1({ ask, textedTo }: Trip): Promise<void> {
  const phone = freshPhone();
  const asked = { phone, isHosted: false, birthDate };
  const begun = await ask({ path: "/1-click", body: asked, authorization: v1Key }, { status: 201 });
  const own = { path: `/1-click/${begun?.uuid}`, authorization: v1Key };
  await ask(own, { status: 404 });
  const [code] = await textedTo(phone);
  const { pathname } = new URL(String(begun?.url));
  await ask({ path: `${pathname}?code=${code}`, wallet: true }, { status: 303 });
  const read = await ask(own, { status: 200 });
  assert.equal(credentialsOf(read).birthDate, String(Date.parse(`${birthDate}T12:00:00Z`)));
}

async function health({ ask, pass }: Trip): Promise<void> {
  const authorization = demoKey;
  const path = "/v2/1-click/health";
  const person = { fullName: { firstName: "Richard", lastName: "Hendricks" }, birthDate };
  const begun = await ask({ path, body: person, authorization }, { status: 201 });
  await pass(2 * minute);
  const read = await ask({ path: `${path}/${begun?.healthDataUuid}`, authorization }, { status: 200 });
  const ended = ["SUCCEEDED", "PARTIAL", "FAILED"].includes(String(read?.status));
  assert.ok(ended, JSON.stringify(read));
  // A paid call is never repeated. The lookup reports a call whose answer was lost, and no other error may occur.
  for (const { message } of (read?.errors ?? []) as { message: string }[])
    assert.match(message, /was interrupted and will not be repeated$/);
}

async function issuance({ ask }: Trip): Promise<void> {
  const authorization = demoKey;
  const id = randomUUID();
  const phone = freshPhone();
  const credentials = [{ id, type: "EmployerNameCredential", data: { employer: "Piper" } }];
  // The brand chose this id, so repeating a request that succeeded is a conflict.
  await ask(
    { path: "/credentials", body: { phone, credentials }, authorization },
    { status: 201, done: ["A credential with one of these ids already exists; nothing was issued."] },
  );
  const own = { path: `/credentials/${id}`, authorization };
  assert.equal((await ask(own, { status: 200 }))?.status, "valid");
  const asked = { phone, credentialRequests: [{ type: "EmployerNameCredential" }] };
  const shared = await ask({ path: "/v2/1-click", body: asked, authorization }, { status: 201 });
  assert.equal(identityOf(shared).credentials.employerName, "Piper");
  await ask({ ...own, method: "PATCH", body: { status: "revoked" } }, { status: 200 });
  assert.equal((await ask(own, { status: 200 }))?.status, "revoked");
  const after = await ask({ path: "/v2/1-click", body: asked, authorization }, { status: 201 });
  assert.equal(identityOf(after).credentials.employerName, undefined);
}

async function account({ ask, textedTo, hasRetried }: Trip): Promise<void> {
  const phone = freshPhone();
  const wallet = true as const;
  const made = await ask({ path: "/v2/1-click", body: { phone }, authorization: demoKey }, { status: 201 });
  const own = { path: `/v2/1-click/${made?.uuid}`, authorization: demoKey };
  // A repeated call can begin a second sign-in. Both codes arrive in any order, and only one is right here.
  const signIn = async (): Promise<boolean> => {
    const begun = await ask(
      { path: "/api/sign-in", body: { phone, consent: agreed("signIn") }, wallet },
      { status: 201 },
    );
    const codes = await textedTo(phone);
    const without = hasRetried() ? ["OCV001"] : [];
    for (const code of codes) {
      const call = { path: "/api/sign-in/code", body: { signIn: begun?.signIn, code }, wallet };
      if ((await ask(call, { status: 201, done: ["OCV001"], without })) !== null) return true;
    }
    return false;
  };
  // If the cookie is lost, the person signs in again.
  for (let tries = 0; tries < 3; tries += 1) if (await signIn()) break;
  const view = await ask({ path: "/api/account", wallet }, { status: 200 });
  const shown = { wallet, own: { "countersign-account": String(view?.account) } };
  await ask({ path: "/api/account/proof", body: { birthDate }, ...shown }, { status: 200 });
  const [brand] = (view?.brands ?? []) as { uuid: string }[];
  await ask(
    { path: `/api/account/brands/${brand?.uuid}/stop`, body: { consent: agreed("stop") }, ...shown },
    { status: 200 },
  );
  await ask(own, { status: 404 });
  const again = await ask({ path: "/v2/1-click", body: { phone }, authorization: demoKey }, { status: 201 });
  // A deletion also ends the session.
  await ask(
    { path: "/api/account/deletion", body: { consent: agreed("delete") }, ...shown },
    { status: 200, done: ["You are not signed in."] },
  );
  await ask({ path: `/v2/1-click/${again?.uuid}`, authorization: demoKey }, { status: 404 });
}

function credentialsOf(read: Body | null): Body {
  const { credentials = {} } = read ?? {};
  return credentials as Body;
}

type Identity = { identifiers: Body; credentials: Body };
function identityOf(made: Body | null): Identity {
  assert.ok(made !== null && typeof made.identity === "object" && made.identity !== null, JSON.stringify(made));
  return made.identity as Identity;
}
