/**
 * What a page shows, as a keyed hash. A decision names it, so the consent record can only say what the person saw:
 * another tab may have used a state ID, or the brand may have changed its settings since.
 */
import type { HealthPlan } from "@countersign/contract/health";
import type { ConsentOnScreen } from "../../audit/consent.ts";
import { shownSite } from "../../brand/settings.ts";
import type { Caller, Deps } from "../../deps.ts";
import { type Failure, refuse } from "../../failure.ts";
import type { SourcedCredential } from "../../ports.ts";
import type { OneClick } from "../one-click.ts";
import { purposeOf } from "../release.ts";
import { anywayGets } from "./page.ts";
import { reviewOf } from "./review.ts";

/** `shown`: what the view of the page named. */
export type ConsentOnView = ConsentOnScreen & { shown?: string };

type Viewed = { caller: Caller; oneClick: OneClick };

/** Names what the review shows, or the question before it. The whole values count too, not only their shown digits. */
export async function shownOn(deps: Deps, { caller, oneClick }: Viewed): Promise<string> {
  const { state, facts } = oneClick;
  const { authority, conflicts } = facts.stateId ?? {};
  return named(deps, { caller, oneClick }, [
    state,
    purposeOf(caller, facts),
    facts.page?.description,
    anywayGets({ caller, oneClick }),
    caller.brand.settings.governmentId.required,
    [authority?.name, conflicts?.map(({ type, kept }) => [type, kept])],
    await reviewOf(deps, oneClick),
    facts.credentials.map(({ values }) => values.map(wholeOf)),
  ]);
}

/** Names what the choice of a plan shows. */
export function shownPlans(deps: Deps, viewed: Viewed, plans: readonly HealthPlan[]): string {
  return named(deps, viewed, plans);
}

function named(deps: Deps, { caller: { brand }, oneClick }: Viewed, content: unknown): string {
  const { settings } = brand;
  const shown = [settings.externalName, shownSite(deps.policy, settings), content];
  return deps.vault.keyedHash(`shown on page ${oneClick.uuid}`, JSON.stringify(shown)).toString("base64url");
}

/** Without ids: two tabs that ask the sources at once get the same values with different ones. */
function wholeOf(credential: SourcedCredential): unknown[] {
  const { type, verificationMethod, issuerUuid } = credential;
  const value = "children" in credential ? credential.children.map(wholeOf) : credential.value;
  return [type, verificationMethod, issuerUuid, value];
}

/** The refusal of a decision on something that the page no longer shows. */
export function changedSince(): Failure {
  return refuse(409, "The page shows something else by now. Read it again before you decide.");
}
