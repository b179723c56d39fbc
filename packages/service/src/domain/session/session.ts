/**
 * A session of the SDK: who it belongs to, which sites may frame it, and what its first screen offers and says. The
 * phone is proven in prove-phone.ts, and the session then continues in continue-proven.ts.
 */
import { type AsksFor, type ProvingKind, provingKinds, provingText } from "@countersign/contract/consent";
import { type ConsentGiven, type ConsentOnScreen, consentTo } from "../audit/consent.ts";
import { findActiveBrand } from "../brand/brand-rows.ts";
import type { Brand, Caller, Deps, HomeDeps } from "../deps.ts";
import { refuse } from "../failure.ts";
import type { Phone } from "../ports.ts";
import { channelsFor } from "../verification/channels.ts";
import {
  deleteSessionsOf,
  findBrandByKeyHash,
  findSdkSession,
  type SessionRef,
  type SessionSecrets,
  type SessionsOf,
} from "./session-rows.ts";

export type Session = SessionRef & {
  caller: Caller;
  personUuid: string | null;
  verificationUuid: string | null;
  deviceVerificationUuid: string | null;
  oneClickUuid: string | null;
  createdAt: number;
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

/** The sites that may show a session in a frame. The frame's URL contains the hash of the key. Null: every site. */
export async function framedBy(
  deps: HomeDeps,
  keyHash: Buffer,
): Promise<{ brand: Brand; origins: string[] | null } | null> {
  const brandUuid = await findBrandByKeyHash(deps, keyHash);
  const brand = brandUuid === null ? null : await findActiveBrand(deps.home, deps.environment, brandUuid);
  if (brand === null) return null;
  const { allowedOrigins } = brand.settings;
  return { brand, origins: allowedOrigins.length === 0 && deps.policy.openFraming ? null : allowedOrigins };
}

/** The device's IP address at its carrier: the one that the brand passed, or the one that opened the page. */
export function deviceIpOf(deps: HomeDeps, session: Session, callerIp: string): string | undefined {
  return session.secrets.inputs.deviceIp ?? deps.vendors.carrier.mobileDeviceOf(callerIp) ?? undefined;
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
    health: deps.policy.offers.health && health.enabled,
  };
}

/** The text below the phone field that belongs to the brand's current requests. */
export function provingKind(deps: HomeDeps, { caller: { brand }, secrets }: Session): ProvingKind {
  return provingText({ known: secrets.phone !== undefined, asksFor: asksForOf(deps, brand) });
}

/**
 * Names the text that the service gave to a session's screen, with the brand's name in it. Without the service's key
 * nobody can make it, so a browser cannot choose another text for the record.
 */
export function shownText({ vault }: HomeDeps, { uuid, caller: { brand } }: Session, kind: ProvingKind): string {
  const text = JSON.stringify([kind, brand.settings.externalName]);
  return vault.keyedHash(`text of session ${uuid}`, text).toString("base64url");
}

/** `shown`: what `shownText` returned when the screen opened. Default: the text of the brand's current requests. */
export type ProvingShown = ConsentOnScreen & { shown?: string };

/**
 * The text that the first screen of a session showed below the phone field. Refuses with 401 if the brand has another
 * name by now, or its settings ask for more than that text says.
 */
export function provingConsent(deps: HomeDeps, session: Session, { shown, ...screen }: ProvingShown): ConsentGiven {
  const text =
    shown === undefined
      ? provingKind(deps, session)
      : provingKinds.find((kind) => shownText(deps, session, kind) === shown);
  if (text === undefined || !covers(text, provingKind(deps, session))) throw refuse(401, "SESSION_TIMEOUT");
  return consentTo(text, screen, session.caller.brand.settings.externalName);
}

/** Whether a text says everything that another one says. Texts are named after what they say. */
function covers(shown: ProvingKind, current: ProvingKind): boolean {
  const asksForData = current !== "proveVerify";
  return (
    (shown !== "proveVerify" || !asksForData) &&
    (/Ssn/.test(shown) || !/Ssn/.test(current)) &&
    (/Health/.test(shown) || !/Health/.test(current))
  );
}

/**
 * Ends the sessions that contain a person's phone, or that opened one of these 1-Clicks. They may be in other
 * databases, so call it before the person's transaction and again after it. It can be repeated.
 */
export async function endSdkSessions(deps: Deps, of: SessionsOf): Promise<void> {
  for (const keyed of deps.keyed.every()) await keyed.inTransaction((trx) => deleteSessionsOf(trx, of));
}
