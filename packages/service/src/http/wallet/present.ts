/** The parts of a page that the person's browser receives. */

import { themePath } from "@countersign/contract/theme";
import type { BrandLook, Insurance, PageIntro, PageView } from "@countersign/contract/wallet";
import { logoPath } from "../../domain/brand/logo.ts";
import { shownSite } from "../../domain/brand/settings.ts";
import type { Brand, Deps, HomeDeps } from "../../domain/deps.ts";
import { fail } from "../../domain/failure.ts";
import { type InsuranceStep, withInsurance } from "../../domain/health/insurance.ts";
import { maskedPhone } from "../../domain/phone.ts";
import type { OneClick } from "../../domain/signup/one-click.ts";
import type { PageStep } from "../../domain/signup/page/advance.ts";
import { serviceTexts } from "../../domain/signup/page/invite.ts";
import { anywayGets, type Page, sharedOn, wayBack } from "../../domain/signup/page/page.ts";
import { reviewOf } from "../../domain/signup/page/review.ts";
import { detailsOf } from "../../domain/signup/page/sharing.ts";
import { shownOn, shownPlans } from "../../domain/signup/page/shown.ts";
import { stateIdOn } from "../../domain/signup/page/state-id.ts";
import { findVerificationUnbound } from "../../domain/verification/find.ts";
import {
  attemptsRemaining,
  deliveriesMax,
  statusAt,
  type Verification,
} from "../../domain/verification/verification.ts";

/** Maximum number of shown characters of a member id. At most half of it is shown. */
const shownOfMemberIdMax = 4;

/** What the page shows before the phone is proven. */
export async function introOf(deps: Deps, page: Page): Promise<PageIntro> {
  const { caller, oneClick } = page;
  const uuid = oneClick.verificationUuid;
  if (uuid === null) throw fail("OCE015", {});
  const { row } = await findVerificationUnbound(deps, uuid);
  const { backUrl, optOutUrl } = wayBack(deps, page);
  const state = stateOf(row, deps.clock.now());
  return {
    brand: { ...lookOf(deps, caller.brand), anyway: anywayGets(page) },
    ...wordsOf(page),
    state,
    now: deps.clock.now(),
    expiresAt: row.expires_at,
    attemptsRemaining: attemptsRemaining(row),
    ...(state === "open" ? { phone: maskedPhone(oneClick.facts.phone) } : {}),
    textedAt: textedAt(row, deps.clock.now()),
    canResend: state === "open" && serviceTexts(deps, caller, oneClick.journey) && row.deliveries < deliveriesMax,
    ...(backUrl === null ? {} : { backUrl }),
    ...(optOutUrl === null ? {} : { optOutUrl }),
  };
}

/** When the newest text was sent. A resend that is still queued counts as sent now. */
function textedAt({ delivered_at, created_at, deliveries }: Verification["row"], now: number): number {
  return delivered_at ?? (deliveries > 1 ? now : created_at);
}

function stateOf(row: Verification["row"], now: number): PageIntro["state"] {
  const status = statusAt(row, now);
  if (status === "verified") return "proven";
  if (status === "expired") return "expired";
  if (status === "failed") return row.denied_at === null ? "attemptsUsed" : "stopped";
  return "open";
}

/** The purpose after "1-Click", and the text below it. */
function wordsOf({ caller, oneClick }: Page): { title: string; description?: string } {
  const { title = caller.brand.settings.styling.oneClickWord, description } = oneClick.facts.page ?? {};
  return { title, ...(description === undefined ? {} : { description }) };
}

/** Converts a step to the form that the browser receives. */
export async function presentPage(deps: Deps, page: Page, before: PageStep): Promise<PageView> {
  const step = await withInsurance(deps, page, before);
  const { uuid, verificationUuid } = page.oneClick;
  const shownPage = "oneClick" in step ? { caller: page.caller, oneClick: step.oneClick } : page;
  const common = {
    brand: { ...lookOf(deps, page.caller.brand), anyway: anywayGets(shownPage) },
    phoneEnding: page.oneClick.facts.phone.slice(-4),
    ...wordsOf(page),
    identityUuid: uuid,
    ...(verificationUuid === null ? {} : { verificationUuid }),
  };
  if (step.step === "inputs" || step.step === "review") {
    const shown = await shownOn(deps, shownPage);
    const asking = { ...common, shown, ...(await stateIdOf(deps, page, step.oneClick)) };
    if (step.step === "inputs") return { ...asking, step: step.step, inputs: step.inputs };
    return { ...asking, step: step.step, fields: await reviewOf(deps, step.oneClick) };
  }
  if (step.step === "health") {
    const { insurance } = step;
    const shown = insurance.state === "plans" ? { shown: shownPlans(deps, page, insurance.plans) } : {};
    return { ...common, ...shown, step: step.step, health: shownInsurance(insurance) };
  }
  const redirect = step.redirectUrl === null ? {} : { redirectUrl: step.redirectUrl };
  if (step.step === "done") {
    const { outcome, healthDataUuid } = step;
    const shared = sharing.includes(outcome) ? await sharedOn(deps, page) : null;
    return {
      ...common,
      ...redirect,
      ...(shared === null ? {} : { shared: { details: detailsOf(shared.types), readableUntil: shared.readableUntil } }),
      ...(healthDataUuid === undefined ? {} : { healthDataUuid }),
      step: "done",
      outcome,
    };
  }
  const { errorCode, missing } = step;
  return {
    ...common,
    ...(await stateIdOf(deps, page, step.oneClick)),
    ...redirect,
    step: step.step,
    errorCode,
    ...(missing === undefined ? {} : { missing: detailsOf(missing) }),
  };
}

async function stateIdOf(deps: Deps, page: Page, oneClick: OneClick): Promise<Pick<PageView, "stateId">> {
  const stateId = await stateIdOn(deps, page, oneClick);
  return stateId === null ? {} : { stateId };
}

/** The outcomes after which the brand can read the person's details. */
const sharing: readonly PageView["outcome"][] = ["shared", "insured", "uninsured"];

/** The brand as a page shows it. Only logos that the wallet serves are shown. */
export function lookOf({ policy }: Pick<HomeDeps, "policy">, { settings }: Brand): BrandLook {
  const { logoUrl, successAnimation } = settings.styling;
  const logo = logoPath(logoUrl);
  const site = shownSite(policy, settings);
  return {
    name: settings.externalName,
    manualSignup: settings.manualSignup,
    theme: themePath(settings.styling),
    ...(logo === undefined ? {} : { logo }),
    ...(site === undefined ? {} : { site }),
    successAnimation,
    anyway: settings.riskSignals ? "phoneAndRisk" : "phone",
  };
}

/** Masks member ids except for their ends, which have the same length. */
function shownInsurance(insurance: InsuranceStep): Insurance {
  if (insurance.state !== "plans") return insurance;
  const shown = Math.min(
    shownOfMemberIdMax,
    ...insurance.plans.filter(({ memberId }) => memberId !== "").map(({ memberId }) => Math.floor(memberId.length / 2)),
  );
  const plans = insurance.plans.map(({ payer, memberId, coverageTypes = [] }) => {
    return { payer: payer.name, memberId: `••••${shown === 0 ? "" : memberId.slice(-shown)}`, coverageTypes };
  });
  return { state: insurance.state, plans };
}
