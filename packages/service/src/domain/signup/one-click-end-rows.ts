import { isAmong } from "../../store/statements/rows.ts";
import type { Deps } from "../deps.ts";

/** When 1-Clicks of brands expire, soonest first. `isReadable`: the brand can read it until then. */
export async function listOneClickEnds(
  { db, environment, clock }: Deps,
  { brands, max }: { brands: readonly string[]; max: number },
): Promise<{ brandUuid: string; at: number; isReadable: boolean }[]> {
  const rows = await db
    .selectFrom("one_click")
    .select(["brand_uuid", "expires_at", "state"])
    .where("environment", "=", environment)
    .where(isAmong("brand_uuid", brands))
    .where("erased_at", "is", null)
    .where("expires_at", ">", clock.now())
    .orderBy("expires_at")
    .limit(max)
    .execute();
  return rows.map((row) => ({ brandUuid: row.brand_uuid, at: row.expires_at, isReadable: row.state === "released" }));
}
