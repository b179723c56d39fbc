import { sql } from "kysely";
import type { Trx } from "../../store/database.ts";
import type { Deps } from "../deps.ts";
import { unlinkIssued } from "../issuance/issued-credential-rows.ts";
import type { Phone } from "../ports.ts";

/**
 * Removes the indexes from the rows that stay of a former holder of a phone, because its next holder has the same
 * indexes. Consents keep a hash that is bound to the person, so that a phone can still be compared with the evidence.
 */
export async function unlinkRows(
  deps: Deps,
  trx: Trx,
  { personUuid, phone }: { personUuid: string; phone: Phone },
): Promise<void> {
  const none = { phone_index: null, email_index: null };
  await trx
    .updateTable("consent")
    .set({ ...none, evidence_hash: evidenceHash(deps, { personUuid, phone }) })
    .where("person_uuid", "=", personUuid)
    .execute();
  await unlinkIssued(trx, personUuid);
}

/** Does the same for deleted people. A call that ran during the deletion may have inserted its rows after it. */
export async function unlinkLate({ db, environment }: Deps): Promise<void> {
  for (const table of ["consent", "issued_credential"])
    await sql`
      update ${sql.table(table)} as late set phone_index = null, email_index = null
        from person
       where person.environment = ${environment} and person.phone_index is null and person.email_index is null
         and late.person_uuid = person.uuid
         and (late.phone_index is not null or late.email_index is not null)`.execute(db);
}

export function evidenceHash({ vault }: Deps, { personUuid, phone }: { personUuid: string; phone: string }): Buffer {
  return vault.codeHash(`consent|${personUuid}`, phone);
}
