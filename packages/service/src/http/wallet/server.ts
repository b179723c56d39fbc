import { fastifyCookie } from "@fastify/cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Brand, Deps, HomeDeps } from "../../domain/deps.ts";
import { Failure } from "../../domain/failure.ts";
import { journeys } from "../../domain/journey.ts";
import { finishHeadless } from "../../domain/signup/page/advance.ts";
import { beginInfoConfirmation } from "../../domain/signup/page/begin-proven.ts";
import { endOf, findPage, findPageOf, type Page } from "../../domain/signup/page/page.ts";
import { openPageSession, redirectByCode } from "../../domain/signup/page/prove.ts";
import {
  type Accepted,
  acceptLink,
  denyLink,
  type LinkPage,
  type PressedLink,
  readLink,
  readPressedLink,
} from "../../domain/verification/link.ts";
import { cellAbout } from "../cell.ts";
import { routesMark } from "../mark.ts";
import type { Guard } from "../mount.ts";
import { routesPersonAccount } from "./account.ts";
import { routesAssets, routesLogos, type WebAssets } from "./assets.ts";
import { refuseOtherSites, setOpenedCookie } from "./cookie.ts";
import { routesEverything } from "./everything.ts";
import { routesFrame } from "./frame.ts";
import { type HtmlPage, languageOf, sendPage, sendShell } from "./html.ts";
import { routesInsurance } from "./insurance.ts";
import { legalPage } from "./legal.ts";
import { type LinkNotice, type LinkPurpose, linkPage, messagePage } from "./link-page.ts";
import { routesPage } from "./page.ts";
import { introOf, lookOf } from "./present.ts";
import { routesSession } from "./session.ts";
import { words } from "./words.ts";

/** Maximum size of a page's form in bytes. Our forms have a choice and the brand's name, which is up to 1,200 as a form. */
const formMax = 2_048;
type PageContext = { homeDeps: HomeDeps; guard: Guard<void>; assets: WebAssets };

/** The wallet's pages and its API for the person's browser. */
export function routesWallet(
  app: FastifyInstance,
  homeDeps: HomeDeps,
  { guard, assets }: Omit<PageContext, "homeDeps">,
): void {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: formMax },
    async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  app.register(fastifyCookie);
  routesSession(app, homeDeps, guard);
  routesFrame(app, homeDeps, { guard, assets });
  routesPage(app, homeDeps, guard);
  routesPersonAccount(app, homeDeps, guard);
  routesEverything(app, homeDeps, { guard, assets });
  routesInsurance(app, homeDeps, guard);
  routesAssets(app, assets);
  routesMark(app);
  routesLogos(app, homeDeps, guard);
  const context = { homeDeps, guard, assets };
  linkRoutes(app, context);
  requestRoutes(app, context);
  for (const name of ["terms", "privacy"] as const)
    app.get(`/${name}`, async (request, reply) => sendPage(reply, legalPage(name, languageOf(request)), assets));
  // What people type who look for their own page.
  for (const name of ["account", "me", "login", "sign-in"])
    app.get(`/${name}`, async (_request, reply) => reply.redirect("/", 303));
  app.get("/", async (request, reply) =>
    sendShell(reply, { language: languageOf(request), data: { account: true } }, assets),
  );
}

function sendMessage(
  reply: FastifyReply,
  { assets }: PageContext,
  { request, name, step }: { request: FastifyRequest; name: "over" | "denied" | "verified"; step: string },
): FastifyReply {
  const language = languageOf(request);
  return sendPage(reply, messagePage({ language, step }, words[language][name], pictureOf[name]), assets);
}

const pictureOf = { over: "expired", denied: "stopped", verified: "proven" } as const;

function linkRoutes(app: FastifyInstance, context: PageContext): void {
  const { homeDeps, guard, assets } = context;
  const sendEnded = (request: FastifyRequest, reply: FastifyReply) =>
    sendMessage(reply.status(404), context, { request, name: "over", step: "error" });
  app.get<{ Params: { id: string } }>("/v/:id", async (request, reply) => {
    await guard(request, reply);
    const deps = await cellAbout(homeDeps, { token: request.params.id });
    const link = await readLink(deps, request.params.id);
    if (link === null) return sendEnded(request, reply);
    const page = await findPageOf(deps, link.uuid, request.id);
    return sendPage(reply, linkPageOf(deps, request, { link, page }), assets);
  });
  app.post<{ Params: { id: string }; Body: unknown }>("/v/:id", async (request, reply) => {
    await guard(request, reply);
    // Another site could otherwise send its visitors into a review that it began with its own link.
    refuseOtherSites(request);
    const { id } = request.params;
    const deps = await cellAbout(homeDeps, { token: id });
    const { choice, brand, purpose } = fieldsOf(request.body);
    // A denial needs no comparison, because it gives nothing to anybody.
    if (choice === "deny") {
      const denied = await denyLink(deps, id, request.id);
      return denied
        ? sendMessage(reply, context, { request, name: "denied", step: "done" })
        : sendEnded(request, reply);
    }
    const pressed = choice === "continue" ? await readPressedLink(deps, id) : null;
    if (pressed === null) return sendEnded(request, reply);
    const { link } = pressed;
    const page = await findPageOf(deps, link.uuid, request.id);
    if (mayDecide(pressed, page)) {
      // What follows must be what the person saw, and uses the brand and the purpose of this comparison.
      const isRenamed = brand !== brandOf(link, page).settings.externalName;
      const notice = isRenamed ? "renamed" : purpose === purposeOf(link, page) ? undefined : "changedSince";
      if (notice !== undefined)
        return sendPage(reply.status(409), linkPageOf(deps, request, { link, page, notice }), assets);
    }
    const accepted = await acceptLink(deps, id, pressed, request.id);
    const onward = accepted === null ? "over" : await onwardFrom(deps, accepted, page, request.id);
    if (onward === "over") return sendEnded(request, reply);
    if (onward.kind === "verified") return sendMessage(reply, context, { request, name: "verified", step: "done" });
    if (onward.kind === "review") setOpenedCookie(reply, deps, onward.session);
    return await reply.header("referrer-policy", "no-referrer").redirect(onward.url, 303);
  });
}

/** The brand of a link's page. If a 1-Click follows, it is the brand that its data is released to. */
function brandOf(link: LinkPage, page: Page | null): Brand {
  return page === null ? link.brand : page.caller.brand;
}

/** Whether a form can still decide. After "Continue", that is only so if the data could not be found then. */
function mayDecide({ isAgain }: PressedLink, page: Page | null): boolean {
  if (!isAgain) return true;
  if (page === null || journeys[page.oneClick.journey].review !== "brand") return false;
  return page.oneClick.state === "awaitingProof" || page.oneClick.state === "awaitingInputs";
}

function purposeOf(link: LinkPage, page: Page | null): LinkPurpose {
  const reviewed = page === null ? link.reviewFollows : journeys[page.oneClick.journey].review === "wallet";
  if (reviewed) return "review";
  if (page !== null) return "share";
  return link.brandReads ? "read" : "proof";
}

type ShownLink = { link: LinkPage; page: Page | null; notice?: LinkNotice };

function linkPageOf(deps: Deps, request: FastifyRequest, { link, page, notice }: ShownLink): HtmlPage {
  return linkPage(link, {
    brand: lookOf(deps, brandOf(link, page)),
    language: languageOf(request),
    purpose: purposeOf(link, page),
    now: deps.clock.now(),
    leadsTo: page === null ? (link.target?.toString() ?? null) : endOf(deps, page),
    notice,
  });
}

/**
 * Serves the application. For a page without screens, a right code in the URL redirects, and a wrong one shows an
 * error.
 */
function requestRoutes(app: FastifyInstance, { homeDeps, guard, assets }: PageContext): void {
  app.get("/request", async (request, reply) => {
    await guard(request, reply);
    const shell = { language: languageOf(request), data: { page: null, intro: null }, keepsOpener: true };
    return sendShell(reply, shell, assets);
  });
  app.get<{ Params: { page: string }; Querystring: { code?: unknown } }>("/request/:page", async (request, reply) => {
    await guard(request, reply);
    const { page: name } = request.params;
    const language = languageOf(request);
    const deps = await cellAbout(homeDeps, { token: name });
    const page = await findPage(deps, { page: name }, request.id).catch((error: unknown) => {
      if (error instanceof Failure && error.status === 404) return null;
      throw error;
    });
    // A brand may open the page in a popup, which leads back to the brand.
    const keepsOpener = true;
    if (page === null)
      return sendShell(reply.status(404), { language, data: { page: name, intro: null }, keepsOpener }, assets);
    // A parameter that occurs twice is a list here. HEAD must not use up an attempt.
    const isCode = typeof request.query.code === "string" && request.method !== "HEAD";
    const code = isCode ? String(request.query.code) : undefined;
    const target = code === undefined ? null : await redirectByCode(deps, page, code);
    if (target !== null) return await reply.header("referrer-policy", "no-referrer").redirect(target, 303);
    const wrongCode = code !== undefined && journeys[page.oneClick.journey].proof === "redirectCode";
    const data = { page: name, intro: await introOf(deps, page), wrongCode };
    return sendShell(reply, { language, brand: lookOf(deps, page.caller.brand), data, keepsOpener }, assets);
  });
}

/** `verified`: the link leads nowhere, and the page says that the phone is verified. */
type Onward =
  | "over"
  | { kind: "verified" }
  | { kind: "brand"; url: string }
  | { kind: "review"; url: string; session: string };

/**
 * Where a link continues after it proved the phone: at the review, which it opens once, or at the brand. `begun`: the
 * page whose link it is, if there is one.
 */
async function onwardFrom(
  deps: Deps,
  { verificationUuid, goesTo, reviewFollows, isAgain }: Accepted,
  begun: Page | null,
  requestId: string,
): Promise<Onward> {
  const toBrand = (url: string | null): Onward => (url === null ? { kind: "verified" } : { kind: "brand", url });
  if (begun !== null && journeys[begun.oneClick.journey].review === "brand")
    return toBrand((await finishHeadless(deps, begun)) ?? goesTo);
  if (isAgain && (begun !== null || reviewFollows)) return "over";
  const page = begun ?? (await beginInfoConfirmation(deps, verificationUuid, requestId));
  if (page === null) return toBrand(goesTo);
  const session = await openPageSession(deps, page.oneClick);
  // Browsers never send a fragment, neither to a server nor in a referrer.
  return { kind: "review", url: `${deps.addresses.walletUrl}/request#${session}`, session };
}

function fieldsOf(body: unknown): { choice: unknown; brand: unknown; purpose: unknown } {
  const field = (name: string): unknown =>
    typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
  return { choice: field("choice"), brand: field("brand"), purpose: field("purpose") };
}
