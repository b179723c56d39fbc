import assert from "node:assert/strict";
import test from "node:test";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

test("a settings patch that changes nothing stores no version and records nothing", async () => {
  const { uuid } = await it.brand({ externalName: "Piper" });
  const stored = async () => {
    const { rows } = await it.store.pool.query(
      `select (select count(*) from brand_settings where brand_uuid = $1) versions,
              (select count(*) from account_audit where brand_uuid = $1) changes`,
      [uuid],
    );
    return rows;
  };
  const before = await stored();
  for (const body of [{}, { externalName: "Piper" }])
    assert.equal((await it.api.patchSandboxBrand({ params: { uuid }, body })).body.externalName, "Piper");
  assert.deepEqual(await stored(), before);
  await it.api.patchSandboxBrand({ params: { uuid }, body: { externalName: "Hooli" } });
  assert.notDeepEqual(await stored(), before);
});
