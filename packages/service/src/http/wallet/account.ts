import * as contract from "@countersign/contract/account";
import type { ConsentShown } from "@countersign/contract/consent";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { cardsOf, sharesOf } from "../../domain/account/cards.ts";
import { correctValue } from "../../domain/account/correct.ts";
import { download } from "../../domain/account/download.ts";
import { erasePerson } from "../../domain/account/erase.ts";
import { takeOverNumber } from "../../domain/account/new-holder.ts";
import { hideValues, proveAccount } from "../../domain/account/prove.ts";
import { receiptOf } from "../../domain/account/receipt.ts";
import {
  type Account,
  accountName,
  endFormerSession,
  findAccount,
  listDevices,
  requireShown,
  signOutDevices,
} from "../../domain/account/session.ts";
import { beginSignIn, finishSignIn, resendSignIn } from "../../domain/account/sign-in.ts";
import { brandsInRecord, timelineOf } from "../../domain/account/timeline.ts";
import { withdraw } from "../../domain/account/withdraw.ts";
import type { ConsentOnScreen } from "../../domain/audit/consent.ts";
import type { Deps, HomeDeps } from "../../domain/deps.ts";
import { Failure } from "../../domain/failure.ts";
import { maskedPhone } from "../../domain/phone.ts";
import { isRecord } from "../../domain/validate.ts";
import { cellAbout } from "../cell.ts";
import { deviceName } from "../device-name.ts";
import { calledFrom } from "../limits.ts";
import { type Guard, mount } from "../mount.ts";
import { accountCookie, requireOwnSite } from "./cookie.ts";
import { routesTakeoutOffers } from "./takeout.ts";

type Answering = { reply: FastifyReply };
type Signed = Answering & { deps: Deps; account: Account };
/** `viewNow`: reads the session again, because another call may have hidden the values since this one began. */
type Changing = Signed & { viewNow(): Promise<contract.AccountView> };

/** The API of the person's own page. A cookie identifies the person, and only our own pages may call it. */
export function routesPersonAccount(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<void>): void {
  app.get("/.well-known/jwks.json", async (_request, reply) =>
    reply.header("cache-control", "public, max-age=3600").send({ keys: [homeDeps.vault.receiptKey] }),
  );
  const open: Guard<Answering> = async (request, reply) => {
    await guard(request, reply);
    requireOwnSite(homeDeps, request);
    return { reply };
  };
  const own: Guard<Changing> = async (request, reply) => {
    await open(request, reply);
    const signed = await signedIn(homeDeps, request);
    requireShownPerson(signed, request);
    return { reply, ...signed, viewNow: async () => viewOf(await signedIn(homeDeps, request)) };
  };
  signInRoutes(app, homeDeps, open);
  viewRoutes(app, own);
  changeRoutes(app, homeDeps, own);
  deviceRoutes(app, homeDeps, own);
  routesTakeoutOffers(app, own);
}

/** The account that the request's cookie belongs to, and its cell. Throws if there is none. */
export async function signedIn(homeDeps: HomeDeps, request: FastifyRequest): Promise<Pick<Signed, "deps" | "account">> {
  const token = accountCookie(homeDeps).tokenOf(request) ?? "";
  const deps = await cellAbout(homeDeps, { token });
  return { deps, account: await findAccount(deps, { token, requestId: request.id }) };
}

/**
 * Refuses a call of a page that shows another person: someone else may have signed in in another tab. A call that
 * changes something must name the account; a read may.
 */
export function requireShownPerson({ deps, account }: Pick<Signed, "deps" | "account">, request: FastifyRequest): void {
  const { [contract.accountHeader]: named } = request.headers;
  const shown = named ?? (isRecord(request.query) ? request.query.account : undefined);
  if (shown === undefined && ["GET", "HEAD"].includes(request.method)) return;
  requireShown(deps, account, typeof shown === "string" ? shown : null);
}

function signInRoutes(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<Answering>): void {
  const mounting = { guard, prefixes: [""], homeDeps };
  mount(app, contract.readSignIn, mounting, async ({ reply }, _input, { request }) => {
    const cookie = accountCookie(homeDeps);
    if (cookie.tokenOf(request) === null) return { session: "none" as const };
    const signed = await signedIn(homeDeps, request).catch((error: unknown) => {
      if (error instanceof Failure && error.status === 401) return null;
      throw error;
    });
    if (signed !== null) return { session: "open" as const, account: await viewOf(signed) };
    // Clear the cookie, so that the next visit does not report an ended session.
    cookie.clear(reply);
    return { session: "ended" as const };
  });
  mount(app, contract.beginSignIn, mounting, async (_nobody, { body }, { deps, request }) =>
    beginSignIn(deps, {
      phone: body.phone,
      consent: consentOf(homeDeps, body.consent),
      from: calledFrom(request.ip),
    }),
  );
  mount(app, contract.resendSignIn, mounting, async (_nobody, { body }, { deps, request }) =>
    resendSignIn(deps, { uuid: body.signIn.toLowerCase(), from: calledFrom(request.ip) }),
  );
  mount(app, contract.finishSignIn, mounting, async ({ reply }, { body }, { deps, request }) => {
    const device = deviceName(request.headers["user-agent"]) ?? "";
    const { id: requestId } = request;
    const token = await finishSignIn(deps, { uuid: body.signIn.toLowerCase(), code: body.code, device, requestId });
    const former = accountCookie(homeDeps).tokenOf(request) ?? "";
    await endFormerSession(await cellAbout(homeDeps, { token: former }), former);
    accountCookie(homeDeps).set(reply, token);
    return await viewOf({ deps, account: await findAccount(deps, { token, requestId }) });
  });
}

function viewRoutes(app: FastifyInstance, guard: Guard<Signed>): void {
  const mounting = { guard, prefixes: [""] };
  mount(app, contract.readAccount, mounting, viewOf);
  mount(app, contract.readTimeline, mounting, async ({ deps, account }, { query }) => {
    const { before, brand } = query;
    const { entries, next } = await timelineOf(deps, account, {
      ...(before === undefined ? {} : { before }),
      ...(brand === undefined ? {} : { brandUuid: brand }),
    });
    return { entries, ...(next === null ? {} : { next }) };
  });
  mount(app, contract.readReceipt, mounting, async ({ deps, account }, { params }) => ({
    receipt: await receiptOf(deps, account, params.uuid),
  }));
  mount(app, contract.downloadAccount, mounting, async ({ deps, account, reply }) => {
    const all = await download(deps, account);
    reply.header("content-disposition", 'attachment; filename="countersign.json"');
    return { ...all };
  });
}

function changeRoutes(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<Changing>): void {
  const mounting = { guard, prefixes: [""] };
  mount(app, contract.proveAccount, mounting, async ({ deps, account, viewNow }, { body }) => {
    await proveAccount(deps, account, body);
    return await viewNow();
  });
  mount(app, contract.hideValues, mounting, async ({ deps, account, viewNow }) => {
    await hideValues(deps, account);
    return await viewNow();
  });
  mount(app, contract.stopSharing, mounting, async ({ deps, account, viewNow }, { params, body }) => {
    const { consent, name: shownName } = body;
    const shown = { consent: consentOf(homeDeps, consent), ...(shownName === undefined ? {} : { shownName }) };
    await withdraw(deps, account, { brandUuid: params.uuid, ...shown });
    return await viewNow();
  });
  mount(app, contract.correctValue, mounting, async ({ deps, account, viewNow }, { params, body }) => {
    await correctValue(deps, account, { oneClickUuid: params.uuid, key: body.key, typed: body.value });
    return await viewNow();
  });
  mount(app, contract.deleteAccount, mounting, async ({ deps, account, reply }, { body }) => {
    const erased = await erasePerson(deps, account, consentOf(homeDeps, body.consent));
    if (erased.outcome === "deleted") accountCookie(homeDeps).clear(reply);
    return erased;
  });
  mount(app, contract.takeOverNumber, mounting, async ({ deps, account, reply }, { body }, { request }) => {
    const token = await takeOverNumber(deps, account, consentOf(homeDeps, body.consent));
    accountCookie(homeDeps).set(reply, token);
    return await viewOf({ deps, account: await findAccount(deps, { token, requestId: request.id }) });
  });
}

function deviceRoutes(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<Signed>): void {
  const mounting = { guard, prefixes: [""] };
  const list = async ({ deps, account }: Signed) => ({ devices: await listDevices(deps, account) });
  mount(app, contract.listDevices, mounting, list);
  mount(app, contract.signOutDevice, mounting, async (who, { params }) => {
    await signOutDevices(who.deps, who.account, params);
    return await list(who);
  });
  mount(app, contract.signOutOthers, mounting, async (who) => {
    await signOutDevices(who.deps, who.account, "others");
    return await list(who);
  });
  mount(app, contract.signOut, mounting, async ({ deps, account, reply }) => {
    await signOutDevices(deps, account, "this");
    accountCookie(homeDeps).clear(reply);
    return { signedIn: false };
  });
}

function consentOf(homeDeps: HomeDeps, shown: ConsentShown): ConsentOnScreen {
  return { ...shown, url: `${homeDeps.addresses.walletUrl}/` };
}

async function viewOf({ deps, account }: Pick<Signed, "deps" | "account">): Promise<contract.AccountView> {
  const { phone, provenUntil, fixed } = account;
  return {
    account: accountName(deps, account),
    phone: maskedPhone(phone),
    now: deps.clock.now(),
    ...(provenUntil === null ? {} : { provenUntil }),
    fixed,
    cards: await cardsOf(deps, account),
    shares: await sharesOf(deps, account),
    brands: await brandsInRecord(deps, account),
  };
}
