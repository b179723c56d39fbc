import { valueName } from "@countersign/contract/names";
import { isUuid } from "@countersign/contract/primitives";
import type { BrandLook } from "@countersign/contract/wallet";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type ComponentChildren, h } from "preact";
import type { Guard } from "../mount.ts";
import type { WebAssets } from "./assets.ts";
import { defaultTheme, sendPage } from "./html.ts";
import { callApi } from "./stage.ts";
import { words } from "./words.ts";

type LandingOptions = {
  guard: Guard<void>;
  assets: WebAssets;
  apiUrl(): string;
  /**
   * The API, and the key of the hosted demo brand, with which the page reads what a person shared. Without them, or for
   * another brand, the page shows no values.
   */
  reads: { api: FastifyInstance; apiKey: string } | null;
};

/** `/demo/landing` of the sandbox. The demo brands have no page of their own, so they redirect people here. */
export function routesDemoLanding(app: FastifyInstance, { guard, assets, apiUrl, reads }: LandingOptions): void {
  app.get("/demo/landing", async (request, reply) => {
    await guard(request, reply);
    const found = idOf(request);
    const shared = found === null || reads === null ? [] : await sharedWith({ ...reads, found, request });
    const { title, content } = landing(request, { found, shared, apiUrl: apiUrl() });
    // This sandbox also has the stage.
    const watch = reads !== null && h("p", null, h("a", { href: "/demo" }, "See a signup happen"));
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

/** A value that the person shared, with its name. */
type Value = { name: string; text: string };
type Read = { api: FastifyInstance; apiKey: string; found: Found; request: FastifyRequest };

/** Reads what the person shared, with a call of a brand's server. Empty if the brand may read nothing. */
async function sharedWith({ api, apiKey, found: { name, id }, request }: Read): Promise<Value[]> {
  if (name !== "identityUuid" || parameter(request, "optedOut") === "true") return [];
  const call = { method: "GET", path: `/v2/1-click/${id}`, apiKey, request } as const;
  const { answer } = await callApi(api, call);
  const credentials = isObject(answer) && isObject(answer.credentials) ? answer.credentials : {};
  return Object.entries(credentials).map(([key, value]) => ({
    name: valueName(key, key, "en"),
    text: textOf(key, [value].flat()[0]),
  }));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** A value as a form shows it. A page need not show a whole SSN. */
function textOf(key: string, value: unknown): string {
  if (isObject(value)) {
    const { state = "", zipCode = "", ...rest } = value;
    return key === "address"
      ? [...Object.values(rest), `${state} ${zipCode}`.trim()].join(", ")
      : Object.values(value).join(" ");
  }
  const text = String(value);
  if (key === "phone") return text.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, "($1) $2-$3");
  if (key === "ssn") return text.replace(/^\d{5}/, "•••-••-");
  return key === "birthDate" ? text.replace(/^(\d{4})-(\d\d)-(\d\d)$/, "$2/$3/$1") : text;
}

type Returning = { found: Found | null; shared: readonly Value[]; apiUrl: string };

/** What a company's page shows to a returning person. */
function landing(request: FastifyRequest, { found, shared, apiUrl }: Returning): Landing {
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
  if (shared.length > 0) {
    const text = `${demo} Its server read what you shared, and filled in the form. You typed nothing.`;
    return { title: "Open your account", content: [h("p", { class: "lead" }, text), filledIn(shared), own, call] };
  }
  const isDeclined = parameter(request, "optedOut") === "true";
  const text = isDeclined
    ? "You didn’t share your details, so a real company would now ask you for them."
    : "If you shared your details, a real company would now use them to open your account. If not, it would ask you for your details.";
  const title = isDeclined ? "Continue with the company’s own form" : "Welcome back";
  return { title, content: [h("p", { class: "lead" }, `${demo} ${text}`), own, call] };
}

function filledIn(shared: readonly Value[]): ComponentChildren {
  return h(
    "div",
    { class: "filled" },
    shared.map(({ name, text }, at) =>
      h(
        "div",
        { class: "field", key: name },
        h("div", { class: "label" }, h("label", { for: `value-${at}` }, name)),
        h("input", { class: "input", id: `value-${at}`, value: text, readonly: true }),
      ),
    ),
  );
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
