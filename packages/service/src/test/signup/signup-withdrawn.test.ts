/** People who stop sharing or delete their data while a source is asked about them. Nothing would erase a late row. */
import assert from "node:assert/strict";
import test from "node:test";
import type { SourceAnswer } from "../../domain/ports.ts";
import { sandboxIdentity } from "../../providers/sandbox/identity.ts";
import { birthDate, signIn } from "../harness/account-page.ts";
import { codesSentTo, freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { wallet } from "../harness/hosted-share.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

/** Runs once, during a lookup at the source. It may replace the source's answer. */
let meanwhile: (() => Promise<SourceAnswer | undefined>) | null = null;
const identity = sandboxIdentity();
const it = await sandbox({
  vendors: {
    identity: {
      ...identity,
      lookUp: async (question) => {
        const answer = await identity.lookUp(question);
        const now = meanwhile;
        meanwhile = null;
        return (await now?.()) ?? answer;
      },
    },
  },
});

/** A person who is signed in, and whose phone a brand has verified by text. */
async function proven() {
  const phone = freshPhone();
  const brand = await it.brand();
  const { uuid: verificationUuid } = (await brand.api.createVerification({ body: { channel: "sms", phone } })).body;
  await brand.api.deliverVerification({ params: { uuid: verificationUuid }, body: {} });
  const [code = ""] = await codesSentTo(it, phone);
  await brand.api.submitVerificationCode({ params: { uuid: verificationUuid }, body: { code } });
  const page = await signIn(it, phone);
  await page.proveAccount({ body: { birthDate } });
  return {
    phone,
    ask: () => brand.api.createOneClick({ body: { verificationUuid } }),
    stop: () => page.stopSharing({ params: { uuid: brand.uuid }, body: { consent: agreed("stop") } }),
    delete: () => page.deleteAccount({ body: { consent: agreed("delete") } }),
  };
}

/** What is stored about people. */
async function stored() {
  const { rows } = await it.store.pool.query(
    `select (select count(*) from one_click where sealed is not null) as "oneClicks",
            (select count(*) from person where phone_index is not null) as people,
            (select count(*) from audit where action = 'oneClick.refused') as refusals`,
  );
  return rows[0];
}

const answers: SourceAnswer[] = [{ kind: "needs", inputs: ["birthDate"] }, { kind: "unknown" }];
for (const answer of answers)
  test(`a lookup that ends in "${answer.kind}" stores nothing about a person who has stopped sharing or was deleted`, async () => {
    for (const end of ["stop", "delete"] as const) {
      const person = await proven();
      let before: unknown;
      meanwhile = async () => {
        await person[end]();
        before = await stored();
        return answer;
      };
      assert.equal((await refusal(person.ask())).errorCode, "OCE015", end);
      assert.deepEqual(await stored(), before, end);
    }
  });

test("a person who is deleted while their page asks the source gets no review, and is not created again", async () => {
  const phone = freshPhone();
  const hosted = it.as("sk_sandbox_demo_hosted");
  const { url = "", code = "" } = (await hosted.beginOneClick({ body: { phone } })).body;
  const page = new URL(url).pathname.slice("/request/".length);
  const { sessionToken } = (await wallet(it).provePage({ params: { page }, body: { code } })).body;
  const account = await signIn(it, phone);
  await account.proveAccount({ body: { birthDate } });
  let before: unknown;
  meanwhile = async () => {
    await account.deleteAccount({ body: { consent: agreed("delete") } });
    before = await stored();
    return undefined;
  };
  assert.equal((await refusal(wallet(it, sessionToken).viewPage())).errorCode, "OCE015");
  assert.deepEqual(await stored(), before);
});

test("a person who proved who they are can delete their data while the source is down", async () => {
  const person = await proven();
  const unproven = await signIn(it, person.phone);
  meanwhile = () => Promise.reject(new Error("the source is down"));
  assert.equal((await refusal(unproven.deleteAccount({ body: { consent: agreed("delete") } }))).status, 503);
  meanwhile = () => Promise.reject(new Error("the source is down"));
  assert.equal((await person.delete()).body.outcome, "deleted");
  meanwhile = null;
});
