import { chooseInsurance, findInsurance, searchInsurers } from "@countersign/contract/wallet";
import type { FastifyInstance } from "fastify";
import type { HomeDeps } from "../../domain/deps.ts";
import { invalid } from "../../domain/failure.ts";
import {
  chooseInsurance as choose,
  findInsurance as find,
  type InsuranceChoice,
} from "../../domain/health/insurance.ts";
import { searchPayers } from "../../domain/health/payers.ts";
import { requiredWords } from "../../domain/problem-words.ts";
import { advancePage } from "../../domain/signup/page/advance.ts";
import { type Guard, mount } from "../mount.ts";
import { type PageSession, pageSession } from "./page.ts";
import { presentPage } from "./present.ts";

/** Maximum number of insurers offered while a name is typed: the best matches, sorted by name. */
const offeredMax = 8;

/** The wallet's API for the person's insurance. */
export function routesInsurance(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<void>): void {
  const mounting = { guard: pageSession(homeDeps, guard), prefixes: [""] };
  const view = async ({ deps, page }: Pick<PageSession, "deps" | "page">) =>
    presentPage(deps, page, await advancePage(deps, page));
  mount(app, findInsurance, mounting, async (session, { body }) => {
    const { firstName, lastName, birthDate } = body;
    const names = firstName === undefined || lastName === undefined ? {} : { fullName: { firstName, lastName } };
    await find(session.deps, session.page, { ...names, ...(birthDate === undefined ? {} : { birthDate }) });
    return await view(session);
  });
  mount(app, chooseInsurance, mounting, async ({ deps, page }, { body }) => {
    const consent = { ...body.consent, url: `${homeDeps.addresses.walletUrl}/request` };
    return await view({ deps, page: await choose(deps, page, { choice: choiceOf(body), consent }) });
  });
  mount(app, searchInsurers, { guard, prefixes: [""] }, async (_nobody, { query }) =>
    searchPayers(homeDeps.vendors.payers, query.search)
      .filter(({ isGroup }) => !isGroup)
      .slice(0, offeredMax)
      .map(({ payer }) => ({ payerId: payer.vendorId, name: payer.name }))
      .sort((a, b) => a.name.localeCompare(b.name, "en")),
  );
}

function choiceOf(body: { plan?: number; payerId?: string; memberId?: string }): InsuranceChoice {
  const { plan, payerId, memberId } = body;
  if (plan !== undefined) return { kind: "plan", index: plan };
  if (payerId === undefined && memberId === undefined) return { kind: "none" };
  if (payerId !== undefined && memberId !== undefined) return { kind: "typed", payerId, memberId };
  throw invalid([{ path: payerId === undefined ? "body.payerId" : "body.memberId", message: requiredWords }]);
}
