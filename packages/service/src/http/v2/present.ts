import type { OneClickEntity } from "@countersign/contract/entity";
import type { VerificationEntity } from "@countersign/contract/verification";
import type { Caller, HomeDeps } from "../../domain/deps.ts";
import { type JourneyName, journeys } from "../../domain/journey.ts";
import type { Begun } from "../../domain/signup/begin.ts";
import { entityOf } from "../../domain/signup/entity.ts";
import type { OneClick } from "../../domain/signup/one-click.ts";
import { attemptsRemaining, statusAt, type Verification } from "../../domain/verification/verification.ts";

/** The public form of a verification. Members without a value are left out. */
export function presentVerification(homeDeps: HomeDeps, { row, secrets }: Verification): VerificationEntity {
  const status = statusAt(row, homeDeps.clock.now());
  return {
    uuid: row.uuid,
    ...(secrets.deviceIp === undefined ? {} : { deviceIp: secrets.deviceIp }),
    ...(secrets.phone === undefined ? {} : { phone: secrets.phone }),
    channel: row.channel,
    ...(row.format === null ? {} : { format: row.format }),
    status,
    verified: status === "verified",
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    ...(row.delivered_at === null ? {} : { deliveredAt: row.delivered_at }),
    ...(row.verified_at === null ? {} : { verifiedAt: row.verified_at }),
    attemptsRemaining: attemptsRemaining(row),
  };
}

export function presentOneClick(caller: Caller, oneClick: OneClick): OneClickEntity {
  return entityOf(caller.brand, oneClick);
}

/** A 1-Click that has just begun. Existing clients recognize the integration type by which keys are present. */
export function presentBegun(journey: JourneyName, begun: Begun): { uuid: string; url?: string; code: string } {
  const page = journeys[journey].proof === "wallet" ? { url: begun.pageUrl } : {};
  return { uuid: begun.uuid, ...page, code: begun.code.forText() };
}
