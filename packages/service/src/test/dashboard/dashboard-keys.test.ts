import assert from "node:assert/strict";
import { test } from "node:test";
import { insertKey } from "../../domain/brand/api-key-rows.ts";
import { demoBrands, firstDemoCustomer } from "../../providers/sandbox/demo.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const brand = demoBrands.find((one) => one.customerUuid === firstDemoCustomer.uuid)?.uuid ?? "";
const keysPath = `/api/brands/${brand}/sandbox/keys`;
const works = async (key: string) =>
  (await it.inject({ method: "GET", url: "/sandbox/clock", headers: { authorization: key } })).status === 200;

test("a revoked key cannot be changed, rolled or revoked", async () => {
  const { call } = await signedIn(it, { role: "developer" });
  const { uuid } = (await call("POST", keysPath, { name: "Old", ipRanges: [] })).body;
  assert.equal((await call("DELETE", `${keysPath}/${uuid}`)).status, 200);
  assert.equal((await call("DELETE", `${keysPath}/${uuid}`)).status, 404);
  assert.equal((await call("PATCH", `${keysPath}/${uuid}`, { name: "Old", ipRanges: [] })).status, 404);
  assert.equal((await call("POST", `${keysPath}/${uuid}/roll`, { overlapHours: 24 })).status, 404);
});

test("each key names the member who created it, also after a roll and under a new name", async () => {
  const made = await signedIn(it, { role: "developer" });
  const rolled = await signedIn(it, { role: "developer" });
  type Key = { uuid: string; lastFour: string; createdBy: string | null };
  const { uuid, apiKey } = (await made.call("POST", keysPath, { name: "Mine", ipRanges: [] })).body;
  await rolled.call("PATCH", `${keysPath}/${uuid}`, { name: "Yours", ipRanges: [] });
  const next = (await rolled.call("POST", `${keysPath}/${uuid}/roll`, { overlapHours: 24 })).body;
  const { data } = (await made.call("GET", keysPath)).body as { data: Key[] };
  const of = (wanted: unknown) => data.find((key) => key.uuid === wanted)?.createdBy;
  const name = async (one: typeof made) => (await one.call("GET", "/api/me")).body.member as { name: string };
  assert.equal(of(uuid), (await name(made)).name);
  assert.equal(of(next.uuid), (await name(rolled)).name);
  assert.equal(data.find(({ lastFour }) => !String(apiKey).endsWith(lastFour) && lastFour === "_api")?.createdBy, null);
});

test("a key that the operator created has no creator, even if it ends like a member's key", async () => {
  const { call } = await signedIn(it, { role: "developer" });
  type Key = { uuid: string; createdBy: string | null };
  const fresh = (await call("POST", "/api/brands", { name: "Twins", integrationType: "api" })).body;
  const path = `/api/brands/${fresh.uuid}/sandbox/keys`;
  const { uuid, apiKey } = (await call("POST", path, { name: "Mine", ipRanges: [] })).body;
  const twin = { brandUuid: String(fresh.uuid), name: "Twin", apiKey: `sk_sandbox_${String(apiKey).slice(-4)}` };
  const other = await it.admin.home.inTransaction((trx) => insertKey(it.admin, trx, { ...twin, createdBy: null }));
  const { data } = (await call("GET", path)).body as { data: Key[] };
  const of = (wanted: unknown) => data.find((key) => key.uuid === wanted)?.createdBy;
  const { name } = (await call("GET", "/api/me")).body.member as { name: string };
  const first = data.find((key) => key.uuid !== uuid && key.uuid !== other);
  assert.deepEqual([of(uuid), of(other), first?.createdBy], [name, null, name]);
});

test("a key's name has no hidden or control characters", async () => {
  const { call } = await signedIn(it, { role: "developer" });
  const { uuid } = (await call("POST", keysPath, { name: "Plain", ipRanges: [] })).body;
  for (const name of ["a\u202eb", "a\nb", "a\u001b[31mb"])
    for (const [method, path] of [["POST", keysPath] as const, ["PATCH", `${keysPath}/${uuid}`] as const])
      assert.equal((await call(method, path, { name, ipRanges: [] })).status, 400);
});

test("a brand's name has no hidden or control characters, also when it is renamed", async () => {
  const { call } = await signedIn(it, { role: "developer" });
  const { uuid } = (await call("POST", "/api/brands", { name: "Plain", integrationType: "api" })).body;
  for (const name of ["a\u202eb", "a\u200bb", "a\u001b[31mb"]) {
    assert.equal((await call("POST", "/api/brands", { name, integrationType: "api" })).status, 400);
    assert.equal((await call("PATCH", `/api/brands/${uuid}`, { name })).status, 400);
  }
});

test("a working key stays listed and can be revoked after hundreds of newer keys have ended", async () => {
  const { call } = await signedIn(it, { role: "developer" });
  const { uuid: brandUuid } = (await call("POST", "/api/brands", { name: "Hidden key", integrationType: "api" })).body;
  const path = `/api/brands/${brandUuid}/sandbox/keys`;
  const { uuid, apiKey } = (await call("POST", path, { name: "Hidden", ipRanges: [] })).body;
  const at = it.deps.clock.now() + 1;
  for (let ended = 0; ended < 300; ended += 1) {
    const name = `Ended ${ended}`;
    const made = { brandUuid: String(brandUuid), name, apiKey: `sk_sandbox_ended_${ended}`, createdBy: null };
    const key = await it.admin.home.inTransaction((trx) => insertKey(it.admin, trx, made));
    const row = ended % 2 === 0 ? { created_at: at, ends_at: at - 1 } : { created_at: at, revoked_at: at };
    await it.admin.home.updateTable("api_key").set(row).where("uuid", "=", key).execute();
  }
  const { data } = (await call("GET", path)).body as { data: { uuid: string }[] };
  assert.ok(data.some((key) => key.uuid === uuid));
  assert.equal((await call("DELETE", `${path}/${uuid}`)).status, 200);
  assert.ok(!(await works(String(apiKey))));
});

test("a brand has at most fifty active keys", async () => {
  const { call } = await signedIn(it, { role: "developer" });
  const { uuid } = (await call("POST", "/api/brands", { name: "Many keys", integrationType: "api" })).body;
  const path = `/api/brands/${uuid}/sandbox/keys`;
  const { data } = (await call("GET", path)).body as { data: unknown[] };
  const add = async () => (await call("POST", path, { name: "One more", ipRanges: [] })).status;
  for (let working = data.length; working < 50; working += 1) assert.equal(await add(), 201);
  assert.equal(await add(), 409);
});

test("of sixty keys that are created at once, a brand gets fifty with its first one", async () => {
  const { call } = await signedIn(it, { role: "developer" });
  const { uuid } = (await call("POST", "/api/brands", { name: "Many at once", integrationType: "api" })).body;
  const add = () => call("POST", `/api/brands/${uuid}/sandbox/keys`, { name: "One of many", ipRanges: [] });
  const answers = await Promise.all(Array.from({ length: 60 }, add));
  const having = (status: number) => answers.filter((answer) => answer.status === status).length;
  assert.deepEqual([having(201), having(409)], [49, 11]);
});

test("a key works at once, only from its IP ranges, and is refused as soon as it is revoked", async () => {
  const { call } = await signedIn(it, { role: "developer" });
  const { uuid, apiKey } = (await call("POST", keysPath, { name: "CI", ipRanges: [] })).body;
  assert.ok(await works(String(apiKey)));
  assert.equal((await call("PATCH", `${keysPath}/${uuid}`, { name: "CI", ipRanges: ["203.0.113.0/24"] })).status, 200);
  assert.ok(!(await works(String(apiKey))));
  await call("PATCH", `${keysPath}/${uuid}`, { name: "CI", ipRanges: ["127.0.0.1"] });
  assert.ok(await works(String(apiKey)));
  for (const wrong of ["x", "1.2.3.4/33", "0.0.0.0/0", "::/0", "1.2.3"])
    assert.equal((await call("POST", keysPath, { name: "CI", ipRanges: [wrong] })).status, 400, wrong);
  const lastUse = async () => {
    const { data } = (await call("GET", keysPath)).body as { data: { uuid: string; lastUsedAt: number | null }[] };
    return data.find((one) => one.uuid === uuid)?.lastUsedAt;
  };
  // The last use is written in the background, a moment after the request.
  while ((await lastUse()) === null);
  const noted = it.deps.clock.now();
  assert.equal(await lastUse(), noted);
  // It is known to the minute: a use half a minute later is not stored, and one after a minute is.
  await it.advance(30_000);
  await works(String(apiKey));
  await it.advance(30_000);
  await works(String(apiKey));
  while ((await lastUse()) === noted);
  assert.equal(await lastUse(), noted + 60_000);
  await call("DELETE", `${keysPath}/${uuid}`);
  assert.ok(!(await works(String(apiKey))));
  const listed = JSON.stringify((await call("GET", keysPath)).body);
  assert.ok(!listed.includes(String(apiKey)) && listed.includes(String(apiKey).slice(-4)));
});

test("a rolled key works alongside its successor until the overlap ends", async () => {
  const { call } = await signedIn(it, { role: "developer" });
  const old = (await call("POST", keysPath, { name: "Backend", ipRanges: [] })).body;
  const next = (await call("POST", `${keysPath}/${old.uuid}/roll`, { overlapHours: 24 })).body;
  assert.ok((await works(String(old.apiKey))) && (await works(String(next.apiKey))));
  assert.equal((await call("POST", `${keysPath}/${old.uuid}/roll`, { overlapHours: 24 })).status, 409);
  await it.advance(24 * 3_600_000 - 1);
  assert.ok(await works(String(old.apiKey)));
  await it.advance(1);
  assert.deepEqual([await works(String(old.apiKey)), await works(String(next.apiKey))], [false, true]);
});
