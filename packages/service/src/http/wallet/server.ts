import { openSession } from "@countersign/contract/session";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Deps } from "../../domain/deps.ts";
import { journeys } from "../../domain/journey.ts";
import { openSession as open } from "../../domain/session/open.ts";
import { findPage, findPageOf, finishHeadless, openPageSession, redirectByCode } from "../../domain/signup/page.ts";
import { acceptLink, denyLink, readLink } from "../../domain/verification/link.ts";
import { type Guard, mount } from "../mount.ts";
import { linkPage, linkStyle, messagePage, type Page } from "./link-page.ts";
import { routesPage } from "./page.ts";

/** Longest form of a page; ours carry one word. */
const formMax = 1_024;
const over = messagePage(
  "This link is over",
  "It was used already, replaced by a newer text, or its five minutes have passed. Ask for a new text where you came from.",
);

/** What the person's browser sees and asks, on the wallet's own address. */
export function routesWallet(app: FastifyInstance, deps: Deps, guard: Guard<void>): void {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: formMax },
    async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  mount(app, openSession, { guard, prefixes: [""] }, async (_nobody, { body }) => open(deps, body.sessionKey));
  routesPage(app, deps, guard);
  linkRoutes(app, deps, guard);
  requestRoutes(app, deps, guard);
  app.get("/", async (_request, reply) =>
    answer(
      reply,
      messagePage("Countersign wallet", "This is where people see and share what is theirs. Its pages come here."),
    ),
  );
}

function linkRoutes(app: FastifyInstance, deps: Deps, guard: Guard<void>): void {
  app.get("/v/style.css", async (_request, reply) =>
    reply.header("cache-control", "public, max-age=3600").type("text/css; charset=utf-8").send(linkStyle),
  );
  app.get<{ Params: { id: string } }>("/v/:id", async (request, reply) => {
    await guard(request, reply);
    const page = await readLink(deps, request.params.id);
    return page === null ? answer(reply.status(404), over) : answer(reply, linkPage(page));
  });
  app.post<{ Params: { id: string }; Body: unknown }>("/v/:id", async (request, reply) => {
    await guard(request, reply);
    const { id } = request.params;
    if (choiceOf(request.body) === "deny") {
      const denied = await denyLink(deps, id, request.id);
      return denied
        ? answer(reply, messagePage("Thank you", "Nothing was verified, and no further text is sent for this."))
        : answer(reply.status(404), over);
    }
    const accepted = choiceOf(request.body) === "continue" ? await acceptLink(deps, id, request.id) : null;
    if (accepted === null) return answer(reply.status(404), over);
    const onward = await onwardFrom(deps, accepted.verificationUuid, request.id);
    if (onward !== null) return await reply.header("referrer-policy", "no-referrer").redirect(onward, 303);
    if (accepted.goesTo === null)
      return answer(reply, messagePage("Your phone is verified", "You can go back to where you came from."));
    return await reply.header("referrer-policy", "no-referrer").redirect(accepted.goesTo, 303);
  });
}

/** The page of a 1-Click whose code is on its address: it leads on without a word, or says that the code was wrong. */
function requestRoutes(app: FastifyInstance, deps: Deps, guard: Guard<void>): void {
  app.get<{ Params: { page: string }; Querystring: { code?: string } }>("/request/:page", async (request, reply) => {
    await guard(request, reply);
    const page = await findPage(deps, { page: request.params.page }, request.id).catch(() => null);
    if (page === null) return answer(reply.status(404), over);
    const { code } = request.query;
    const target = code === undefined ? null : await redirectByCode(deps, page, code);
    if (target !== null) return await reply.header("referrer-policy", "no-referrer").redirect(target, 303);
    return answer(
      reply,
      messagePage("Verify your phone", "Enter the code that was texted to you. The wallet's screens come here."),
    );
  });
}

/** Where a person goes whose link proved the phone of a 1-Click: back to the brand, or on with the session. */
async function onwardFrom(deps: Deps, verificationUuid: string, requestId: string): Promise<string | null> {
  const page = await findPageOf(deps, verificationUuid, requestId);
  if (page === null) return null;
  if (journeys[page.oneClick.journey].review === "brand") return await finishHeadless(deps, page);
  // A fragment is never sent to a server, nor in a referrer.
  return `${deps.addresses.walletUrl}/request#${await openPageSession(deps, page.oneClick)}`;
}

function choiceOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "choice" in body ? body.choice : undefined;
}

function answer(reply: FastifyReply, page: Page): FastifyReply {
  const targets = ["'self'", ...page.formTargets].join(" ");
  return reply
    .header(
      "content-security-policy",
      `default-src 'none'; style-src 'self'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`,
    )
    .header("referrer-policy", "no-referrer")
    .type("text/html; charset=utf-8")
    .send(page.html);
}
