/** The inputs that a brand passes. The person at the screen adds what is missing, and cannot replace them. */
import assert from "node:assert/strict";
import test from "node:test";
import { client } from "@countersign/contract/client";
import type { ChallengeInput } from "@countersign/contract/errors";
import { beginByPhone, openSession } from "@countersign/contract/session";
import { sandboxIdentity } from "../../providers/sandbox/identity.ts";
import { signIn } from "../harness/account-page.ts";
import { codesSentTo, freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { wallet } from "../harness/hosted-share.ts";
import { frameOfKey, refusal, sandbox } from "../harness/sandbox.ts";
import { scriptCalls } from "../harness/script-calls.ts";

const identity = sandboxIdentity();
/** What the source needs for these phones. */
const needed = new Map<string, ChallengeInput[]>();
const seen: { inputs: object }[] = [];
const it = await sandbox({
  vendors: {
    identity: {
      ...identity,
      lookUp: async (question) => {
        seen.push({ inputs: question.inputs });
        const missing = (needed.get(question.phone) ?? []).filter((input) => !question.compare.includes(input));
        if (missing.length > 0) return { kind: "needs", inputs: missing };
        return await identity.lookUp(question);
      },
    },
  },
});
const birthDate = "1989-08-01";
/** The sandbox takes this date from a brand, but only one fixed person has it. */
const otherDate = "2017-01-01";

/** An open frame, in a session with these inputs. */
async function opened(inputs: object) {
  const brand = await it.brand({ integrationType: "sdk", defaultCredentialRequests: [{ type: "FullNameCredential" }] });
  const { sessionKey } = (await brand.api.createSession({ body: inputs })).body;
  const call = (token?: string) => client({ openSession, beginByPhone }, { send: scriptCalls(it.wallet, token) });
  const { sessionToken } = (await call().openSession({ body: { sessionKey, frame: frameOfKey(sessionKey) } })).body;
  return call(sessionToken);
}

/** A frame whose phone is proven, in a session with these inputs. */
async function frame(phone: string, inputs: object) {
  const open = await opened(inputs);
  const { page = "" } = (await open.beginByPhone({ body: { phone, silent: false, consent: agreed("proveData") } }))
    .body;
  // Fixed people have a fixed code and get no text.
  const [code = "111111"] = await codesSentTo(it, phone);
  return wallet(it, (await wallet(it).provePage({ params: { page }, body: { code } })).body.sessionToken);
}

test("a person cannot replace an input that the brand passed, before or after it was compared", async () => {
  const page = await frame("+12125550010", { birthDate: otherDate });
  const replacing = () => page.amendPage({ body: { birthDate } });
  assert.equal((await refusal(replacing())).errorCode, "OCE012");
  assert.equal((await refusal(page.viewPage())).errorCode, "OCE012");
  assert.equal((await refusal(replacing())).errorCode, "OCE012");
});

test("a person adds only what the source asked for, and cannot replace what the brand passed", async () => {
  const phone = freshPhone();
  needed.set(phone, ["birthDate", "ssn4"]);
  const page = await frame(phone, { birthDate, fullName: { firstName: "Richard", lastName: "Hendricks" } });
  const view = (await page.viewPage()).body;
  assert.deepEqual([view.step, view.inputs], ["inputs", ["ssn4"]]);
  assert.deepEqual((await page.amendPage({ body: { birthDate: otherDate, firstName: "Jian" } })).body, view);
  assert.equal((await refusal(page.amendPage({ body: { ssn4: "1111" } }))).errorCode, "OCE012");
  const done = (await page.amendPage({ body: { ssn4: "6789", birthDate: otherDate, firstName: "Jian" } })).body;
  assert.equal(done.step, "review");
  const inputs = { birthDate, ssn4: "6789", fullName: { firstName: "Richard", lastName: "Hendricks" } };
  assert.deepEqual(seen.at(-1), { inputs });
});

test("a deletion and a stop end the inputs of a session whose phone the person typed", async () => {
  const sessions = () => it.store.db.selectFrom("session").select("uuid").execute();
  const before = await sessions();
  for (const end of ["delete", "stop"] as const) {
    const phone = freshPhone();
    const page = await frame(phone, { birthDate });
    await page.viewPage();
    assert.equal((await sessions()).length, before.length + 1);
    const own = await signIn(it, phone);
    const uuid = (await own.readAccount()).body.brands[0]?.uuid ?? "";
    await own.proveAccount({ body: { birthDate } });
    await (end === "delete"
      ? own.deleteAccount({ body: { consent: agreed("delete") } })
      : own.stopSharing({ params: { uuid }, body: { consent: agreed("stop") } }));
    assert.deepEqual(await sessions(), before, end);
  }
  const phone = freshPhone();
  const open = await opened({ birthDate });
  await open.beginByPhone({ body: { phone, silent: true, consent: agreed("proveData") } });
  assert.equal((await sessions()).length, before.length + 1);
  const own = await signIn(it, phone);
  await own.proveAccount({ body: { birthDate } });
  await own.deleteAccount({ body: { consent: agreed("delete") } });
  assert.deepEqual(await sessions(), before, "the page was closed before the carrier answered");
});
