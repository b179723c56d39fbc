/** Every statement about `ledger_entry`: what brands earn. No money moves. */
import type { Trx } from "../../store/database.ts";
import type { Deps } from "../deps.ts";

/**
 * What brands can earn (specification: "earning", "being paid").
 *
 * issuedCredentialUsed   another brand's 1-Click released an issued credential; the subject is the credential
 * editsReported          a v1 brand reported what the person edited; the subject is the 1-Click
 */
type EarningKind = "issuedCredentialUsed" | "editsReported";

export type Earning = {
  kind: EarningKind;
  /** The brand that earns. */
  brandUuid: string;
  personUuid?: string;
  subjectUuid: string;
  /** The 1-Click that caused the earning. It earns once per subject, even if it is recorded again. */
  causeUuid: string;
  /** Never personal values. */
  detail?: Record<string, string | string[]>;
};

/** Records earnings in the transaction that causes them. */
export async function insertEarnings(deps: Deps, trx: Trx, earnings: readonly Earning[]): Promise<void> {
  if (earnings.length === 0) return;
  const rows = earnings.map((one) => ({
    environment: deps.environment,
    at: deps.clock.now(),
    kind: one.kind,
    brand_uuid: one.brandUuid,
    person_uuid: one.personUuid ?? null,
    subject_uuid: one.subjectUuid,
    cause_uuid: one.causeUuid,
    detail: JSON.stringify(one.detail ?? {}),
  }));
  await trx
    .insertInto("ledger_entry")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
