/** What people shared with brands: which 1-Clicks brands can still read, and which they ever got. */
import type { Reader } from "../../store/database.ts";
import { batched } from "../../store/statements/batch.ts";
import { isAmong } from "../../store/statements/rows.ts";
import { type Placeholders, statement } from "../../store/statements/statement.ts";
import type { PersonAtBrands } from "../audit/audit-rows.ts";
import type { Deps } from "../deps.ts";
import type { JourneyName } from "../journey.ts";

/** Whether a 1-Click, by uuid, has neither expired nor been erased. Concurrent calls are batched. */
export const isReadable = batched(async ({ db, clock }: Deps, uuids: readonly string[]): Promise<boolean[]> => {
  const { rows } = await readableStatement(db, { uuids, now: clock.now() });
  const readable = new Set(rows.map(({ uuid }) => uuid));
  return uuids.map((uuid) => readable.has(uuid));
});

const readableStatement = statement((db, { uuids, now }: Placeholders<{ uuids: readonly string[]; now: number }>) =>
  db
    .selectFrom("one_click")
    .select("uuid")
    .where(({ eb, fn }) => eb("uuid", "=", fn.any(uuids)))
    .where("sealed", "is not", null)
    .where("expires_at", ">", now),
);

export type Released = { uuid: string; brandUuid: string; answeredAt: number; expiresAt: number };

/** The released 1-Clicks of a person that brands can still read, newest first. */
export async function listReadable(
  { db, environment, clock }: Deps,
  { personUuid, brands, max }: PersonAtBrands & { max: number },
): Promise<Released[]> {
  const rows = await db
    .selectFrom("one_click")
    .select(["uuid", "brand_uuid", "answered_at", "created_at", "expires_at"])
    .where("environment", "=", environment)
    .where("person_uuid", "=", personUuid)
    .where("state", "=", "released")
    .where("sealed", "is not", null)
    .where("expires_at", ">", clock.now())
    .where(isAmong("brand_uuid", brands))
    .orderBy("answered_at", "desc")
    .orderBy("uuid")
    .limit(max)
    .execute();
  return rows.map((row) => ({
    uuid: row.uuid,
    brandUuid: row.brand_uuid,
    answeredAt: row.answered_at ?? row.created_at,
    expiresAt: row.expires_at,
  }));
}

/** The brands that can still read a released 1-Click of the person. */
export async function brandsThatRead({ db, clock }: Deps, personUuid: string): Promise<string[]> {
  const rows = await db
    .selectFrom("one_click")
    .select("brand_uuid")
    .distinct()
    .where("person_uuid", "=", personUuid)
    .where("state", "=", "released")
    .where("sealed", "is not", null)
    .where("expires_at", ">", clock.now())
    .execute();
  return rows.map((row) => row.brand_uuid);
}

/** The newest 1-Clicks that a person shared with a brand, at most `max`. */
export async function listReleasedOf(
  reader: Reader,
  { personUuid, brandUuid, max }: { personUuid: string; brandUuid: string; max: number },
): Promise<string[]> {
  const of = { person_uuid: personUuid, brand_uuid: brandUuid, state: "released" } as const;
  const newest = reader
    .selectFrom("one_click")
    .select("uuid")
    .where(({ and }) => and(of))
    .orderBy("created_at", "desc");
  return (await newest.limit(max).execute()).map(({ uuid }) => uuid);
}

/** The brands with which a person shared. */
export async function listBrandsSharedWith(reader: Reader, personUuid: string): Promise<string[]> {
  const of = { person_uuid: personUuid, state: "released" } as const;
  const brands = reader
    .selectFrom("one_click")
    .select("brand_uuid")
    .distinct()
    .where(({ and }) => and(of));
  return (await brands.execute()).map((row) => row.brand_uuid);
}

/**
 * Whether a verification led to a 1-Click of one of these journeys, however it ended, or was proven by a link after which
 * our page asks what the person shares. Also true after the 1-Click was erased.
 */
export async function belongsToReview(
  reader: Reader,
  { verificationUuid, journeys }: { verificationUuid: string; journeys: readonly JourneyName[] },
): Promise<boolean> {
  const row = await reader
    .selectFrom("verification")
    .select("verification.uuid")
    .where("verification.uuid", "=", verificationUuid)
    .where(({ and, eb, exists, or, selectFrom }) =>
      or([
        // A proof by code keeps its hash.
        and([eb("redirect_user_after", "=", "infoConfirmation"), eb("code_hmac", "is", null)]),
        exists(
          selectFrom("one_click")
            .select("one_click.uuid")
            .whereRef("one_click.verification_uuid", "=", "verification.uuid")
            .where("journey", "in", journeys),
        ),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a person went on with a verification. A frame begins one by device before they agree. */
export async function hasOneClick(reader: Reader, verificationUuid: string): Promise<boolean> {
  const of = reader.selectFrom("one_click").select("uuid").where("verification_uuid", "=", verificationUuid);
  return (await of.limit(1).executeTakeFirst()) !== undefined;
}
