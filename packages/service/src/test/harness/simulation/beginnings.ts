/** Simulation actions that begin something. */
import assert from "node:assert/strict";
import { tokenHash } from "../../../domain/token.ts";
import { birthDate } from "../account-page.ts";
import { agreed } from "../consent-shown.ts";
import { frameOfKey } from "../sandbox.ts";
import { type Action, byKind, newest, nowOf, page, personOf, type Simulation, told } from "./context.ts";
import * as model from "./model.ts";

export const begins: Record<string, Action> = {
  async verify(simulation, step) {
    const { world, brands } = simulation;
    const person = personOf(simulation, step);
    const { body } = await brands.api.api.createVerification({ body: { channel: "sms", phone: person.phone } });
    const code = model.newCode(person, simulation.newestCode(), nowOf(simulation));
    world.verifications.push({ ...code, uuid: body.uuid, erased: false });
  },
  /** Verifies the phone through the carrier: the device follows its redirects, and no code is sent. */
  async verifyByDevice(simulation, step) {
    const { it, world, brands } = simulation;
    const person = personOf(simulation, step);
    const deviceIp = person.phone.replace(/^\+(\d{3})(\d{4})(\d{4})$/, "::$1:$2:$3");
    const headers = { authorization: brands.api.apiKey };
    const named = step.what % 2 === 0 ? { channel: "autofill" } : { channel: "silent", phone: person.phone };
    const payload = { ...named, deviceIp };
    let answer = await it.inject({ method: "POST", url: "/v2/1-click/verifications", headers, payload });
    while (answer.status === 302)
      answer = await it.inject({ method: "GET", url: new URL(answer.headers.location ?? "").pathname });
    const { uuid, status, phone } = answer.body as Record<string, string>;
    assert.deepEqual([answer.status, status, phone], [200, "verified", person.phone], JSON.stringify(answer.body));
    // No code exists, so every code is refused.
    const code = model.newCode(person, "123456", nowOf(simulation));
    world.verifications.push({ ...code, uuid: uuid ?? "", status: "verified", erased: false });
  },
  async share(simulation, step) {
    const { world, brands } = simulation;
    const person = personOf(simulation, step);
    const proof = step.what > 1 ? newest(world.verifications, step.which) : undefined;
    const by = proof === undefined ? { phone: person.phone } : { verificationUuid: proof.uuid };
    const whose = proof?.person ?? person;
    const credentialRequests = [{ type: "BirthDateCredential" as const }, { type: "EmployerNameCredential" as const }];
    const { body, code } = await told(brands.api.api.createOneClick({ body: { ...by, credentialRequests } }));
    const now = nowOf(simulation);
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
    released(simulation, { uuid: body.uuid, kind: "api", person: whose });
  },
  /**
   * Sends an `Idempotency-Key`. A repeated request gets the same answer, which counts as a read; a different request
   * gets 422.
   */
  async shareOnce(simulation, step) {
    const { world, brands } = simulation;
    const person = personOf(simulation, step);
    const now = nowOf(simulation);
    const key = `${world.people[0]?.phone}-${step.which % 2}`;
    const kept = world.answers.find((one) => one.key === key && model.isKept(one, now));
    const headers = { "idempotency-key": key };
    const { body, code } = await told(brands.api.api.createOneClick({ body: { phone: person.phone }, headers }));
    if (kept === undefined) {
      assert.ok(body !== null, String(code));
      const oneClick = released(simulation, { uuid: body.uuid, kind: "api", person });
      world.answers.push({ key, person, oneClick, at: now });
      return;
    }
    if (kept.person !== person) return assert.equal(code, 422);
    if (!model.isReadable(kept.oneClick, now)) return assert.equal(code, "OCE015");
    assert.equal(body?.uuid, kept.oneClick.uuid, String(code));
    model.noted(person, "oneClick.read");
  },
  async guess(simulation, step) {
    const { brands } = simulation;
    const person = personOf(simulation, step);
    const isRight = step.what === 3;
    const guessed = isRight ? birthDate : `1970-01-0${1 + (step.which % 5)}`;
    const expected = model.challenge(person, guessed, isRight, nowOf(simulation));
    const { body, code } = await told(
      brands.api.api.createOneClick({ body: { phone: person.phone, birthDate: guessed } }),
    );
    assert.equal(code, expected);
    if (body !== null) released(simulation, { uuid: body.uuid, kind: "api", person });
  },
  async hosted(simulation, step) {
    const kind = step.what % 2 === 0 ? "hosted" : "semiHosted";
    const person = personOf(simulation, step);
    const { body } = await simulation.brands[kind].api.beginOneClick({ body: { phone: person.phone } });
    assert.ok(!("identity" in body), "no data before the phone is verified");
    const code = model.newCode(person, body.code ?? "", nowOf(simulation));
    const path = body.url === undefined ? "" : new URL(body.url).pathname.slice("/request/".length);
    begun(simulation, { uuid: body.uuid, kind, person, code, page: path });
  },
  async session(simulation, step) {
    const { it, brands } = simulation;
    const person = personOf(simulation, step);
    const { sessionKey } = (await brands.sdk.api.createSession({ body: {} })).body;
    const opened = (await page(it).openSession({ body: { sessionKey, frame: frameOfKey(sessionKey) } })).body;
    assert.equal((await told(page(it).openSession({ body: { sessionKey, frame: frameOfKey(sessionKey) } }))).code, 401);
    const asked = { body: { phone: person.phone, silent: false, consent: agreed("proveData") } };
    const { body, code } = await told(page(it, opened.sessionToken).beginByPhone(asked));
    if (person.stopped) return assert.equal(code, "OCV011");
    assert.ok(body !== null, String(code));
    const made = model.newCode(person, simulation.newestCode(), nowOf(simulation));
    assert.equal(model.deliver(made, nowOf(simulation)), null);
    const row = await uuidOfPage(simulation, body.page ?? "");
    begun(simulation, { uuid: row, kind: "sdk", person, code: made, page: body.page ?? "" });
  },
  async lookUp(simulation, step) {
    const { world, brands } = simulation;
    const identity = step.what > 1 ? newest(byKind(simulation, ["api"]), step.which) : undefined;
    const named = { fullName: { firstName: "Richard", lastName: "Hendricks" }, birthDate };
    const asked = identity === undefined ? named : { identityUuid: identity.uuid, ...named };
    const { body, code } = await told(brands.api.api.createHealthLookup({ body: asked }));
    if (identity !== undefined && !model.isReadable(identity, nowOf(simulation))) return assert.equal(code, "OCE015");
    assert.ok(body !== null, String(code));
    world.lookups.push({
      uuid: body.healthDataUuid,
      person: identity?.person ?? null,
      finalAt: null,
      erased: false,
      event: null,
    });
  },
  async issue(simulation, step) {
    const { world, brands } = simulation;
    const person = personOf(simulation, step);
    const id = model.newId();
    const credentials = [{ id, type: "EmployerNameCredential" as const, data: { employer: "Piper" } }];
    await brands.api.api.issueCredentials({ body: { phone: person.phone, credentials } });
    world.issued.push({ id, person, status: "valid", erased: false });
  },
};

/** Looks up the uuid of a session's 1-Click. The brand's page learns it only at the end. */
export async function uuidOfPage({ it }: Simulation, address: string): Promise<string> {
  const rows = it.store.db.selectFrom("one_click").select("uuid");
  return (await rows.where("page_hash", "=", tokenHash(address)).executeTakeFirstOrThrow()).uuid;
}

type BegunOneClick = Pick<model.OneClick, "uuid" | "kind" | "person">;
export function released(simulation: Simulation, oneClick: BegunOneClick): model.OneClick {
  const expiresAt = nowOf(simulation) + model.readableMs;
  const one: model.OneClick = {
    ...oneClick,
    state: "released",
    code: null,
    page: "",
    session: null,
    expiresAt,
    erased: false,
  };
  simulation.world.oneClicks.push(one);
  model.noted(oneClick.person, "oneClick.released");
  return one;
}
export function begun(simulation: Simulation, oneClick: BegunOneClick & Pick<model.OneClick, "code" | "page">): void {
  const expiresAt = nowOf(simulation) + model.readableMs;
  simulation.world.oneClicks.push({ ...oneClick, state: "awaitingProof", session: null, expiresAt, erased: false });
}
