import { type RawBuilder, sql } from "kysely";
import type { Span, WatchDeps } from "./of.ts";

/** A brand's verifications, those that were erased included: channel, state and instants. */
export function verificationsIn(
  { environment }: Pick<WatchDeps, "environment">,
  { brandUuid, from, to }: Span,
): RawBuilder<unknown> {
  const columns = sql`channel, status, attempts_used, deliveries, created_at, expires_at, delivered_at`;
  const own = sql`brand_uuid = ${brandUuid} and environment = ${environment}
    and created_at >= ${from} and created_at < ${to}`;
  return sql`
    select ${columns} from verification where ${own}
    union all
    select ${columns} from verification_past where ${own}`;
}
