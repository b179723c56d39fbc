import { amendPage, decidePage, provePage, readPage, resendPage, viewPage } from "@countersign/contract/wallet";
import type { FastifyInstance } from "fastify";
import type { Deps } from "../../domain/deps.ts";
import { fail } from "../../domain/failure.ts";
import { advancePage, type PageStep } from "../../domain/signup/page/advance.ts";
import { decidePage as decide } from "../../domain/signup/page/decide.ts";
import { invite, serviceTexts } from "../../domain/signup/page/invite.ts";
import { findPage, type Page } from "../../domain/signup/page/page.ts";
import { provePage as prove } from "../../domain/signup/page/prove.ts";
import { keyOf } from "../auth.ts";
import { type Guard, mount } from "../mount.ts";
import { introOf, presentPage } from "./present.ts";

/** The wallet's API for the page of a 1-Click. */
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
    const { journey, verificationUuid, facts } = page.oneClick;
    if (verificationUuid === null || !serviceTexts(page.caller, journey))
      throw fail("ERR001", {}, "The brand sends the texts of this page.");
    await invite(deps, page.caller, { verificationUuid, journey, format: "code", within: facts.page?.within });
    return introOf(deps, page);
  });
  sessionRoutes(app, deps, guard);
}

/** The session that a request belongs to. */
export function pageSession(deps: Deps, guard: Guard<void>): Guard<Page> {
  return async (request, reply) => {
    await guard(request, reply);
    return await findPage(deps, { session: keyOf(request) ?? "" }, request.id);
  };
}

/** Calls that require the session that proved the phone. */
function sessionRoutes(app: FastifyInstance, deps: Deps, guard: Guard<void>): void {
  const about = { guard: pageSession(deps, guard), prefixes: [""] };
  const view = (page: Page, step: PageStep) => presentPage(deps, page, step);
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
    const consent = { ...body.consent, url: `${deps.addresses.walletUrl}/request` };
    return view(page, await decide(deps, page, { share, choices, edits, consent }));
  });
}
