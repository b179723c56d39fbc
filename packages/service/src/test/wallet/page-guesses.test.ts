/** No answer tells whether a guess is the value that a source has and the review masks, unless it costs an attempt. */
import assert from "node:assert/strict";
import test from "node:test";
import { birthDate, signIn } from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed, onView } from "../harness/consent-shown.ts";
import { frameOfKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const clinic = await it.brand({
  integrationType: "sdk",
  health: { enabled: true },
  defaultCredentialRequests: [
    { type: "FullNameCredential" },
    { type: "BirthDateCredential" },
    { type: "SsnCredential" },
  ],
});
const wrongDate = "1979-08-01";
type Json = Record<string, unknown>;

/** Opens a page of the clinic in a frame, with a proven phone. */
async function proven(phone: string) {
  const call = async (method: "GET" | "POST", url: string, payload?: object, session?: string) => {
    const headers = session === undefined ? {} : { authorization: `Bearer ${session}` };
    const response = await it.wallet.inject({ method, url, headers, ...(payload ? { payload } : {}) });
    return { status: response.statusCode, body: response.json() as Json };
  };
  const { sessionKey } = (await clinic.api.createSession({ body: { phone } })).body;
  const opened = await call("POST", "/api/session", { sessionKey, frame: frameOfKey(sessionKey) });
  const consent = agreed("proveKnownHealth");
  const continued = await call("POST", "/api/session/continue", { consent }, String(opened.body.sessionToken));
  const session = String(continued.body.sessionToken);
  const { body: review } = await call("GET", "/api/page", undefined, session);
  return {
    async share(edits: Json) {
      const decision = onView({ share: true, edits, consent: agreed("share") }, review);
      const shared = await call("POST", "/api/page/decision", decision, session);
      assert.equal(shared.status, 200);
      return shared;
    },
    insure: (details: Json) => call("POST", "/api/page/health", details, session),
    read: async (uuid: unknown) => (await clinic.api.readOneClick({ params: { uuid: String(uuid) } })).body,
  };
}

test("a typed birth date and SSN are self-attested everywhere, also if a source has the same values", async () => {
  const seen = [];
  for (const edits of [
    { birthDate, ssn: "000456789" },
    { birthDate: wrongDate, ssn: "000456780" },
  ]) {
    const phone = freshPhone();
    const page = await proven(phone);
    const shared = (await page.share(edits)).body;
    const { metadata } = await page.read(shared.identityUuid);
    const [share] = (await (await signIn(it, phone)).readAccount()).body.shares;
    const { known: _, ...insurance } = shared.health as Json;
    const fields = share?.fields.map(({ key, verificationMethod, typed }) => [key, verificationMethod, typed]);
    seen.push({ insurance, methods: metadata.credentials?.verificationMethod, fields });
  }
  assert.deepEqual(seen[0], seen[1]);
  const methods = JSON.stringify(seen[0]?.methods);
  for (const key of ["birthDate", "ssn"]) assert.ok(methods.includes(`"${key}":"self_attested"`), methods);
});

test("the insurance step refuses a birth date in place of the source's, whether it is right or wrong", async () => {
  const page = await proven(freshPhone());
  await page.share({});
  const answers = [];
  for (const guess of [wrongDate, birthDate]) {
    const { status, body } = await page.insure({ birthDate: guess });
    answers.push({ status, errors: (body.data as Json).errors });
  }
  assert.deepEqual(answers[0], answers[1]);
  assert.equal(answers[0]?.status, 400);
  assert.equal((await page.insure({})).status, 200);
});

test("a search for insurance by a typed birth date costs an attempt at the challenge, the fourth is refused", async () => {
  const phone = freshPhone();
  const guesses = ["1979-08-01", "1980-08-01", "1981-08-01", birthDate];
  const answers = [];
  for (const guess of guesses) {
    const page = await proven(phone);
    await page.share({ birthDate: guess });
    const { status, body } = await page.insure({});
    answers.push((body.data as Json | undefined)?.errorCode ?? status);
  }
  assert.deepEqual(answers, [200, 200, 200, "OCE019"]);
  // A date that was counted before costs nothing more.
  const page = await proven(phone);
  await page.share({ birthDate: guesses[0] });
  assert.equal((await page.insure({})).status, 200);
});
