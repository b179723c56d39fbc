/** A service that fails to close one part still closes the others. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { closeAll } from "../../compose/close-all.ts";
import { compose } from "../../compose/service.ts";
import { readConfig } from "../../config/config.ts";
import { cloneDatabase } from "../harness/database-template.ts";

const database = await cloneDatabase();
const dataDir = await mkdtemp(join(tmpdir(), "countersign-close-"));
after(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true });
});
const log = { info() {}, warn() {}, error() {} };

test("groups are closed in order, even if some fail, and the first error is thrown at the end", async () => {
  const closed: string[] = [];
  const slow = Promise.withResolvers<void>();
  const closing = closeAll(
    [() => Promise.reject(new Error("first")), () => slow.promise.then(() => void closed.push("slow"))],
    [
      () => {
        closed.push("later");
        throw new Error("second");
      },
      () => undefined,
    ],
    [async () => void closed.push("last")],
  );
  slow.resolve();
  await assert.rejects(closing, /first/);
  assert.deepEqual(closed, ["slow", "later", "last"]);
});

test("if a listener fails to close, the database connections and the server are still closed", async () => {
  const service = await compose(readConfig({ DATA_DIR: dataDir, DATABASE_URL: database.url }), log, null);
  let isStopped = false;
  service.server.stop = async () => {
    isStopped = true;
  };
  for (const { app } of [{ app: service.dashboard }, service.sandbox])
    app.addHook("onClose", async () => {
      throw new Error("the listener cannot close");
    });
  await assert.rejects(service.close(), /the listener cannot close/);
  assert.deepEqual([service.store.pool.ended, service.store.pool.totalCount, isStopped], [true, 0, true]);
});
