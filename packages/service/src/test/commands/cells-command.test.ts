// alone: sets STORES and the variables that the command reads
/** `countersign cells add` refuses a database that a cell already uses. */
process.env.STORES = "listed";

import assert from "node:assert/strict";
import { Readable } from "node:stream";
import test, { after } from "node:test";
import { countersign } from "../../commands/commands.ts";
import { terminal } from "../../commands/output.ts";
import { cloneDatabase, inSchema } from "../harness/database-template.ts";
import { sandbox } from "../harness/sandbox.ts";
import { dataDir } from "../harness/service-process.ts";

const master = "1".repeat(64);
const it = await sandbox({}, { MASTER_KEY: master });
const cell = await cloneDatabase("empty");
after(cell.drop);
const { connection } = it.store;
assert.ok("connectionString" in connection && typeof connection.connectionString === "string");
const home = connection.connectionString;
Object.assign(process.env, { DATABASE_URL: home, DATA_DIR: await dataDir(), MASTER_KEY: master });
Object.assign(terminal, { out: () => {}, err: () => {} });

const add = (address: string) =>
  countersign.parseAsync(["cells", "add", address, "--share", "10"], { from: "user" }).then(() => undefined);
const list = () => it.store.home.selectFrom("cell").select("number").execute();

test("a schema can become a cell only once, even under another address", async () => {
  await add(cell.url);
  const again = new URL(cell.url);
  again.searchParams.set("application_name", "another");
  const message = "Cell 1 already uses this schema of this database. Name another one in the address.";
  for (const address of [cell.url, again.toString()]) await assert.rejects(add(address), { status: 409, message });
  await assert.rejects(add(home), { status: 409 });
  assert.deepEqual(await list(), [{ number: 1 }]);
  await add(inSchema(cell.url, "cell_2"));
  assert.deepEqual(await list(), [{ number: 1 }, { number: 2 }]);
});

test("`cells add -` reads the address from standard input, where other users of the machine can't see its password", async () => {
  Object.defineProperty(process, "stdin", { value: Readable.from([`${inSchema(cell.url, "cell_3")}\n`]) });
  await add("-");
  assert.deepEqual((await list()).at(-1), { number: 3 });
});
