/** What four operations do to every table about people: the list, the schema and real rows agree. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { sql } from "kysely";
import { tablesElsewhere, tablesInCell } from "../../domain/account/person-tables.ts";
import { openOneClickStates } from "../../domain/signup/one-click.ts";
import { askForStateId } from "../../domain/state-id/ask.ts";
import type { Tables } from "../../store/statements/tables.ts";
import { type Browser, birthDate, signIn } from "../harness/account-page.ts";
import { codesSentTo, freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { hostedPage, hostedShare } from "../harness/hosted-share.ts";
import { openidBrand, signIn as openidSignIn } from "../harness/openid.ts";
import { demoKey, refusal, sandbox, sdkKey } from "../harness/sandbox.ts";

const it = await sandbox({
  vendors: {
    outbound: {
      judge: () => null,
      post: async () => ({ kind: "answered", status: 500, text: "not today", durationMs: 1 }),
    },
  },
});
const openid = await openidBrand(it);
/** A brand from which nobody withdraws. */
const lasting = await it.brand();
await it.inject({
  method: "POST",
  url: "/sandbox/brands/b0000000-0000-4000-8000-000000000001/webhooks",
  headers: { authorization: demoKey, "content-type": "application/json" },
  payload: JSON.stringify({ url: "https://brand.example/hook" }),
});

const tables: Record<string, (typeof tablesInCell)["one_click"] | (typeof tablesElsewhere)["session"]> = {
  ...tablesInCell,
  ...tablesElsewhere,
};
type Operation = keyof (typeof tablesInCell)["one_click"];

/** Whether an operation keeps a table's rows. A table without its own step follows the table that the list names. */
function stays(table: string, operation: Operation): boolean {
  const rule = tables[table]?.[operation] ?? assert.fail(table);
  return (rule.kind === "withTable" ? tablesInCell[rule.table][operation] : rule).kind === "stays";
}

test("every table with a column that leads to a person, or with a data key, is in the list", async () => {
  const schema = await readFile(new URL("../../../../../docs/schema.sql", import.meta.url), "utf8");
  const leads = /^ {2}(?:person_uuid|phone_index|phone_hash|email_index|to_index|one_click_uuid|data_key_uuid) /m;
  /** Their keys and addresses are those of members, webhooks and cells. */
  const notPeople = ["cell", "mail", "member", "operator", "sign_in", "webhook_endpoint"];
  const found = [...schema.matchAll(/^create (?:unlogged )?table (\w+) \(([^;]*)\);/gm)]
    .filter(([, , columns = ""]) => leads.test(columns))
    .map(([, name = ""]) => name)
    .filter((name) => !notPeople.includes(name));
  assert.ok(found.length >= 17);
  assert.deepEqual(
    found.filter((name) => !(name in tables)),
    [],
  );
});

type Line = { table: string; row: Record<string, unknown>; text: string };

/** All rows of the listed tables, each with whether its data key still exists. */
async function everything(): Promise<Line[]> {
  const lines: Line[] = [];
  const { rows: keys } = await it.store.pool.query("select uuid from data_key where wrapped is not null");
  const usable = new Set(keys.map(({ uuid }) => uuid));
  for (const table of Object.keys(tables)) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(t) as row from ${sql.table(table)} t`.execute(it.store.db);
    for (const { row } of rows)
      lines.push({ table, row, text: JSON.stringify({ ...row, hasKey: usable.has(String(row.data_key_uuid)) }) });
  }
  return lines;
}

/** The rows that lead to a person, by ids or by the index of the phone, directly or through other rows. */
function linesOf(lines: readonly Line[], ids: readonly string[]): Line[] {
  const known = new Set(ids);
  const found = new Set<Line>();
  for (let round = 0; round < 4; round += 1)
    for (const line of lines)
      if (!found.has(line) && [...known].some((id) => line.text.includes(id))) {
        found.add(line);
        if (typeof line.row.uuid === "string") known.add(line.row.uuid);
      }
  return [...found];
}

/** Creates rows about a person in every listed table that can have some. */
async function personInEveryTable(phone: string) {
  const credentials = [{ type: "EmployerNameCredential", data: { employer: "Canary Works" } }];
  const issuer = it.as("sk_sandbox_demo_semi_hosted");
  const issued = (await issuer.issueCredentials({ body: { phone, credentials } })).body.credentials[0]?.id ?? "";
  const headers = { "idempotency-key": `every${phone}` };
  const { uuid } = (await it.api.createOneClick({ body: { phone }, headers })).body;
  await it.api.createHealthLookup({ body: { identityUuid: uuid } });
  await it.api.createOneClick({ body: { phone, credentialRequests: [{ type: "EmployerNameCredential" }] } });
  await hostedShare(it, phone);
  const missing = [{ type: "TitleCredential" as const, mandatory: "yes" as const, allowUserInput: true }];
  const page = await hostedPage(it, phone, missing);
  await page.session.beginPresentation({ body: { page: page.page } });
  const asking = { subject: page.uuid, browser: "a session", origin: "http://localhost:4001" };
  await askForStateId(await it.deps.cells.ofUuid(page.uuid), { ...asking, elements: ["given_name"] });
  await openidSignIn(it, openid, {}, { phone });
  const sdk = it.as(sdkKey);
  const { uuid: verificationUuid } = (await sdk.createVerification({ body: { channel: "sms", phone } })).body;
  await sdk.deliverVerification({ params: { uuid: verificationUuid } });
  const [code = ""] = await codesSentTo(it, phone);
  await sdk.submitVerificationCode({ params: { uuid: verificationUuid }, body: { code } });
  await sdk.createSession({ body: { verificationUuid } });
  await lasting.api.createVerification({ body: { channel: "sms", phone } });
  for (const body of ["STOP", "START"]) await it.api.answerText({ body: { from: phone, body } });
  const browser = await signIn(it, phone);
  await browser.proveAccount({ body: { birthDate } });
  await browser.takeOut({ body: { issued } });
  await refusal(it.api.createOneClick({ body: { phone, birthDate: "1970-01-01" } }));
  await it.runJobs();
  return browser;
}

/** Whether the operation must have removed this row. */
function mustEnd({ operation, line: { table, row } }: { operation: Operation; line: Line }): boolean {
  if (stays(table, operation)) return false;
  if (operation === "handOver" && table === "one_click") return openOneClickStates.some((state) => state === row.state);
  if (operation === "withdraw" && row.brand_uuid === lasting.uuid) return false;
  return operation === "delete" || operation === "handOver" || row.brand_uuid !== null;
}

const operations: Record<Operation, (browser: Browser) => Promise<unknown>> = {
  delete: (browser) => browser.deleteAccount({ body: { consent: agreed("delete") } }),
  async withdraw(browser) {
    for (const { uuid } of (await browser.readAccount()).body.brands)
      await browser.stopSharing({ params: { uuid }, body: { consent: agreed("stop") } });
  },
  handOver: (browser) => browser.takeOverNumber({ body: { consent: agreed("handOver") } }),
  reset: () => it.api.resetSandbox(),
};
/** Tables that stay empty here, or whose rows identify nobody. */
const empty = [
  "cell_home",
  "listener_offer",
  "master_key",
  "request_log",
  "risk_sighting",
  "text_result",
  "use_count",
  "verification_past",
];

for (const [name, run] of Object.entries(operations)) {
  const operation = name as Operation;
  test(`after ${operation}, the rows that the list ends are gone, and no others`, async () => {
    const phone = freshPhone();
    const browser = await personInEveryTable(phone);
    const index = it.deps.vault.index("phone", "sandbox", phone);
    const person = await it.store.db
      .selectFrom("person")
      .select(["uuid", "data_key_uuid"])
      .where("phone_index", "=", index)
      .executeTakeFirstOrThrow();
    const isOtherKey = ({ table, row }: Line) => table === "data_key" && row.uuid !== person.data_key_uuid;
    const ids = [person.uuid, person.data_key_uuid, index.toString("hex")];
    const before = linesOf(await everything(), ids).filter((line) => !isOtherKey(line));
    const filled = new Set(before.map(({ table }) => table));
    assert.deepEqual(
      Object.keys(tables).filter((table) => !filled.has(table) && !empty.includes(table)),
      [],
    );

    await run(browser);

    const after = new Set((await everything()).map(({ table, text }) => `${table} ${text}`));
    for (const line of before) {
      // A person who stays keeps their key.
      const isKept = operation === "reset" && line.table === "data_key";
      const ends = !isKept && mustEnd({ operation, line });
      const isUnchanged = after.has(`${line.table} ${line.text}`);
      assert.equal(isUnchanged, !ends, `${line.table}: ${line.text}`);
    }
  });
}

test("after a reset of the sandbox, every data key has rows", async () => {
  const phone = freshPhone();
  await personInEveryTable(phone);
  const headers = { "idempotency-key": "without-rows" };
  await it.api.createOneClick({ body: { phone }, headers });
  const device = await it.inject({
    method: "POST",
    url: "/v2/1-click/verifications",
    headers: { authorization: demoKey },
    payload: { channel: "autofill", deviceIp: "::121:2555:0010" },
  });
  assert.equal(device.status, 302);
  await it.api.createHealthLookup({
    body: { fullName: { firstName: "Richard", lastName: "Hendricks" }, birthDate: "1989-08-01" },
  });
  const withKeys: (keyof Tables)[] = [
    ...[
      "cell",
      "health_lookup",
      "idempotent_answer",
      "issued_credential",
      "mail",
      "member",
      "message",
      "one_click",
      "operator",
    ],
    ...[
      "person",
      "presentation",
      "session",
      "state_id_request",
      "takeout",
      "verification",
      "webhook_delivery",
      "webhook_endpoint",
    ],
  ] as (keyof Tables)[];
  const used = withKeys.map((table) => `select data_key_uuid from ${table}`).join(" union all ");
  const unused = async () =>
    (await it.store.pool.query(`select uuid from data_key where wrapped is not null and uuid not in (${used})`)).rows
      .length;
  assert.equal(await unused(), 0);
  await it.api.resetSandbox();
  assert.equal(await unused(), 0);
});
