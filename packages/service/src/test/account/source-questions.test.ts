/** Questions to the identity source that people cause themselves. Each one costs money. */
import assert from "node:assert/strict";
import test from "node:test";
import { sandboxCaps } from "../../providers/caps.ts";
import { sandboxIdentity } from "../../providers/sandbox/identity.ts";
import { birthDate, signIn } from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { hostedPage } from "../harness/hosted-share.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const hour = 60 * 60_000;
const questionsMax = 6;
const identity = sandboxIdentity();
let asked = 0;
/** Phones that match several people, so more input is needed. */
const shared = new Set<string>();
const it = await sandbox({
  vendors: {
    identity: {
      ...identity,
      lookUp: async (question) => {
        asked += 1;
        if (shared.has(question.phone) && question.compare.length === 0)
          return { kind: "needs", inputs: ["birthDate"] };
        return await identity.lookUp(question);
      },
    },
  },
});

/** How many questions a step causes. */
async function questionsOf(step: () => Promise<unknown>): Promise<number> {
  const before = asked;
  await step();
  return asked - before;
}

/** Runs with a limit that a test can reach. Then a new hour begins. */
async function withLimit(phone: string, run: () => Promise<void>): Promise<void> {
  const deps = await it.cellOf(phone);
  deps.policy.caps = { ...sandboxCaps, questionsAboutPhone: { windowMs: hour, max: questionsMax } };
  try {
    await run();
  } finally {
    deps.policy.caps = sandboxCaps;
    await it.advance(hour);
  }
}

/** Someone who is signed in. A brand has their data. */
async function signedIn() {
  const phone = freshPhone();
  const brand = await it.brand();
  await brand.api.createOneClick({ body: { phone } });
  return { phone, brand, page: await signIn(it, phone) };
}

const unknownShare = { params: { uuid: "00000000-0000-4000-8000-000000000000" }, body: { key: "x", value: "y" } };

test("refused calls of a session ask the source once, whether it knows the person", async () => {
  const { page } = await signedIn();
  const calls = async () => {
    for (let more = 0; more < 5; more += 1) {
      assert.equal((await refusal(page.correctValue(unknownShare))).status, 403);
      assert.equal((await refusal(page.takeOut({ body: { own: "name" } }))).status, 403);
      assert.equal((await refusal(page.deleteAccount({ body: { consent: agreed("delete") } }))).status, 403);
    }
  };
  assert.equal(await questionsOf(calls), 1);
});

test("a repeated proof is counted, and past the limit the source is not asked", async () => {
  for (const given of [birthDate, "1979-01-01"]) {
    const { phone, brand, page } = await signedIn();
    await withLimit(phone, async () => {
      const prove = () => page.proveAccount({ body: { birthDate: given } });
      const statuses: number[] = [];
      const repeat = async () => {
        for (let more = 0; more < questionsMax + 4; more += 1)
          statuses.push(
            await prove().then(
              ({ status }) => status,
              ({ status }) => status,
            ),
          );
      };
      assert.equal(await questionsOf(repeat), questionsMax);
      assert.deepEqual(new Set(statuses.slice(0, questionsMax)), new Set([given === birthDate ? 200 : 400]));
      assert.deepEqual(new Set(statuses.slice(questionsMax)), new Set([429]));
      // Another device of the same phone has the same limit. The brand's own calls have none.
      assert.equal((await refusal((await signIn(it, phone)).proveAccount({ body: { birthDate } }))).status, 429);
      assert.equal((await brand.api.createOneClick({ body: { phone } })).status, 201);
    });
  }
});

test("a person whom no source knows can delete their data, and their offers are counted", async () => {
  const phone = freshPhone();
  await it.api.createVerification({ body: { channel: "sms", phone } });
  const page = await signIn(it, phone);
  const { lookUp } = it.deps.vendors.identity;
  it.deps.vendors.identity.lookUp = async () => {
    asked += 1;
    return { kind: "unknown" };
  };
  try {
    await withLimit(phone, async () => {
      const offers = async () => {
        for (let more = 0; more < questionsMax; more += 1)
          await page.takeOut({ body: { own: "name" } }).catch(() => {});
      };
      assert.equal(await questionsOf(offers), questionsMax);
      assert.equal((await refusal(page.takeOut({ body: { own: "name" } }))).status, 429);
    });
    const again = await signIn(it, phone);
    assert.equal((await again.deleteAccount({ body: { consent: agreed("delete") } })).body.outcome, "deleted");
  } finally {
    it.deps.vendors.identity.lookUp = lookUp;
  }
});

test("a page that waits for inputs asks the source only when the person adds one, and no more often than the limit", async () => {
  const phone = freshPhone();
  shared.add(phone);
  const { session, view } = await hostedPage(it, phone, [{ type: "FullNameCredential" }]);
  assert.deepEqual([view.step, view.inputs], ["inputs", ["birthDate"]]);
  const views = async () => {
    for (let more = 0; more < 5; more += 1) {
      assert.deepEqual((await session.viewPage()).body, view);
      assert.deepEqual((await session.amendPage({ body: {} })).body, view);
    }
  };
  assert.equal(await questionsOf(views), 0);
  await withLimit(phone, async () => {
    const wrong = () => refusal(session.amendPage({ body: { birthDate: "1979-01-01" } }));
    const repeat = async () => {
      for (let more = 0; more < questionsMax + 4; more += 1) await wrong();
    };
    // The first view has used one.
    assert.equal(await questionsOf(repeat), questionsMax - 1);
    assert.equal((await wrong()).status, 429);
    assert.deepEqual((await session.viewPage()).body, view);
    const brand = await it.brand({ integrationType: "hosted", redirectUrl: "http://localhost:3000" });
    const other = await hostedPage(it, phone, [{ type: "FullNameCredential" }], brand.api);
    assert.equal(other.view.step, "inputs", "another brand's page works");
    const own = await signIn(it, phone);
    assert.equal((await own.proveAccount({ body: { birthDate } })).status, 200, "and so does the person's own page");
  });
});

test("a page that waits for inputs continues with the right one", async () => {
  const phone = freshPhone();
  shared.add(phone);
  const { session } = await hostedPage(it, phone, [{ type: "FullNameCredential" }]);
  assert.equal((await session.amendPage({ body: { birthDate } })).body.step, "review");
});
