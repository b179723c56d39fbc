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
import { belongsToReview, hasOneClick } from "./readable-rows.ts";

/** `verificationUuid`: absent if the brand asserts the phone. */
export type PhoneProof = { phone: Phone; phoneMethod: PhoneMethod; verificationUuid?: string };
export type VerifiedPhone = PhoneProof & { verificationUuid: string };

/** What a verification proves now. Null if it is not verified. */
export function proofBy({ row, secrets }: Verification, now: number): VerifiedPhone | null {
  if (secrets.phone === undefined || statusAt(row, now) !== "verified") return null;
  const phoneMethod = row.channel === "sms" ? "otp" : "phone_carrier";
  return { phone: secrets.phone, phoneMethod, verificationUuid: row.uuid };
}

/** A verification that a brand may read: its own ones, and those with which a person went on on our page. */
export async function readVerification(deps: Deps, caller: Caller, uuid: string): Promise<Verification> {
  return await findVerificationForKey(
    deps,
    caller,
    uuid,
    async ({ row }) => row.status === "verified" && (await hasOneClick(deps.db, row.uuid)),
  );
}

/** The proof that a brand's request names. `phone`: as given, if it was; it must be the one that is proven. */
export async function readProof(
  deps: Deps,
  caller: Caller,
  { verificationUuid, phone }: { verificationUuid: string; phone: string | undefined },
): Promise<VerifiedPhone> {
  const verification = await readVerification(deps, caller, verificationUuid);
  const proof = proofBy(verification, deps.clock.now());
  if (proof === null) throw fail("ERR001", {}, '"verificationUuid" is not verified');
  if (phone !== undefined && phone !== proof.phone)
    throw fail("ERR001", {}, '"phone" is not the phone of "verificationUuid"');
  await checkUnused(deps.db, proof.verificationUuid);
  return proof;
}

const reviewedInWallet = journeyNames.filter((name) => journeys[name].review === "wallet");

/**
 * A verification that led to our page is for the decision made there, however it ended. Throws OCE021 if the person
 * declined, and ERR001 if they are still deciding, decided, or saw an error, or if they proved the phone by the link to
 * the page, which opens a moment later. With the proof, the brand could otherwise decide in their place.
 */
export async function checkUnused(reader: Reader, verificationUuid: string): Promise<void> {
  const of = { verificationUuid, journeys: reviewedInWallet };
  const state = await findUndecidedState(reader, of);
  if (state === "declined") throw fail("OCE021", {});
  if (state !== null) throw fail("ERR001", {}, "The person has not decided yet.");
  if (await belongsToReview(reader, of)) throw ofReview();
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
