/** Creates a 1-Click whose phone is already proven. Its page starts at the review. */
import type { Trx } from "../../../store/database.ts";
import { type ConsentGiven, recordConsent } from "../../audit/consent.ts";
import { findActiveBrand } from "../../brand/brand-rows.ts";
import type { Caller, Deps } from "../../deps.ts";
import { fail } from "../../failure.ts";
import type { JourneyName } from "../../journey.ts";
import { ensurePerson } from "../../person.ts";
import type { PersonInputs } from "../../ports.ts";
import { randomToken, tokenHash } from "../../token.ts";
import { findVerificationUnbound } from "../../verification/find.ts";
import { listVerified } from "../../verification/verification-rows.ts";
import { pageTokenLength } from "../begin.ts";
import type { OneClick, PageContent } from "../one-click.ts";
import { saveOneClick } from "../one-click-rows.ts";
import { type PhoneProof, proofBy } from "../phone-proof.ts";
import { readRequests } from "../start.ts";
import { findPageOf, type Page } from "./page.ts";

/** The journey of every 1-Click created here. SDK sessions and texted links both use our own screens. */
const journey: JourneyName = "v21Sdk";

/**
 * Creates the 1-Click of a proven phone, unless there is one with this uuid. `consent`: the text that the person agreed
 * to, if a screen showed one. Throws OCV005 if the person has ended the verification meanwhile.
 */
export async function beginProven(
  deps: Deps,
  trx: Trx,
  caller: Caller,
  input: PhoneProof & {
    uuid: string;
    inputs: PersonInputs;
    page: PageContent;
    consent?: ConsentGiven;
    sessionAt?: number;
  },
): Promise<void> {
  const { uuid, phone, phoneMethod, inputs, page, consent, sessionAt } = input;
  const { email, deviceIp } = inputs;
  // This locks the person, so they cannot end the proof after the check.
  const person = await ensurePerson(deps, trx, phone);
  const { verificationUuid: proof = null } = input;
  if (proof !== null && !(await listVerified(trx, [proof])).has(proof)) throw fail("OCV005", {});
  const oneClick: OneClick = {
    uuid,
    journey,
    state: "awaitingProof",
    refusal: null,
    phoneMethod,
    verificationUuid: proof,
    requestTree: readRequests(deps, caller, { inputs }, journey),
    facts: { phone, email, deviceIp, risk: null, credentials: [], inputs, page },
    ...(sessionAt === undefined ? {} : { sessionAt }),
  };
  // Nobody gets the page's URL, because only a session opens this page.
  const pageHash = tokenHash(randomToken(deps.random, pageTokenLength));
  const isNew = await saveOneClick(deps, trx, { brand: caller.brand, oneClick, person, pageHash });
  if (isNew && consent !== undefined) {
    const subject = { phone, personUuid: person.uuid, oneClickUuid: uuid };
    await recordConsent(deps, trx, caller, { ...subject, action: "prove", given: consent });
  }
}

/**
 * Creates the review page for a person whose phone a texted link has just proven, if the verification has
 * `redirectUserAfter: infoConfirmation`. Null otherwise, and if the brand is not active or has not declared consent.
 */
export async function beginInfoConfirmation(
  deps: Deps,
  verificationUuid: string,
  requestId: string,
): Promise<Page | null> {
  const verification = await findVerificationUnbound(deps, verificationUuid);
  const { row, secrets } = verification;
  const brand = await findActiveBrand(deps.home, deps.environment, row.brand_uuid);
  const proof = row.redirect_user_after === "infoConfirmation" ? proofBy(verification, deps.clock.now()) : null;
  if (proof === null || brand === null || !brand.settings.consent.declared) return null;
  const caller = { brand, apiKeyUuid: null, requestId };
  const page = secrets.redirectUrl === undefined ? {} : { redirectUrl: secrets.redirectUrl };
  const proven = { ...proof, uuid: deps.random.uuid(), inputs: {}, page };
  await deps.db.inTransaction((trx) => beginProven(deps, trx, caller, proven));
  return await findPageOf(deps, verificationUuid, requestId);
}
