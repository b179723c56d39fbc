/**
 * The person's page of a 1-Click. Its URL shows who asks and accepts the code. After the phone is proven, only the
 * session that proved it can continue, because the brand also knows the URL.
 */

import { timingSafeEqual } from "node:crypto";
import type { CredentialType } from "@countersign/contract/credential";
import type { AnywayGets } from "@countersign/contract/wallet";
import { findActiveBrand } from "../../brand/brand-rows.ts";
import { allowedTarget, withParameter } from "../../brand/redirect.ts";
import type { Caller, Deps } from "../../deps.ts";
import { fail } from "../../failure.ts";
import { journeys } from "../../journey.ts";
import { tokenHash } from "../../token.ts";
import { type OneClick, openOneClickStates, type StoredOneClick } from "../one-click.ts";
import { findOfPage, findOneClick, type OfPage } from "../one-click-rows.ts";

/** A page: its 1-Click, and the brand as the caller. */
export type Page = { caller: Caller; oneClick: StoredOneClick };

/** Finds a page by its URL token or its session token. Throws OCE015 if the page is unknown, has expired, or lost its proof. */
export async function findPage(
  deps: Deps,
  by: { page: string } | { session: string },
  requestId: string,
): Promise<Page> {
  const hash = "page" in by ? { page_hash: tokenHash(by.page) } : { page_session_hash: tokenHash(by.session) };
  const page = await pageOf(deps, await findOfPage(deps, hash), requestId);
  if (page === null) throw fail("OCE015", {});
  return page;
}

/** Finds the page whose phone a verification proves, if there is one. */
export async function findPageOf(deps: Deps, verificationUuid: string, requestId: string): Promise<Page | null> {
  return await pageOf(deps, await findOfPage(deps, { verification_uuid: verificationUuid }), requestId);
}

async function pageOf(deps: Deps, found: OfPage | null, requestId: string): Promise<Page | null> {
  const brand = found === null ? null : await findActiveBrand(deps.home, deps.environment, found.brandUuid);
  if (found === null || brand === null) return null;
  const caller = { brand, apiKeyUuid: null, requestId };
  const oneClick = await findOneClick(deps, deps.db, caller, found.uuid);
  return oneClick === null || lacksProof(caller, oneClick) ? null : { caller, oneClick };
}

/** Whether an open page has only the brand's word for the phone, and the operator no longer accepts that. */
function lacksProof({ brand }: Caller, { state, verificationUuid }: OneClick): boolean {
  const isOpen = openOneClickStates.some((one) => one === state);
  return isOpen && verificationUuid === null && !brand.approvals.has("barePhone");
}

/**
 * URLs for a person who has not proven the phone. `backUrl` returns to the brand. `optOutUrl` adds `optedOut=true`, if
 * the brand offers its own manual signup.
 */
export function wayBack(deps: Deps, page: Page): { backUrl: string | null; optOutUrl: string | null } {
  const { returnTo } = page.oneClick.facts.page ?? {};
  const backUrl = returnTo === undefined ? endOf(deps, page) : `${deps.addresses.walletUrl}${returnTo}`;
  const offered = page.caller.brand.settings.manualSignup === "useYourOwn";
  return { backUrl, optOutUrl: offered && backUrl !== null ? withParameter(backUrl, "optedOut", "true") : null };
}

/**
 * The redirect URL at the end: the brand's URL with the 1-Click's uuid, and `optedOut=true` if the person declined.
 * Null if there is no allowed URL.
 */
export function endOf(deps: Deps, { caller, oneClick }: Page): string | null {
  const { returnTo } = oneClick.facts.page ?? {};
  if (returnTo !== undefined) {
    const returnUrl = withParameter(`${deps.addresses.walletUrl}${returnTo}`, "identityUuid", oneClick.uuid);
    return withParameter(returnUrl, "ticket", ticketOf(deps, oneClick));
  }
  const { settings } = caller.brand;
  const wanted = oneClick.facts.page?.redirectUrl ?? settings.redirectUrl;
  const target = wanted === null ? null : allowedTarget(deps.policy, settings, wanted);
  const name = journeys[oneClick.journey].comesBackAs;
  if (target === null || name === null) return null;
  const returnUrl = withParameter(target.toString(), name, oneClick.uuid);
  return oneClick.state === "declined" ? withParameter(returnUrl, "optedOut", "true") : returnUrl;
}

/**
 * The ticket proves that the person decided in the browser that returns. Only the session that proved the phone gets
 * it.
 */
function ticketOf({ vault }: Deps, { uuid, facts }: OneClick): string {
  return vault.keyedHash(`ticket|${facts.page?.returnTo}`, uuid).toString("base64url");
}

export function isTicketOf(deps: Deps, oneClick: OneClick, given: string): boolean {
  const [right, shown] = [Buffer.from(ticketOf(deps, oneClick)), Buffer.from(given)];
  return right.length === shown.length && timingSafeEqual(right, shown);
}

/** How a page ended. `verified`: the brand requested no data, so only the phone is proven. */
export type PageOutcome = "shared" | "declined" | "returned" | "verified";

export function outcomeOf({ state, journey, requestTree }: OneClick): PageOutcome {
  if (state === "declined") return "declined";
  if (journeys[journey].review === "brand") return "returned";
  return requestTree.length === 0 ? "verified" : "shared";
}

/**
 * What the brand gets even if the person declines. An OpenID client gets only claims, so it gets nothing. Once the phone
 * is proven, the brand gets the risk that was scored then, whatever its settings say later.
 */
export function anywayGets({
  caller,
  oneClick: { state, facts },
}: Pick<Page, "caller"> & { oneClick: Pick<OneClick, "state" | "facts"> }): AnywayGets {
  if (facts.page?.returnTo !== undefined) return "nothing";
  const hasRisk = state === "awaitingProof" ? caller.brand.settings.riskSignals : facts.risk !== null;
  return hasRisk ? "phoneAndRisk" : "phone";
}

export type Shared = { types: CredentialType[]; readableUntil: number };

/** What the person shared on a page, and until when the brand can read it. Null if nothing can be read. */
export async function sharedOn(deps: Deps, { caller, oneClick }: Page): Promise<Shared | null> {
  // Right after the decision, `page` still has the 1-Click from before it.
  const now = oneClick.state === "released" ? oneClick : await findOneClick(deps, deps.db, caller, oneClick.uuid);
  if (now?.state !== "released") return null;
  const found = now.facts.credentials.filter(({ values }) => values.length > 0);
  return { types: found.map(({ request }) => request.type), readableUntil: now.expiresAt };
}
