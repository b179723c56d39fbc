/** How a 1-Click's phone is proven: by a verification of ours, or by the brand's word. */
import type { Reader } from "../../store/database.ts";
import type { Caller, Deps } from "../deps.ts";
import { type Failure, fail } from "../failure.ts";
import { journeyNames, journeys } from "../journey.ts";
import type { Phone } from "../ports.ts";
import { findVerificationForKey, findVerificationUnbound } from "../verification/find.ts";
import { statusAt, type Verification } from "../verification/verification.ts";
import type { OneClick, PhoneMethod } from "./one-click.ts";
import { findUndecidedState } from "./one-click-rows.ts";
import { belongsToReview } from "./readable-rows.ts";

/** `verificationUuid`: absent if the brand asserts the phone. */
export type PhoneProof = { phone: Phone; phoneMethod: PhoneMethod; verificationUuid?: string };
export type VerifiedPhone = PhoneProof & { verificationUuid: string };

/** What a verification proves now. Null if it is not verified. */
export function proofBy({ row, secrets }: Verification, now: number): VerifiedPhone | null {
  if (secrets.phone === undefined || statusAt(row, now) !== "verified") return null;
  const phoneMethod = row.channel === "sms" ? "otp" : "phone_carrier";
  return { phone: secrets.phone, phoneMethod, verificationUuid: row.uuid };
}

/** The proof that a brand's request names. `phone`: as given, if it was; it must be the one that is proven. */
export async function readProof(
  deps: Deps,
  caller: Caller,
  { verificationUuid, phone }: { verificationUuid: string; phone: string | undefined },
): Promise<VerifiedPhone> {
  const verification = await findVerificationForKey(deps, caller, verificationUuid);
  const proof = proofBy(verification, deps.clock.now());
  if (proof === null) throw fail("ERR001", {}, '"verificationUuid" is not verified');
  if (phone !== undefined && phone !== proof.phone)
    throw fail("ERR001", {}, '"phone" is not the phone of "verificationUuid"');
  await checkUndecided(deps.db, proof.verificationUuid);
  return proof;
}

const reviewedInWallet = journeyNames.filter((name) => journeys[name].review === "wallet");

/**
 * A verification from our own page is reserved for the decision made there. Throws OCE021 if the person declined, and
 * ERR001 while the person is still deciding.
 */
export async function checkUndecided(reader: Reader, verificationUuid: string): Promise<void> {
  const state = await findUndecidedState(reader, { verificationUuid, journeys: reviewedInWallet });
  if (state === "declined") throw fail("OCE021", {});
  if (state !== null) throw fail("ERR001", {}, "The person has not decided yet.");
}

/**
 * Throws ERR001 if the person shared with this verification on our page, or proved the phone by the link to that page,
 * which opens a moment later. Without their review, the brand would get more than they share.
 */
export async function checkNotReviewed(reader: Reader, verificationUuid: string): Promise<void> {
  if (await belongsToReview(reader, { verificationUuid, journeys: reviewedInWallet })) throw ofReview();
}

/** The refusal of a call that would replace the person's decision on our page. */
export function ofReview(): Failure {
  return fail(
    "ERR001",
    {},
    "The person decides on our page what to share. Read that 1-Click, or verify the phone again.",
  );
}

/** Whether the verification of a 1-Click is verified. False if it has none. */
export async function isVerified(
  deps: Deps,
  { verificationUuid }: Pick<OneClick, "verificationUuid">,
): Promise<boolean> {
  if (verificationUuid === null) return false;
  return proofBy(await findVerificationUnbound(deps, verificationUuid), deps.clock.now()) !== null;
}
