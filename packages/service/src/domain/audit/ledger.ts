import type { Trx } from "../../store/database.ts";
import type { Deps } from "../deps.ts";

/**
 * What the specification calls earning or being paid. No money moves.
 *
 * issuedCredentialUsed   another brand's 1-Click gave away what the brand issued; the subject is the credential
 * editsReported          a v1 brand reported what the person edited; the subject is the 1-Click
 */
export type LedgerKind = "issuedCredentialUsed" | "editsReported";

export type LedgerEntry = {
  kind: LedgerKind;
  /** Who earned. */
  brandUuid: string;
  personUuid?: string;
  subjectUuid: string;
  /** The 1-Click by which it was earned. One cause earns once for one subject, however often it is told. */
  causeUuid: string;
  /** Never personal values. */
  detail?: Record<string, string | string[]>;
};

/** Written in the transaction of the deed. */
export async function recordLedgerEntry(deps: Deps, trx: Trx, entry: LedgerEntry): Promise<void> {
  await trx
    .insertInto("ledger_entry")
    .values({
      environment: deps.environment,
      at: deps.clock.now(),
      kind: entry.kind,
      brand_uuid: entry.brandUuid,
      person_uuid: entry.personUuid ?? null,
      subject_uuid: entry.subjectUuid,
      cause_uuid: entry.causeUuid,
      detail: JSON.stringify(entry.detail ?? {}),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
