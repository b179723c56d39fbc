import { valueName } from "@countersign/contract/names";
import { isUuid } from "@countersign/contract/primitives";
import { recordWords } from "@countersign/contract/record-words";
import type { BrandLook } from "@countersign/contract/wallet";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type ComponentChildren, h } from "preact";
import type { Guard } from "../mount.ts";
import type { WebAssets } from "./assets.ts";
import { defaultTheme, sendPage } from "./html.ts";
import { drawn } from "./link-page.ts";
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
    const stage = reads === null ? null : "/demo";
    const shown = landing(request, { found, shared, apiUrl: apiUrl(), stage });
    return sendPage(reply, { language: "en", brand: company, hasSwitch: false, look: "shop", ...shown }, assets);
  });
}

type Landing = { title: string; mark?: ComponentChildren; content: ComponentChildren };
const demo = "This is a demo of a company’s website.";
/** The company whose website the demo shows. */
const company: BrandLook = {
  name: "Demo company",
  manualSignup: "useYourOwn",
  theme: defaultTheme,
  successAnimation: "none",
  anyway: "phoneAndRisk",
};

/** A value that the person shared, with its name and where it comes from. */
type Value = { key: string; name: string; text: string; source: string };
type Read = { api: FastifyInstance; apiKey: string; found: Found; request: FastifyRequest };

/** Reads what the person shared, with a call of a brand's server. Empty if the brand may read nothing. */
async function sharedWith({ api, apiKey, found: { name, id }, request }: Read): Promise<Value[]> {
  if (name !== "identityUuid" || parameter(request, "optedOut") === "true") return [];
  const call = { method: "GET", path: `/v2/1-click/${id}`, apiKey, request } as const;
  const { answer } = await callApi(api, call);
  const credentials = isObject(answer) && isObject(answer.credentials) ? answer.credentials : {};
  const methods = methodsIn(answer);
  return Object.entries(credentials).map(([key, value]) => ({
    key,
    name: valueName(key, key, "en"),
    text: textOf(key, [value].flat()[0]),
    source: [...new Set(sourcesOf(methods[key]))].join(", "),
  }));
}

/** How each credential was verified. A value with parts has a method for each part. */
function methodsIn(answer: unknown): Record<string, unknown> {
  const metadata = isObject(answer) && isObject(answer.metadata) ? answer.metadata : {};
  const { verificationMethod } = isObject(metadata.credentials) ? metadata.credentials : {};
  return isObject(verificationMethod) ? verificationMethod : {};
}

/** The sources of a value, or of its parts. Of several values, the page shows the first. */
function sourcesOf(method: unknown): string[] {
  if (Array.isArray(method)) return sourcesOf(method[0]);
  if (isObject(method)) return Object.values(method).flatMap(sourcesOf);
  return Object.entries(recordWords.en.method).flatMap(([name, text]) => (name === method ? [text] : []));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** A value as a form shows it. A page need not show a whole SSN. */
function textOf(key: string, value: unknown): string {
  if (isObject(value)) {
    const { state = "", zipCode = "", country = "", ...rest } = value;
    return key === "address"
      ? [
          ...Object.values(rest),
          `${state} ${zipCode}`.trim(),
          ...(country === "US" || country === "" ? [] : [country]),
        ].join(", ")
      : Object.values(value).join(" ");
  }
  const text = String(value);
  if (key === "phone") return text.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, "($1) $2-$3");
  if (key === "ssn") return text.replace(/^\d{5}/, "•••-••-");
  return key === "birthDate" ? text.replace(/^(\d{4})-(\d\d)-(\d\d)$/, "$2/$3/$1") : text;
}

/** `stage`: the path of the stage, if this sandbox has one. */
type Returning = { found: Found | null; shared: readonly Value[]; apiUrl: string; stage: string | null };

/** What a company's page shows to a returning person. */
function landing(request: FastifyRequest, { found, shared, apiUrl, stage }: Returning): Landing {
  const watch = (look: string) => stage !== null && h("a", { class: look, href: stage }, "See a signup happen");
  if (found === null) {
    const text =
      stage === null
        ? `${demo} A company’s own call opens this page for a person.`
        : `${demo} It fills in its form after a person shares their details. Watch that happen with a person who does not exist.`;
    const call = forDevelopers("Start with this call:", `POST ${apiUrl}/v2/1-click`);
    return {
      title: "Create your account",
      content: [lead(text), actions(watch("button main")), form(emptyForm), call],
    };
  }
  const path = {
    identityUuid: `/v2/1-click/${found.id}`,
    "1ClickUuid": `/1-click/${found.id}`,
    verificationUuid: `/v2/1-click/verifications/${found.id}`,
  }[found.name];
  const curl = `curl ${apiUrl}${path} -H 'Authorization: <API key>'`;
  const call = forDevelopers(`The URL contains the ${found.name}. Your server uses it to read the result:`, curl);
  const own = (look: string) => h("a", { class: look, href: "/" }, words.en.ownPage);
  if (shared.length > 0 && parameter(request, "created") === "true") {
    const text = `${demo} You opened an account, and typed none of your details.`;
    const ways = actions(own("button main"), watch("button"));
    return { title: "Your account is open", mark: drawn("done"), content: [lead(text), ways, call] };
  }
  if (shared.length > 0) {
    const text = `${demo} Its server read what you shared, and filled in the form. You typed only a code.`;
    const create = h("a", { class: "button main", href: `?${found.name}=${found.id}&created=true` }, "Create account");
    const ways = actions(create, own("link"), watch("link"));
    return { title: "Create your account", content: [lead(text), form(shared), ways, call] };
  }
  if (parameter(request, "optedOut") === "true") {
    if (parameter(request, "created") === "true") {
      const text = `${demo} You opened an account with its own form. It got no details from us, and this page sent nothing.`;
      return {
        title: "Your account is open",
        mark: drawn("done"),
        content: [lead(text), actions(watch("button")), call],
      };
    }
    const text = `${demo} You didn’t share your details, so it asks you for them.`;
    const href = `?${found.name}=${found.id}&optedOut=true&created=true`;
    const ways = actions(h("a", { class: "button main", href }, "Create account"), watch("link"));
    return { title: "Create your account", content: [lead(text), form(emptyForm, true), ways, call] };
  }
  const ways = actions(own("button main"), watch("link"));
  const text = `${demo} If you shared your details, a real company would now use them to open your account. If not, it would ask you for your details.`;
  return { title: "Welcome back", content: [lead(text), ways, call] };
}

const actions = (...ways: ComponentChildren[]) => h("div", { class: "actions" }, ways);
const lead = (text: string) => h("p", { class: "lead" }, text);

/** The form before anyone shared anything. */
const emptyForm: readonly Value[] = ["fullName", "phone", "address", "birthDate"].map((key) => ({
  key,
  name: valueName(key, key, "en"),
  text: "",
  source: "",
}));

/** The company's form. A value that the person shared has a check and its source. `isOpen`: the person can type into it. */
function form(values: readonly Value[], isOpen = false): ComponentChildren {
  return h(
    "div",
    { class: "filled" },
    values.map(({ key, name, text, source }) => {
      const id = `value-${key}`;
      const isFilled = text !== "";
      return h(
        "div",
        { class: key === "address" ? "field whole-row" : "field", key },
        h("div", { class: "label" }, h("label", { for: id }, name)),
        h(
          "div",
          { class: isFilled ? "taken" : undefined },
          h("input", {
            class: "input",
            id,
            // Nothing that a person types is sent, so the fields have no names.
            ...(isFilled ? { value: text } : {}),
            ...(isOpen ? { autocomplete: "off" } : { readonly: true, disabled: !isFilled }),
            ...(source === "" ? {} : { "aria-describedby": `${id}-hint` }),
          }),
          isFilled &&
            h(
              "svg",
              { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
              h("path", { d: "m5 12.5 4.5 4.5L19 7.5" }),
            ),
        ),
        source !== "" && h("p", { class: "hint", id: `${id}-hint` }, source),
      );
    }),
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
