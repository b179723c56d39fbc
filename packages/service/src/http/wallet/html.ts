/** The documents that the wallet and the dashboard send: complete pages, and the shells of the applications. */
import type { BrandLook } from "@countersign/contract/wallet";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type ComponentChildren, h } from "preact";
import { render } from "preact-render-to-string";
import { markPath } from "../mark.ts";
import type { Document } from "../server.ts";
import type { AppName, WebAssets } from "./assets.ts";
import { type Language, words } from "./words.ts";

/** A page that works without a script. */
export type Page = {
  language: Language;
  title: string;
  step?: string;
  brand?: BrandLook;
  /** The icon above the heading. */
  mark?: ComponentChildren;
  content: ComponentChildren;
  /** Origins that a form's redirect may lead to. */
  formTargets?: string[];
  /** An application that the page runs, scripts that must load before it, and additions to the policy. */
  app?: { name: AppName; before: string[]; policy: string };
  /** Further classes of the page's card. */
  look?: string;
  /** The text of a link to the person's own page, instead of the product's name. */
  back?: string;
  /** Whether the page offers the other language. Default: true. */
  hasSwitch?: boolean;
  /** The origins that may frame the page. Default: none. */
  ancestors?: string;
};

/** The language that the person chose, or the one that their browser prefers. */
export function languageOf(request: FastifyRequest): Language {
  const { query } = request;
  const chosen = typeof query === "object" && query !== null && "lang" in query ? query.lang : undefined;
  if (chosen === "en" || chosen === "es") return chosen;
  const wanted = String(request.headers["accept-language"] ?? "")
    .split(",")
    .map((one) => {
      const [tag = "", ...parameters] = one.trim().toLowerCase().split(";");
      const quality = parameters.map((part) => /^\s*q=([\d.]+)/.exec(part)?.[1]).find((part) => part !== undefined);
      return { tag: tag.split("-")[0], quality: Number(quality ?? 1) };
    })
    .filter((one) => (one.tag === "en" || one.tag === "es") && one.quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return wanted[0]?.tag === "es" ? "es" : "en";
}

const policy = (more: string, ancestors = "'none'") =>
  `default-src 'none'; base-uri 'none'; frame-ancestors ${ancestors}; ${more}`;

export function sendPage(reply: FastifyReply, page: Page, assets: WebAssets): FastifyReply {
  const { headers, html } = documentOf(page, assets);
  return reply.headers(headers).send(html);
}

/** A page as a document. */
export function documentOf(page: Page, assets: WebAssets): Document {
  const targets = ["'self'", ...(page.formTargets ?? [])].join(" ");
  const scripted = page.app === undefined ? "" : `; script-src 'self'${page.app.policy}`;
  const csp = policy(
    `form-action ${targets}; style-src 'self'; img-src 'self'; font-src 'self'${scripted}`,
    page.ancestors,
  );
  return { headers: headersOf(csp), html: htmlOf(page, assets) };
}

/** Sends the shell of the wallet, with the data that the application needs first as an element that never runs. */
export function sendShell(
  reply: FastifyReply,
  page: {
    language: Language;
    brand?: BrandLook;
    data: Record<string, unknown>;
    /** The origins that may frame the page, and further origins that it may call. Default: none. */
    ancestors?: string;
    connect?: string[];
  },
  assets: WebAssets,
): FastifyReply {
  const { script } = assets.apps.wallet;
  const data = JSON.stringify(page.data).replaceAll("<", "\\u003c");
  const head = script !== null && [
    moduleScript(script),
    h("script", { type: "application/json", id: "data", dangerouslySetInnerHTML: { __html: data } }),
  ];
  const csp = policy(
    `script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src ${["'self'", ...(page.connect ?? [])].join(" ")}; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'`,
    page.ancestors,
  );
  return reply
    .headers(headersOf(csp))
    .header("permissions-policy", "otp-credentials=(self), camera=(), microphone=(), geolocation=()")
    .send(skeleton({ ...page, title: words[page.language].product, head, body: loading(page.language) }, assets));
}

/** Sends the shell of the dashboard. No page may frame it, and it shows pictures and frames of our wallets only. */
export function sendDashboard(
  reply: FastifyReply,
  options: { wallets: string[]; hasOpenId: boolean },
  assets: WebAssets,
): FastifyReply {
  const { script, styles } = assets.apps.dashboard;
  const wallets = options.wallets.join(" ");
  const csp = policy(
    `script-src 'self'; style-src 'self'; img-src 'self' ${wallets}; font-src 'self'; connect-src 'self'; frame-src ${wallets}; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'`,
  );
  const head = [
    options.hasOpenId && h("meta", { name: "openid", content: "on" }),
    script !== null && moduleScript(script),
  ];
  return reply
    .headers(headersOf(csp))
    .header("x-frame-options", "DENY")
    .header(
      "permissions-policy",
      "publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), geolocation=()",
    )
    .send(skeleton({ language: "en", title: "Countersign", head, body: loading("en"), styles }, assets));
}

function headersOf(csp: string): Document["headers"] {
  return {
    "content-security-policy": csp,
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "content-type": "text/html; charset=utf-8",
  };
}

/** Shown until the application has loaded. */
function loading(language: Language): ComponentChildren {
  const { noScriptTitle, noScript } = words[language];
  const needsScript = h("noscript", null, h("h1", null, noScriptTitle), h("p", null, noScript));
  return h("div", { id: "app" }, h("main", { "data-step": "loading" }, needsScript));
}

function htmlOf(page: Page, assets: WebAssets): string {
  const { language, title, step = "page", brand, look = "", mark, content, back, hasSwitch = true } = page;
  const say = words[language];
  const other = language === "en" ? "es" : "en";
  const { name, logo } = brand ?? { name: say.product, logo: markPath };
  const links = h(
    "nav",
    null,
    h("a", { href: "/terms" }, say.terms),
    " ",
    h("a", { href: "/privacy" }, say.privacy),
    " ",
    hasSwitch && h("a", { href: `?lang=${other}`, lang: other, hreflang: other }, say.otherLanguage),
  );
  const body = h(
    "div",
    { class: `card ${look}`.trim() },
    back === undefined
      ? h(
          "header",
          { class: "brand" },
          logo !== undefined && h("img", { src: logo, alt: "", ...(brand === undefined ? markSize : logoSize) }),
          h("span", null, name),
        )
      : h(
          "header",
          { class: "brand bar" },
          h("a", { class: "link back", href: "/" }, h("span", { "aria-hidden": "true" }, "‹\u00a0"), back),
        ),
    h(
      "main",
      { "data-step": step },
      mark !== undefined && h("div", { class: "top" }, mark),
      h("h1", null, title),
      content,
    ),
    h("footer", { class: "foot" }, brand === undefined ? h("span", null, say.product) : securedBy(say.secured), links),
  );
  const head = page.app === undefined ? null : headOf(page.app, assets);
  return skeleton({ language, title, brand, head, body }, assets);
}

const securedBy = (text: string) =>
  h("span", { class: "secured" }, h("img", { src: "/mark.svg", alt: "", width: 16, height: 16 }), text);

const logoSize = { width: 40, height: 40 };
const markSize = { width: 28, height: 28 };

function headOf({ name, before }: NonNullable<Page["app"]>, { apps }: WebAssets): ComponentChildren {
  const { script, styles } = apps[name];
  return [
    ...styles.map((one) => h("link", { rel: "stylesheet", href: `/assets/${one}` })),
    ...before.map((src) => h("script", { defer: true, src })),
    script !== null && moduleScript(script),
  ];
}

function moduleScript(name: string): ComponentChildren {
  return h("script", { type: "module", src: `/assets/${name}` });
}

type Skeleton = {
  language: Language;
  title: string;
  brand?: BrandLook;
  head: ComponentChildren;
  body: ComponentChildren;
  /** The style sheets. Default: the wallet's. */
  styles?: string[];
};

function skeleton({ language, title, brand, head, body, styles }: Skeleton, { apps, isTest }: WebAssets): string {
  const sheets = (styles ?? apps.wallet.styles).map((one) => h("link", { rel: "stylesheet", href: `/assets/${one}` }));
  const isWallet = styles === undefined;
  const html = h(
    "html",
    { lang: language },
    h(
      "head",
      null,
      h("meta", { charset: "utf-8" }),
      // The wallet's styles keep its content clear of a phone's notch and home indicator.
      h("meta", {
        name: "viewport",
        content: `width=device-width, initial-scale=1${isWallet ? ", viewport-fit=cover" : ""}`,
      }),
      h("meta", { name: "robots", content: "noindex" }),
      h("meta", { name: "referrer", content: "no-referrer" }),
      h("title", null, title),
      h("link", { rel: "icon", href: markPath, type: "image/svg+xml" }),
      h("link", { rel: "stylesheet", href: brand?.theme ?? defaultTheme, id: "theme" }),
      sheets,
      head,
    ),
    h("body", null, isTest && testNote, body),
  );
  return `<!doctype html>\n${render(html)}\n`;
}

/** Outside the application, so that no screen and no brand's styling can leave it out. The style sheet shows one language. */
const testNote = h(
  "aside",
  { class: "test-note" },
  Object.entries(words).map(([lang, { testNote: text }]) => h("span", { lang }, text)),
);

/** The style sheet of our own pages, and of brands without a styling. */
export const defaultTheme = "/theme/0B6E4F-B00020-6B7280-FFFFFF-center-system-8-8.css";
