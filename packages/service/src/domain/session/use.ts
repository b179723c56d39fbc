/**
 * A session of the SDK, from its token to the page on which the person reviews. The phone is proven by the brand (a
 * verification, or its word), by the carrier, or by a code. In every case, a page session continues.
 */
import { type AsksFor, provingText } from "@countersign/contract/consent";
import { sql } from "kysely";
import type { Reader } from "../../store/database.ts";
import { placeOf } from "../../store/seal.ts";
import { type ConsentGiven, consentTo, type Shown } from "../audit/consent.ts";
import { otpHost } from "../brand/settings.ts";
import { findActiveBrand } from "../brand/store.ts";
import type { Brand, Caller, Deps } from "../deps.ts";
import { fail, refuse } from "../failure.ts";
import { journeyOfType } from "../journey.ts";
import type { DeviceChannel, Phone } from "../ports.ts";
import { type Begun, beginOneClick } from "../signup/begin.ts";
import { beginProven, type ProvenPhone } from "../signup/begin-proven.ts";
import { invite } from "../signup/invite.ts";
import type { OneClick } from "../signup/one-click.ts";
import { findOneClick } from "../signup/one-click-rows.ts";
import { openPageSession } from "../signup/prove-page.ts";
import { checkUndecided } from "../signup/start.ts";
import { wordHash } from "../token.ts";
import { channelsFor } from "../verification/channels.ts";
import { beginDevice } from "../verification/device.ts";
import { statusAt } from "../verification/states.ts";
import { findVerification } from "../verification/store.ts";
import type { SessionSecrets } from "./make.ts";

/** Phones that one session may try: enough for typing errors, and too few to look up numbers. */
const phonesMax = 5;

export type Session = {
  uuid: string;
  caller: Caller;
  verificationUuid: string | null;
  deviceVerificationUuid: string | null;
  secrets: SessionSecrets;
};

/** The session of a token. Throws 401 if the session has expired. */
export async function findSession(deps: Deps, token: string, requestId: string): Promise<Session> {
  const row = await deps.db
    .selectFrom("session")
    .innerJoin("data_key", "data_key.uuid", "session.data_key_uuid")
    .selectAll("session")
    .select("data_key.wrapped")
    .where("token_hash", "=", wordHash(token))
    .where("session.environment", "=", deps.environment)
    .where("expires_at", ">", deps.clock.now())
    .executeTakeFirst();
  const brand = row === undefined ? null : await findActiveBrand(deps.db, deps.environment, row.brand_uuid);
  if (row === undefined || row.sealed === null || row.wrapped === null || brand === null)
    throw refuse(401, "SESSION_TIMEOUT");
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  return {
    uuid: row.uuid,
    caller: { brand, apiKeyUuid: null, requestId },
    verificationUuid: row.verification_uuid,
    deviceVerificationUuid: row.device_verification_uuid,
    secrets: deps.vault.open<SessionSecrets>(dataKey, placeOf("session", row.uuid), row.sealed),
  };
}

/** The sites that may frame a session. The frame's URL contains the hash of the session's key. Null: any site. */
export async function framedBy(
  deps: Deps,
  keyHash: Buffer,
): Promise<{ brand: Brand; origins: string[] | null } | null> {
  const row = await deps.db
    .selectFrom("session")
    .select("brand_uuid")
    .where("key_hash", "=", keyHash)
    .where("environment", "=", deps.environment)
    .where("expires_at", ">", deps.clock.now())
    .executeTakeFirst();
  const brand = row === undefined ? null : await findActiveBrand(deps.db, deps.environment, row.brand_uuid);
  if (brand === null) return null;
  const { allowedOrigins } = brand.settings;
  return { brand, origins: allowedOrigins.length === 0 && deps.openFraming ? null : allowedOrigins };
}

/** The device's address at the carrier: the one that the brand sent, or the one from which the page was opened. */
function deviceIpOf(deps: Deps, session: Session, callerIp: string): string | undefined {
  return session.secrets.inputs.deviceIp ?? deps.carrier.mobileDeviceOf(callerIp) ?? undefined;
}

export type Start = { knownPhone?: Phone; autofill: boolean; silent: boolean };

/** The ways in which a session can begin. */
export async function startOf(deps: Deps, session: Session, callerIp: string): Promise<Start> {
  const knownPhone = session.secrets.phone;
  if (knownPhone !== undefined) return { knownPhone, autofill: false, silent: false };
  const channels = await channelsFor(deps, session.caller.brand, deviceIpOf(deps, session, callerIp));
  return { autofill: channels.autofill.available, silent: channels.silent.available };
}

/** What the text below the phone must mention. */
export function asksForOf(deps: Deps, { settings }: Brand): AsksFor {
  const { defaultCredentialRequests: asked, health } = settings;
  return {
    data: asked.length > 0,
    ssn: asked.some(({ type }) => type === "SsnCredential"),
    health: deps.offers.health && health.enabled,
  };
}

/** The consent to the text below the phone on the first screen of a session. */
function proving(deps: Deps, { caller: { brand }, secrets }: Session, shown: Shown): ConsentGiven {
  const text = provingText({ known: secrets.phone !== undefined, asksFor: asksForOf(deps, brand) });
  return consentTo(text, shown, brand.settings.externalName);
}

/** Texts a code to a phone, and creates the page that accepts it. */
export async function beginByText(
  deps: Deps,
  session: Session,
  what: { phone: string; within?: string; consent: Shown },
): Promise<Begun> {
  const { caller } = session;
  const consent = proving(deps, session, what.consent);
  if (deps.phones.judge(what.phone).kind !== "supported") throw fail("OCE002", {});
  await usePhone(deps, session);
  const { inputs } = session.secrets;
  const within = hostInText(deps, caller.brand, what.within);
  const page = within === undefined ? {} : { within };
  const journey = journeyOf(caller);
  const begun = await beginOneClick(deps, caller, journey, { phone: what.phone, inputs, page, consent });
  const { verificationUuid } = begun;
  await invite(deps, caller, { verificationUuid, journey, format: "code", within });
  return begun;
}

/**
 * The host of the page around the frame, if a text may name it. The browser claims the host, so it must belong to an
 * allowed origin. If the operator approves what people read, it must be the approved host.
 */
function hostInText(deps: Deps, { settings }: Brand, claimed: string | undefined): string | undefined {
  if (deps.namesWait) return claimed === otpHost(settings) ? claimed : undefined;
  const { allowedOrigins } = settings;
  const isAllowed =
    allowedOrigins.length === 0
      ? deps.openFraming
      : allowedOrigins.some((origin) => new URL(origin).hostname === claimed);
  return isAllowed ? claimed : undefined;
}

/** Sends the device to its carrier, which tells its phone (`autofill`) or confirms the given one (`silent`). */
export async function beginByCarrier(
  deps: Deps,
  session: Session,
  what: { channel: DeviceChannel; phone?: string; callerIp: string },
): Promise<string> {
  const { channel, phone } = what;
  if (phone !== undefined && deps.phones.judge(phone).kind !== "supported") throw fail("OCE002", {});
  await usePhone(deps, session);
  const deviceIp = deviceIpOf(deps, session, what.callerIp);
  const { uuid, location } = await beginDevice(deps, session.caller, { channel, deviceIp, phone });
  await deps.db
    .updateTable("session")
    .set({ device_verification_uuid: uuid })
    .where("uuid", "=", session.uuid)
    .execute();
  return location;
}

/** Counts a phone before the session does anything with it. */
async function usePhone(deps: Deps, session: Session): Promise<void> {
  const counted = await deps.db
    .updateTable("session")
    .set({ phones_used: sql<number>`phones_used + 1` })
    .where("uuid", "=", session.uuid)
    .where("phones_used", "<", phonesMax)
    .executeTakeFirst();
  if (counted.numUpdatedRows === 0n) throw refuse(429, `A session tries ${phonesMax} phones at most.`);
}

/** Continues with a proven phone. A repeated call continues the same 1-Click. Returns the page's session token. */
export async function continueProven(deps: Deps, session: Session, shown: Shown): Promise<string> {
  const consent = proving(deps, session, shown);
  const known = await openedOf(deps, deps.db, session);
  return await openPageSession(deps, known ?? (await open(deps, session, consent)));
}

/** The 1-Click that a session opened, if it has not expired. */
async function openedOf(deps: Deps, reader: Reader, { uuid, caller }: Session): Promise<OneClick | null> {
  const row = await reader.selectFrom("session").select("one_click_uuid").where("uuid", "=", uuid).executeTakeFirst();
  const opened = row?.one_click_uuid ?? null;
  return opened === null ? null : await findOneClick(deps, reader, caller, opened);
}

async function open(deps: Deps, session: Session, consent: ConsentGiven): Promise<OneClick> {
  const { inputs } = session.secrets;
  const proof = await proofOf(deps, session);
  return await deps.db.inTransaction(async (trx) => {
    // If two calls arrive at once, the second one finds the 1-Click of the first one.
    await trx.selectFrom("session").select("uuid").where("uuid", "=", session.uuid).forUpdate().execute();
    const theirs = await openedOf(deps, trx, session);
    if (theirs !== null) return theirs;
    // A verification serves only one decision, even if two sessions use it.
    if (proof.verificationUuid !== undefined) {
      const uuid = proof.verificationUuid;
      await trx.selectFrom("verification").select("uuid").where("uuid", "=", uuid).forUpdate().execute();
      await checkUndecided(trx, uuid);
    }
    const uuid = await beginProven(deps, trx, session.caller, { ...proof, inputs, page: {}, consent });
    await trx.updateTable("session").set({ one_click_uuid: uuid }).where("uuid", "=", session.uuid).execute();
    const made = await openedOf(deps, trx, session);
    if (made === null) throw new Error("a 1-Click vanished in its own transaction");
    return made;
  });
}

async function proofOf(deps: Deps, session: Session): Promise<ProvenPhone> {
  const { caller, secrets } = session;
  const uuid = session.deviceVerificationUuid ?? session.verificationUuid;
  if (uuid === null) {
    if (secrets.phone === undefined) throw fail("ERR001", {}, "no phone of this session is proven");
    if (!caller.brand.approvals.has("barePhone")) throw refuse(403, "The brand is not approved for barePhone.");
    return { phone: secrets.phone, phoneMethod: "customer_otp" };
  }
  const { row, secrets: proven } = await findVerification(deps, deps.db, caller, uuid);
  if (proven.phone === undefined || statusAt(row, deps.clock.now()) !== "verified")
    throw fail("ERR001", {}, "no phone of this session is proven");
  return {
    phone: proven.phone,
    phoneMethod: row.channel === "sms" ? "otp" : "phone_carrier",
    verificationUuid: uuid,
  };
}

function journeyOf({ brand }: Caller) {
  const journey = journeyOfType[brand.settings.integrationType];
  if (journey === null) throw fail("SKE001", {});
  return journey;
}
