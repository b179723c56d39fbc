import type { ConsentGiven } from "../audit/consent.ts";
import type { Deps, HomeDeps } from "../deps.ts";
import { fail, refuse } from "../failure.ts";
import type { OneClick } from "../signup/one-click.ts";
import { findOneClick } from "../signup/one-click-rows.ts";
import { beginProven } from "../signup/page/begin-proven.ts";
import { openPageSession } from "../signup/page/prove.ts";
import { checkUnused, type PhoneProof, proofBy } from "../signup/phone-proof.ts";
import { findVerification } from "../verification/find.ts";
import { lockVerifications } from "../verification/verification-rows.ts";
import { type ProvingShown, provingConsent, type Session } from "./session.ts";
import { chooseOneClick } from "./session-rows.ts";

/**
 * Continues with a proven phone and returns the token of the page's session. The session chooses the 1-Click's uuid
 * before the 1-Click is inserted, so a repeated call gets the same one. If an earlier call proved a phone of another
 * cell and failed, the uuid is changed to one of this cell.
 */
export async function continueProven(
  deps: HomeDeps,
  session: Session,
  given: { consent: ProvingShown; verificationUuid?: string },
): Promise<string> {
  const consent = provingConsent(deps, session, given.consent);
  const opened = await openedBy(deps, session);
  if (opened !== null) return await openPageSession(opened.cell, opened.oneClick);
  const { cell, proof } = await proofOfSession(deps, session, given.verificationUuid);
  const { oneClickUuid: former } = session;
  const oneClickUuid = former === null ? cell.random.uuid() : cell.random.moved(former);
  const chosen = await chooseOneClick(session, { former, oneClickUuid });
  if (chosen === null) throw refuse(401, "SESSION_TIMEOUT");
  return await openPageSession(cell, await open(cell, session, { uuid: chosen, proof, consent }));
}

/** The 1-Click that an earlier call opened. Null if there is none, or if it has ended. */
async function openedBy({ cells }: HomeDeps, { oneClickUuid, caller }: Session) {
  if (oneClickUuid === null) return null;
  const cell = await cells.ofUuid(oneClickUuid);
  const oneClick = await findOneClick(cell, cell.db, caller, oneClickUuid);
  return oneClick === null ? null : { cell, oneClick };
}

async function open(
  deps: Deps,
  session: Session,
  { uuid, proof, consent }: { uuid: string; proof: PhoneProof; consent: ConsentGiven },
): Promise<OneClick> {
  const { caller, secrets, personUuid, createdAt: sessionAt } = session;
  return await deps.db.inTransaction(async (trx) => {
    const { verificationUuid } = proof;
    // A proof can be used for one decision only, even if two sessions use it concurrently.
    if (verificationUuid !== undefined) {
      await lockVerifications(trx, [verificationUuid]);
      // Of two concurrent calls, the second one finds the 1-Click of the first.
      const theirs = await findOneClick(deps, trx, caller, uuid);
      if (theirs !== null) return theirs;
      await checkUnused(trx, verificationUuid);
    }
    await beginProven(deps, trx, caller, { ...proof, uuid, inputs: secrets.inputs, page: {}, consent, sessionAt });
    const made = await findOneClick(deps, trx, caller, uuid);
    // An earlier call inserted it, and it has ended since.
    if (made === null) throw refuse(401, "SESSION_TIMEOUT");
    // The phone that the brand named got a new holder meanwhile, or its person was deleted.
    const isTheirs = verificationUuid !== undefined || personUuid === null || made.personUuid === personUuid;
    if (!isTheirs) throw refuse(401, "SESSION_TIMEOUT");
    return made;
  });
}

/**
 * How the phone was proven, and the cell of its person. `returned`: the uuid from the result of a verification by
 * device. Only the browser that finished it has this uuid, so a proof by another browser does not count.
 */
async function proofOfSession(
  deps: HomeDeps,
  session: Session,
  returned: string | undefined,
): Promise<{ cell: Deps; proof: PhoneProof }> {
  const { caller, secrets } = session;
  const uuid = session.deviceVerificationUuid ?? session.verificationUuid;
  if (uuid === null) {
    if (secrets.phone === undefined) throw fail("ERR001", {}, "No phone has been verified in this session.");
    if (!caller.brand.approvals.has("barePhone")) throw refuse(403, "The brand is not approved for barePhone.");
    const cell = await deps.cells.ofPhone(secrets.phone);
    return { cell, proof: { phone: secrets.phone, phoneMethod: "customer_otp" } };
  }
  // Only a verification by device may have moved to the cell of its phone.
  const isByDevice = session.deviceVerificationUuid !== null;
  const moved = isByDevice ? await deps.cells.ofMoved(uuid) : { cell: await deps.cells.ofUuid(uuid), uuid };
  const { cell } = moved;
  const verification = await findVerification(cell, cell.db, caller, moved.uuid);
  const proof = proofBy(verification, deps.clock.now());
  if (proof === null || (isByDevice && returned?.toLowerCase() !== proof.verificationUuid))
    throw fail("ERR001", {}, "No phone has been verified in this session.");
  return { cell, proof };
}
