import type { IssuanceConsent } from "@countersign/contract/issuance";
import { minuteMs } from "@countersign/contract/time";
import type { Trx } from "../../store/database.ts";
import { insertConsents } from "../audit/consent-rows.ts";
import type { Caller, Deps } from "../deps.ts";
import { invalid, refuse } from "../failure.ts";
import type { Recipient } from "./issued-credential-rows.ts";

/** How far a brand's clock may be ahead, in milliseconds. */
const clockSkewMaxMs = 5 * minuteMs;

/** Requires consent to issue: stated in the request, or declared in the brand's settings. */
export function requireConsent(deps: Deps, caller: Caller, given: IssuanceConsent | undefined): void {
  if (given === undefined) {
    if (caller.brand.settings.consent.declared) return;
    throw refuse(403, "Consent is required: in the request (consent) or in the settings (consent.declared).");
  }
  if (given.obtainedAt > deps.clock.now() + clockSkewMaxMs) {
    throw invalid([{ path: "body.consent.obtainedAt", message: "Use a time that is not in the future." }]);
  }
}

/**
 * Records the consent to an issuance. The row is not encrypted under the person's key, so it contains keyed hashes
 * instead of the phone and the email address.
 */
export async function recordIssuanceConsent(
  deps: Deps,
  trx: Trx,
  caller: Caller,
  input: { to: Recipient; given: IssuanceConsent | undefined },
): Promise<string> {
  const { given, to } = input;
  const { consent: declared } = caller.brand.settings;
  const uuid = deps.random.uuid();
  // The text is known only if the version is the one in the settings.
  const known = given === undefined || given.version === declared.version;
  await insertConsents(trx, [
    {
      uuid,
      environment: deps.environment,
      at: deps.clock.now(),
      action: "issue",
      source: given === undefined ? "brandDeclaration" : "brandRequest",
      brand_uuid: caller.brand.uuid,
      person_uuid: to.person.uuid,
      phone_index: to.phoneIndex,
      email_index: to.emailIndex,
      one_click_uuid: null,
      version: given?.version ?? declared.version,
      language: null,
      words: known ? declared.text : null,
      url: known ? declared.url : null,
      obtained_at: given?.obtainedAt ?? null,
      origin: given?.source ?? null,
    },
  ]);
  return uuid;
}
