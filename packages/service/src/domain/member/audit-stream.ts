/** Sends each new entry of the audit log to an external receiver, oldest first and at least once. */

import { type AccountAuditRow, actorOf, lockUnstreamed, setStreamed } from "../audit/account-audit-rows.ts";
import type { AccountDeps } from "../deps.ts";

/** Entries per request, and requests per run. The next run sends the rest. */
const batchMax = 100;
const batchesMax = 50;

/** An entry as the receiver gets it. Members are uuids, because names are personal data. */
export type StreamedEntry = ReturnType<typeof streamedEntry>;

export function streamedEntry(row: AccountAuditRow) {
  return {
    id: row.id,
    at: new Date(row.at).toISOString(),
    actor: actorOf(row),
    member: row.memberUuid,
    apiKey: row.apiKeyUuid,
    operator: row.operatorUuid,
    via: row.via,
    call: row.call,
    action: row.action,
    aboutMember: row.aboutMemberUuid,
    customer: row.customerUuid,
    brand: row.brandUuid,
    environment: row.environment,
    subject: row.subject,
    reason: row.reason,
    changes: row.changes,
  };
}

/**
 * Sends what has not been sent. An entry counts as sent when `send` has returned. If the process dies before that is
 * saved, the entry is sent again.
 */
export async function streamEntries(
  deps: Pick<AccountDeps, "home" | "clock">,
  send: (entries: StreamedEntry[]) => Promise<void>,
): Promise<void> {
  for (let batches = 0; batches < batchesMax; batches += 1) {
    const sent = await deps.home.inTransaction(async (trx) => {
      const rows = await lockUnstreamed(trx, batchMax);
      if (rows.length === 0) return 0;
      await send(rows.map(streamedEntry));
      const ids = rows.map(({ id }) => id);
      await setStreamed(trx, ids, deps.clock.now());
      return rows.length;
    });
    if (sent < batchMax) return;
  }
}
