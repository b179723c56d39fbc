import type { ChallengeMember } from "@countersign/contract/errors";
import {
  amendPage,
  answerStateId,
  askStateId,
  beginPresentation,
  decidePage,
  provePage,
  readPage,
  resendPage,
  takePresentation,
  viewPage,
} from "@countersign/contract/wallet";
import type { FastifyInstance } from "fastify";
import type { Deps, HomeDeps } from "../../domain/deps.ts";
import { fail } from "../../domain/failure.ts";
import { advancePage } from "../../domain/signup/page/advance.ts";
import { decidePage as decide } from "../../domain/signup/page/decide.ts";
import { serviceTexts, textOneClick } from "../../domain/signup/page/invite.ts";
import { findPage, type Page } from "../../domain/signup/page/page.ts";
import { beginPresentation as begin, takePresentation as take } from "../../domain/signup/page/presentation.ts";
import { provePage as prove } from "../../domain/signup/page/prove.ts";
import { answerStateId as answer, askStateId as ask } from "../../domain/signup/page/state-id.ts";
import { apiKeyIn } from "../auth.ts";
import { cellAbout } from "../cell.ts";
import { type Guard, mount } from "../mount.ts";
import { requestLink } from "../takeout/presentations.ts";
import { introOf, presentPage } from "./present.ts";

/** The wallet's API for the page of a 1-Click. */
export function routesPage(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<void>): void {
  const mounting = { guard, prefixes: [""], homeDeps };
  mount(app, readPage, mounting, async (_nobody, { params }, { deps, request }) =>
    introOf(deps, await findPage(deps, params, request.id)),
  );
  mount(app, provePage, mounting, async (_nobody, { params, body }, { deps, request }) => ({
    sessionToken: await prove(deps, await findPage(deps, params, request.id), body),
  }));
  mount(app, resendPage, mounting, async (_nobody, { params }, { deps, request }) => {
    const page = await findPage(deps, params, request.id);
    const { journey, verificationUuid, facts } = page.oneClick;
    if (verificationUuid === null || !serviceTexts(deps, page.caller, journey))
      throw fail("ERR001", {}, "The brand sends the texts of this page.");
    await textOneClick(deps, page.caller, {
      verificationUuid,
      journey,
      format: "code",
      within: facts.page?.within,
    });
    return await introOf(deps, page);
  });
  sessionRoutes(app, homeDeps, guard);
}

/** The page of a session, and its cell. */
export type PageSession = { deps: Deps; page: Page; session: string };

/** The guard for calls with a page's session. */
export function pageSession(homeDeps: HomeDeps, guard: Guard<void>): Guard<PageSession> {
  return async (request, reply) => {
    await guard(request, reply);
    const session = apiKeyIn(request) ?? "";
    const deps = await cellAbout(homeDeps, { token: session });
    return { deps, page: await findPage(deps, { session }, request.id), session };
  };
}

/** Calls that require the session that proved the phone. */
function sessionRoutes(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<void>): void {
  const mounting = { guard: pageSession(homeDeps, guard), prefixes: [""] };
  mount(app, viewPage, mounting, async ({ deps, page }) => presentPage(deps, page, await advancePage(deps, page)));
  mount(app, amendPage, mounting, async ({ deps, page }, { body }) => {
    const { birthDate, ssn4, firstName } = body;
    const fullName = firstName === undefined ? undefined : { firstName };
    const further = { birthDate, ssn4, fullName } satisfies Record<ChallengeMember, unknown>;
    return await presentPage(deps, page, await advancePage(deps, page, further));
  });
  mount(app, beginPresentation, mounting, async ({ deps, page }, { body }) => {
    const request = await begin(deps, page, body);
    return { request: await requestLink(deps, request), now: deps.clock.now(), expiresAt: request.expiresAt };
  });
  mount(app, takePresentation, mounting, async ({ deps, page }, { body }) => {
    const after = await take(deps, page, body);
    return await presentPage(deps, after, await advancePage(deps, after));
  });
  mount(app, askStateId, mounting, async ({ deps, page, session }) => {
    const { requestUuid, requests, expiresAt } = await ask(deps, { page, session });
    return { request: requestUuid, requests, now: deps.clock.now(), expiresAt };
  });
  mount(app, answerStateId, mounting, async ({ deps, page, session }, { body }) => {
    const { request: requestUuid, protocol, data } = body;
    const { page: after, step } = await answer(deps, { page, session }, { requestUuid, protocol, data });
    return await presentPage(deps, after, step);
  });
  mount(app, decidePage, mounting, async ({ deps, page }, { body }) => {
    const { share, choices = {}, edits = {}, leftOut = [] } = body;
    const consent = { ...body.consent, url: `${homeDeps.addresses.walletUrl}/request` };
    return await presentPage(deps, page, await decide(deps, page, { share, choices, edits, leftOut, consent }));
  });
}
