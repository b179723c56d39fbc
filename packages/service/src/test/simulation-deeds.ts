/** What can happen in a simulation: each is done through the interface, and held against what the model expects. */
import assert from "node:assert/strict";
import { ApiError, client } from "@countersign/contract/client";
import { beginByPhone, openSession } from "@countersign/contract/session";
import { decidePage, provePage, viewPage } from "@countersign/contract/wallet";
import { birthDate, browserOf, said, textedCode, wholeTimeline } from "./account-page.ts";
import { frameOfKey, type Sandbox } from "./harness.ts";
import * as model from "./simulation-model.ts";

type Brands = Record<model.OneClick["kind"], { uuid: string; api: Sandbox["api"] }>;
export type Stage = {
  it: Sandbox;
  brands: Brands;
  world: model.World;
  /** The newest code that was made: of whatever was begun or delivered last. */
  newestCode(): string;
  hook: string;
};
/** Whose turn it is, which of what there is, and with what. */
export type Step = { deed: string; who: number; which: number; what: number };
type Deed = (stage: Stage, step: Step) => Promise<void>;

const consent = { version: "2026-11", language: "en", words: "I agree to share this." };
const minute = 60_000;
const hour = 60 * minute;
const jumpsMs = [1, minute, 5 * minute, 31 * minute, 61 * minute, 25 * hour];
const signInsMax = { hour: 5, day: 10 };

const nowOf = ({ it }: Stage) => it.deps.clock.now();
const at = <Value>(list: readonly Value[], index: number): Value | undefined => list[index % Math.max(1, list.length)];
/** The newest first: what happens next is most often about what happened last. */
const newest = <Value>(list: readonly Value[], which: number) => at(list.toReversed(), which);
const personOf = ({ world }: Stage, { who }: Step) => at(world.people, who) ?? assert.fail();

/** What a call is told: its error's code, or its status where that has none; null where it is done. */
async function told<Body>(call: Promise<{ body: Body }>): Promise<{ body: Body | null; code: string | number | null }> {
  try {
    return { body: (await call).body, code: null };
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return { body: null, code: error.errorCode ?? error.status };
  }
}

function page(it: Sandbox, session?: string | null) {
  const endpoints = { openSession, beginByPhone, provePage, viewPage, decidePage };
  return client(endpoints, {
    send: async ({ method, path, body, headers }) => {
      const authorization = typeof session === "string" ? { authorization: `Bearer ${session}` } : {};
      const answer = await it.wallet.inject({
        method,
        url: path,
        headers: { ...headers, ...authorization },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      return { status: answer.statusCode, headers: {}, body: answer.json() };
    },
  });
}

const begins: Record<string, Deed> = {
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
    assert.equal("employerName" in credentials, model.hasIssued(world, whose), "what was issued, and no more");
    released(stage, { uuid: body.uuid, kind: "api", person: whose });
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
    assert.ok(!("identity" in body), "no data before the proof");
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

/** The uuid of a session's 1-Click is told to its brand's page only in the end: here it is looked up. */
async function uuidOfPage({ it }: Stage, address: string): Promise<string> {
  assert.notEqual(address, "");
  const row = it.store.db
    .selectFrom("one_click")
    .select("uuid")
    .orderBy("created_at", "desc")
    .where("journey", "=", "v21Sdk");
  const rows = await row.where("page_hash", "is not", null).where("state", "=", "awaitingProof").execute();
  const known = new Set(rows.map(({ uuid }) => uuid));
  return [...known][0] ?? assert.fail("no 1-Click was begun");
}

type About = Pick<model.OneClick, "uuid" | "kind" | "person">;
function released(stage: Stage, about: About): void {
  const expiresAt = nowOf(stage) + model.readableMs;
  stage.world.oneClicks.push({
    ...about,
    state: "released",
    code: null,
    page: "",
    session: null,
    expiresAt,
    erased: false,
  });
  model.noted(about.person, "oneClick.released");
}
function begun(stage: Stage, about: About & Pick<model.OneClick, "code" | "page">): void {
  const expiresAt = nowOf(stage) + model.readableMs;
  stage.world.oneClicks.push({ ...about, state: "awaitingProof", session: null, expiresAt, erased: false });
}
const byKind = ({ world }: Stage, kinds: readonly model.OneClick["kind"][]) =>
  world.oneClicks.filter(({ kind }) => kinds.includes(kind));

const wrongOf = (right: string) => (right === "000000" ? "000001" : "000000");
const refusals = { wrong: "OCV001", expired: "OCV007", failed: "OCV002", verified: "OCV001" } as const;

const goesOn: Record<string, Deed> = {
  async deliver(stage, { which }) {
    const one = newest(stage.world.verifications, which);
    if (one === undefined) return;
    const now = nowOf(stage);
    const { code } = await told(stage.brands.api.api.deliverVerification({ params: { uuid: one.uuid } }));
    const expected = model.isUnknown(one, now) ? "OCV005" : model.deliver(one, now);
    assert.equal(code, expected);
    if (expected === null) one.right = stage.newestCode();
  },
  async submit(stage, { which, what }) {
    const one = newest(stage.world.verifications, which);
    if (one === undefined) return;
    const now = nowOf(stage);
    const typed = what > 0 ? one.right : wrongOf(one.right);
    const { code } = await told(
      stage.brands.api.api.submitVerificationCode({ params: { uuid: one.uuid }, body: { code: typed } }),
    );
    if (model.isUnknown(one, now)) return assert.equal(code, "OCV005");
    const outcome = model.submit(one, typed, now);
    assert.equal(code, outcome === "right" ? null : refusals[outcome]);
  },
  async readVerification(stage, { which }) {
    const one = newest(stage.world.verifications, which);
    if (one === undefined) return;
    const { body, code } = await told(stage.brands.api.api.readVerification({ params: { uuid: one.uuid } }));
    if (model.isUnknown(one, nowOf(stage))) return assert.equal(code, "OCV005");
    const status = model.statusOf(one, nowOf(stage));
    assert.deepEqual([body?.status, body?.attemptsRemaining], [status, model.remaining(one)]);
    assert.equal(body?.verified, status === "verified");
  },
  async prove(stage, { which, what }) {
    const one = newest(byKind(stage, ["hosted", "sdk"]), which);
    if (one?.code == null) return;
    const now = nowOf(stage);
    const typed = what > 0 ? one.code.right : wrongOf(one.code.right);
    const { body, code } = await told(page(stage.it).provePage({ params: { page: one.page }, body: { code: typed } }));
    if (!model.isLive(one, now)) return assert.equal(code, "OCE015");
    const outcome = model.submit(one.code, typed, now);
    assert.equal(code, outcome === "right" ? null : refusals[outcome]);
    if (body !== null) one.session = body.sessionToken;
  },
  async view(stage, { which }) {
    const one = newest(withSession(stage), which);
    if (one === undefined) return;
    const { body, code } = await told(page(stage.it, one.session).viewPage());
    if (!model.isLive(one, nowOf(stage))) return assert.equal(code, "OCE015");
    if (one.state === "awaitingProof")
      Object.assign(one, { state: "awaitingDecision", expiresAt: nowOf(stage) + model.readableMs });
    assert.equal(body?.step, one.state === "awaitingDecision" ? "review" : "done");
  },
  async decide(stage, { which, what }) {
    const one = newest(withSession(stage), which);
    if (one === undefined) return;
    const share = what > 1;
    const { body, code } = await told(page(stage.it, one.session).decidePage({ body: { share, edits: {}, consent } }));
    if (!model.isLive(one, nowOf(stage))) return assert.equal(code, "OCE015");
    if (one.state === "awaitingProof") {
      // Deciding before anything was seen only goes on to what there is to see.
      Object.assign(one, { state: "awaitingDecision", expiresAt: nowOf(stage) + model.readableMs });
      return assert.equal(body?.step, "review");
    }
    if (one.state === "awaitingDecision") {
      Object.assign(one, { state: share ? "released" : "declined", expiresAt: nowOf(stage) + model.readableMs });
      model.noted(one.person, share ? "oneClick.released" : "oneClick.declined");
    }
    assert.equal(body?.outcome, one.state === "released" ? "shared" : "declined");
  },
  async read(stage, { which, what }) {
    const one = newest(stage.world.oneClicks, which);
    if (one === undefined) return;
    const now = nowOf(stage);
    const { api } = stage.brands[one.kind];
    const typed = one.code === null || what > 0 ? one.code?.right : wrongOf(one.code.right);
    const query = one.kind === "semiHosted" ? { code: typed ?? "" } : {};
    const { body, code } = await told(api.readOneClick({ params: { uuid: one.uuid }, query }));
    if (one.kind === "semiHosted" && one.code !== null && model.isLive(one, now)) {
      const outcome = model.submit(one.code, query.code ?? "", now);
      const isAccepted = outcome === "right" || (outcome === "verified" && query.code === one.code.right);
      if (!isAccepted) return assert.equal(code, outcome === "failed" ? "OCE018" : "OCE008");
      if (one.state === "awaitingProof") {
        Object.assign(one, { state: "released", expiresAt: now + model.readableMs });
        model.noted(one.person, "oneClick.released");
        return assert.equal(code, null);
      }
    }
    if (!model.isReadable(one, now)) return assert.equal(code, "OCE015");
    assert.ok(body !== null, String(code));
    model.noted(one.person, "oneClick.read");
    assert.equal(
      Object.keys(body.credentials ?? {}).length > 0,
      one.state === "released",
      "data exactly where it was shared",
    );
  },
  async readByAnother(stage, { which }) {
    const one = newest(stage.world.oneClicks, which);
    if (one === undefined) return;
    const other = one.kind === "sdk" ? stage.brands.hosted : stage.brands.sdk;
    assert.equal((await told(other.api.readOneClick({ params: { uuid: one.uuid } }))).code, "OCE015");
  },
  async readLookup(stage, { which }) {
    const one = newest(stage.world.lookups, which);
    if (one === undefined) return;
    const asked = { params: { healthDataUuid: one.uuid } };
    const { body, code } = await told(stage.brands.api.api.readHealthLookup(asked));
    if (!model.isFound(one, nowOf(stage))) return assert.equal(code, 404);
    assert.equal(body?.status, one.finalAt === null ? "PENDING" : "SUCCEEDED");
    assert.equal(body?.results !== undefined, one.finalAt !== null);
    if (one.finalAt !== null && one.person !== null) model.noted(one.person, "health.read");
  },
  async change(stage, { which, what }) {
    const one = newest(stage.world.issued, which);
    if (one === undefined) return;
    const status = what % 2 === 0 ? "revoked" : "valid";
    const { code } = await told(stage.brands.api.api.changeCredential({ params: { id: one.id }, body: { status } }));
    assert.equal(code, one.erased ? 404 : null);
    if (!one.erased) one.status = status;
  },
  async readIssued(stage, { which }) {
    const one = newest(stage.world.issued, which);
    if (one === undefined) return;
    const { body, code } = await told(stage.brands.api.api.readCredential({ params: { id: one.id } }));
    assert.deepEqual([code, body?.status], one.erased ? [404, undefined] : [null, one.status]);
    if (!one.erased) model.noted(one.person, "credential.read");
  },
};
const withSession = ({ world }: Stage) => world.oneClicks.filter(({ session }) => session !== null);

async function jump(stage: Stage, ms: number): Promise<void> {
  const from = nowOf(stage);
  await stage.it.advance(ms);
  model.pass(stage.world, from, from + ms);
}

/** A person's own page; null where no text would come. */
async function signedIn(stage: Stage, person: model.Person) {
  const now = nowOf(stage);
  const within = (ms: number) => person.signIns.filter((sentAt) => sentAt > now - ms).length;
  if (person.stopped || person.losesTexts) return null;
  if (within(hour) >= signInsMax.hour || within(24 * hour) >= signInsMax.day) return null;
  const browser = browserOf(stage.it.wallet);
  const { signIn } = (await browser.beginSignIn({ body: { phone: person.phone, consent: said } })).body;
  person.signIns.push(now);
  await jump(stage, 0);
  const code = await textedCode(stage.it, person.phone);
  await browser.finishSignIn({ body: { signIn, code: code ?? "" } });
  await browser.proveAccount({ body: { birthDate } });
  return browser;
}

const surroundings: Record<string, Deed> = {
  jump: (stage, { what, who }) => jump(stage, at(jumpsMs, what + 4 * (who % 2)) ?? 0),
  work: (stage) => jump(stage, 0),
  async stop(stage, step) {
    const person = personOf(stage, step);
    person.stopped = step.what > 0;
    const { uuid } = stage.brands.api;
    assert.notEqual(uuid, "");
    await stage.it.api.answerText({ body: { from: person.phone, body: person.stopped ? "STOP" : "START" } });
  },
  async loseTexts(stage, step) {
    personOf(stage, step).losesTexts = step.what > 0;
  },
  async breakReceiver(stage, { what }) {
    stage.world.receiverFails = what > 0;
  },
  async stopSharing(stage, step) {
    const person = personOf(stage, step);
    const browser = await signedIn(stage, person);
    if (browser === null) return;
    const kind = (["api", "hosted", "semiHosted", "sdk"] as const)[step.what] ?? "api";
    const params = { uuid: stage.brands[kind].uuid };
    const { code } = await told(browser.stopSharing({ params, body: { consent: said } }));
    if (code === 404)
      return assert.ok(
        !stage.world.oneClicks.some(
          (one) =>
            one.person === person &&
            one.kind === kind &&
            one.state !== "awaitingProof" &&
            one.state !== "awaitingDecision" &&
            !one.erased,
        ),
      );
    assert.equal(code, null);
    model.takeBack(stage.world, person, [kind], "kept");
  },
  async beDeleted(stage, step) {
    const person = personOf(stage, step);
    const browser = step.what === 0 ? await signedIn(stage, person) : null;
    if (browser === null) return;
    assert.equal((await browser.deleteAccount({ body: { consent: said } })).body.outcome, "deleted");
    model.takeBack(stage.world, person, ["api", "hosted", "semiHosted", "sdk"], "deleted");
  },
};

export const deeds: Record<string, Deed> = { ...begins, ...goesOn, ...surroundings };
/** What is drawn from: what goes on, and time, more often than what ends everything. */
export const drawn = [
  ...Object.keys(deeds),
  ...["verify", "deliver", "deliver", "submit", "submit", "prove", "prove", "view", "view", "decide", "decide"],
  ...["breakReceiver", "breakReceiver", "stop", "lookUp", "work", "jump", "jump"],
  ...["read", "read", "hosted", "session", "share", "work", "jump", "lookUp", "readLookup", "readVerification"],
];

/** In the end every event has come to its end, and the page of each person shows what was read, no more and no less. */
export async function settle(stage: Stage): Promise<void> {
  const { it, world } = stage;
  for (const person of world.people) Object.assign(person, { losesTexts: false });
  await jump(stage, 25 * hour);
  const deliveries = await it.inject({ method: "GET", url: `/sandbox/webhooks/${stage.hook}/deliveries` });
  const { data } = deliveries.body as {
    data: { healthDataUuid: string; status: string; attempts: { at: number }[] }[];
  };
  const names = { delivered: "delivered", dead: "deadLettered", pending: "pending" } as const;
  for (const { uuid, event } of world.lookups) {
    const found = data.find(({ healthDataUuid }) => healthDataUuid === uuid);
    const expected = event === null ? undefined : [names[event.status], event.sentAt];
    const is = found === undefined ? undefined : [found.status, found.attempts.map((one) => one.at)];
    assert.deepEqual(is, expected);
    assert.notEqual(event?.status, "pending");
  }
  for (const person of world.people.filter(({ record }) => Object.keys(record).length > 0)) {
    if (person.stopped) await it.api.answerText({ body: { from: person.phone, body: "START" } });
    person.stopped = false;
    const browser = await signedIn(stage, person);
    if (browser === null) continue;
    const shown: Record<string, number> = {};
    for (const { action } of await wholeTimeline(browser)) shown[action] = (shown[action] ?? 0) + 1;
    for (const action of ["oneClick.released", "oneClick.read", "oneClick.declined", "health.read", "credential.read"])
      assert.equal(shown[action] ?? 0, person.record[action] ?? 0, `${action} on the person's page`);
  }
}
