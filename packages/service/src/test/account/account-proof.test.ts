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
