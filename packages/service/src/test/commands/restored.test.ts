// alone: sets the variables that the command reads
/** After a restore, what was revoked or ended since the dump must not work again. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { countersign } from "../../commands/commands.ts";
import { terminal } from "../../commands/output.ts";
import { findBrand } from "../../domain/brand/brand-rows.ts";
import { signIn } from "../harness/account-page.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { sandbox, sdkKey } from "../harness/sandbox.ts";
import { dataDir } from "../harness/service-process.ts";

const MASTER_KEY = "1".repeat(64);
const it = await sandbox({}, { MASTER_KEY });
const { connection } = it.store;
assert.ok("connectionString" in connection && typeof connection.connectionString === "string");
const DATA_DIR = await dataDir();
Object.assign(process.env, { DATABASE_URL: connection.connectionString, DATA_DIR, MASTER_KEY });
let printed = "";
Object.assign(terminal, { out: (text: string) => (printed += text), err: () => {} });

type Line = { what: string; on: string | null; result: string };
/** Runs the command after a restore, with a log of the audit stream. */
async function restored(entries: object[], toLine: (entry: object) => string): Promise<Line[]> {
  const log = join(DATA_DIR, "audit.jsonl");
  await writeFile(log, ["listening", ...entries.map(toLine)].join("\n"));
  printed = "";
  const line = ["restored", "--since", "2026-11-29T02:00Z", "--log", log, "--json"];
  await countersign.parseAsync(line, { from: "user" });
  return JSON.parse(printed);
}
const at = (minute: number) => `2026-11-29T03:${String(minute).padStart(2, "0")}:00.000Z`;
const environment = "sandbox";
const brandOf = async (uuid: string) => await findBrand(it.store.home, environment, uuid);

test("all sessions, links and session keys end, and what the log says was taken away is taken away again", async () => {
  const brand = await it.brand();
  const later = await it.brand();
  const member = await signedIn(it);
  await it.api.createOneClick({ body: { phone: "+12125557301" } });
  await signIn(it, "+12125557301");
  await it.as(sdkKey).createSession({ body: { phone: "+12125557302" } });
  const { rows } = await it.store.pool.query("select uuid, name from api_key where brand_uuid = $1", [brand.uuid]);
  const on = { environment, brand: brand.uuid };
  const entries = [
    { at: "2026-11-29T01:59:00.000Z", action: "brand.limited", environment, brand: later.uuid, subject: "stopped" },
    { at: at(1), action: "key.revoked", ...on, subject: rows[0].name },
    { at: at(2), action: "approval.revoked", ...on, subject: "issuance" },
    { at: at(3), action: "approval.revoked", ...on, subject: "trusted" },
    { at: at(4), action: "approval.granted", ...on, subject: "trusted" },
    { at: at(5), action: "brand.limited", ...on, subject: "stopped" },
    { at: at(6), action: "brand.limited", ...on, subject: "readOnly" },
    { at: at(7), action: "member.removed", aboutMember: member.uuid },
    { at: at(8), action: "settings.changed", ...on, subject: "consent" },
    { at: at(9), action: "key.revoked", ...on, subject: it.deps.random.uuid() },
    { at: at(10), action: "call.made", ...on },
  ];
  const lines = await restored(entries, (audit) => JSON.stringify({ audit }));
  assert.deepEqual(
    lines.filter(({ on: about }) => about !== null).map(({ what, result }) => `${what}: ${result}`),
    [
      "key.revoked: repeated",
      "approval.revoked: repeated",
      "approval.revoked: changed again later",
      "approval.granted: repeat it by hand",
      "brand.limited: changed again later",
      "brand.limited: repeated",
      "member.removed: repeated",
      "settings.changed: repeat it by hand",
      "key.revoked: not in this database",
    ],
  );
  const now = await brandOf(brand.uuid);
  assert.deepEqual(
    [now?.mode, now?.approvals.has("issuance"), now?.approvals.has("trusted")],
    ["readOnly", false, true],
  );
  assert.equal((await brandOf(later.uuid))?.mode, "active");
  const { rows: keys } = await it.store.pool.query("select revoked_at from api_key where uuid = $1", [rows[0].uuid]);
  assert.notEqual(keys[0].revoked_at, null);
  for (const table of ["member_session", "sign_in", "account_session", "session", "openid_artifact"])
    assert.equal((await it.store.pool.query(`select from ${table}`)).rowCount, 0, table);
  assert.equal((await member.call("GET", "/api/brands")).status, 401);
});

test("a member whom the operator signed out loses the passkeys and the invitations that the restore brought back", async () => {
  const member = await signedIn(it);
  const { home } = it.store;
  await it.store.pool.query(
    "insert into passkey values ($1::uuid, $2, $1::uuid::text, '', 0, '{}', 'Planted', false, 0)",
    [it.deps.random.uuid(), member.uuid],
  );
  const invited = await member.call("POST", "/api/members", {
    email: "eve@elsewhere.example",
    name: "Eve",
    role: "owner",
  });
  assert.equal(invited.status, 201);
  const entries = [
    { at: at(1), action: "session.ended", member: member.uuid },
    { at: at(2), action: "session.ended", aboutMember: member.uuid },
    { at: at(3), action: "session.ended", aboutMember: it.deps.random.uuid() },
  ];
  const lines = await restored(entries, (audit) => JSON.stringify({ audit }));
  assert.deepEqual(
    lines.filter(({ what }) => what === "session.ended").map(({ result }) => result),
    ["repeated", "not in this database"],
  );
  const { rows } = await it.store.pool.query("select from passkey where member_uuid = $1", [member.uuid]);
  assert.equal(rows.length, 0);
  const { uuid } = invited.body as { uuid: string };
  assert.notEqual(
    (await home.selectFrom("member").select("removed_at").where("uuid", "=", uuid).executeTakeFirst())?.removed_at,
    null,
  );
});

test("what `audit changes --json` printed is a log, and a file without entries is refused", async () => {
  const brand = await it.brand();
  const entry = { at: at(1), action: "brand.limited", environment, brand: brand.uuid, subject: "stopped" };
  const log = join(DATA_DIR, "printed.json");
  const run = async (content: string) => {
    await writeFile(log, content);
    printed = "";
    await countersign.parseAsync(["restored", "--since", "2026-11-29T02:00Z", "--log", log, "--json"], {
      from: "user",
    });
  };
  await run(JSON.stringify([entry], null, 2));
  assert.equal((await brandOf(brand.uuid))?.mode, "stopped");
  await assert.rejects(run("no entry\n"), /no entry that the service streamed/);
});

test("the command can be run again, and reads the bodies that a receiver got", async () => {
  const brand = await it.brand();
  const entry = { at: at(1), action: "approval.revoked", environment, brand: brand.uuid, subject: "issuance" };
  for (let run = 0; run < 2; run += 1) {
    const lines = await restored([entry], (one) => JSON.stringify({ entries: [one] }));
    assert.equal(lines.at(-1)?.result, "repeated");
  }
});
