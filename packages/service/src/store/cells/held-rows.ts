/** Whether a cell has a person or an object. Used to send a request to the right cell. */
import { sql } from "kysely";
import type { Reader } from "../database.ts";

/** The tables whose uuids requests contain. Issuers choose the ids of credentials, which `holdsIssued` looks up. */
const named = ["one_click", "verification", "health_lookup", "webhook_delivery", "message"] as const;

export async function holdsUuid(reader: Reader, uuid: string): Promise<boolean> {
  const each = named.map((table) => sql`select from ${sql.table(table)} where uuid = ${uuid}`);
  return await isAny(reader, sql.join(each, sql` union all `));
}

type Issued = { environment: string; ids: readonly string[]; brandUuid: string };

/** Whether a brand's credential with one of these ids is stored here. */
export async function holdsIssued(reader: Reader, { environment, ids, brandUuid }: Issued): Promise<boolean> {
  return await isAny(
    reader,
    sql`select from issued_credential
         where environment = ${environment} and uuid = any(${[...ids]}::uuid[]) and brand_uuid = ${brandUuid}`,
  );
}

type Person = { environment: string; kind: "phone" | "email"; index: Buffer };

/** Whether a person was ever stored here. A person is stored at the first verification, text or credential. */
export async function knowsPerson(reader: Reader, { environment, kind, index }: Person): Promise<boolean> {
  const column = sql.ref(`${kind}_index`);
  const person = sql`select from person where environment = ${environment} and ${column} = ${index}`;
  const stop = sql`select from text_stop where environment = ${environment} and phone_index = ${index}`;
  return await isAny(reader, kind === "phone" ? sql`${person} union all ${stop}` : person);
}

async function isAny(reader: Reader, rows: ReturnType<typeof sql>): Promise<boolean> {
  const { rows: answer } = await sql<{ found: boolean }>`select exists (${rows}) as found`.execute(reader);
  return answer[0]?.found === true;
}
