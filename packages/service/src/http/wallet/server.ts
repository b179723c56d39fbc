import { openSession } from "@countersign/contract/session";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Deps } from "../../domain/deps.ts";
import { openSession as open } from "../../domain/session/open.ts";
import { acceptLink, denyLink, readLink } from "../../domain/verification/link.ts";
import { type Guard, mount } from "../mount.ts";
import { linkPage, linkStyle, messagePage, type Page } from "./link-page.ts";

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
  linkRoutes(app, deps, guard);
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
    if (accepted.goesTo === null)
      return answer(reply, messagePage("Your phone is verified", "You can go back to where you came from."));
    return await reply.header("referrer-policy", "no-referrer").redirect(accepted.goesTo, 303);
  });
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
