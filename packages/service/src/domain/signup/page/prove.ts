/** Proves the phone of a page: in the wallet, which then opens a session, or by a code in the page's URL. */
import type { Reader, Trx } from "../../../store/database.ts";
import { allowedTarget } from "../../brand/redirect.ts";
import type { Deps } from "../../deps.ts";
import { fail } from "../../failure.ts";
import { journeys } from "../../journey.ts";
import { randomToken, tokenHash } from "../../token.ts";
import { refusalOfCode, tryCodeAgain, tryCodeThen } from "../../verification/try-code.ts";
import { changeFacts, savePageSession } from "../one-click-rows.ts";
import { finishHeadless } from "./advance.ts";
import type { Page } from "./page.ts";

/** Proves the phone on its page. Returns the token of the new session. */
export async function provePage(deps: Deps, page: Page, { code, redirectUrl }: Proof): Promise<string> {
  const { caller, oneClick } = page;
  const uuid = oneClick.verificationUuid;
  if (uuid === null) throw fail("OCE015", {});
  const { phone } = oneClick.facts;
  const { openPage } = journeys[oneClick.journey];
  const tried = await tryCodeThen(deps, caller, { uuid, code, phone, openPage }, async (trx) => {
    await takeRedirect(deps, trx, page, redirectUrl);
    return await openPageSession(deps, oneClick, trx);
  });
  if (tried.kind === "right") return tried.result;
  throw refusalOfCode(tried);
}

/** The code that the person typed, and the redirect URL that a v1 brand added to the page's URL. */
type Proof = { code: string; redirectUrl?: string };

/** Saves the redirect URL if the brand's settings allow it; otherwise ignores it. */
async function takeRedirect(
  deps: Deps,
  trx: Trx,
  { caller, oneClick }: Page,
  redirectUrl: string | undefined,
): Promise<void> {
  if (redirectUrl === undefined || journeys[oneClick.journey].comesBackAs !== "1ClickUuid") return;
  if (allowedTarget(deps.policy, caller.brand.settings, redirectUrl) === null) return;
  await changeFacts(deps, trx, { caller, oneClick }, (facts) => ({ ...facts, page: { ...facts.page, redirectUrl } }));
}

/** Opens the session of a page whose phone was just proven. */
export async function openPageSession(
  deps: Deps,
  { uuid }: { uuid: string },
  reader: Reader = deps.db,
): Promise<string> {
  const token = randomToken(deps.random);
  await savePageSession(reader, uuid, tokenHash(token));
  return token;
}

/**
 * For journeys without our screens: a correct code in the URL proves the phone and finds the identity. Repeating the
 * accepted code only returns the redirect URL again. Null if the code is wrong.
 */
export async function redirectByCode(deps: Deps, page: Page, code: string): Promise<string | null> {
  const { caller, oneClick } = page;
  const uuid = oneClick.verificationUuid;
  if (uuid === null || journeys[oneClick.journey].proof !== "redirectCode") return null;
  const tried = await tryCodeAgain(deps, caller, { uuid, code, phone: oneClick.facts.phone });
  return tried.kind === "right" ? await finishHeadless(deps, page) : null;
}
