import type { Reader } from "../../store/database.ts";
import { isAmong } from "../../store/statements/rows.ts";
import type { Deps } from "../deps.ts";
import { codeAttemptsMax, codeLifeMs, openVerificationStates } from "../one-time-code.ts";
import type { VerificationRow } from "./verification.ts";

/** Brands' verifications, and when they end: an open one expires, and each one is erased. */
type Ending = Pick<VerificationRow, "expires_at" | "kept_until"> & {
  brand_uuid: string;
  hasCode: boolean;
  hasLink: boolean;
};

/** Open verifications of brands, the first to expire first. */
export async function listExpiring(
  { db, environment, clock }: Deps,
  { brands, max }: { brands: readonly string[]; max: number },
): Promise<Ending[]> {
  // The index orders by creation. Every code lives equally long.
  const rows = await endingOf(db, { environment, brands, max })
    .where("created_at", ">", clock.now() - codeLifeMs)
    .where("expires_at", ">", clock.now())
    .where("status", "in", openVerificationStates)
    .where("attempts_used", "<", codeAttemptsMax)
    .execute();
  return rows.flatMap(ending);
}

/** Verifications of brands that are kept, the first to be erased first. */
export async function listKept(
  { db, environment, clock }: Deps,
  { brands, max }: { brands: readonly string[]; max: number },
): Promise<Ending[]> {
  const rows = await endingOf(db, { environment, brands, max }).where("kept_until", ">", clock.now()).execute();
  return rows.flatMap(ending);
}

function endingOf(
  db: Reader,
  { environment, brands, max }: { environment: string; brands: readonly string[]; max: number },
) {
  return db
    .selectFrom("verification")
    .select(["brand_uuid", "expires_at", "kept_until", "format"])
    .select((eb) => eb("link_hash", "is not", null).as("hasLink"))
    .where("environment", "=", environment)
    .where(isAmong("brand_uuid", brands))
    .orderBy("created_at")
    .limit(max);
}

function ending(row: {
  brand_uuid: string | null;
  expires_at: number;
  kept_until: number;
  format: string | null;
  hasLink: unknown;
}): Ending[] {
  const { brand_uuid, expires_at, kept_until, format } = row;
  if (brand_uuid === null) return [];
  return [{ brand_uuid, expires_at, kept_until, hasCode: format !== "link", hasLink: row.hasLink === true }];
}
