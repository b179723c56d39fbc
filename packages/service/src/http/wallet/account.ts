import * as contract from "@countersign/contract/account";
import type { ConsentShown } from "@countersign/contract/consent";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { cardsOf, sharesOf } from "../../domain/account/cards.ts";
import { correctValue } from "../../domain/account/correct.ts";
import { download } from "../../domain/account/download.ts";
import { erasePerson } from "../../domain/account/erase.ts";
import { takeOverNumber } from "../../domain/account/new-holder.ts";
import { proveAccount } from "../../domain/account/prove.ts";
import { receiptOf } from "../../domain/account/receipt.ts";
import { type Account, endFormerSession, endSessions, findAccount, listDevices } from "../../domain/account/session.ts";
import { beginSignIn, finishSignIn, resendSignIn } from "../../domain/account/sign-in.ts";
import { brandsInRecord, timelineOf } from "../../domain/account/timeline.ts";
import { withdraw } from "../../domain/account/withdraw.ts";
import type { Shown } from "../../domain/audit/consent.ts";
import type { Deps } from "../../domain/deps.ts";
import { Failure } from "../../domain/failure.ts";
import { calledFrom } from "../limits.ts";
import { type Guard, mount } from "../mount.ts";
import { accountCookie, requireOwnSite } from "./cookie.ts";
import { deviceWords } from "./device-words.ts";

type Answering = { reply: FastifyReply };
type Signed = Answering & { account: Account };

/** The API of the person's own page. A cookie identifies the person, and only our own pages may call. */
export function routesAccount(app: FastifyInstance, deps: Deps, guard: Guard<void>): void {
  app.get("/.well-known/jwks.json", async (_request, reply) =>
    reply.header("cache-control", "public, max-age=3600").send({ keys: [deps.vault.receiptKey] }),
  );
  const open: Guard<Answering> = async (request, reply) => {
    await guard(request, reply);
    requireOwnSite(deps, request);
    return { reply };
  };
  const own: Guard<Signed> = async (request, reply) => {
    await open(request, reply);
    return { reply, account: await signedIn(deps, request) };
  };
  signInRoutes(app, deps, open);
  viewRoutes(app, deps, own);
  changeRoutes(app, deps, own);
  deviceRoutes(app, deps, own);
}

/** The account that the request's cookie belongs to. Throws if there is none. */
export async function signedIn(deps: Deps, request: FastifyRequest): Promise<Account> {
  const token = accountCookie(deps).tokenOf(request) ?? "";
  return await findAccount(deps, { token, requestId: request.id });
}

function signInRoutes(app: FastifyInstance, deps: Deps, guard: Guard<Answering>): void {
  const about = { guard, prefixes: [""] };
  mount(app, contract.readSignIn, about, async ({ reply }, _input, request) => {
    const cookie = accountCookie(deps);
    if (cookie.tokenOf(request) === null) return { session: "none" as const };
    const account = await signedIn(deps, request).catch((error: unknown) => {
      if (error instanceof Failure && error.status === 401) return null;
      throw error;
    });
    if (account !== null) return { session: "open" as const, account: await viewOf(deps, account) };
    // The next visit has no session that could have ended.
    cookie.clear(reply);
    return { session: "ended" as const };
  });
  mount(app, contract.beginSignIn, about, async (_nobody, { body }, request) =>
    beginSignIn(deps, { phone: body.phone, consent: consentOf(deps, body.consent), from: calledFrom(request.ip) }),
  );
  mount(app, contract.resendSignIn, about, async (_nobody, { body }, request) =>
    resendSignIn(deps, { uuid: body.signIn.toLowerCase(), from: calledFrom(request.ip) }),
  );
  mount(app, contract.finishSignIn, about, async ({ reply }, { body }, request) => {
    const device = deviceWords(request.headers["user-agent"]);
    const { id: requestId } = request;
    const token = await finishSignIn(deps, { uuid: body.signIn.toLowerCase(), code: body.code, device, requestId });
    await endFormerSession(deps, accountCookie(deps).tokenOf(request) ?? "");
    accountCookie(deps).set(reply, token);
    return await viewOf(deps, await findAccount(deps, { token, requestId }));
  });
}

function viewRoutes(app: FastifyInstance, deps: Deps, guard: Guard<Signed>): void {
  const about = { guard, prefixes: [""] };
  mount(app, contract.readAccount, about, async ({ account }) => viewOf(deps, account));
  mount(app, contract.readTimeline, about, async ({ account }, { query }) => {
    const { before, brand } = query;
    const { entries, next } = await timelineOf(deps, account, {
      ...(before === undefined ? {} : { before }),
      ...(brand === undefined ? {} : { brandUuid: brand }),
    });
    return { entries, ...(next === null ? {} : { next }) };
  });
  mount(app, contract.readReceipt, about, async ({ account }, { params }) => ({
    receipt: await receiptOf(deps, account, params.uuid),
  }));
  mount(app, contract.downloadAccount, about, async ({ account, reply }) => {
    const all = await download(deps, account);
    reply.header("content-disposition", 'attachment; filename="countersign.json"');
    return { ...all };
  });
}

function changeRoutes(app: FastifyInstance, deps: Deps, guard: Guard<Signed>): void {
  const about = { guard, prefixes: [""] };
  mount(app, contract.proveAccount, about, async ({ account }, { body }) =>
    viewOf(deps, await proveAccount(deps, account, body)),
  );
  mount(app, contract.stopSharing, about, async ({ account }, { params, body }) => {
    await withdraw(deps, account, { brandUuid: params.uuid, consent: consentOf(deps, body.consent) });
    return await viewOf(deps, account);
  });
  mount(app, contract.correctValue, about, async ({ account }, { params, body }) => {
    await correctValue(deps, account, { oneClickUuid: params.uuid, key: body.key, typed: body.value });
    return await viewOf(deps, account);
  });
  mount(app, contract.deleteAccount, about, async ({ account, reply }, { body }) => {
    const erased = await erasePerson(deps, account, consentOf(deps, body.consent));
    if (erased.outcome === "deleted") accountCookie(deps).clear(reply);
    return erased;
  });
  mount(app, contract.takeOverNumber, about, async ({ account, reply }, { body }, request) => {
    const token = await takeOverNumber(deps, account, consentOf(deps, body.consent));
    accountCookie(deps).set(reply, token);
    return await viewOf(deps, await findAccount(deps, { token, requestId: request.id }));
  });
}

function deviceRoutes(app: FastifyInstance, deps: Deps, guard: Guard<Signed>): void {
  const about = { guard, prefixes: [""] };
  const list = async (account: Account) => ({ devices: await listDevices(deps, account) });
  mount(app, contract.listDevices, about, async ({ account }) => list(account));
  mount(app, contract.signOutDevice, about, async ({ account }, { params }) => {
    await endSessions(deps, account, params);
    return await list(account);
  });
  mount(app, contract.signOutOthers, about, async ({ account }) => {
    await endSessions(deps, account, "others");
    return await list(account);
  });
  mount(app, contract.signOut, about, async ({ account, reply }) => {
    await endSessions(deps, account, "this");
    accountCookie(deps).clear(reply);
    return { signedIn: false };
  });
}

function consentOf(deps: Deps, shown: ConsentShown): Shown {
  return { ...shown, url: `${deps.addresses.walletUrl}/` };
}

async function viewOf(deps: Deps, account: Account): Promise<contract.AccountView> {
  const { phone, provenUntil, fixed } = account;
  return {
    phone: `(•••) •••-${phone.slice(-4)}`,
    now: deps.clock.now(),
    ...(provenUntil === null ? {} : { provenUntil }),
    fixed,
    cards: await cardsOf(deps, account),
    shares: await sharesOf(deps, account),
    brands: await brandsInRecord(deps, account),
  };
}
