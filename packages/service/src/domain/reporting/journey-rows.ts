/** The statements about journeys: a brand's 1-Clicks, verifications and lookups, and the times of their steps. */
import { sql } from "kysely";
import type { InCell } from "./deps.ts";

const signupColumns = [
  ...(["uuid", "person_uuid", "created_at", "state", "refusal", "expires_at", "erased_at"] as const),
  ...(["journey", "inputs_asked_at", "answered_at"] as const),
] as const;
const verificationColumns = [
  ...(["uuid", "person_uuid", "created_at", "status", "attempts_used", "expires_at"] as const),
  ...(["verified_at", "denied_at"] as const),
] as const;
const lookupColumns = [
  ...(["uuid", "person_uuid", "created_at", "state", "expires_at", "erased_at", "finished_at"] as const),
] as const;
/** How many payers a lookup asked, and how many of them gave no answer. */
const payerCounts = [
  sql<number>`(select count(*)::int from health_call where lookup_uuid = uuid)`.as("asked"),
  sql<number>`(select count(*)::int from health_call where lookup_uuid = uuid and state <> 'answered')`.as(
    "unanswered",
  ),
] as const;

/**
 * How many of the newest rows are read for each one that a list shows. Some are left out, and a list without others must
 * not read them all.
 */
const readForEach = 4;
/** Maximum related signups and lookups of a journey. */
const relatedMax = 20;

export type SignupLine = Awaited<ReturnType<typeof listSignups>>[number];
export type VerificationLine = Awaited<ReturnType<typeof listVerifications>>[number];
export type LookupLine = Awaited<ReturnType<typeof listLookups>>[number];

/** A brand's newest 1-Clicks in a cell. */
export async function listSignups({ db, environment }: InCell, brandUuid: string, max: number) {
  return await db
    .selectFrom("one_click")
    .select(signupColumns)
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .orderBy("created_at", "desc")
    .limit(max)
    .execute();
}

/** The verifications among a brand's newest ones in a cell that belong to no 1-Click. */
export async function listVerifications({ db, environment }: InCell, brandUuid: string, max: number) {
  const newest = db
    .selectFrom("verification")
    .select(verificationColumns)
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .orderBy("created_at", "desc")
    .limit(max * readForEach);
  return await db
    .selectFrom(newest.as("newest"))
    .selectAll()
    .where(sql<boolean>`not exists (select from one_click where verification_uuid = newest.uuid)`)
    .orderBy("created_at", "desc")
    .limit(max)
    .execute();
}

/** A brand learns of a lookup that the person started only once the person shares it. */
const isToldToBrand = sql<boolean>`(not held or state in ('succeeded', 'partial'))`;

/** The lookups among a brand's newest ones in a cell that the brand knows. */
export async function listLookups({ db, environment }: InCell, brandUuid: string, max: number) {
  const newest = db
    .selectFrom("health_lookup")
    .select([...lookupColumns, "held"])
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .orderBy("created_at", "desc")
    .limit(max * readForEach);
  return await db
    .selectFrom(newest.as("newest"))
    .select([...lookupColumns, ...payerCounts])
    .where(isToldToBrand)
    .orderBy("created_at", "desc")
    .limit(max)
    .execute();
}

type OfBrand = { uuid: string; brandUuid: string };
type Person = {
  uuid: string;
  data_key_uuid: string | null;
  sealed: Buffer | null;
  wrapped: Buffer | null;
};

/** A brand's 1-Click, with the times of its steps. */
export async function findJourneySignup({ db, environment }: InCell, { uuid, brandUuid }: OfBrand) {
  return await db
    .selectFrom("one_click")
    .select([...signupColumns, "verification_uuid"])
    .select(["session_at", "asked_at", "risk_ms", "source_ms"])
    .where("uuid", "=", uuid)
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .executeTakeFirst();
}
export type SignupTimes = NonNullable<Awaited<ReturnType<typeof findJourneySignup>>>;

/** A brand's verification. It is deleted after a day. */
export async function findJourneyVerification({ db, environment }: InCell, { uuid, brandUuid }: OfBrand) {
  return await db
    .selectFrom("verification")
    .select([...verificationColumns, "channel", "deliveries", "delivered_at"])
    .where("uuid", "=", uuid)
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .executeTakeFirst();
}
export type VerificationTimes = NonNullable<Awaited<ReturnType<typeof findJourneyVerification>>>;

/** A brand's lookup. */
export async function findJourneyLookup({ db, environment }: InCell, { uuid, brandUuid }: OfBrand) {
  return await db
    .selectFrom("health_lookup")
    .select([...lookupColumns, ...payerCounts, "one_click_uuid"])
    .where("uuid", "=", uuid)
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .where(isToldToBrand)
    .executeTakeFirst();
}
export type LookupTimes = NonNullable<Awaited<ReturnType<typeof findJourneyLookup>>>;

/** The sealed data of people, for the last four digits of their phones. */
export async function listJourneyPeople({ db }: InCell, uuids: readonly string[]): Promise<Person[]> {
  if (uuids.length === 0) return [];
  return await db
    .selectFrom("person")
    .leftJoin("data_key", "data_key.uuid", "person.data_key_uuid")
    .select(["person.uuid", "person.data_key_uuid", "person.sealed", "data_key.wrapped"])
    .where("person.uuid", "in", uuids)
    .execute();
}

/** The first calls of a brand about a subject, oldest first. */
export async function listJourneyCalls({ db, environment }: InCell, { uuid, brandUuid }: OfBrand, max: number) {
  return await db
    .selectFrom("request_log")
    .select(["id", "at", "method", "route", "status", "error_code", "latency_ms"])
    .where("subject_uuid", "=", uuid)
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .orderBy("id")
    .limit(max)
    .execute();
}
export type CallTimes = Awaited<ReturnType<typeof listJourneyCalls>>[number];

/** The first texts of a verification. */
export async function listJourneyTexts({ db }: InCell, verificationUuid: string, max: number) {
  return await db
    .selectFrom("message")
    .select(["status", "created_at", "sent_at"])
    .where("verification_uuid", "=", verificationUuid)
    .orderBy("number")
    .limit(max)
    .execute();
}
export type TextTimes = Awaited<ReturnType<typeof listJourneyTexts>>[number];

/** The paid calls of a lookup. Their names may say what the brand asked, so they are not read. */
export async function listPaidCalls({ db }: InCell, lookupUuid: string, max: number) {
  return await db
    .selectFrom("health_call")
    .select(["state", "attempts", "called_at"])
    .where("lookup_uuid", "=", lookupUuid)
    .orderBy("called_at")
    .limit(max)
    .execute();
}
export type PaidCallTimes = Awaited<ReturnType<typeof listPaidCalls>>[number];

/** The first deliveries of events about a subject. */
export async function listJourneyDeliveries({ db, environment }: InCell, { uuid, brandUuid }: OfBrand, max: number) {
  return await db
    .selectFrom("webhook_delivery")
    .select(["uuid", "event", "status", "created_at", "next_attempt_at"])
    .where("subject_uuid", "=", uuid)
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .orderBy("created_at")
    .orderBy("uuid")
    .limit(max)
    .execute();
}
export type DeliveryTimes = Awaited<ReturnType<typeof listJourneyDeliveries>>[number];

/** The first attempts at these deliveries, oldest first. */
export async function listJourneyAttempts({ db }: InCell, deliveries: readonly DeliveryTimes[], max: number) {
  if (deliveries.length === 0) return [];
  const uuids = deliveries.map(({ uuid }) => uuid);
  return await db
    .selectFrom("webhook_attempt")
    .select(["delivery_uuid", "at", "http_status", "error", "duration_ms"])
    .where("delivery_uuid", "in", uuids)
    .orderBy("id")
    .limit(max)
    .execute();
}
export type AttemptTimes = Awaited<ReturnType<typeof listJourneyAttempts>>[number];

/** The lookups that a 1-Click led to, oldest first. */
export async function listLookupsOf({ db, environment }: InCell, { uuid, brandUuid }: OfBrand) {
  return await db
    .selectFrom("health_lookup")
    .select("uuid")
    .where("one_click_uuid", "=", uuid)
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .where(isToldToBrand)
    .orderBy("created_at")
    .limit(relatedMax)
    .execute();
}

/** The 1-Clicks whose phone a verification proved, oldest first. */
export async function listSignupsOf({ db, environment }: InCell, { uuid, brandUuid }: OfBrand) {
  return await db
    .selectFrom("one_click")
    .select(["uuid", "journey"])
    .where("verification_uuid", "=", uuid)
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .orderBy("created_at")
    .limit(relatedMax)
    .execute();
}
