/**
 * The person's page of a 1-Click. Its address shows who asks and takes the code; once the phone is proven, only the
 * session that proved it goes on: an address travels through a brand's hands, a session does not.
 */
import { allowedTarget, withParameter } from "../brand/redirect.ts";
import { findActiveBrand } from "../brand/store.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { journeys } from "../journey.ts";
import { wordHash } from "../token.ts";
import { findOneClick, type OneClick } from "./store.ts";

/** A page that was found: on whose behalf, and the 1-Click it belongs to. */
export type Page = { caller: Caller; oneClick: OneClick };

/** The page at an address, or of a session; OCE015 when it is unknown or over. */
export async function findPage(
  deps: Deps,
  by: { page: string } | { session: string },
  requestId: string,
): Promise<Page> {
  const [column, word] =
    "page" in by ? (["page_hash", by.page] as const) : (["page_session_hash", by.session] as const);
  const row = await deps.db
    .selectFrom("one_click")
    .select(["uuid", "brand_uuid"])
    .where(column, "=", wordHash(word))
    .where("environment", "=", deps.environment)
    .executeTakeFirst();
  const page = row === undefined ? null : await pageOf(deps, row, requestId);
  if (page === null) throw fail("OCE015", {});
  return page;
}

/** The page whose phone a verification proves, if it belongs to one. */
export async function findPageOf(deps: Deps, verificationUuid: string, requestId: string): Promise<Page | null> {
  const row = await deps.db
    .selectFrom("one_click")
    .select(["uuid", "brand_uuid"])
    .where("verification_uuid", "=", verificationUuid)
    .where("page_hash", "is not", null)
    .executeTakeFirst();
  return row === undefined ? null : await pageOf(deps, row, requestId);
}

async function pageOf(deps: Deps, row: { uuid: string; brand_uuid: string }, requestId: string): Promise<Page | null> {
  const brand = await findActiveBrand(deps.db, deps.environment, row.brand_uuid);
  if (brand === null) return null;
  const caller = { brand, apiKeyUuid: null, requestId };
  const oneClick = await findOneClick(deps, deps.db, caller, row.uuid);
  return oneClick === null ? null : { caller, oneClick };
}

/** Where a person goes who proved nothing: back, and where they rather type everything themselves, saying so. */
export function wayBack(deps: Deps, page: Page): { backUrl: string | null; optOutUrl: string | null } {
  const backUrl = endOf(deps, page);
  const offered = page.caller.brand.settings.manualSignup === "useYourOwn";
  return { backUrl, optOutUrl: offered && backUrl !== null ? withParameter(backUrl, "optedOut", "true") : null };
}

/** Where the person goes in the end: the brand's address with one parameter, and a word when they declined. */
export function endOf(deps: Deps, { caller, oneClick }: Page): string | null {
  const { settings } = caller.brand;
  const wanted = oneClick.facts.page?.redirectUrl ?? settings.redirectUrl;
  const target = wanted === null ? null : allowedTarget(deps, settings, wanted);
  const name = journeys[oneClick.journey].comesBackAs;
  if (target === null || name === null) return null;
  const back = withParameter(target.toString(), name, oneClick.uuid);
  return oneClick.state === "declined" ? withParameter(back, "optedOut", "true") : back;
}

/** How a page ended. Where nothing was asked for, the proof is all that was given. */
export type PageOutcome = "shared" | "declined" | "returned" | "verified";

export function outcomeOf({ state, journey, requestTree }: OneClick): PageOutcome {
  if (state === "declined") return "declined";
  if (journeys[journey].review === "brand") return "returned";
  return requestTree.length === 0 ? "verified" : "shared";
}
