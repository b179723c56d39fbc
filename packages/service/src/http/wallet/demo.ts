import { isUuid } from "@countersign/contract/primitives";
import type { BrandLook } from "@countersign/contract/wallet";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type ComponentChildren, h } from "preact";
import { refuse } from "../../domain/failure.ts";
import type { NewSession } from "../../domain/session/make.ts";
import type { Guard } from "../mount.ts";
import type { WebAssets } from "./assets.ts";
import { defaultTheme, sendPage } from "./html.ts";
import { words } from "./words.ts";

type DemoOptions = {
  guard: Guard<void>;
  assets: WebAssets;
  apiUrl(): string;
  /** Creates a session of the demo brand that embeds the SDK; null without demo brands. */
  makeSession: ((ask: NewSession, requestId: string) => Promise<string>) | null;
};

/** The flows that a visitor of the demo can try. `ask`: what the brand's server sends to get a session key. */
const flows: Record<string, { name: string; ask: NewSession }> = {
  phone: { name: "Nothing yet", ask: { inputs: {} } },
  known: { name: "Your phone number", ask: { phone: "+12125550010", inputs: {} } },
  device: { name: "Your device’s IP address", ask: { inputs: { deviceIp: "::121:2555:0010" } } },
};

/** `/demo/…` of the sandbox: pages that stand in for a brand's own. */
export function routesDemo(app: FastifyInstance, options: DemoOptions): void {
  routesSdkDemo(app, options);
  app.get("/demo/landing", async (request, reply) => {
    await options.guard(request, reply);
    const { title, content } = landing(request, options.apiUrl());
    return sendPage(reply, { language: "en", brand: company, title, content, hasSwitch: false }, options.assets);
  });
}

/** A sign-up page with the SDK, and a panel that shows the SDK's callbacks. */
function routesSdkDemo(app: FastifyInstance, { guard, assets, makeSession }: DemoOptions): void {
  app.get("/demo/sdk", async (request, reply) => {
    await guard(request, reply);
    const app = { name: "demo" as const, before: ["/sdk.js"], policy: "; connect-src 'self'; frame-src 'self'" };
    const page = {
      language: "en" as const,
      brand: company,
      title: "Sign up at a demo company",
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
  h("p", { class: "lead" }, "This page plays the role of a company’s website. You sign up here, inside the page."),
  h(
    "div",
    { class: "demo" },
    h(
      "form",
      null,
      h("label", { for: "flow" }, "What the company knows about you"),
      " ",
      h("select", { id: "flow", name: "flow" }, options),
      " ",
      h("button", { type: "submit", class: "button main" }, "Begin"),
    ),
    h("div", { id: "signup" }),
    h("h2", null, "Callbacks that the company’s page gets"),
    h("ol", { id: "told", "aria-live": "polite" }),
  ),
];

type Landing = { title: string; content: ComponentChildren };
const stage = "This is a demo of a company’s website.";
/** The company whose website the demo shows. */
const company: BrandLook = {
  name: "Demo company",
  manualSignup: "useYourOwn",
  theme: defaultTheme,
  successAnimation: "none",
};

/** What a company's page could show to a returning person. The demo does not read what they shared. */
function landing(request: FastifyRequest, apiUrl: string): Landing {
  const found = idOf(request);
  if (found === null) {
    const text = `${stage} After you share your details, you return to a page like this. Nothing has started yet.`;
    const call = forDevelopers("Start with this call:", `POST ${apiUrl}/v2/1-click`);
    return { title: "Nothing to show yet", content: [h("p", { class: "lead" }, text), call] };
  }
  const path = {
    identityUuid: `/v2/1-click/${found.id}`,
    "1ClickUuid": `/1-click/${found.id}`,
    verificationUuid: `/v2/1-click/verifications/${found.id}`,
  }[found.name];
  const curl = `curl ${apiUrl}${path} -H 'Authorization: <API key>'`;
  const call = forDevelopers(`The URL contains the ${found.name}. Your server uses it to read the result:`, curl);
  const own = h("a", { class: "button main", href: "/" }, words.en.ownPage);
  const isDeclined = parameter(request, "optedOut") === "true";
  const text = isDeclined
    ? "You didn’t share your details, so a real company would now ask you for them."
    : "If you shared your details, a real company would now use them to open your account. If not, it would ask you for your details.";
  const title = isDeclined ? "Continue with the company’s own form" : "Welcome back";
  return { title, content: [h("p", { class: "lead" }, `${stage} ${text}`), own, call] };
}

function forDevelopers(text: string, call: string): ComponentChildren {
  return h(
    "details",
    { class: "aside" },
    h("summary", null, "For developers"),
    h("p", null, text),
    h("pre", { tabindex: 0 }, h("code", null, call)),
  );
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
