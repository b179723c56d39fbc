/**
 * What this service has seen of a phone, an email and a device address: rows of the last day, and hashes of values that
 * were used together.
 */

import { expandIpv6 } from "@countersign/contract/ipv6";
import { dayMs } from "@countersign/contract/time";
import type { Deps } from "../deps.ts";
import { codeAttemptsMax } from "../one-time-code.ts";
import { findPhoneHistory } from "../person-rows.ts";
import type { RiskFacts, RiskHistory, RiskQuestion } from "../ports.ts";
import { countOtherPhones, upsertSighting } from "../risk-sighting-rows.ts";
import { countChallengeAttempts } from "./challenge-attempt-rows.ts";

/** How many rows of each brand count at most, because strangers can cause them in the SDK's frame. */
const ofBrandMax = { verifications: 5, failed: 1 };
/** How many rows of each other brand count at most. All rows of the brand that asks count. */
const ofOtherMax = { mismatches: 1, phones: 1 };

type HistoryDeps = Pick<Deps, "environment" | "cells" | "keyed" | "vault" | "clock">;

/** The history of one environment, across all brands. A question is recorded too, and counts in later answers. */
export function riskHistory(deps: HistoryDeps): RiskHistory {
  return {
    async of(question) {
      const { email, deviceIp } = question;
      const phone = await phoneFacts(deps, question);
      const seen = {
        ...(email === undefined
          ? {}
          : { email: await recordAndCount(deps, question, { kind: "email", value: email.toLowerCase() }) }),
        ...(deviceIp === undefined
          ? {}
          : { deviceIp: await recordAndCount(deps, question, { kind: "deviceIp", value: networkOf(deviceIp) }) }),
      };
      return { phone, ...seen };
    },
  };
}

async function phoneFacts(deps: HistoryDeps, { phone, brandUuid }: RiskQuestion): Promise<RiskFacts["phone"]> {
  const { environment } = deps;
  const { db } = await deps.cells.ofPhone(phone);
  const index = deps.vault.index("phone", environment, phone);
  const since = deps.clock.now() - dayMs;
  const person = await findPhoneHistory(db, { environment, index, since, attemptsMax: codeAttemptsMax, ofBrandMax });
  const asked = { brandUuid, since, ofOtherMax };
  const mismatches = await countChallengeAttempts(db, { environment, phoneIndex: index }, asked);
  return {
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
async function recordAndCount(
  deps: HistoryDeps,
  { phone, brandUuid }: RiskQuestion,
  { kind, value }: { kind: "email" | "deviceIp"; value: string },
): Promise<{ phones: number }> {
  const { environment, vault } = deps;
  const now = deps.clock.now();
  const sighting = {
    environment,
    kind,
    value_hash: vault.keyedHash(`risk ${kind}`, value),
    brand_uuid: brandUuid,
    phone_hash: vault.keyedHash("risk phone", phone),
  };
  const key = sighting.value_hash.toString("hex");
  const store = deps.keyed.of(key);
  await upsertSighting(store, sighting, now);
  // For a day after the key moved to another database, only the former one has all sightings of the last day.
  const former = deps.keyed.formerly(key);
  if (former !== null) await upsertSighting(former, sighting, now);
  return {
    phones: await countOtherPhones(former ?? store, sighting, { since: now - dayMs, ofOtherMax: ofOtherMax.phones }),
  };
}

/**
 * One household has a whole IPv6 /64, so the /64 is compared. IPv4 addresses, mapped or not, are compared as a whole.
 */
function networkOf(deviceIp: string): string {
  const mapped = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(deviceIp)?.[1];
  return mapped ?? expandIpv6(deviceIp).slice(0, 4).join(":");
}
