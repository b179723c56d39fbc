/** A v1 brand's own birth date only helps to find the person. One that the person types on our page is compared. */
import assert from "node:assert/strict";
import test from "node:test";
import { wallet } from "../harness/hosted-share.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const primary = "+10123456789";
const [right, wrong] = ["1989-08-01", "1931-07-07"];
const code = "111111";
const challenges = [{ input: "birthDate", when: "always" }] as const;

/** Begins a hosted 1-Click of a v1 brand that requires the birth date. Returns the page after the code. */
async function pageOf(more: object = {}, asked: object = {}) {
  const brand = await it.brand({
    integrationType: "v1",
    redirectUrl: "https://brand.example/back",
    challenges,
    ...more,
  });
  const headers = { authorization: `Bearer ${brand.apiKey}` };
  const payload = { phone: primary, isHosted: true, ...asked };
  const { body } = await it.inject({ method: "POST", url: "/1-click", headers, payload });
  const page = new URL(String((body as { url: string }).url)).pathname.slice("/request/".length);
  const { sessionToken } = (await wallet(it).provePage({ params: { page }, body: { code } })).body;
  return wallet(it, sessionToken);
}

test("a birth date that the person types on a v1 page is compared, and three wrong ones end the page", async () => {
  const session = await pageOf();
  assert.deepEqual((await session.viewPage()).body.inputs, ["birthDate"]);
  const refused = await refusal(session.amendPage({ body: { birthDate: wrong } }));
  assert.equal(refused.errorCode, "OCE012");
  assert.equal((await session.amendPage({ body: { birthDate: right } })).body.step, "review");
  const guessing = await pageOf();
  for (const day of ["01", "02", "03"])
    assert.equal((await refusal(guessing.amendPage({ body: { birthDate: `1931-07-${day}` } }))).errorCode, "OCE012");
  const ended = (await guessing.amendPage({ body: { birthDate: right } })).body;
  assert.deepEqual([ended.step, ended.errorCode], ["error", "OCE019"]);
});

test("a typed birth date stays compared while the page asks for more", async () => {
  const session = await pageOf({ challenges: [...challenges, { input: "ssn4", when: "always" }] });
  assert.equal((await session.viewPage()).body.step, "inputs");
  const next = (await session.amendPage({ body: { birthDate: right } })).body;
  assert.deepEqual([next.step, next.inputs], ["inputs", ["ssn4"]]);
  assert.equal((await session.amendPage({ body: { ssn4: "6789" } })).body.step, "review");
});

test("a birth date that the v1 brand sends is not compared", async () => {
  const session = await pageOf({}, { birthDate: wrong });
  assert.equal((await session.viewPage()).body.step, "review");
});
