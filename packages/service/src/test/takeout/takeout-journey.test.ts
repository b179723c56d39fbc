import assert from "node:assert/strict";
import { test } from "node:test";
import { birthDate, signIn } from "../harness/account-page.ts";
import { holder, present, verifier, walletOverHttp } from "../harness/holder.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
await walletOverHttp(it);
const issuer = `${it.deps.addresses.walletUrl}/credentials`;
const audience = "https://verifier.example";
const richard = "+12125550010";

test("a credential is issued, held, presented with two of five claims, verified, withdrawn, and refused", async () => {
  const page = await signIn(it, richard);
  await page.proveAccount({ body: { birthDate } });
  const { offer, transactionCode } = (await page.takeOut({ body: { own: "address" } })).body;
  const [held] = await holder().accept(offer, transactionCode);
  assert.ok(held);

  const now = () => it.deps.clock.now();
  const verify = verifier({ issuer, vct: `${issuer}/types/address`, audience, now });
  const frame = { address: { locality: true, region: true } };
  const presentation = await present(held, frame, { nonce: "nonce-1", audience, at: now() });
  const needs = ["address.locality", "address.region"];
  const { address } = await verify(presentation, { nonce: "nonce-1", needs });
  assert.deepEqual(address, { locality: "Palo Alto", region: "CA" });

  const { taken } = (await page.listTakeouts()).body;
  assert.deepEqual(
    taken.map(({ kind, copies, state }) => ({ kind, copies, state })),
    [{ kind: "address", copies: 1, state: "valid" }],
  );
  const withdrawn = (await page.withdrawTakeout({ params: { uuid: taken[0]?.uuid ?? "" } })).body;
  assert.equal(withdrawn.taken[0]?.state, "withdrawn");
  await it.runJobs();
  const again = await present(held, frame, { nonce: "nonce-2", audience, at: now() });
  await assert.rejects(verify(again, { nonce: "nonce-2", needs }), /status/i);
});
