/** A brand's overview: the funnel, this week beside the last one, and what needs attention. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Analytics, Overview } from "@countersign/contract/dashboard-reporting";
import { attentionOf, type Facts } from "../../domain/reporting/attention.ts";
import { funnelOf } from "../../domain/reporting/funnel.ts";
import { readFigures } from "../../domain/reporting/overview.ts";
import { demoBrands, secondDemoCustomer } from "../../providers/sandbox/demo.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { eventually } from "../harness/eventually.ts";
import { hostedPage, hostedShare, wallet } from "../harness/hosted-share.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const viewer = await signedIn(it, { role: "viewer" });
const hosted = demoBrands.find(({ integrationType }) => integrationType === "hosted")?.uuid ?? "";
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

async function overviewOf(brand: string): Promise<Overview> {
  const { status, body } = await viewer.call("GET", `/api/brands/${brand}/sandbox/overview`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as unknown as Overview;
}

test("a brand without data has zeros, and no step has a time", async () => {
  const { uuid: brand } = await it.brand();
  const { funnel, days, signup, calls, attention, now, from } = await overviewOf(brand);
  const nothing = { count: 0, medianMs: null, losses: [] };
  assert.deepEqual(funnel, { asked: 0, verified: nothing, found: nothing, shared: nothing });
  assert.equal(days.length, 7);
  assert.deepEqual(
    [signup, calls].map(({ now: own, before }) => [own.all, before.all]),
    [
      [0, 0],
      [0, 0],
    ],
  );
  assert.deepEqual([now, from], [it.deps.clock.now(), Math.floor(now / dayMs) * dayMs - 6 * dayMs]);
  assert.deepEqual(attention, []);
});

test("the funnel names each loss, and measures each step that took time", async () => {
  const api = it.as("sk_sandbox_demo_hosted");
  const begin = async () => (await api.beginOneClick({ body: { phone: "+12125550010" } })).body;
  const shared = await begin();
  await it.advance(20_000);
  const page = new URL(shared.url ?? "").pathname.slice("/request/".length);
  const { sessionToken } = (await wallet(it).provePage({ params: { page }, body: { code: shared.code ?? "" } })).body;
  const person = wallet(it, sessionToken);
  await person.viewPage();
  await it.advance(90_000);
  await person.decidePage({ body: { share: true, edits: {}, consent: agreed("share") } });
  await hostedShare(it, "+12125550010", { share: false });
  const asking = await hostedPage(it, "+12125550020", undefined);
  assert.equal(asking.view.step, "inputs");
  await asking.session.decidePage({ body: { share: false, edits: {}, consent: agreed("leave") } });
  await begin();
  await it.advance(60 * minuteMs + 1);
  await begin();
  const { funnel, signup, days } = await overviewOf(hosted);
  assert.deepEqual(funnel, {
    asked: 5,
    verified: {
      count: 3,
      medianMs: 20_000,
      losses: [
        { reason: "notVerified", count: 1 },
        { reason: "open", count: 1 },
      ],
    },
    found: { count: 2, medianMs: null, losses: [{ reason: "declined", count: 1 }] },
    shared: { count: 1, medianMs: 90_000, losses: [{ reason: "declined", count: 1 }] },
  });
  assert.deepEqual(signup.now, { all: 5, part: 1 });
  assert.deepEqual(days.at(-1)?.now, { all: 5, part: 1 });
});

test("the week before has the same hours, and a clock that was set back hides what is in its future", async () => {
  const { uuid: brand, api } = await it.brand();
  const start = it.deps.clock.now();
  await api.createOneClick({ body: { phone: "+12125550010" } });
  await it.advance(7 * dayMs - minuteMs);
  assert.deepEqual((await overviewOf(brand)).signup, { now: { all: 0, part: 0 }, before: { all: 0, part: 0 } });
  await it.advance(minuteMs);
  await refusal(api.createOneClick({ body: { phone: "+14045551300" } }));
  await eventually(async () => ((await overviewOf(brand)).calls.now.part === 1 ? true : undefined));
  const { signup, calls, days } = await overviewOf(brand);
  assert.deepEqual(signup.before, { all: 1, part: 1 });
  assert.equal(signup.now.part, 0);
  assert.deepEqual(calls, { now: { all: 1, part: 1 }, before: { all: 1, part: 0 } });
  assert.deepEqual(days.at(-1)?.before, { all: 1, part: 1 });
  const setBack = { ...it.deps, clock: { now: () => start - dayMs }, cells: [{ number: 0, db: it.deps.db }] };
  const past = await readFigures(setBack, brand);
  assert.deepEqual([past.funnel.asked, past.calls.now.all, past.signup.before.all], [0, 0, 0]);
});

test("another account's member gets the same answer as for an unknown brand", async () => {
  const { uuid: brand } = await it.brand();
  const stranger = await signedIn(it, { customerUuid: secondDemoCustomer.uuid });
  for (const path of ["overview", "webhook-attempts"]) {
    assert.equal((await stranger.call("GET", `/api/brands/${brand}/sandbox/${path}`)).status, 404, path);
    for (const other of ["none", crypto.randomUUID()])
      assert.equal((await viewer.call("GET", `/api/brands/${other}/sandbox/${path}`)).status, 404, path);
  }
});

test("the automatic range begins with the first of a few calls, and is the shortest named one with many", async () => {
  const { uuid: brand, api } = await it.brand();
  const shapeOf = async () => {
    const { body } = await viewer.call("GET", `/api/brands/${brand}/sandbox/analytics?range=auto`);
    const { from, to, bucket, calls } = body as unknown as Analytics;
    return [bucket, (to - from) / { minute: minuteMs, hour: 60 * minuteMs, day: dayMs }[bucket], calls.all];
  };
  assert.deepEqual(await shapeOf(), ["day", 90, 0]);
  await api.createOneClick({ body: { phone: "+12125550010" } });
  await eventually(async () => ((await shapeOf())[2] === 1 ? true : undefined));
  assert.deepEqual(await shapeOf(), ["minute", 12, 1]);
  await it.advance(30 * minuteMs);
  assert.deepEqual(await shapeOf(), ["minute", 31, 1]);
  await it.advance(90 * minuteMs);
  assert.deepEqual(await shapeOf(), ["hour", 12, 1]);
  await it.advance(2 * dayMs);
  assert.deepEqual(await shapeOf(), ["hour", 51, 1]);
  await Promise.all(
    Array.from({ length: 50 }, () => api.createVerification({ body: { channel: "sms", phone: freshPhone() } })),
  );
  await eventually(async () => ((await shapeOf())[2] === 50 ? true : undefined));
  assert.deepEqual(await shapeOf(), ["minute", 60, 50]);
});

const calm: Facts = {
  now: 100 * dayMs,
  webhooks: [],
  alarmEnds: [],
  keys: [{ name: "first", lastFour: "abcd", createdAt: 0, lastUsedAt: 99 * dayMs }],
  mayHaveKeys: true,
  waitingNames: [],
  production: { isApproved: true, isTried: true, request: null },
};
const kindsOf = (facts: Partial<Facts>) => attentionOf({ ...calm, ...facts }).attention.map(({ kind }) => kind);

test("attention begins exactly at its limits, and the most urgent comes first", () => {
  const { now, keys, production } = calm;
  const webhook = (failedMs: number, disabledAt: number | null = null) => ({
    address: "https://brand.example/…",
    disabledAt,
    failingSince: now - failedMs,
  });
  const twoHours = 2 * 60 * minuteMs;
  assert.deepEqual(kindsOf({}), []);
  const waits = { waitingNames: [{ requested: "New", requestedAt: 0 }] };
  // A webhook that fails comes before what only waits. After two hours it comes first.
  assert.deepEqual(
    [
      kindsOf({ webhooks: [webhook(twoHours, now)] }),
      kindsOf({ ...waits, webhooks: [webhook(twoHours - 1)] }),
      kindsOf({ ...waits, webhooks: [webhook(twoHours)] }),
    ],
    [[], ["webhookFailing", "nameWaits"], ["webhookFailing", "nameWaits"]],
  );
  const refused = { ...production, isApproved: false, request: { at: 1, refusedAt: 2 } };
  assert.deepEqual(
    [twoHours - 1, twoHours].map((age) => kindsOf({ production: refused, webhooks: [webhook(age)] })),
    [
      ["productionRefused", "webhookFailing"],
      ["webhookFailing", "productionRefused"],
    ],
  );
  const unused = (lastUsedAt: number | null, createdAt = 0) =>
    kindsOf({ keys: keys.map((key) => ({ ...key, lastUsedAt, createdAt })) });
  assert.deepEqual(
    [unused(10 * dayMs), unused(10 * dayMs + 1), unused(null), unused(null, 50 * dayMs)],
    [["keyUnused"], [], ["keyUnused"], []],
  );
  assert.deepEqual([kindsOf({ keys: [] }), kindsOf({ keys: [], mayHaveKeys: false })], [["noKey"], []]);
  assert.deepEqual([kindsOf({ alarmEnds: [now] }), kindsOf({ alarmEnds: [now + 1] })], [[], ["textsLimited"]]);
  const asking = (request: Facts["production"]["request"], isTried = true) =>
    kindsOf({ production: { ...production, isApproved: false, isTried, request } });
  assert.deepEqual(
    [asking(null), asking(null, false), asking({ at: 1, refusedAt: null }), asking({ at: 1, refusedAt: 2 })],
    [["productionNotAsked"], [], ["productionWaits"], ["productionRefused"]],
  );
  const many = Array.from({ length: 12 }, () => ({
    ...keys[0],
    name: "old",
    lastFour: "0000",
    createdAt: 0,
    lastUsedAt: null,
  }));
  const { attention, attentionMore } = attentionOf({ ...calm, keys: many, webhooks: [webhook(twoHours)] });
  assert.deepEqual([attention.length, attentionMore, attention[0]?.kind], [10, 3, "webhookFailing"]);
});

test("what was found before it was refused or left is lost at the last step", () => {
  const end = { period: 0, refusal: null, isOver: true, isFound: true, count: 1 };
  const { verified, found, shared } = funnelOf(
    [
      { ...end, state: "awaitingInputs" },
      { ...end, state: "refused", refusal: "OCE007" },
      { ...end, state: "refused", refusal: "OCE018", isFound: false },
      { ...end, state: "refused", refusal: "OCE017", isFound: false },
    ],
    [],
  );
  assert.deepEqual([verified.count, found.count, shared.count], [3, 2, 0]);
  assert.deepEqual(
    [...verified.losses, ...found.losses, ...shared.losses].map(({ reason }) => reason),
    ["OCE018", "OCE017", "OCE007", "left"],
  );
});

test("the list of brands counts the calls of seven days, and those that failed", async () => {
  const { uuid: brand, api } = await it.brand();
  await api.createVerification({ body: { channel: "sms", phone: freshPhone() } });
  await it.advance(7 * dayMs + minuteMs);
  await api.createVerification({ body: { channel: "sms", phone: freshPhone() } });
  await refusal(api.createOneClick({ body: { phone: "+14045551300" } }));
  // Log lines are written in the background.
  const own = await eventually(async () => {
    const { body } = await viewer.call("GET", "/api/brands/calls");
    const found = (body.data as { uuid: string; all: number }[]).find(({ uuid }) => uuid === brand);
    return found !== undefined && found.all >= 2 ? found : undefined;
  });
  assert.deepEqual(own, { uuid: brand, environment: "sandbox", all: 2, failed: 1 });
});
