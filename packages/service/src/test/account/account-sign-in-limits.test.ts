// alone: its harness is one service, which another file also uses
/** Limits that strangers can and cannot exhaust by requesting sign-in texts. */
import assert from "node:assert/strict";
import test from "node:test";
import type { Caps, SignInCaps } from "../../domain/ports.ts";
import { riskHistory } from "../../domain/signup/risk-history.ts";
import { countAlarms } from "../../domain/verification/limits/conversion-alarm-rows.ts";
import { productionCaps } from "../../providers/caps.ts";
import { agreed } from "../harness/consent-shown.ts";
import { refusal } from "../harness/sandbox.ts";
import {
  ask,
  block,
  brand,
  fresh,
  hour,
  it,
  learned,
  onRecord,
  other,
  phoneOnRecord,
  real,
  signIn,
  signInTexts,
  stranger,
  textsFor,
  work,
} from "../harness/sign-in-callers.ts";

/** Delivers a brand's verification and returns the HTTP status. */
async function deliver(phone: string): Promise<number> {
  const uuid = await onRecord(phone);
  return await brand.deliverVerification({ params: { uuid }, body: {} }).then(
    ({ status }) => status,
    ({ status }) => status,
  );
}
async function deliverTo(phone: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < times; sent += 1) statuses.push(await deliver(phone));
  return statuses;
}

/** Sets the limits of both processes. Each cell has dependencies of its own. */
function setCaps(caps: Caps): void {
  for (const { homeDeps, cells } of [real, other])
    for (const deps of [homeDeps, ...cells.map((cell) => cell.deps)]) deps.policy.caps = caps;
}

/** Runs both processes with other limits while `run` runs. */
async function withCaps(signIns: Partial<SignInCaps>, rest: Partial<Caps>, run: () => Promise<void>): Promise<void> {
  const caps = { ...productionCaps, ...rest, signIns: { ...productionCaps.signIns, ...signIns } };
  setCaps(caps);
  try {
    await run();
  } finally {
    setCaps(productionCaps);
    // Move past this hour so that its counters do not affect other tests.
    it.pass(hour);
  }
}
const metric = async (name: string) =>
  Number(
    new RegExp(`^${name}\\{environment="production"[^}]*\\} (.*)$`, "m").exec(await it.metrics.registry.metrics())?.[1],
  );

test("sign-in texts to a phone are limited to five an hour across processes and do not use up a brand's limit", async () => {
  const phone = await phoneOnRecord();
  const answers = await Promise.all(Array.from({ length: 30 }, () => ask(phone)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  assert.equal(await signInTexts([phone]), 5);
  const left = it.store.db.selectFrom("job").select("id").where("name", "=", "account.textSignIn");
  assert.deepEqual(await left.execute(), [], "texts over the limit are dropped, not queued");
  assert.deepEqual(await deliverTo(phone, 6), [200, 200, 200, 200, 200, 429]);
  it.pass(hour);
  assert.equal(await textsFor(Array.from({ length: 8 }, () => phone)), 5);
  it.pass(hour);
  assert.equal(await textsFor([phone]), 0, "at most ten texts a day");
  it.pass(24 * hour);
  await onRecord(phone);
  assert.equal(await textsFor([phone]), 1);
});

test("brands' texts to a phone change neither the sign-in responses nor the number of sign-in texts", async () => {
  const [texted, untouched] = [await phoneOnRecord(), await phoneOnRecord()];
  assert.deepEqual(await deliverTo(texted, 6), [200, 200, 200, 200, 200, 429]);
  const shapes = async (phone: string) => {
    const all: unknown[] = [];
    for (let asked = 0; asked < 8; asked += 1) {
      const { signIn: _uuid, ...rest } = (await ask(phone)).body;
      all.push(rest);
    }
    return all;
  };
  assert.deepEqual(await shapes(texted), await shapes(untouched));
  assert.deepEqual([await signInTexts([texted]), await signInTexts([untouched])], [5, 5]);
});

test("sign-in texts to a block of numbers have a limit separate from brands' texts", async () => {
  const phones = block(60);
  for (const phone of phones) await onRecord(phone);
  await withCaps({}, { pumping: null }, async () => {
    assert.equal(await textsFor(phones), 20);
    const statuses: number[] = [];
    for (const phone of phones.slice(0, 31)) statuses.push(await deliver(phone));
    assert.deepEqual([statuses.filter((one) => one === 200).length, statuses.at(-1)], [30, 429]);
  });
});

test("when the limit of all sign-in texts is used up, brands can still send texts and the metrics show the usage", async () => {
  const phones = await Promise.all(Array.from({ length: 40 }, phoneOnRecord));
  await withCaps({ inAll: { windowMs: hour, max: 16 } }, {}, async () => {
    const sent = await textsFor([...phones, ...phones, ...phones]);
    // The counter has 16 shards and each text picks one at random, so some shards may stay unused.
    assert.ok(sent >= 8 && sent <= 16, String(sent));
    assert.equal(await metric("sign_in_texts_used_ratio"), sent / 16);
    assert.deepEqual(await deliverTo(phones[0] ?? "", 5), [200, 200, 200, 200, 200]);
  });
});

test("when the limit of brands' texts is used up, people can still sign in", async () => {
  const phone = await phoneOnRecord();
  await withCaps({}, { textsInAll: { windowMs: hour, max: 0 } }, async () => {
    assert.equal(await deliver(phone), 429);
    assert.equal((await signIn(phone)).status, 201);
  });
});

test("an IP address gets twenty sign-in requests an hour across numbers and processes, then 429 with Retry-After", async () => {
  const address = "203.0.113.7";
  const phones = [
    ...Array.from({ length: 10 }, fresh),
    ...(await Promise.all(Array.from({ length: 15 }, phoneOnRecord))),
  ];
  const asked = await Promise.allSettled(phones.map((phone) => ask(phone, address)));
  assert.equal(asked.filter(({ status }) => status === "fulfilled").length, 20);
  const wallets = [real.wallet, other.wallet];
  for (const phone of [fresh(), phones.at(-1) ?? ""])
    for (const wallet of wallets) {
      const late = await wallet.inject({
        method: "POST",
        url: "/api/sign-in",
        headers: { "sec-fetch-site": "same-origin" },
        remoteAddress: address,
        payload: { phone, consent: agreed("signIn") },
      });
      assert.equal(late.statusCode, 429);
      assert.equal(Number(late.headers["retry-after"]) > 0, true);
    }
  assert.equal((await refusal(ask(fresh(), `::ffff:${address}`))).status, 429, "the same address, written as IPv6");
  assert.equal((await ask(fresh(), "203.0.113.8")).status, 201);
  assert.equal(await deliver(await phoneOnRecord()), 200);
  it.pass(hour);
  assert.equal((await ask(fresh(), address)).status, 201);
});

test("a resend counts toward the limit of its IP address", async () => {
  const address = "203.0.113.20";
  await withCaps({ fromAddress: { windowMs: hour, max: 2 } }, {}, async () => {
    const browser = stranger(address);
    const { signIn: uuid } = (await browser.beginSignIn({ body: { phone: fresh(), consent: agreed("signIn") } })).body;
    await browser.resendSignIn({ body: { signIn: uuid } });
    assert.equal((await refusal(browser.resendSignIn({ body: { signIn: uuid } }))).status, 429);
  });
});

test("a network has its own limit: an IPv4 /24, or an IPv6 /48 in which each /64 counts as one address", async () => {
  const outcomes = async (addresses: string[]) =>
    (await Promise.allSettled(addresses.map((address) => ask(fresh(), address)))).filter(
      ({ status }) => status === "fulfilled",
    ).length;
  await withCaps({ fromAddress: { windowMs: hour, max: 2 }, fromNetwork: { windowMs: hour, max: 5 } }, {}, async () => {
    assert.equal(await outcomes(Array.from({ length: 9 }, (_, at) => `192.0.2.${at}`)), 5);
    assert.equal(await outcomes(["192.0.3.1"]), 1);
    assert.equal(await outcomes(["2600:1:2:3::1", "2600:1:2:3::2", "2600:1:2:3:ffff::3"]), 2, "a /64 counts once");
    assert.equal(await outcomes(Array.from({ length: 9 }, (_, at) => `2600:1:2:${at + 4}::1`)), 3);
    assert.equal(await outcomes(["2600:1:3:4::1"]), 1);
  });
});

test("sign-in texts to a block that never answers pause until the hour ends, and the alarm counts the block", async () => {
  const { pumping } = productionCaps;
  assert.ok(pumping);
  const phones = block(15);
  for (const phone of phones) await onRecord(phone);
  const before = (await countAlarms(real.deps)).signInBlock;
  let sent = 0;
  for (const phone of phones) sent += await textsFor([phone]);
  assert.equal(sent, pumping.signInBlock.textsMin);
  assert.equal((await countAlarms(real.deps)).signInBlock, before + 1);
  assert.match(
    await it.metrics.registry.metrics(),
    /conversion_alarms\{environment="production",kind="signInBlock"\} [1-9]/,
  );
  assert.equal(await deliver(phones[0] ?? ""), 200, "brands can still send texts to the block");
  assert.equal((await signIn(await phoneOnRecord())).status, 201, "other blocks still get sign-in texts");
  it.pass(hour);
  for (const phone of phones) await onRecord(phone);
  assert.equal(await textsFor(phones.slice(0, 3)), 3);
});

test("when too few sign-in texts are answered, all of them pause until the hour ends, and the alarm counts it", async () => {
  it.pass(hour);
  const { pumping } = productionCaps;
  assert.ok(pumping);
  const phones = await Promise.all(Array.from({ length: 130 }, phoneOnRecord));
  let sent = 0;
  for (let at = 0; at < 130; at += 5) sent += await textsFor(phones.slice(at, at + 5));
  // Texts sent at the same moment do not see the alarm yet, so a few more than `textsMin` may be sent.
  assert.ok(sent >= pumping.signIn.textsMin && sent <= pumping.signIn.textsMin + 10, String(sent));
  assert.equal((await countAlarms(real.deps)).signIn, 1);
  assert.match(await it.metrics.registry.metrics(), /conversion_alarms\{environment="production",kind="signIn"\} 1/);
  const { signIn: _uuid, ...paused } = (await ask(phones[0] ?? "")).body;
  const { signIn: _other, ...unknown } = (await ask(fresh())).body;
  assert.deepEqual(paused, unknown, "during a pause, the response is the same as for an unknown number");
  assert.equal(await deliver(phones[0] ?? ""), 200);
  it.pass(hour);
  assert.equal((await signIn(phones[0] ?? "")).status, 201);
});

test("sign-in texts that enough people answer raise no alarm", async () => {
  it.pass(24 * hour);
  const phones = block(12);
  for (const phone of phones) await onRecord(phone);
  for (const phone of phones.slice(0, 3)) await signIn(phone);
  assert.equal(await textsFor(phones.slice(3)), 9);
  assert.deepEqual(await countAlarms(real.deps), { brand: 0, block: 0, signIn: 0, signInBlock: 0 });
});

test("a stranger's wrong sign-in codes do not lock the phone for brands or for the person", async () => {
  const phone = await phoneOnRecord();
  const person = stranger();
  const { signIn: uuid } = (await person.beginSignIn({ body: { phone, consent: agreed("signIn") } })).body;
  await work();
  const right = it.codeTo(phone);
  for (let begun = 0; begun < 20; begun += 1) {
    const guesser = stranger();
    const { signIn: theirs } = (await guesser.beginSignIn({ body: { phone, consent: agreed("signIn") } })).body;
    for (let tried = 0; tried < 3; tried += 1)
      assert.equal(
        (await refusal(guesser.finishSignIn({ body: { signIn: theirs, code: "000000" } }))).errorCode,
        "OCV001",
      );
  }
  assert.equal((await person.finishSignIn({ body: { signIn: uuid, code: right } })).status, 201);
  assert.ok(await it.prove(brand, phone));
});

test("wrong codes in brands' verifications do not stop the person from signing in", async () => {
  const phone = await phoneOnRecord();
  for (let begun = 0; begun < 6; begun += 1) {
    const uuid = await onRecord(phone);
    for (let tried = 0; tried < 3; tried += 1)
      await brand.submitVerificationCode({ params: { uuid }, body: { code: "000000" } }).catch(() => {});
  }
  assert.equal((await signIn(phone)).status, 201);
});

test("sign-ins begun by strangers do not add to a phone's risk history", async () => {
  const phone = real.deps.phones.judge(await phoneOnRecord());
  assert.ok(phone.kind === "supported");
  await learned(phone.phone);
  const question = { brandUuid: crypto.randomUUID(), phone: phone.phone };
  const { verifications, failedVerifications } = (await riskHistory(real.deps).of(question)).phone;
  assert.deepEqual([verifications, failedVerifications], [1, 0]);
});

test("after a resend over the limit, the previous code still works", async () => {
  const phone = await phoneOnRecord();
  await withCaps({ toPhone: [{ windowMs: hour, max: 1 }] }, {}, async () => {
    const browser = stranger();
    const { signIn: uuid } = (await browser.beginSignIn({ body: { phone, consent: agreed("signIn") } })).body;
    await work();
    const code = it.codeTo(phone);
    await browser.resendSignIn({ body: { signIn: uuid } });
    assert.equal(await signInTexts([phone]), 1);
    assert.equal((await browser.finishSignIn({ body: { signIn: uuid, code } })).status, 201);
  });
});
