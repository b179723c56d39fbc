import type { ConsentShown } from "@countersign/contract/consent";
import * as contract from "@countersign/contract/session";
import type { FastifyInstance } from "fastify";
import type { Shown } from "../../domain/audit/consent.ts";
import type { HomeDeps } from "../../domain/deps.ts";
import { openSession } from "../../domain/session/open.ts";
import {
  asksForOf,
  beginByCarrier,
  beginByText,
  continueProven,
  findSession,
  type Session,
  startOf,
} from "../../domain/session/use.ts";
import { findPage } from "../../domain/signup/page/page.ts";
import { keyOf } from "../auth.ts";
import { type Guard, mount } from "../mount.ts";
import { introOf, lookOf, maskedPhone } from "./present.ts";

/** The wallet's API in a brand's frame, up to the page on which the person reviews. */
export function routesSession(app: FastifyInstance, edge: HomeDeps, guard: Guard<void>): void {
  mount(app, contract.openSession, { guard, prefixes: [""] }, async (_nobody, { body }, request) => {
    const opened = await openSession(edge, body);
    const session = await findSession(edge, opened.sessionToken, request.id);
    return { ...opened, start: await present(edge, session, request.ip) };
  });
  const session: Guard<Session> = async (request, reply) => {
    await guard(request, reply);
    return await findSession(edge, keyOf(request) ?? "", request.id);
  };
  const about = { guard: session, prefixes: [""] };
  mount(app, contract.beginByPhone, about, async (who, { body }, request) => {
    const { phone, within } = body;
    const callerIp = request.ip;
    if (body.silent && (await startOf(edge, who, callerIp)).silent)
      return { location: await beginByCarrier(edge, who, { channel: "silent", phone, callerIp }) };
    const { pageToken: page } = await beginByText(edge, who, {
      phone,
      within,
      consent: consentOf(edge, body.consent),
    });
    const deps = edge.cells.ofToken(page);
    return { page, intro: await introOf(deps, await findPage(deps, { page }, request.id)) };
  });
  mount(app, contract.beginByDevice, about, async (who, _input, request) => ({
    location: await beginByCarrier(edge, who, { channel: "autofill", callerIp: request.ip }),
  }));
  mount(app, contract.continueSession, about, async (who, { body }) => ({
    sessionToken: await continueProven(edge, who, { ...body, consent: consentOf(edge, body.consent) }),
  }));
}

function consentOf(edge: HomeDeps, shown: ConsentShown): Shown {
  return { ...shown, url: `${edge.addresses.walletUrl}/sdk` };
}

async function present(edge: HomeDeps, session: Session, callerIp: string): Promise<contract.SessionStart> {
  const { brand } = session.caller;
  const { knownPhone, autofill, silent } = await startOf(edge, session, callerIp);
  return {
    brand: lookOf(brand),
    title: brand.settings.styling.oneClickWord,
    step: knownPhone === undefined ? "phone" : "consent",
    ...(knownPhone === undefined ? {} : { phone: maskedPhone(knownPhone) }),
    autofill,
    silent,
    asksFor: asksForOf(edge, brand),
    now: edge.clock.now(),
  };
}
