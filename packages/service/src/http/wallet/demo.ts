import { isUuid } from "@countersign/contract/primitives";
import type { BrandLook } from "@countersign/contract/wallet";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type ComponentChildren, h } from "preact";
import type { Guard } from "../mount.ts";
import type { WebAssets } from "./assets.ts";
import { defaultTheme, sendPage } from "./html.ts";
import { words } from "./words.ts";

type LandingOptions = {
  guard: Guard<void>;
  assets: WebAssets;
  apiUrl(): string;
  /** Whether this sandbox has the stage, to which the page then links. */
  hasStage: boolean;
};

/** `/demo/landing` of the sandbox. The demo brands have no page of their own, so they redirect people here. */
export function routesDemoLanding(app: FastifyInstance, { guard, assets, apiUrl, hasStage }: LandingOptions): void {
  app.get("/demo/landing", async (request, reply) => {
    await guard(request, reply);
    const { title, content } = landing(request, apiUrl());
    const watch = hasStage && h("p", null, h("a", { href: "/demo" }, "See a signup happen"));
    const page = { language: "en" as const, brand: company, title, content: [content, watch], hasSwitch: false };
    return sendPage(reply, page, assets);
  });
}

type Landing = { title: string; content: ComponentChildren };
const demo = "This is a demo of a company’s website.";
/** The company whose website the demo shows. */
const company: BrandLook = {
  name: "Demo company",
  manualSignup: "useYourOwn",
  theme: defaultTheme,
  successAnimation: "none",
  anyway: "phoneAndRisk",
};

/** What a company's page could show to a returning person. The demo does not read what they shared. */
function landing(request: FastifyRequest, apiUrl: string): Landing {
  const found = idOf(request);
  if (found === null) {
    const text = `${demo} After you share your details, you return to a page like this. Nothing has started yet.`;
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
  return { title, content: [h("p", { class: "lead" }, `${demo} ${text}`), own, call] };
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
