import { themePath } from "@countersign/contract/theme";
import {
  amendPage,
  type BrandLook,
  decidePage,
  type PageIntro,
  type PageView,
  provePage,
  readPage,
  resendPage,
  viewPage,
} from "@countersign/contract/wallet";
import type { FastifyInstance } from "fastify";
import { logoPath } from "../../domain/brand/logo.ts";
import type { Brand, Deps } from "../../domain/deps.ts";
import { fail } from "../../domain/failure.ts";
import { decidePage as decide } from "../../domain/signup/decide.ts";
import { invite, serviceTexts } from "../../domain/signup/invite.ts";
import {
  advancePage,
  findPage,
  type Page,
  type PageStep,
  provePage as prove,
  wayBack,
} from "../../domain/signup/page.ts";
import { reviewOf } from "../../domain/signup/review.ts";
import { attemptsRemaining, deliveriesMax, statusAt } from "../../domain/verification/states.ts";
import { findVerificationUnbound, type Verification } from "../../domain/verification/store.ts";
import { keyOf } from "../auth.ts";
import { type Guard, mount } from "../mount.ts";

/** The wallet's own interface for the page of a 1-Click. */
export function routesPage(app: FastifyInstance, deps: Deps, guard: Guard<void>): void {
  const about = { guard, prefixes: [""] };
  mount(app, readPage, about, async (_nobody, { params }, request) =>
    introOf(deps, await findPage(deps, params, request.id)),
  );
  mount(app, provePage, about, async (_nobody, { params, body }, request) => ({
    sessionToken: await prove(deps, await findPage(deps, params, request.id), body),
  }));
  mount(app, resendPage, about, async (_nobody, { params }, request) => {
    const page = await findPage(deps, params, request.id);
    const { journey, verificationUuid } = page.oneClick;
    if (verificationUuid === null || !serviceTexts(page.caller, journey))
      throw fail("ERR001", {}, "The brand sends the texts of this page.");
    await invite(deps, page.caller, { verificationUuid, journey, format: "code" });
    return introOf(deps, page);
  });
  sessionRoutes(app, deps, guard);
}

/** What needs the session that proved the phone. */
function sessionRoutes(app: FastifyInstance, deps: Deps, guard: Guard<void>): void {
  const session: Guard<Page> = async (request, reply) => {
    await guard(request, reply);
    return await findPage(deps, { session: keyOf(request) ?? "" }, request.id);
  };
  const about = { guard: session, prefixes: [""] };
  const view = (page: Page, step: PageStep) => present(page, step);
  mount(app, viewPage, about, async (page) => view(page, await advancePage(deps, page)));
  mount(app, amendPage, about, async (page, { body }) => {
    const { birthDate, ssn4, firstName } = body;
    const further = {
      ...(birthDate === undefined ? {} : { birthDate }),
      ...(ssn4 === undefined ? {} : { ssn4 }),
      ...(firstName === undefined ? {} : { fullName: { firstName } }),
    };
    return view(page, await advancePage(deps, page, further));
  });
  mount(app, decidePage, about, async (page, { body }) => {
    const { share, choices = {}, edits = {} } = body;
    const consent = { source: "wallet" as const, url: `${deps.addresses.walletUrl}/request`, ...body.consent };
    return view(page, await decide(deps, page, { share, choices, edits, consent }));
  });
}

/** What the page shows before the phone is proven. */
export async function introOf(deps: Deps, page: Page): Promise<PageIntro> {
  const { caller, oneClick } = page;
  const uuid = oneClick.verificationUuid;
  if (uuid === null) throw fail("OCE015", {});
  const { row } = await findVerificationUnbound(deps, uuid);
  const { backUrl, optOutUrl } = wayBack(deps, page);
  const state = stateOf(row, deps.clock.now());
  return {
    brand: lookOf(caller.brand),
    ...wordsOf(page),
    state,
    now: deps.clock.now(),
    expiresAt: row.expires_at,
    attemptsRemaining: attemptsRemaining(row),
    canResend: state === "open" && serviceTexts(caller, oneClick.journey) && row.deliveries < deliveriesMax,
    ...(backUrl === null ? {} : { backUrl }),
    ...(optOutUrl === null ? {} : { optOutUrl }),
  };
}

function stateOf(row: Verification["row"], now: number): PageIntro["state"] {
  const status = statusAt(row, now);
  if (status === "verified") return "proven";
  if (status === "expired") return "expired";
  if (status === "failed") return row.denied_at === null ? "attemptsUsed" : "stopped";
  return "open";
}

/** The word after "1-Click", and the text under it. */
function wordsOf({ caller, oneClick }: Page): { title: string; description?: string } {
  const { title = caller.brand.settings.styling.oneClickWord, description } = oneClick.facts.page ?? {};
  return { title, ...(description === undefined ? {} : { description }) };
}

function present(page: Page, step: PageStep): PageView {
  const about = { brand: lookOf(page.caller.brand), ...wordsOf(page) };
  if (step.step === "inputs") return { ...about, step: step.step, inputs: step.inputs };
  if (step.step === "review") return { ...about, step: step.step, fields: reviewOf(step.oneClick) };
  const redirect = step.redirectUrl === null ? {} : { redirectUrl: step.redirectUrl };
  if (step.step === "done") return { ...about, ...redirect, step: step.step, outcome: step.outcome };
  return { ...about, ...redirect, step: step.step, errorCode: step.errorCode };
}

/** The brand as a page shows it. Its picture is shown where it is the wallet that serves it, and from nowhere else. */
export function lookOf({ settings }: Brand): BrandLook {
  const { logoUrl, successAnimation } = settings.styling;
  const logo = logoPath(logoUrl);
  return {
    name: settings.externalName,
    manualSignup: settings.manualSignup,
    theme: themePath(settings.styling),
    ...(logo === undefined ? {} : { logo }),
    successAnimation,
  };
}
