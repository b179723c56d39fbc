/** Simulation actions that begin something. */
import assert from "node:assert/strict";
import { wordHash } from "../../../domain/token.ts";
import { birthDate } from "../account-page.ts";
import { frameOfKey } from "../sandbox.ts";
import { byKind, consent, type Deed, newest, nowOf, page, personOf, type Stage, told } from "./context.ts";
import * as model from "./model.ts";

export const begins: Record<string, Deed> = {
  async verify(stage, step) {
    const { world, brands } = stage;
    const person = personOf(stage, step);
    const { body } = await brands.api.api.createVerification({ body: { channel: "sms", phone: person.phone } });
    const code = model.newCode(person, stage.newestCode(), nowOf(stage));
    world.verifications.push({ ...code, uuid: body.uuid, erased: false });
  },
  async share(stage, step) {
    const { world, brands } = stage;
    const person = personOf(stage, step);
    const proof = step.what > 1 ? newest(world.verifications, step.which) : undefined;
    const by = proof === undefined ? { phone: person.phone } : { verificationUuid: proof.uuid };
    const whose = proof?.person ?? person;
    const credentialRequests = [{ type: "BirthDateCredential" as const }, { type: "EmployerNameCredential" as const }];
    const { body, code } = await told(brands.api.api.createOneClick({ body: { ...by, credentialRequests } }));
    const now = nowOf(stage);
    if (proof !== undefined && model.isUnknown(proof, now)) return assert.equal(code, "OCV005");
    if (proof !== undefined && model.statusOf(proof, now) !== "verified") return assert.equal(code, "ERR001");
    assert.ok(body !== null, String(code));
    const { credentials = {}, identifiers } = body.identity;
    assert.deepEqual([identifiers.phone, credentials.birthDate], [whose.phone, birthDate]);
    assert.equal(
      "employerName" in credentials,
      model.hasIssued(world, whose),
      "employerName is returned only if it was issued",
    );
    released(stage, { uuid: body.uuid, kind: "api", person: whose });
  },
  /**
   * Sends an `Idempotency-Key`. A repeated request gets the same answer, which counts as a read; a different request
   * gets 422.
   */
  async shareOnce(stage, step) {
    const { world, brands } = stage;
    const person = personOf(stage, step);
    const now = nowOf(stage);
    const key = `${world.people[0]?.phone}-${step.which % 2}`;
    const kept = world.answers.find((one) => one.key === key && model.isKept(one, now));
    const headers = { "idempotency-key": key };
    const { body, code } = await told(brands.api.api.createOneClick({ body: { phone: person.phone }, headers }));
    if (kept === undefined) {
      assert.ok(body !== null, String(code));
      const oneClick = released(stage, { uuid: body.uuid, kind: "api", person });
      world.answers.push({ key, person, oneClick, at: now, erased: false });
      return;
    }
    if (kept.person !== person) return assert.equal(code, 422);
    if (!model.isReadable(kept.oneClick, now)) return assert.equal(code, "OCE015");
    assert.equal(body?.uuid, kept.oneClick.uuid, String(code));
    model.noted(person, "oneClick.read");
  },
  async guess(stage, step) {
    const { brands } = stage;
    const person = personOf(stage, step);
    const isRight = step.what === 3;
    const guessed = isRight ? birthDate : `1970-01-0${1 + (step.which % 5)}`;
    const expected = model.challenge(person, guessed, isRight, nowOf(stage));
    const { body, code } = await told(
      brands.api.api.createOneClick({ body: { phone: person.phone, birthDate: guessed } }),
    );
    assert.equal(code, expected);
    if (body !== null) released(stage, { uuid: body.uuid, kind: "api", person });
  },
  async hosted(stage, step) {
    const kind = step.what % 2 === 0 ? "hosted" : "semiHosted";
    const person = personOf(stage, step);
    const { body } = await stage.brands[kind].api.beginOneClick({ body: { phone: person.phone } });
    assert.ok(!("identity" in body), "no data before the phone is verified");
    const code = model.newCode(person, body.code ?? "", nowOf(stage));
    const path = body.url === undefined ? "" : new URL(body.url).pathname.slice("/request/".length);
    begun(stage, { uuid: body.uuid, kind, person, code, page: path });
  },
  async session(stage, step) {
    const { it, brands } = stage;
    const person = personOf(stage, step);
    const { sessionKey } = (await brands.sdk.api.createSession({ body: {} })).body;
    const opened = (await page(it).openSession({ body: { sessionKey, frame: frameOfKey(sessionKey) } })).body;
    assert.equal((await told(page(it).openSession({ body: { sessionKey, frame: frameOfKey(sessionKey) } }))).code, 401);
    const asked = { body: { phone: person.phone, silent: false, consent } };
    const { body, code } = await told(page(it, opened.sessionToken).beginByPhone(asked));
    if (person.stopped) return assert.equal(code, "OCV011");
    assert.ok(body !== null, String(code));
    const made = model.newCode(person, stage.newestCode(), nowOf(stage));
    assert.equal(model.deliver(made, nowOf(stage)), null);
    const row = await uuidOfPage(stage, body.page ?? "");
    begun(stage, { uuid: row, kind: "sdk", person, code: made, page: body.page ?? "" });
  },
  async lookUp(stage, step) {
    const { world, brands } = stage;
    const identity = step.what > 1 ? newest(byKind(stage, ["api"]), step.which) : undefined;
    const named = { fullName: { firstName: "Richard", lastName: "Hendricks" }, birthDate };
    const asked = identity === undefined ? named : { identityUuid: identity.uuid, ...named };
    const { body, code } = await told(brands.api.api.createHealthLookup({ body: asked }));
    if (identity !== undefined && !model.isReadable(identity, nowOf(stage))) return assert.equal(code, "OCE015");
    assert.ok(body !== null, String(code));
    world.lookups.push({
      uuid: body.healthDataUuid,
      person: identity?.person ?? null,
      finalAt: null,
      erased: false,
      event: null,
    });
  },
  async issue(stage, step) {
    const { world, brands } = stage;
    const person = personOf(stage, step);
    const id = model.newId();
    const credentials = [{ id, type: "EmployerNameCredential" as const, data: { employer: "Piper" } }];
    await brands.api.api.issueCredentials({ body: { phone: person.phone, credentials } });
    world.issued.push({ id, person, status: "valid", erased: false });
  },
};

/** Looks up the uuid of a session's 1-Click. The brand's page learns it only at the end. */
async function uuidOfPage({ it }: Stage, address: string): Promise<string> {
  const rows = it.store.db.selectFrom("one_click").select("uuid");
  return (await rows.where("page_hash", "=", wordHash(address)).executeTakeFirstOrThrow()).uuid;
}

type About = Pick<model.OneClick, "uuid" | "kind" | "person">;
function released(stage: Stage, about: About): model.OneClick {
  const expiresAt = nowOf(stage) + model.readableMs;
  const one: model.OneClick = {
    ...about,
    state: "released",
    code: null,
    page: "",
    session: null,
    expiresAt,
    erased: false,
  };
  stage.world.oneClicks.push(one);
  model.noted(about.person, "oneClick.released");
  return one;
}
function begun(stage: Stage, about: About & Pick<model.OneClick, "code" | "page">): void {
  const expiresAt = nowOf(stage) + model.readableMs;
  stage.world.oneClicks.push({ ...about, state: "awaitingProof", session: null, expiresAt, erased: false });
}
