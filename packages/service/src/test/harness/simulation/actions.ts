/** All actions of a simulation. Each one calls the service and compares the answer with the model's. */
import assert from "node:assert/strict";
import { birthDate, browserOf, textedCode, wholeTimeline } from "../account-page.ts";
import { agreed } from "../consent-shown.ts";
import { begins } from "./beginnings.ts";
import { type Action, at, byKind, newest, nowOf, page, personOf, type Simulation, told, wrongOf } from "./context.ts";
import * as model from "./model.ts";
import { openid } from "./openid-actions.ts";
import { legacy } from "./v1-actions.ts";

const minute = 60_000;
const hour = 60 * minute;
const jumpsMs = [1, minute, 5 * minute, model.challengeWindowMs + minute, 61 * minute, 25 * hour];

const refusals = { wrong: "OCV001", expired: "OCV007", failed: "OCV002", verified: "OCV001" } as const;

const followUps: Record<string, Action> = {
  async deliver(simulation, { which }) {
    const one = newest(simulation.world.verifications, which);
    if (one === undefined) return;
    const now = nowOf(simulation);
    const { code } = await told(simulation.brands.api.api.deliverVerification({ params: { uuid: one.uuid } }));
    const expected = model.isUnknown(one, now) ? "OCV005" : model.deliver(one, now);
    assert.equal(code, expected);
    if (expected === null) one.right = simulation.newestCode();
  },
  async submit(simulation, { which, what }) {
    const one = newest(simulation.world.verifications, which);
    if (one === undefined) return;
    const now = nowOf(simulation);
    const typed = what > 0 ? one.right : wrongOf(one.right);
    const { code } = await told(
      simulation.brands.api.api.submitVerificationCode({ params: { uuid: one.uuid }, body: { code: typed } }),
    );
    if (model.isUnknown(one, now)) return assert.equal(code, "OCV005");
    // Nobody can know a code before its first text, so the service treats it as a wrong guess.
    const outcome = model.submit(one, one.deliveries === 0 ? wrongOf(one.right) : typed, now);
    assert.equal(code, outcome === "right" ? null : refusals[outcome]);
  },
  async readVerification(simulation, { which }) {
    const one = newest(simulation.world.verifications, which);
    if (one === undefined) return;
    const { body, code } = await told(simulation.brands.api.api.readVerification({ params: { uuid: one.uuid } }));
    if (model.isUnknown(one, nowOf(simulation))) return assert.equal(code, "OCV005");
    const status = model.statusOf(one, nowOf(simulation));
    assert.deepEqual([body?.status, body?.attemptsRemaining], [status, model.remaining(one)]);
    assert.equal(body?.verified, status === "verified");
  },
  async prove(simulation, { which, what }) {
    const one = newest(byKind(simulation, ["hosted", "sdk", "v1Hosted"]), which);
    if (one?.code == null) return;
    const now = nowOf(simulation);
    const typed = what > 0 ? one.code.right : wrongOf(one.code.right);
    const { body, code } = await told(
      page(simulation.it).provePage({ params: { page: one.page }, body: { code: typed } }),
    );
    if (!model.isLive(one, now)) return assert.equal(code, "OCE015");
    const outcome = model.submit(one.code, typed, now);
    assert.equal(code, outcome === "right" ? null : refusals[outcome]);
    if (body !== null) one.session = body.sessionToken;
  },
  async view(simulation, { which }) {
    const one = newest(withSession(simulation), which);
    if (one === undefined) return;
    const { body, code } = await told(page(simulation.it, one.session).viewPage());
    if (!model.isLive(one, nowOf(simulation))) return assert.equal(code, "OCE015");
    if (one.state === "awaitingProof")
      Object.assign(one, { state: "awaitingDecision", expiresAt: nowOf(simulation) + model.readableMs });
    assert.equal(body?.step, one.state === "awaitingDecision" ? "review" : "done");
  },
  async decide(simulation, { which, what }) {
    const one = newest(withSession(simulation), which);
    if (one === undefined) return;
    const share = what > 1;
    // Before the first view there is nothing to decide on.
    const unseen = one.state === "awaitingProof" ? { shown: "" } : {};
    const { body, code } = await told(
      page(simulation.it, one.session).decidePage({
        body: { share, edits: {}, consent: { ...agreed(share ? "share" : "decline"), ...unseen } },
      }),
    );
    if (!model.isLive(one, nowOf(simulation))) return assert.equal(code, "OCE015");
    if (one.state === "awaitingProof") {
      // A decision before the first view only moves on to the review.
      Object.assign(one, { state: "awaitingDecision", expiresAt: nowOf(simulation) + model.readableMs });
      return assert.equal(body?.step, "review");
    }
    if (one.state === "awaitingDecision") {
      Object.assign(one, { state: share ? "released" : "declined", expiresAt: nowOf(simulation) + model.readableMs });
      model.noted(one.person, share ? "oneClick.released" : "oneClick.declined");
    }
    assert.equal(body?.outcome, one.state === "released" ? "shared" : "declined");
  },
  async read(simulation, { which, what }) {
    const one = newest(simulation.world.oneClicks, which);
    if (one === undefined) return;
    const now = nowOf(simulation);
    const { api } = simulation.brands[one.kind];
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
    model.noteRead(one, now);
    assert.equal(
      Object.keys(body.credentials ?? {}).length > 0,
      one.state === "released",
      "data is returned only if the person shared it",
    );
  },
  async readByAnother(simulation, { which }) {
    const one = newest(simulation.world.oneClicks, which);
    if (one === undefined) return;
    const other = one.kind === "sdk" ? simulation.brands.hosted : simulation.brands.sdk;
    assert.equal((await told(other.api.readOneClick({ params: { uuid: one.uuid } }))).code, "OCE015");
  },
  async readLookup(simulation, { which }) {
    const one = newest(simulation.world.lookups, which);
    if (one === undefined) return;
    const asked = { params: { healthDataUuid: one.uuid } };
    const { body, code } = await told(simulation.brands.api.api.readHealthLookup(asked));
    if (!model.isFound(one, nowOf(simulation))) return assert.equal(code, 404);
    assert.equal(body?.status, one.finalAt === null ? "PENDING" : "SUCCEEDED");
    assert.equal(body?.results !== undefined, one.finalAt !== null);
    if (one.finalAt !== null && one.person !== null) model.noted(one.person, "health.read");
  },
  async change(simulation, { which, what }) {
    const one = newest(simulation.world.issued, which);
    if (one === undefined) return;
    const status = what % 2 === 0 ? "revoked" : "valid";
    const { code } = await told(
      simulation.brands.api.api.changeCredential({ params: { id: one.id }, body: { status } }),
    );
    assert.equal(code, one.erased ? 404 : null);
    if (!one.erased) one.status = status;
  },
  async readIssued(simulation, { which }) {
    const one = newest(simulation.world.issued, which);
    if (one === undefined) return;
    const { body, code } = await told(simulation.brands.api.api.readCredential({ params: { id: one.id } }));
    assert.deepEqual([code, body?.status], one.erased ? [404, undefined] : [null, one.status]);
    if (!one.erased) model.noted(one.person, "credential.read");
  },
};
const withSession = ({ world }: Simulation) => world.oneClicks.filter(({ session }) => session !== null);

async function jump(simulation: Simulation, ms: number): Promise<void> {
  const from = nowOf(simulation);
  await simulation.it.advance(ms);
  model.pass(simulation.world, from, from + ms);
}

/** Signs in to a person's account page. Returns null if no text would arrive. */
async function signedIn(simulation: Simulation, person: model.Person) {
  if (person.stopped || person.losesTexts) return null;
  // Sign-in texts are sent only to phones that are on record.
  await simulation.it.api.createVerification({ body: { channel: "sms", phone: person.phone } });
  const browser = browserOf(simulation.it.wallet);
  const { signIn } = (await browser.beginSignIn({ body: { phone: person.phone, consent: agreed("signIn") } })).body;
  await jump(simulation, 0);
  const code = await textedCode(simulation.it, person.phone);
  await browser.finishSignIn({ body: { signIn, code: code ?? "" } });
  await browser.proveAccount({ body: { birthDate } });
  return browser;
}

const worldChanges: Record<string, Action> = {
  jump: (simulation, { what, who }) => jump(simulation, at(jumpsMs, what + 4 * (who % 2)) ?? 0),
  work: (simulation) => jump(simulation, 0),
  async stop(simulation, step) {
    const person = personOf(simulation, step);
    person.stopped = step.what > 0;
    const { uuid } = simulation.brands.api;
    assert.notEqual(uuid, "");
    await simulation.it.api.answerText({ body: { from: person.phone, body: person.stopped ? "STOP" : "START" } });
  },
  async loseTexts(simulation, step) {
    personOf(simulation, step).losesTexts = step.what > 0;
  },
  async breakReceiver(simulation, { what }) {
    simulation.world.receiverFails = what > 0;
  },
  async stopSharing(simulation, step) {
    const person = personOf(simulation, step);
    const browser = await signedIn(simulation, person);
    if (browser === null) return;
    const kind = at(model.kinds, step.what + step.which) ?? "api";
    const params = { uuid: simulation.brands[kind].uuid };
    const { code } = await told(browser.stopSharing({ params, body: { consent: agreed("stop") } }));
    if (code === 404)
      return assert.ok(
        !simulation.world.oneClicks.some(
          (one) =>
            one.person === person &&
            one.kind === kind &&
            one.state !== "awaitingProof" &&
            one.state !== "awaitingDecision" &&
            !one.erased,
        ),
      );
    assert.equal(code, null);
    model.takeBack(simulation.world, person, [kind], "kept");
  },
  async beDeleted(simulation, step) {
    const person = personOf(simulation, step);
    const browser = step.what === 0 ? await signedIn(simulation, person) : null;
    if (browser === null) return;
    assert.equal((await browser.deleteAccount({ body: { consent: agreed("delete") } })).body.outcome, "deleted");
    model.takeBack(simulation.world, person, model.kinds, "deleted");
  },
};

export const actions: Record<string, Action> = { ...begins, ...followUps, ...legacy, ...openid, ...worldChanges };
/**
 * The actions to draw from. Actions that continue a flow and that advance time are listed more often than those that
 * end everything.
 */
export const drawn = [
  ...Object.keys(actions),
  ...["verify", "deliver", "deliver", "submit", "submit", "prove", "prove", "view", "view", "decide", "decide"],
  ...["breakReceiver", "breakReceiver", "stop", "stop", "lookUp", "work", "jump", "jump"],
  ...["read", "read", "hosted", "session", "share", "work", "jump", "lookUp", "readLookup", "readVerification"],
  ...["beginV1", "beginV1", "openV1", "openV1", "openV1", "readV1", "readV1", "readV1", "shareOnce", "shareOnce"],
  ...["beginV1Hosted", "verifyByDevice", "trust", "signInByOpenId", "readUserInfo", "readUserInfo"],
];

/**
 * At the end, checks that every event has its final status, and that each person's page shows exactly what was read.
 */
export async function settle(simulation: Simulation): Promise<void> {
  const { it, world } = simulation;
  for (const person of world.people) Object.assign(person, { losesTexts: false });
  await jump(simulation, 25 * hour);
  const deliveries = await it.inject({ method: "GET", url: `/sandbox/webhooks/${simulation.hook}/deliveries` });
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
    const browser = await signedIn(simulation, person);
    if (browser === null) continue;
    const shown: Record<string, number> = {};
    for (const { action } of await wholeTimeline(browser)) shown[action] = (shown[action] ?? 0) + 1;
    for (const action of ["oneClick.released", "oneClick.read", "oneClick.declined", "health.read", "credential.read"])
      assert.equal(shown[action] ?? 0, person.record[action] ?? 0, `${action} on the person's page`);
  }
}
