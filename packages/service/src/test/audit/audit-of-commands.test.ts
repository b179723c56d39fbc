// alone: sets the variables that the commands read
/** Every command that changes something leaves an entry in the audit log. The walk covers the whole command line. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import test, { after } from "node:test";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { pathOf } from "../../commands/arguments.ts";
import { countersign } from "../../commands/commands.ts";
import { terminal } from "../../commands/output.ts";
import { createBrand } from "../../domain/brand/manage.ts";
import { replaceRequest } from "../../domain/brand/name-requests.ts";
import { insertApprovalRequest } from "../../domain/member/approval-request-rows.ts";
import { bundledPayers } from "../../providers/payers/directory.ts";
import { firstDemoCustomer } from "../../providers/sandbox/demo.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { cloneDatabase } from "../harness/database-template.ts";
import { fakeTime } from "../harness/fake-time.ts";
import { png } from "../harness/logo-pictures.ts";
import { sandbox } from "../harness/sandbox.ts";
import { dataDir } from "../harness/service-process.ts";
import { fakeVendor } from "../harness/vendors/fake-vendor.ts";

const master = "1".repeat(64);
const it = await sandbox({}, { MASTER_KEY: master });
/** An empty database for a second cell. */
const cell = await cloneDatabase("empty");
after(cell.drop);
const { connection } = it.stores.store;
assert.ok("connectionString" in connection);
const folder = await dataDir();
const items = bundledPayers().payers.map(({ name, ids }, at) => {
  return { stediId: `S${at}`, displayName: name, primaryPayerId: ids[0] };
});
const stedi = await fakeVendor(fakeTime(), () => ({ body: { items } }));
// The commands run in this process, so that a walk over all of them takes seconds.
Object.assign(process.env, {
  DATABASE_URL: connection.connectionString,
  DATA_DIR: folder,
  MASTER_KEY: master,
  MASTER_KEY_OTHER: "2".repeat(64),
  STEDI_API_KEY: "key",
  STEDI_API_URL: stedi.url,
});
const customer = firstDemoCustomer.uuid;
const { uuid: brand } = await it.brand();
const picture = join(folder, "logo.png");
await writeFile(picture, png());
let printed = "";
terminal.out = (text) => {
  printed += text;
};

async function run(line: string): Promise<void> {
  printed = "";
  process.exitCode = undefined;
  await countersign.parseAsync(line.split(" "), { from: "user" });
  const code = process.exitCode;
  process.exitCode = undefined;
  assert.equal(code, 0, line);
}

async function nameRequest(value = "A new name"): Promise<string> {
  const uuid = it.deps.random.uuid();
  const owner = { customerUuid: customer, brandUuid: null, environment: "account" as const };
  const request = { uuid, value, now: 1 };
  await it.store.home.inTransaction((trx) => replaceRequest(trx, owner, { path: "name", request }));
  return uuid;
}

/** A line of each command that changes something, with the action that the audit log names. */
const changes: Record<string, { line: () => string | Promise<string>; action: string; account?: string }> = {
  "brands create": {
    line: () => `brands create --customer ${customer} --name Piper --type api`,
    action: "brand.created",
    account: customer,
  },
  "brands logo": {
    line: () => `brands logo --brand ${brand} ${picture}`,
    action: "settings.changed",
    account: customer,
  },
  "brands mode": { line: () => `brands mode --brand ${brand} active`, action: "brand.limited", account: customer },
  "keys create": { line: () => `keys create --brand ${brand} --name two`, action: "key.created", account: customer },
  "keys revoke": {
    line: async () => {
      await run(`keys create --brand ${brand}`);
      return `keys revoke --brand ${brand} --key ${JSON.parse(printed).key}`;
    },
    action: "key.revoked",
    account: customer,
  },
  "keys rotate-master": { line: () => "keys rotate-master", action: "masterKey.rotated" },
  "approvals grant": {
    line: () => `approvals grant --brand ${brand} trusted`,
    action: "approval.granted",
    account: customer,
  },
  "approvals revoke": {
    line: () => `approvals revoke --brand ${brand} trusted`,
    action: "approval.revoked",
    account: customer,
  },
  "approvals approve": {
    line: async () => `approvals approve --request ${await nameRequest()}`,
    action: "name.approved",
    account: customer,
  },
  "approvals reject": {
    line: async () => `approvals reject --request ${await nameRequest()}`,
    action: "name.rejected",
    account: customer,
  },
  "customers create": {
    line: () => "customers create --name Hooli --email gavin@example.com",
    action: "customer.created",
  },
  "members add": {
    line: () => `members add --customer ${customer} --email jared@example.com --role viewer`,
    action: "member.added",
    account: customer,
  },
  "dashboard link": {
    line: async () => `dashboard link --email ${(await signedIn(it)).email}`,
    action: "link.created",
    account: customer,
  },
  "sessions end": {
    line: async () => `sessions end --email ${(await signedIn(it)).email}`,
    action: "session.ended",
    account: customer,
  },
  "members remove": {
    line: async () => `members remove --member ${(await signedIn(it)).uuid}`,
    action: "member.removed",
    account: customer,
  },
  "passkeys remove": {
    line: async () => {
      const { uuid } = await signedIn(it);
      const passkey = it.deps.random.uuid();
      await it.store.pool.query(
        "insert into passkey values ($1::uuid, $2, $1::uuid::text, '', 0, '{}', 'Old', false, 0)",
        [passkey, uuid],
      );
      return `passkeys remove --member ${uuid} --passkey ${passkey}`;
    },
    action: "passkey.deleted",
    account: customer,
  },
  "payers sync": { line: () => "payers sync", action: "payers.synced" },
  "cells add": { line: () => `cells add ${cell.url}`, action: "cell.added" },
  migrate: {
    line: async () => {
      await it.store.pool.query("delete from migration where name = '0035-fewer-indexes'");
      return "migrate";
    },
    action: "database.migrated",
  },
};

/** Commands that change nothing, or whose changes the service records: it starts, and sandbox control has its own entries. */
const reads = [
  ...["start", "health", "listen", "trigger", "events resend", "events show", "logs tail", "completion"],
  ...[
    "brands list",
    "keys list",
    "approvals requests",
    "approvals names",
    "approvals logo",
    "audit disclosures",
    "audit changes",
  ],
  ...[
    "members list",
    "passkeys list",
    "x12 compose",
    "x12 explain",
    "x12 parse",
    "conformance identity",
    "conformance risk",
    "cells list",
  ],
];
/** Commands that only a Citus coordinator carries out. */
const ofCitus = ["cells move", "cells rebalance"];

const leaves = (one: CommandUnknownOpts): CommandUnknownOpts[] =>
  one.commands.length === 0 ? [one] : one.commands.flatMap(leaves);
const nameOf = (one: CommandUnknownOpts) => pathOf(one).replace("countersign ", "");

test("each command that changes something leaves an entry that names the operator, the command and the account", async (t) => {
  assert.deepEqual(leaves(countersign).map(nameOf).sort(), [...Object.keys(changes), ...reads, ...ofCitus].sort());
  await createBrand(it.admin, { customerUuid: customer, name: "Other", settings: {}, approvals: [] });
  for (const [name, { line, action, account }] of Object.entries(changes))
    await t.test(name, async () => {
      await run(await line());
      const rows = await it.store.db.selectFrom("account_audit").selectAll().orderBy("id").execute();
      const entries = rows.filter(({ call }) => call === name);
      const entry = entries.at(-1) ?? assert.fail("no entry");
      assert.deepEqual([entry.via, entry.member_uuid, entry.api_key_uuid], ["commandLine", null, null]);
      assert.ok(
        entries.some((one) => one.action === action),
        entry.action,
      );
      if (account !== undefined) assert.equal(entry.customer_uuid, account);
      assert.ok(!JSON.stringify(entry).includes("@"));
    });
});

test("the operator sees whole notes and names on a terminal before they approve them", async (t) => {
  t.mock.method(terminal, "isForPeople", () => true);
  const long = `www.bank.example.${"a".repeat(60)}.evil.example`;
  await nameRequest(long);
  await run("approvals names");
  assert.ok(printed.includes(long));
  const other = await createBrand(it.admin, { customerUuid: customer, name: "Other", settings: {}, approvals: [] });
  const asked = { uuid: it.deps.random.uuid(), brandUuid: other.uuid, memberUuid: (await signedIn(it)).uuid };
  await it.store.home.inTransaction((trx) =>
    insertApprovalRequest(trx, { ...asked, confirmed: [], note: long, now: 1 }),
  );
  await run("approvals requests");
  assert.ok(printed.includes(long));
});
