/**
 * What this service has seen of a phone, an email and a device address: rows of the last day, and hashes of values used
 * together.
 */
import { expandIpv6 } from "@countersign/contract/ipv6";
import { sql } from "kysely";
import { enqueueAhead } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";
import { codeAttemptsMax } from "../one-time-code.ts";
import type { Phone, RiskFacts, RiskHistory } from "../ports.ts";
import { nextPurge } from "../verification/counters.ts";

const day = 24 * 60 * 60_000;

type Ground = Pick<Deps, "environment" | "db" | "vault" | "clock">;
type Question = Parameters<RiskHistory["of"]>[0];

/**
 * The history of one environment, across all its brands. Each question is also recorded and counts in later answers.
 */
export function riskHistory(deps: Ground): RiskHistory {
  return {
    async of(question) {
      const { email, deviceIp } = question;
      const phone = await phoneFacts(deps, question.phone);
      const seen = {
        ...(email === undefined
          ? {}
          : { email: await together(deps, question, { kind: "email", value: email.toLowerCase() }) }),
        ...(deviceIp === undefined
          ? {}
          : { deviceIp: await together(deps, question, { kind: "deviceIp", value: networkOf(deviceIp) }) }),
      };
      return { phone, ...seen };
    },
  };
}

type PersonFacts = {
  generation: number;
  first_seen_at: number;
  last_proven_at: number | null;
  verifications: number;
  failed: number;
  brands: number;
};

async function phoneFacts(deps: Ground, phone: Phone): Promise<RiskFacts["phone"]> {
  const index = deps.vault.index("phone", deps.environment, phone);
  const since = deps.clock.now() - day;
  const { rows } = await sql<PersonFacts>`
    select p.generation, p.first_seen_at, p.last_proven_at,
      count(v.uuid)::int as verifications,
      count(v.uuid) filter (where v.status = 'failed' or (v.status <> 'verified' and v.attempts_used >= ${codeAttemptsMax}))::int as failed,
      count(distinct v.brand_uuid)::int as brands
    from person p
    -- Strangers begin sign-ins, which say nothing about the phone.
    left join verification v on v.person_uuid = p.uuid and v.brand_uuid is not null and v.created_at > ${since}
    where p.environment = ${deps.environment} and p.phone_index = ${index}
    group by p.uuid
    order by p.generation desc
    limit 1
  `.execute(deps.db);
  const { mismatches } = await deps.db
    .selectFrom("challenge_attempt")
    .select(sql<number>`count(*)::int`.as("mismatches"))
    .where("environment", "=", deps.environment)
    .where("phone_index", "=", index)
    .where("at", ">", since)
    .executeTakeFirstOrThrow();
  const [person] = rows;
  return {
    firstSeenAt: person?.first_seen_at ?? null,
    lastProvenAt: person?.last_proven_at ?? null,
    changedHandsAt: person !== undefined && person.generation > 1 ? person.first_seen_at : null,
    verifications: person?.verifications ?? 0,
    failedVerifications: person?.failed ?? 0,
    brands: person?.brands ?? 0,
    mismatches,
  };
}

/**
 * Records that the phone and the value were used together, and counts the other phones of the last day. Stores only
 * keyed hashes.
 */
async function together(
  deps: Ground,
  { phone }: Question,
  { kind, value }: { kind: "email" | "deviceIp"; value: string },
): Promise<{ phones: number }> {
  const { environment, vault, db } = deps;
  const now = deps.clock.now();
  const valueHash = vault.codeHash(`risk ${kind}`, value);
  const phoneHash = vault.codeHash("risk phone", phone);
  const sighting = { environment, kind, value_hash: valueHash, phone_hash: phoneHash, at: now };
  await db.inTransaction(async (trx) => {
    await trx
      .insertInto("risk_sighting")
      .values(sighting)
      .onConflict((conflict) =>
        conflict.columns(["environment", "kind", "value_hash", "phone_hash"]).doUpdateSet({ at: now }),
      )
      .execute();
    await enqueueAhead(trx, nextPurge(deps), deps.clock.now());
  });
  return await db
    .selectFrom("risk_sighting")
    .select(sql<number>`count(*)::int`.as("phones"))
    .where("environment", "=", environment)
    .where("kind", "=", kind)
    .where("value_hash", "=", valueHash)
    .where("phone_hash", "<>", phoneHash)
    .where("at", ">", now - day)
    .executeTakeFirstOrThrow();
}

/** One household has a whole IPv6 /64, so only the /64 counts. An IPv4 address, mapped or not, counts whole. */
function networkOf(deviceIp: string): string {
  const mapped = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(deviceIp)?.[1];
  return mapped ?? expandIpv6(deviceIp).slice(0, 4).join(":");
}
