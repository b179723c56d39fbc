/**
 * A session of the SDK, from its token to the page where the person reviews. The brand, the carrier or a code proves
 * the phone. The page's own session then continues.
 */
import { type AsksFor, provingText } from "@countersign/contract/consent";
import { type ConsentGiven, type ConsentOnScreen, consentTo } from "../audit/consent.ts";
import { findActiveBrand } from "../brand/brand-rows.ts";
import { otpHost } from "../brand/settings.ts";
import type { Brand, Caller, Deps, HomeDeps } from "../deps.ts";
import { fail, refuse } from "../failure.ts";
import { journeyOfType } from "../journey.ts";
import type { DeviceChannel, Phone } from "../ports.ts";
import { type Begun, beginOneClick } from "../signup/begin.ts";
import type { OneClick } from "../signup/one-click.ts";
import { findOneClick } from "../signup/one-click-rows.ts";
import { beginProven } from "../signup/page/begin-proven.ts";
import { invite } from "../signup/page/invite.ts";
import { openPageSession } from "../signup/page/prove.ts";
import { checkUndecided, type PhoneProof, proofBy } from "../signup/phone-proof.ts";
import { channelsFor } from "../verification/channels.ts";
import { beginDevice } from "../verification/device.ts";
import { findVerification } from "../verification/find.ts";
import { lockVerifications } from "../verification/verification-rows.ts";
import {
  chooseOneClick,
  countPhone,
  findBrandByKeyHash,
  findSdkSession,
  type SessionRef,
  type SessionSecrets,
  setDeviceVerification,
} from "./session-rows.ts";

/** Maximum number of phones that a session may try: enough for typing mistakes, too few to probe numbers. */
const phonesMax = 5;

export type Session = SessionRef & {
  caller: Caller;
  personUuid: string | null;
  verificationUuid: string | null;
  deviceVerificationUuid: string | null;
  oneClickUuid: string | null;
  secrets: SessionSecrets;
};

/** The session of a token. Refuses with 401 if there is none or it has expired. */
export async function findSession(deps: HomeDeps, token: string, requestId: string): Promise<Session> {
  const session = await findSdkSession(deps, token);
  const brand = session === null ? null : await findActiveBrand(deps.home, deps.environment, session.brandUuid);
  if (session === null || brand === null) throw refuse(401, "SESSION_TIMEOUT");
  const { brandUuid: _brand, ...rest } = session;
  const caller = { brand, apiKeyUuid: null, requestId };
  return { ...rest, caller };
}

/** The sites that may show a session in a frame, by the hash of its key, which the frame's URL contains. Null: any. */
export async function framedBy(
  deps: HomeDeps,
  keyHash: Buffer,
): Promise<{ brand: Brand; origins: string[] | null } | null> {
  const brandUuid = await findBrandByKeyHash(deps, keyHash);
  const brand = brandUuid === null ? null : await findActiveBrand(deps.home, deps.environment, brandUuid);
  if (brand === null) return null;
  const { allowedOrigins } = brand.settings;
  return { brand, origins: allowedOrigins.length === 0 && deps.openFraming ? null : allowedOrigins };
}

/** The device's IP address at its carrier: the one that the brand passed, or the one that opened the page. */
function deviceIpOf(deps: HomeDeps, session: Session, callerIp: string): string | undefined {
  return session.secrets.inputs.deviceIp ?? deps.carrier.mobileDeviceOf(callerIp) ?? undefined;
}

export type Start = { knownPhone?: Phone; autofill: boolean; silent: boolean };

/** What a session can begin with. */
export async function startOf(deps: HomeDeps, session: Session, callerIp: string): Promise<Start> {
  const knownPhone = session.secrets.phone;
  if (knownPhone !== undefined) return { knownPhone, autofill: false, silent: false };
  const channels = await channelsFor(deps, session.caller.brand, deviceIpOf(deps, session, callerIp));
  return { autofill: channels.autofill.available, silent: channels.silent.available };
}

/** What the text below the phone field must mention. */
export function asksForOf(deps: HomeDeps, { settings }: Brand): AsksFor {
  const { defaultCredentialRequests: asked, health } = settings;
  return {
    data: asked.length > 0,
    ssn: asked.some(({ type }) => type === "SsnCredential"),
    health: deps.offers.health && health.enabled,
  };
}

/** The text that a screen showed below the phone field. `asksFor`: what it mentioned. Default: what the brand asks for. */
type ProvingShown = ConsentOnScreen & { asksFor?: AsksFor };

/** The text that the first screen of a session showed below the phone field. */
function proving(deps: HomeDeps, { caller: { brand }, secrets }: Session, shown: ProvingShown): ConsentGiven {
  const asksFor = shown.asksFor ?? asksForOf(deps, brand);
  const text = provingText({ known: secrets.phone !== undefined, asksFor });
  return consentTo(text, shown, brand.settings.externalName);
}

/** Texts a code to a phone. The page then asks for the code. */
export async function beginByText(
  deps: HomeDeps,
  session: Session,
  input: { phone: string; within?: string; consent: ProvingShown },
): Promise<Begun> {
  const { caller } = session;
  const consent = proving(deps, session, input.consent);
  const judged = deps.phones.judge(input.phone);
  if (judged.kind !== "supported") throw fail("OCE002", {});
  await usePhone(session);
  const cell = await deps.cells.ofPhone(judged.phone);
  const { inputs } = session.secrets;
  const within = hostInText(deps, caller.brand, input.within);
  const page = within === undefined ? {} : { within };
  const journey = journeyOf(caller);
  const begun = await beginOneClick(cell, caller, journey, { phone: input.phone, inputs, page, consent });
  const { verificationUuid } = begun;
  await invite(cell, caller, { verificationUuid, journey, format: "code", within });
  return begun;
}

/**
 * The host of the page around the frame, if a text may name it. The browser reports the host, so it must belong to an
 * allowed origin. In production, the operator must also have approved it.
 */
function hostInText(deps: HomeDeps, { settings }: Brand, claimed: string | undefined): string | undefined {
  if (deps.namesWait) return claimed === otpHost(settings) ? claimed : undefined;
  const { allowedOrigins } = settings;
  const isAllowed =
    allowedOrigins.length === 0
      ? deps.openFraming
      : allowedOrigins.some((origin) => new URL(origin).hostname === claimed);
  return isAllowed ? claimed : undefined;
}

/** Redirects the device to its carrier, which reports its phone (`autofill`) or confirms this one (`silent`). */
export async function beginByCarrier(
  deps: HomeDeps,
  session: Session,
  input: { channel: DeviceChannel; phone?: string; callerIp: string },
): Promise<string> {
  const { channel, phone } = input;
  const judged = phone === undefined ? null : deps.phones.judge(phone);
  if (judged !== null && judged.kind !== "supported") throw fail("OCE002", {});
  await usePhone(session);
  const deviceIp = deviceIpOf(deps, session, input.callerIp);
  // The phone is unknown until its carrier identifies the device, so any cell can begin.
  const cell = judged === null ? deps.cells.ofText(session.uuid) : await deps.cells.ofPhone(judged.phone);
  const { uuid, location } = await beginDevice(cell, session.caller, { channel, deviceIp, phone, inWallet: true });
  await setDeviceVerification(session, uuid);
  return location;
}

/** Counts the phone before it is used. */
async function usePhone(session: Session): Promise<void> {
  if (!(await countPhone(session, phonesMax))) throw refuse(429, `A session can try at most ${phonesMax} phones.`);
}

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
  const consent = proving(deps, session, given.consent);
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
  const { caller, secrets, personUuid } = session;
  return await deps.db.inTransaction(async (trx) => {
    const { verificationUuid } = proof;
    // A proof can be used for one decision only, even if two sessions use it concurrently.
    if (verificationUuid !== undefined) {
      await lockVerifications(trx, [verificationUuid]);
      // Of two concurrent calls, the second one finds the 1-Click of the first.
      const theirs = await findOneClick(deps, trx, caller, uuid);
      if (theirs !== null) return theirs;
      await checkUndecided(trx, verificationUuid);
    }
    await beginProven(deps, trx, caller, { ...proof, uuid, inputs: secrets.inputs, page: {}, consent });
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

function journeyOf({ brand }: Caller) {
  const journey = journeyOfType[brand.settings.integrationType];
  if (journey === null) throw fail("SKE001", {});
  return journey;
}
