import type { ConsentShown } from "@countersign/contract/consent";
import * as contract from "@countersign/contract/session";
import type { FastifyInstance } from "fastify";
import type { ConsentOnScreen } from "../../domain/audit/consent.ts";
import type { HomeDeps } from "../../domain/deps.ts";
import { maskedPhone } from "../../domain/phone.ts";
import { continueProven } from "../../domain/session/continue-proven.ts";
import { openSdkSession } from "../../domain/session/make.ts";
import { beginByCarrier, beginByText } from "../../domain/session/prove-phone.ts";
import { asksForOf, findSession, provingKind, type Session, shownText, startOf } from "../../domain/session/session.ts";
import { findPage } from "../../domain/signup/page/page.ts";
import { apiKeyIn } from "../auth.ts";
import { cellAbout } from "../cell.ts";
import { type Guard, mount } from "../mount.ts";
import { introOf, lookOf } from "./present.ts";

/** The wallet's API in a brand's frame, before the page on which the person reviews. */
export function routesSession(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<void>): void {
  mount(app, contract.openSession, { guard, prefixes: [""] }, async (_nobody, { body }, { request }) => {
    const opened = await openSdkSession(homeDeps, body);
    const session = await findSession(homeDeps, opened.sessionToken, request.id);
    return { ...opened, start: await present(homeDeps, session, request.ip) };
  });
  const session: Guard<Session> = async (request, reply) => {
    await guard(request, reply);
    return await findSession(homeDeps, apiKeyIn(request) ?? "", request.id);
  };
  const mounting = { guard: session, prefixes: [""] };
  mount(app, contract.beginByPhone, mounting, async (who, { body }, { request }) => {
    const { phone, within } = body;
    const callerIp = request.ip;
    if (body.silent && (await startOf(homeDeps, who, callerIp)).silent)
      return { location: await beginByCarrier(homeDeps, who, { channel: "silent", phone, callerIp }) };
    const { pageToken: page } = await beginByText(homeDeps, who, {
      phone,
      within,
      consent: consentOf(homeDeps, body.consent),
    });
    const deps = await cellAbout(homeDeps, { token: page });
    return { page, intro: await introOf(deps, await findPage(deps, { page }, request.id)) };
  });
  mount(app, contract.beginByDevice, mounting, async (who, _input, { request }) => ({
    location: await beginByCarrier(homeDeps, who, { channel: "autofill", callerIp: request.ip }),
  }));
  mount(app, contract.continueSession, mounting, async (who, { body }) => ({
    sessionToken: await continueProven(homeDeps, who, { ...body, consent: consentOf(homeDeps, body.consent) }),
  }));
}

function consentOf<Screen extends ConsentShown>(homeDeps: HomeDeps, shown: Screen): Screen & ConsentOnScreen {
  return { ...shown, url: `${homeDeps.addresses.walletUrl}/sdk` };
}

async function present(homeDeps: HomeDeps, session: Session, callerIp: string): Promise<contract.SessionStart> {
  const { brand } = session.caller;
  const { knownPhone, autofill, silent } = await startOf(homeDeps, session, callerIp);
  return {
    brand: lookOf(homeDeps, brand),
    title: brand.settings.styling.oneClickWord,
    step: knownPhone === undefined ? "phone" : "consent",
    ...(knownPhone === undefined ? {} : { phone: maskedPhone(knownPhone) }),
    autofill,
    silent,
    asksFor: asksForOf(homeDeps, brand),
    shown: shownText(homeDeps, session, provingKind(homeDeps, session)),
    now: homeDeps.clock.now(),
  };
}
