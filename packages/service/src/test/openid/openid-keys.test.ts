import assert from "node:assert/strict";
import { test } from "node:test";
import { currentKeys, keyLifeMs, publishedAfterMs, publishedAheadMs } from "../../domain/openid/keys.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const at = async (now: number) => {
  const keys = await currentKeys({ ...it.deps, realClock: { now: () => now } });
  return keys.map(({ kid }) => String(kid));
};
const start = it.accountClock.now();

test("a new key is published before it signs, and the former key stays published after its last signature", async () => {
  const [first = "", ...none] = await at(start);
  assert.deepEqual(none, []);
  assert.deepEqual(await at(start + keyLifeMs - 1), [first]);
  const rotated = start + keyLifeMs;
  const [stillFirst, second = ""] = await at(rotated);
  assert.equal(stillFirst, first);
  assert.notEqual(second, "");
  assert.deepEqual(await at(rotated + publishedAheadMs - 1), [first, second]);
  assert.deepEqual(await at(rotated + publishedAheadMs), [second, first]);
  assert.deepEqual(await at(rotated + publishedAheadMs + publishedAfterMs), [second]);
  const rows = await it.store.db.selectFrom("openid_key").select("generation").execute();
  assert.deepEqual(rows, [{ generation: 2 }]);
});

test("processes that create the first key at once use the same one", async () => {
  await it.store.db.deleteFrom("openid_key").execute();
  const all = await Promise.all(Array.from({ length: 5 }, () => at(start)));
  assert.equal(new Set(all.flat()).size, 1);
});

test("a private key is sealed, and never published", async () => {
  await at(start);
  const { sealed } = await it.store.db.selectFrom("openid_key").select("sealed").executeTakeFirstOrThrow();
  assert.ok(!sealed.toString("latin1").includes('"kty"'));
  const { keys } = (await it.wallet.inject("/openid/jwks")).json();
  assert.ok(keys.length > 0);
  for (const key of keys) assert.deepEqual(Object.keys(key).sort(), ["alg", "e", "kid", "kty", "n", "use"]);
});
