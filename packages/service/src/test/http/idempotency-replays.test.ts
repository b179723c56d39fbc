/** A replayed answer that has personal data is a read like any other. */
import assert from "node:assert/strict";
import test from "node:test";
import { freshPhone } from "../harness/below-http.ts";
import { keyedCalls } from "../harness/keyed-calls.ts";
import { assertEnvelope, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const { post, post404, stopSharing } = keyedCalls(it);
const primary = "+12125550010";

test("a 1-Click response is replayed while the 1-Click can be read, and each replay is audited as a read", async () => {
  const first = await post("/v2/1-click", { phone: primary }, "k7");
  const { uuid } = first.body as { uuid: string };
  assert.deepEqual((await post("/v2/1-click", { phone: primary }, "k7")).body, first.body);
  const reads = await it.store.db
    .selectFrom("audit")
    .select("id")
    .where("one_click_uuid", "=", uuid)
    .where("action", "=", "oneClick.read")
    .execute();
  assert.equal(reads.length, 1);
  await it.advance(60 * 60_000);
  const late = await post("/v2/1-click", { phone: primary }, "k7");
  assertEnvelope(404, late.body);
  assert.equal(late.body.data.errorCode, "OCE015");
});

const recorded = async (action: "oneClick.read" | "credential.read", since: number) => {
  const rows = it.store.db.selectFrom("audit").select(["detail", "person_uuid", "brand_uuid"]);
  return await rows.where("action", "=", action).where("id", ">", since).execute();
};
const newestEntry = async () =>
  Number((await it.store.pool.query("select coalesce(max(id), 0) as id from audit")).rows[0].id);

test("each replay of a call that read a released 1-Click is audited as a read, and is refused after a withdrawal", async () => {
  const phone = freshPhone();
  const { uuid: identityUuid } = (await post("/v2/1-click", { phone }, null)).body as { uuid: string };
  const before = await newestEntry();
  const ask = { phone, identityUuid };
  const first = await post("/v2/1-click", ask, "k12");
  for (let times = 0; times < 3; times += 1) assert.deepEqual((await post("/v2/1-click", ask, "k12")).body, first.body);
  const reads = await recorded("oneClick.read", before);
  assert.equal(reads.length, 4);
  assert.deepEqual(new Set(reads.map(({ detail }) => JSON.stringify(detail))).size, 1);
  await stopSharing(phone);
  assert.equal(await post404("/v2/1-click", ask, "k12"), "OCE015");
  assert.equal((await recorded("oneClick.read", before)).length, 4);
});

test("a replay of a call that read a released 1-Click is refused once the 1-Click has expired", async () => {
  const phone = freshPhone();
  const { uuid: identityUuid } = (await post("/v2/1-click", { phone }, null)).body as { uuid: string };
  assert.equal((await post("/v2/1-click", { phone, identityUuid }, "k13")).status, 201);
  await it.advance(60 * 60_000);
  assert.equal(await post404("/v2/1-click", { phone, identityUuid }, "k13"), "OCE015");
});

test("each replay of an issuance is audited as a read of the credential by its issuer", async () => {
  const phone = freshPhone();
  const ask = { phone, credentials: [{ type: "EmailCredential", data: { email: "ada@example.com" } }] };
  const first = await post("/v2/credentials", ask, "k14");
  const before = await newestEntry();
  for (let times = 0; times < 2; times += 1)
    assert.deepEqual((await post("/v2/credentials", ask, "k14")).body, first.body);
  const reads = await recorded("credential.read", before);
  assert.deepEqual(
    reads.map(({ detail, person_uuid: personUuid }) => [detail, personUuid !== null]),
    [
      [{ types: ["EmailCredential"] }, true],
      [{ types: ["EmailCredential"] }, true],
    ],
  );
});
