/** The person's part of an authorization request, on the wallet's Hosted pages: from the phone to the decision. */

import { type AsksFor, provingText } from "@countersign/contract/consent";
import { acrValues, ssnScope } from "@countersign/contract/openid-claims";
import { isUuid } from "@countersign/contract/primitives";
import { type ConsentOnScreen, consentTo } from "../audit/consent.ts";
import type { Caller, Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { beginOneClick } from "../signup/begin.ts";
import { findOneClick } from "../signup/one-click-rows.ts";
import { textOneClick } from "../signup/page/invite.ts";
import { isTicketOf } from "../signup/page/page.ts";
import { countTextRequest } from "../verification/limits/caps.ts";
import type { CalledFrom } from "../verification/limits/use-count-rows.ts";
import { provenAt } from "./account.ts";
import { countTry } from "./openid-artifact-rows.ts";
import { credentialRequests, type Requested } from "./requests.ts";

const journey = "openid";
/** Maximum number of phones that an interaction may try: enough for typing mistakes, too few to probe numbers. */
const phonesMax = 5;

export type Interaction = { uid: string; requested: Requested };

/** Where the wallet's page returns to, on the wallet itself. */
function returnPath(uid: string): string {
  return `/openid/interaction/${uid}/finish`;
}

/** What the text below the phone field must mention. */
export function asksForOfClient({ requested }: Interaction): AsksFor {
  const ssn = requested.scope.split(" ").includes(ssnScope);
  return { data: credentialRequests(requested).length > 0, ssn, health: false };
}

/** Texts a code to the phone. Returns the URL of the wallet's page, on which the person continues. */
export async function beginByPhone(
  deps: Deps,
  caller: Caller,
  interaction: Interaction,
  input: { phone: string; consent: ConsentOnScreen; from: CalledFrom },
): Promise<string> {
  const asksFor = asksForOfClient(interaction);
  if (asksFor.ssn && !caller.brand.approvals.has("openidSsn"))
    throw refuse(403, "The brand is no longer approved to ask for a Social Security number.");
  const text = provingText({ known: false, asksFor });
  const consent = consentTo(text, input.consent, caller.brand.settings.externalName);
  if (!(await countTry(deps, { model: "Interaction", id: interaction.uid }, phonesMax)))
    throw refuse(429, `A sign-in can try at most ${phonesMax} phones.`);
  // Anyone can send this request, so count it. Otherwise a stranger could use up the texts of all brands.
  await countTextRequest(deps, input.from);
  const begun = await beginOneClick(deps, caller, journey, {
    phone: input.phone,
    inputs: {},
    credentialRequests: credentialRequests(interaction.requested),
    page: { returnTo: returnPath(interaction.uid) },
    consent,
  });
  await textOneClick(deps, caller, { verificationUuid: begun.verificationUuid, journey, format: "code" });
  return begun.pageUrl;
}

export type Finished =
  | { kind: "shared"; oneClickUuid: string; acr: string; amr: string[]; provenAt: number }
  | { kind: "denied" };

/**
 * The result of an interaction. Only the browser in which the person proved the phone has the ticket. An attacker who
 * sends a person to this page gets nothing.
 */
export async function finishInteraction(
  deps: Deps,
  caller: Caller,
  { uid }: Interaction,
  given: { oneClickUuid: string; ticket: string },
): Promise<Finished> {
  const oneClick = isUuid(given.oneClickUuid) ? await findOneClick(deps, deps.db, caller, given.oneClickUuid) : null;
  if (oneClick === null || oneClick.facts.page?.returnTo !== returnPath(uid)) return { kind: "denied" };
  if (oneClick.state !== "released" || !isTicketOf(deps, oneClick, given.ticket)) return { kind: "denied" };
  return {
    kind: "shared",
    oneClickUuid: oneClick.uuid,
    acr: acrValues[oneClick.phoneMethod],
    // RFC 8176 has no word for a carrier that recognizes the device.
    amr: oneClick.phoneMethod === "otp" ? ["otp", "sms"] : [],
    provenAt: await provenAt(deps, oneClick),
  };
}
