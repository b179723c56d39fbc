import assert from "node:assert/strict";
import test from "node:test";
import { sandbox } from "../harness/sandbox.ts";
import { recordStatements } from "../harness/statement-log.ts";

const it = await sandbox();

test("a settings patch that changes nothing stores no version, records nothing and notifies no process", async () => {
  const { uuid } = await it.brand({ externalName: "Piper" });
  const stored = async () => {
    const { rows } = await it.store.pool.query(
      `select (select count(*) from brand_settings where brand_uuid = $1) versions,
              (select count(*) from account_audit where brand_uuid = $1) changes`,
      [uuid],
    );
    return rows;
  };
  /** Patches the settings. Returns how many notifications that sent. */
  const patch = async (body: { externalName?: string }) => {
    const statements: string[] = [];
    await recordStatements(statements, () => it.api.patchSandboxBrand({ params: { uuid }, body }));
    return statements.filter((text) => text.includes("pg_notify")).length;
  };
  const before = await stored();
  assert.deepEqual([await patch({}), await patch({ externalName: "Piper" })], [0, 0]);
  assert.deepEqual(await stored(), before);
  assert.equal(await patch({ externalName: "Hooli" }), 1);
  assert.notDeepEqual(await stored(), before);
});
