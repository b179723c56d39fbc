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
import { bundledPayers } from "../../providers/payers/directory.ts";
import { firstDemoCustomer } from "../../providers/sandbox/demo.ts";
import { migrations } from "../../store/migrations/migrate.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { cloneDatabase } from "../harness/database-template.ts";
import { fakeTime } from "../harness/fake-time.ts";
import { png } from "../harness/logo-pictures.ts";
import { requestProduction } from "../harness/production-request.ts";
import { sandbox } from "../harness/sandbox.ts";
import { dataDir } from "../harness/service-process.ts";
import { changesOfIssuers } from "../harness/trust-list-commands.ts";
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

async function askingBrand(asked: { note?: string; confirmed?: string[] } = {}): Promise<string> {
  await run(`brands create --customer ${customer} --name Bachmanity --type api --environment production`);
  const { brand: brandUuid } = JSON.parse(printed);
  await requestProduction(it, { brandUuid, memberUuid: (await signedIn(it)).uuid, ...asked });
  return brandUuid;
}

const invite = "operators invite --email gavin@operator.example --name Gavin --role support";
async function invited(): Promise<string> {
  await run(invite);
  return JSON.parse(printed).operator;
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
  "brands consent": {
    line: () => `brands consent --brand ${brand} --environment sandbox withdrawn`,
    action: "settings.changed",
    account: customer,
  },
  "brands mode": {
    line: () => `brands mode --brand ${brand} --environment sandbox active`,
    action: "brand.limited",
    account: customer,
  },
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
    line: () => `approvals grant --brand ${brand} --environment sandbox trusted`,
    action: "approval.granted",
    account: customer,
  },
  "approvals revoke": {
    line: () => `approvals revoke --brand ${brand} --environment sandbox trusted`,
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
  "approvals refuse": {
    line: async () => `approvals refuse --brand ${await askingBrand()} --reason No`,
    action: "approval.refused",
    account: customer,
  },
  "operators invite": { line: () => invite, action: "operator.invited" },
  "operators remove": {
    line: async () => `operators remove --operator ${await invited()}`,
    action: "operator.removed",
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
  ...changesOfIssuers(it, folder),
  "payers picture": { line: () => "payers picture 60054 none", action: "payer.pictureChanged" },
  "cells add": { line: () => `cells add ${cell.url}`, action: "cell.added" },
  "cells adopt": { line: () => "cells adopt --cell 1", action: "cell.adopted" },
  restored: { line: () => "restored --since 2026-11-29T02:00Z", action: "database.restored" },
  migrate: {
    line: () => {
      migrations["9000-newer"] = "create table newer (id integer)";
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
    "operators list",
    "audit disclosures",
    "audit changes",
  ],
  ...["members list", "customers list", "passkeys list", "x12 compose", "x12 explain", "x12 parse"],
  ...["conformance identity", "conformance risk", "cells list", "issuers list"],
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
  const long = `www.bank.example.${"a".repeat(60)}.evil.example`;
  await askingBrand({ note: long });
  t.mock.method(terminal, "isForPeople", () => true);
  await nameRequest(long);
  await run("approvals names");
  assert.ok(printed.includes(long));
  await run("approvals requests");
  assert.ok(printed.includes(long));
});

test("a brand that the operator creates in production has a sandbox that its members can use", async () => {
  await run(`brands create --customer ${customer} --name Piper --type api --environment production`);
  const made = JSON.parse(printed);
  assert.deepEqual(Object.keys(made), ["brand", "environment", "apiKey", "settings"]);
  const { call } = await signedIn(it);
  const { body } = await call("GET", `/api/brands/${made.brand}`);
  const states = (body.environments as { environment: string; integrationType: string }[]).map(
    ({ environment, integrationType }) => `${environment} ${integrationType}`,
  );
  assert.deepEqual(states, ["sandbox api", "production api"]);
  const { body: approvals } = await call("GET", `/api/brands/${made.brand}/sandbox/approvals`);
  assert.ok(JSON.stringify(approvals).includes("silent"));
  const key = await call("POST", `/api/brands/${made.brand}/sandbox/keys`, { name: "first", ipRanges: [] });
  assert.equal(key.status, 201);
  const first = await it.as(String(key.body.apiKey)).createOneClick({ body: { phone: "+12125550010" } });
  assert.equal(first.status, 201);
});

test("the operator sees a request's checklist, and declares a brand's consent by command", async () => {
  const asking = await askingBrand({ confirmed: ["masking"] });
  const line = async () => {
    await run("approvals requests");
    return (JSON.parse(printed) as { brand: string }[]).find((one) => one.brand === asking) as Record<string, unknown>;
  };
  const before = await line();
  assert.deepEqual([before.integrationType, before.confirmed], ["api", ["masking"]]);
  assert.ok((before.notDone as string[]).includes("consentDeclared"));
  await run(`brands consent --brand ${asking} --environment production declared`);
  assert.ok(((await line()).checked as string[]).includes("consentDeclared"));
  await run(`brands consent --brand ${asking} --environment production withdrawn`);
  assert.ok(((await line()).notDone as string[]).includes("consentDeclared"));
});

test("commands name an id like the option that takes it", async () => {
  await run("customers create --name Hooli --email nelson@example.com");
  assert.deepEqual(Object.keys(JSON.parse(printed)), ["customer"]);
  const created = JSON.parse(printed).customer;
  await run("customers list");
  assert.ok(JSON.parse(printed).some((row: { customer: string }) => row.customer === created));
  await run(`members add --customer ${customer} --email denpok@example.com --role viewer`);
  assert.deepEqual(Object.keys(JSON.parse(printed)), ["member", "email", "role"]);
  await run(`brands list --customer ${customer}`);
  assert.ok((JSON.parse(printed) as Record<string, unknown>[]).every((row) => "brand" in row && !("uuid" in row)));
});
