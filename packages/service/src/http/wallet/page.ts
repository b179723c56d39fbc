import {
  amendPage,
  decidePage,
  type PageIntro,
  type PageView,
  provePage,
  readPage,
  resendPage,
  viewPage,
} from "@countersign/contract/wallet";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Brand, Deps } from "../../domain/deps.ts";
import { fail } from "../../domain/failure.ts";
import { journeys } from "../../domain/journey.ts";
import { invite, serviceTexts } from "../../domain/signup/invite.ts";
import {
  advancePage,
  decidePage as decide,
  findPage,
  type Page,
  type PageStep,
  provePage as prove,
} from "../../domain/signup/page.ts";
import { reviewOf } from "../../domain/signup/review.ts";
import { attemptsRemaining } from "../../domain/verification/states.ts";
import { findVerificationUnbound } from "../../domain/verification/store.ts";
import { keyOf } from "../auth.ts";
import { type Guard, mount } from "../mount.ts";

/** The wallet's own interface for the page of a 1-Click. */
export function routesPage(app: FastifyInstance, deps: Deps, guard: Guard<void>): void {
  const about = { guard, prefixes: [""] };
  mount(app, readPage, about, async (_nobody, { params }, request) =>
    intro(deps, await findPage(deps, params, request.id)),
  );
  mount(app, provePage, about, async (_nobody, { params, body }, request) => ({
    sessionToken: await prove(deps, await findPage(deps, params, request.id), body.code),
  }));
  mount(app, resendPage, about, async (_nobody, { params }, request) => {
    const page = await findPage(deps, params, request.id);
    const { journey, verificationUuid } = page.oneClick;
    if (verificationUuid === null || !serviceTexts(page.caller, journey))
      throw fail("ERR001", {}, "The brand sends the texts of this page.");
    await invite(deps, page.caller, { verificationUuid, journey, format: "code" });
    return intro(deps, page);
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
  const view = async (page: Page, step: PageStep) => present(page.caller.brand, step);
  mount(app, viewPage, about, async (page) => view(page, await advancePage(deps, page)));
  mount(app, amendPage, about, async (page, { body }) => {
    const { birthDate, ssn4, firstName } = body;
    const further = {
      ...(birthDate === undefined ? {} : { birthDate }),
      ...(ssn4 === undefined ? {} : { ssn4 }),
      ...(firstName === undefined ? {} : { fullName: { firstName } }),
    };
    return await view(page, await advancePage(deps, page, further));
  });
  mount(app, decidePage, about, async (page, { body }, request) => {
    const consent = { source: "wallet" as const, url: pageOf(request), ...body.consent };
    return await view(page, await decide(deps, page, { share: body.share, choices: body.choices ?? {}, consent }));
  });
}

async function intro(deps: Deps, { caller, oneClick }: Page): Promise<PageIntro> {
  const uuid = oneClick.verificationUuid;
  if (uuid === null) throw fail("OCE015", {});
  const { row } = await findVerificationUnbound(deps, uuid);
  const { title, description } = oneClick.facts.page ?? {};
  return {
    brand: brandOf(caller.brand),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    expiresAt: row.expires_at,
    attemptsRemaining: attemptsRemaining(row),
    canResend: journeys[oneClick.journey].proof === "wallet" && serviceTexts(caller, oneClick.journey),
  };
}

function present(brand: Brand, step: PageStep): PageView {
  const about = { brand: brandOf(brand) };
  if (step.step === "inputs") return { step: step.step, ...about, inputs: step.inputs };
  if (step.step === "review") return { step: step.step, ...about, fields: reviewOf(step.oneClick) };
  const redirect = step.redirectUrl === null ? {} : { redirectUrl: step.redirectUrl };
  return { ...about, ...redirect, step: step.step, ...(step.step === "error" ? { errorCode: step.errorCode } : {}) };
}

function brandOf({ settings }: Brand): PageIntro["brand"] {
  return { name: settings.externalName, manualSignup: settings.manualSignup, styling: settings.styling };
}

function pageOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}/`;
}
