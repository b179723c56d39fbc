import { type RawBuilder, sql } from "kysely";
import type { ReportingDeps, Span } from "./deps.ts";

/** A brand's verifications, including erased ones. `texts_sent` counts texts that the gateway accepted. */
export function verificationsIn(
  { environment }: Pick<ReportingDeps, "environment">,
  { brandUuid, from, to }: Span,
): RawBuilder<unknown> {
  const columns = sql`channel, status, attempts_used, deliveries, created_at, expires_at, delivered_at`;
  const sent = sql`(select count(*) from message where verification_uuid = verification.uuid and sent_at is not null)`;
  const own = sql`brand_uuid = ${brandUuid} and environment = ${environment}
    and created_at >= ${from} and created_at < ${to}`;
  return sql`
    select ${columns}, ${sent} as texts_sent from verification where ${own}
    union all
    -- Rows that were erased before texts were counted have deliveries only.
    select ${columns}, coalesce(texts_sent, deliveries) from verification_past where ${own}`;
}
