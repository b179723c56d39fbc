import { isUuid } from "@countersign/contract/primitives";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type ComponentChildren, h } from "preact";
import { refuse } from "../../domain/failure.ts";
import type { SessionAsk } from "../../domain/session/make.ts";
import type { Guard } from "../mount.ts";
import type { WebAssets } from "./assets.ts";
import { languageOf, sendPage } from "./html.ts";

type About = {
  guard: Guard<void>;
  assets: WebAssets;
  apiUrl(): string;
  /** A session of the demo brand that embeds the SDK; null where there are no demo brands. */
  makeSession: ((ask: SessionAsk, requestId: string) => Promise<string>) | null;
};

/** The flows that a visitor of the demo can try. `ask`: what the brand's server sends to get a session key. */
const flows: Record<string, { name: string; ask: SessionAsk }> = {
  phone: { name: "The person types their phone", ask: { inputs: {} } },
  known: { name: "The brand knows the phone already", ask: { phone: "+12125550010", inputs: {} } },
  device: { name: "The carrier knows the phone", ask: { inputs: { deviceIp: "::121:2555:0010" } } },
};

/** `/demo/…` of the sandbox: pages that stand for a brand's own. */
export function routesDemo(app: FastifyInstance, about: About): void {
  routesSdkDemo(app, about);
  app.get("/demo/landing", async (request, reply) => {
    await about.guard(request, reply);
    const language = languageOf(request);
    return sendPage(
      reply,
      { language, title: titleOf(request), content: landing(request, about.apiUrl()), hasSwitch: false },
      about.assets,
    );
  });
}

/** A sign-up page with the SDK, and a panel that shows the SDK's callbacks. */
function routesSdkDemo(app: FastifyInstance, { guard, assets, makeSession }: About): void {
  app.get("/demo/sdk", async (request, reply) => {
    await guard(request, reply);
    const app = { name: "demo" as const, before: ["/sdk.js"], policy: "; connect-src 'self'; frame-src 'self'" };
    const page = {
      language: languageOf(request),
      title: "Sign up at a brand",
      content: sdkDemo,
      hasSwitch: false,
      app,
    };
    return sendPage(reply, page, assets);
  });
  app.post<{ Body: unknown }>("/demo/sdk/session", async (request, reply) => {
    await guard(request, reply);
    const { body } = request;
    const name = typeof body === "object" && body !== null && "flow" in body ? String(body.flow) : "";
    const flow = Object.hasOwn(flows, name) ? flows[name] : undefined;
    if (makeSession === null || flow === undefined) throw refuse(404, "There is nothing under this path.");
    return { sessionKey: await makeSession(flow.ask, request.id) };
  });
}

const options = Object.entries(flows).map(([value, { name }]) => h("option", { value }, name));
const sdkDemo: ComponentChildren = [
  h("p", null, "This page stands for a brand's own: the SDK puts the wallet into it, and tells it how it went."),
  h(
    "div",
    { class: "demo" },
    h(
      "form",
      null,
      h("label", { for: "flow" }, "What the brand's server knows"),
      " ",
      h("select", { id: "flow", name: "flow" }, options),
      " ",
      h("button", { type: "submit", class: "button main" }, "Begin"),
    ),
    h("div", { id: "signup" }),
    h("h2", null, "What the page is told"),
    h("ol", { id: "told", "aria-live": "polite" }),
  ),
];

function titleOf(request: FastifyRequest): string {
  if (parameter(request, "optedOut") === "true") return "You chose to type it yourself";
  return idOf(request) === null ? "Demo landing page" : "Welcome back";
}

function landing(request: FastifyRequest, apiUrl: string): ComponentChildren {
  const found = idOf(request);
  const intro = h("p", null, "This page stands for a brand's own: people come back to it from the wallet.");
  if (found === null) {
    const call = h("code", null, `POST ${apiUrl}/v2/1-click`);
    return [intro, h("p", null, "Nobody came back yet. Begin with ", call, ".")];
  }
  if (parameter(request, "optedOut") === "true") {
    const text = "The person did not share. The brand now shows its ordinary form; there is nothing to read.";
    return [intro, h("p", null, text)];
  }
  const path = {
    identityUuid: `/v2/1-click/${found.id}`,
    "1ClickUuid": `/1-click/${found.id}`,
    verificationUuid: `/v2/1-click/verifications/${found.id}`,
  }[found.name];
  const next = ". That alone proves nothing: the brand's server now asks, with its own key.";
  return [
    intro,
    h("p", null, "The address brought ", h("code", null, found.name), next),
    h("pre", { tabindex: 0 }, h("code", null, `curl ${apiUrl}${path} -H 'Authorization: <the brand's key>'`)),
  ];
}

type Found = { name: "identityUuid" | "1ClickUuid" | "verificationUuid"; id: string };

function idOf(request: FastifyRequest): Found | null {
  for (const name of ["identityUuid", "1ClickUuid", "verificationUuid"] as const) {
    const id = parameter(request, name);
    if (id !== null && isUuid(id)) return { name, id };
  }
  return null;
}

function parameter(request: FastifyRequest, name: string): string | null {
  return new URLSearchParams(request.url.split("?")[1] ?? "").get(name);
}
