/** What proves who a person is on their own page, after the texted code. */
import assert from "node:assert/strict";
import test from "node:test";
import type { SourceAnswer } from "../../domain/ports.ts";
import { sandboxIdentity } from "../../providers/sandbox/identity.ts";
import { type Browser, birthDate, phoneOnRecord, signIn } from "../harness/account-page.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const identity = sandboxIdentity();
/** Phones whose source needs the SSN digits too, and phones whose source has no birth date. */
const shared = new Set<string>();
const withoutBirthDate = new Set<string>();
const it = await sandbox({
  vendors: {
    identity: {
      ...identity,
      lookUp: async (question): Promise<SourceAnswer> => {
        const { phone, inputs, compare } = question;
        if (withoutBirthDate.has(phone) && inputs.birthDate !== undefined)
          return { kind: "mismatch", inputs: ["birthDate"] };
        if (shared.has(phone) && !compare.includes("ssn4")) return { kind: "needs", inputs: ["ssn4"] };
        const answer = await identity.lookUp(question);
        if (!withoutBirthDate.has(phone) || answer.kind !== "found") return answer;
        return { ...answer, credentials: answer.credentials.filter(({ type }) => type !== "BirthDateCredential") };
      },
    },
  },
});

const ssn4 = "6789";

async function isProven(browser: Browser): Promise<boolean> {
  return (await browser.readAccount()).body.provenUntil !== undefined;
}

/** The paths of the inputs that the page must also get. */
async function pathsOf(call: Promise<unknown>): Promise<string[]> {
  const { errorCode, data } = await refusal(call);
  assert.equal(errorCode, "ERR001");
  return Array.isArray(data.errors) ? data.errors.map(({ path }) => path) : [];
}

test("the last digits of the SSN, which a review shows, prove nothing if the source has a birth date", async () => {
  const browser = await signIn(it, await phoneOnRecord(it));
  assert.deepEqual(await pathsOf(browser.proveAccount({ body: { ssn4 } })), ["body.birthDate"]);
  assert.equal(await isProven(browser), false);
  assert.equal((await refusal(browser.downloadAccount())).status, 403);
  await browser.proveAccount({ body: { ssn4, birthDate } });
  assert.equal(await isProven(browser), true);
});

test("the SSN digits prove who a person is whose source has no birth date", async () => {
  const phone = await phoneOnRecord(it);
  withoutBirthDate.add(phone);
  const browser = await signIn(it, phone);
  assert.equal((await refusal(browser.proveAccount({ body: { birthDate } }))).errorCode, "OCE012");
  assert.equal(await isProven(browser), false);
  await browser.proveAccount({ body: { ssn4 } });
  assert.equal(await isProven(browser), true);
});

test("a birth date that does not identify exactly one person reveals nothing until the SSN digits match too", async () => {
  const phone = await phoneOnRecord(it);
  shared.add(phone);
  const browser = await signIn(it, phone);
  assert.deepEqual(await pathsOf(browser.proveAccount({ body: { birthDate } })), ["body.ssn4"]);
  assert.equal((await refusal(browser.proveAccount({ body: { birthDate, ssn4: "0000" } }))).errorCode, "OCE012");
  assert.equal(await isProven(browser), false);
  await browser.proveAccount({ body: { birthDate, ssn4 } });
  assert.equal(await isProven(browser), true);
});

test("wrong values of brands do not keep a person from their own page, and its own wrong values are limited", async () => {
  const phone = await phoneOnRecord(it);
  const { api } = await it.brand();
  const wrong = (day: number) => `1971-01-${String(day).padStart(2, "0")}`;
  const guess = (body: object) => refusal(api.createOneClick({ body: { phone, ...body } }));
  for (const window of [0, 1]) {
    for (const index of [1, 2, 3]) await guess({ birthDate: wrong(3 * window + index) });
    for (const digits of window === 0 ? ["9001", "9002", "9003"] : ["9004"]) await guess({ ssn4: digits });
    await it.advance(31 * 60_000);
  }
  assert.equal((await guess({ birthDate: wrong(7) })).errorCode, "OCE019");
  const browser = await signIn(it, phone);
  for (const index of [1, 2]) await refusal(browser.proveAccount({ body: { birthDate: wrong(index) } }));
  await browser.proveAccount({ body: { birthDate } });
  assert.equal(await isProven(browser), true);
  await refusal(browser.proveAccount({ body: { birthDate: wrong(3) } }));
  assert.equal((await refusal(browser.proveAccount({ body: { birthDate: wrong(4) } }))).errorCode, "OCE019");
});

test("a proof whose source answers after the person hid the values does not show them again", async (t) => {
  const browser = await signIn(it, await phoneOnRecord(it));
  await browser.proveAccount({ body: { birthDate } });
  const lookUp = it.deps.vendors.identity.lookUp.bind(it.deps.vendors.identity);
  t.mock.method(it.deps.vendors.identity, "lookUp", async (asked: Parameters<typeof lookUp>[0]) => {
    await browser.hideValues();
    return await lookUp(asked);
  });
  assert.equal((await browser.proveAccount({ body: { birthDate } })).body.provenUntil, undefined);
  assert.equal(await isProven(browser), false);
});

test("a late first proof does not show values that another tab proved and hid meanwhile", async (t) => {
  const browser = await signIn(it, await phoneOnRecord(it));
  const lookUp = it.deps.vendors.identity.lookUp.bind(it.deps.vendors.identity);
  const otherTab = async () => {
    t.mock.restoreAll();
    await browser.proveAccount({ body: { birthDate } });
    assert.equal(await isProven(browser), true);
    await browser.hideValues();
  };
  t.mock.method(it.deps.vendors.identity, "lookUp", async (asked: Parameters<typeof lookUp>[0]) => {
    await otherTab();
    return await lookUp(asked);
  });
  assert.equal((await browser.proveAccount({ body: { birthDate } })).body.provenUntil, undefined);
  assert.equal(await isProven(browser), false);
  await browser.proveAccount({ body: { birthDate } });
  assert.equal(await isProven(browser), true);
});
