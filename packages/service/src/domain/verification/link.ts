/**
 * The link in a text. Opening it only shows a page, because software that previews messages also opens links.
 * "Continue" proves the phone, and "I didn’t ask for this" ends the verification.
 */
import { recordAudit } from "../audit/record.ts";
import { findActiveBrand } from "../brand/brand-rows.ts";
import { allowedTarget, withParameter } from "../brand/redirect.ts";
import type { Brand, Deps } from "../deps.ts";
import { integrations, journeys } from "../journey.ts";
import { markProven } from "../person-rows.ts";
import type { Phone } from "../ports.ts";
import { randomToken, tokenHash } from "../token.ts";
import { findVerificationUnbound } from "./find.ts";
import { countAnswers } from "./limits/conversion-alarm-rows.ts";
import { isOpen, statusAt } from "./verification.ts";
import { denyByLink, findByLink, verifyByLink } from "./verification-rows.ts";

/** Length of a link's id: 22 letters and digits, 113 random bits. */
const linkLength = 22;

export type Link = { id: string; hash: Buffer };

export function makeLink(deps: Deps): Link {
  const id = randomToken(deps.random, linkLength);
  return { id, hash: tokenHash(id) };
}

/**
 * What a link's page shows. `reviewFollows`: whether our review opens next, which needs the brand's declared consent.
 * `brandReads`: whether the brand can read the person's details after the proof, because they agreed on its own page.
 * `readLink` returns null if the link was used, replaced by a newer one, or has expired.
 */
export type LinkPage = {
  uuid: string;
  brand: Brand;
  sentAt: number;
  expiresAt: number;
  target: URL | null;
  reviewFollows: boolean;
  brandReads: boolean;
  phone?: Phone;
};

export async function readLink(deps: Deps, id: string): Promise<LinkPage | null> {
  const link = await findLink(deps, id);
  return link !== null && isOpen(link.status) ? link.page : null;
}

/** A link as its form answers it. `isAgain`: it was accepted before, and the first answer may have been lost. */
export type PressedLink = { link: LinkPage; isAgain: boolean };

/** Null if the link no longer works, not even for a repeated "Continue". */
export async function readPressedLink(deps: Deps, id: string): Promise<PressedLink | null> {
  const found = await findLink(deps, id);
  if (found === null) return null;
  const isAgain = isAcceptedAgain(deps, found);
  return isAgain || isOpen(found.status) ? { link: found.page, isAgain } : null;
}

type Found = NonNullable<Awaited<ReturnType<typeof findLink>>>;

function isAcceptedAgain(deps: Deps, { status, isProvenByLink, page }: Found): boolean {
  return status === "verified" && isProvenByLink && deps.clock.now() < page.expiresAt;
}

/** Finds a link, whatever the status of its verification. */
async function findLink(deps: Deps, id: string) {
  const named = await findByLink(deps.db, { environment: deps.environment, linkHash: tokenHash(id) });
  if (named === null) return null;
  const { row, secrets } = await findVerificationUnbound(deps, named.uuid);
  const brand = await findActiveBrand(deps.home, deps.environment, row.brand_uuid);
  if (brand === null) return null;
  const wanted = secrets.redirectUrl ?? brand.settings.redirectUrl;
  // Check the target again: the settings may have changed since the text was sent.
  const target = wanted === null ? null : allowedTarget(deps.policy, brand.settings, wanted);
  const reviewFollows = row.redirect_user_after === "infoConfirmation" && brand.settings.consent.declared;
  const page: LinkPage = {
    uuid: row.uuid,
    brand,
    sentAt: row.delivered_at ?? row.created_at,
    expiresAt: row.expires_at,
    target,
    reviewFollows,
    brandReads: !reviewFollows && readsAfterProof(brand),
    ...(secrets.phone === undefined ? {} : { phone: secrets.phone }),
  };
  // Both from one read: "Continue" of another tab between two reads would look like a proof by code.
  const status = statusAt({ ...row, status: named.status }, deps.clock.now());
  return { page, status, isProvenByLink: named.isProvenByLink };
}

function readsAfterProof({ settings }: Brand): boolean {
  const { journey } = integrations[settings.integrationType];
  return settings.consent.declared && journey !== null && journeys[journey].review === "brand";
}

/**
 * The result of a link. `isAgain`: it was accepted before, so it may redirect again but must not open another session.
 */
export type Accepted = { verificationUuid: string; goesTo: string | null; reviewFollows: boolean; isAgain: boolean };

/**
 * Handles "Continue": proves the phone, once. Returns where the person continues, or null if the link no longer works.
 * A repeated call returns the same redirect, because the first answer may have been lost. `pressed`: the link as the
 * caller compared it with what the person saw.
 */
export async function acceptLink(
  deps: Deps,
  id: string,
  pressed: PressedLink,
  requestId: string,
): Promise<Accepted | null> {
  if (!pressed.isAgain && (await prove(deps, id, pressed.link, requestId)))
    return { ...acceptedOf(pressed.link), isAgain: false };
  const link = await findLink(deps, id);
  return link !== null && isAcceptedAgain(deps, link) ? { ...acceptedOf(link.page), isAgain: true } : null;
}

function acceptedOf({ uuid, target, reviewFollows }: LinkPage): Omit<Accepted, "isAgain"> {
  const goesTo = target === null ? null : withParameter(target.toString(), "verificationUuid", uuid);
  return { verificationUuid: uuid, goesTo, reviewFollows };
}

async function prove(deps: Deps, id: string, page: LinkPage, requestId: string): Promise<boolean> {
  const now = deps.clock.now();
  const { phone, brand, uuid: verificationUuid, reviewFollows } = page;
  const proven = await deps.db.inTransaction(async (trx) => {
    const row = await verifyByLink(trx, { linkHash: tokenHash(id), now, reviewFollows });
    if (row === null || row.person_uuid === null) return null;
    const by = { brand, apiKeyUuid: null, requestId };
    const subject = { personUuid: row.person_uuid, verificationUuid };
    await Promise.all([
      markProven(trx, [row.person_uuid], now),
      recordAudit(deps, trx, by, { action: "verification.verified", ...subject }),
    ]);
    return row;
  });
  if (proven === null) return false;
  // Do not count an answer to a text that the brand received, because the brand could answer it.
  if (phone !== undefined && !proven.code_shown_to_brand)
    await countAnswers(deps, [{ phone, brandUuid: brand.uuid }]).catch(() => {});
  return true;
}

/** Handles "I didn’t ask for this": ends the verification. No further text is sent for it. */
export async function denyLink(deps: Deps, id: string, requestId: string): Promise<boolean> {
  const page = await readLink(deps, id);
  if (page === null) return false;
  return await deps.db.inTransaction(async (trx) => {
    const row = await denyByLink(trx, tokenHash(id), deps.clock.now());
    if (row === null) return false;
    const by = { brand: page.brand, apiKeyUuid: null, requestId };
    const person = row.person_uuid === null ? {} : { personUuid: row.person_uuid };
    await recordAudit(deps, trx, by, { action: "verification.denied", ...person, verificationUuid: page.uuid });
    return true;
  });
}
