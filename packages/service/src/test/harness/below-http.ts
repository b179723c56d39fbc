/** Test helpers that read and call the service below its HTTP interface. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { hashApiKey } from "../../domain/brand/api-key.ts";
import { findKeyOwner } from "../../domain/brand/brand-rows.ts";
import type { Caller } from "../../domain/deps.ts";
import { demoKey, type Sandbox } from "./sandbox.ts";

/** Returns the caller of an API key, to call flows directly without HTTP and its rate limits. */
export async function callerOf(it: Sandbox, apiKey = demoKey): Promise<Caller> {
  const owner = await findKeyOwner(it.store.home, "sandbox", hashApiKey(apiKey));
  assert.ok(owner);
  return { brand: owner.brand, apiKeyUuid: owner.apiKeyUuid, requestId: randomUUID() };
}

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const longHex = /\b[0-9a-f]{16,}\b/gi;

/** Removes UUIDs and long hex strings, in which short digits would match by chance. */
export function withoutIds(text: string): string {
  return text.replace(uuids, "").replace(longHex, "");
}

/**
 * Returns the columns, in all tables, that contain a value unencrypted, as text or as bytes. The times of migrations are
 * ignored, because their digits match by chance.
 */
export async function columnsWith(it: Sandbox, value: string): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string; type: string }>`
    select table_name as "table", column_name as "column", data_type as type from information_schema.columns
    where table_schema = current_schema() and data_type not in ('bigint', 'integer', 'uuid') and table_name <> 'migration'
  `.execute(it.store.db);
  const asBytes = Buffer.from(value).toString("hex");
  const found: string[] = [];
  for (const { table, column, type } of columns) {
    const { rows } = await sql<{ text: string | null }>`
      select ${sql.ref(column)}::text as text from ${sql.table(table)}
    `.execute(it.store.db);
    const holds = (text: string) => (type === "bytea" ? text.includes(asBytes) : withoutIds(text).includes(value));
    if (rows.some(({ text }) => text !== null && holds(text))) found.push(`${table}.${column}`);
  }
  return found;
}

/** Checks that no table contains any of the values unencrypted, and that the search finds what is stored like that. */
export async function assertNotStored(it: Sandbox, values: readonly string[]): Promise<void> {
  for (const value of values) {
    assert.ok(value.length >= 6, `"${value}" would be found by chance`);
    assert.deepEqual(await columnsWith(it, value), [], value);
  }
  assert.ok((await columnsWith(it, "Demo API")).includes("brand.name"));
}

/** Returns the codes that were texted to a phone, newest first. */
export async function codesSentTo(it: Sandbox, phone: string): Promise<string[]> {
  await it.runJobs();
  const { body } = await it.api.listMessages({ query: { to: phone } });
  return body.data.map((text) => /\d{6}/.exec(text.body)?.[0] ?? assert.fail(text.body));
}

let lastPhone = 0;
/** Returns a phone that is unique in this process and does not belong to a fixed sandbox person. */
export function freshPhone(): string {
  lastPhone += 1;
  return `+1303${5_550_000 + lastPhone}`;
}

/** The customer that owns a brand. */
export async function customerOf({ store }: Pick<Sandbox, "store">, brandUuid: string): Promise<string> {
  const { customer_uuid } = await store.db
    .selectFrom("brand")
    .select("customer_uuid")
    .where("uuid", "=", brandUuid)
    .executeTakeFirstOrThrow();
  return customer_uuid;
}
