import assert from "node:assert/strict";
import { test } from "node:test";
import { demoBrands, firstDemoCustomer } from "../providers/sandbox/demo.ts";
import { signedIn } from "./dashboard-member.ts";
import { sandbox } from "./harness.ts";

const it = await sandbox();
const brand = demoBrands.find((one) => one.customerUuid === firstDemoCustomer.uuid)?.uuid ?? "";
const keysPath = `/api/brands/${brand}/sandbox/keys`;

test("a key that was revoked is none to be changed, rolled or revoked", async () => {
  const { call } = await signedIn(it, { role: "developer" });
  const { uuid } = (await call("POST", keysPath, { name: "Old", ipRanges: [] })).body;
  assert.equal((await call("DELETE", `${keysPath}/${uuid}`)).status, 200);
  assert.equal((await call("DELETE", `${keysPath}/${uuid}`)).status, 404);
  assert.equal((await call("PATCH", `${keysPath}/${uuid}`, { name: "Old", ipRanges: [] })).status, 404);
  assert.equal((await call("POST", `${keysPath}/${uuid}/roll`, { overlapHours: 24 })).status, 404);
});

test("a brand has fifty keys that work, and no more", async () => {
  const { call } = await signedIn(it, { role: "developer" });
  const { uuid } = (await call("POST", "/api/brands", { name: "Many keys", integrationType: "api" })).body;
  const path = `/api/brands/${uuid}/sandbox/keys`;
  const { data } = (await call("GET", path)).body as { data: unknown[] };
  const add = async () => (await call("POST", path, { name: "One more", ipRanges: [] })).status;
  for (let working = data.length; working < 50; working += 1) assert.equal(await add(), 201);
  assert.equal(await add(), 409);
});
