/** The documents that the wallet and the dashboard send: complete pages, and the shells of the applications. */
import { firstLetter } from "@countersign/contract/monogram";
import { ownFont } from "@countersign/contract/theme";
import type { BrandLook } from "@countersign/contract/wallet";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type ComponentChildren, h } from "preact";
import { render } from "preact-render-to-string";
import { homeScreenIcon, manifestPath, markPath } from "../mark.ts";
import type { Document } from "../server.ts";
import type { AppName, WebAssets } from "./assets.ts";
import { type Language, words } from "./words.ts";

/** A page that works without a script. */
export type HtmlPage = {
  language: Language;
  title: string;
  step?: string;
  brand?: BrandLook;
  /** The icon above the heading. */
  mark?: ComponentChildren;
  content: ComponentChildren;
  /** Origins that a form's redirect may lead to. */
  formTargets?: string[];
  /** An application that the page runs, and additions to the policy. */
  app?: { name: AppName; policy: string };
  /** Further classes of the page's card. */
  look?: string;
  /** The text of a link to the person's own page, instead of the product's name. */
  back?: string;
  /** Whether the page offers the other language. Default: true. */
  hasSwitch?: boolean;
  /** The origins that may frame the page. Default: none. */
  ancestors?: string;
  /** Whether the window keeps its opener. Default: it does not. */
  keepsOpener?: boolean;
};

/** The language in the page's URL: the person, or the site that sent them, chose it. Null if there is none. */
export function chosenLanguage({ query }: FastifyRequest): Language | null {
  const chosen = typeof query === "object" && query !== null && "lang" in query ? query.lang : undefined;
  return chosen === "en" || chosen === "es" ? chosen : null;
}

/** The chosen language, or the one that the person's browser prefers. */
export function languageOf(request: FastifyRequest): Language {
  const chosen = chosenLanguage(request);
  if (chosen !== null) return chosen;
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

export function sendPage(reply: FastifyReply, page: HtmlPage, assets: WebAssets): FastifyReply {
  const { headers, html } = documentOf(page, assets);
  return reply.headers(headers).send(html);
}

/** A page as a document. */
export function documentOf(page: HtmlPage, assets: WebAssets): Document {
  const targets = ["'self'", ...(page.formTargets ?? [])].join(" ");
  const scripted = page.app === undefined ? "" : `; script-src 'self'${page.app.policy}`;
  const csp = policy(
    `form-action ${targets}; style-src 'self'; img-src 'self'; font-src 'self'; manifest-src 'self'${scripted}`,
    page.ancestors,
  );
  return { headers: headersOf(csp, page.keepsOpener), html: htmlOf(page, assets) };
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
    /** Whether the window keeps its opener. Default: it does not. */
    keepsOpener?: boolean;
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
    `script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; manifest-src 'self'; connect-src ${["'self'", ...(page.connect ?? [])].join(" ")}; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'`,
    page.ancestors,
  );
  return reply
    .headers(headersOf(csp, page.keepsOpener))
    .header(
      "permissions-policy",
      "otp-credentials=(self), digital-credentials-get=(self), camera=(), microphone=(), geolocation=()",
    )
    .send(
      skeleton({ ...page, title: words[page.language].product, head, body: loading(page.language, waiting) }, assets),
    );
}

/** Sends the shell of the dashboard. No page may frame it, and it shows pictures and frames of our wallets only. */
export function sendDashboard(
  reply: FastifyReply,
  options: { wallets: string[]; hasOpenId: boolean },
  assets: WebAssets,
): FastifyReply {
  return sendStaffShell(reply, { ...options, app: "dashboard", title: "Countersign" }, assets);
}

/** Sends the shell of the operator's console. */
/** `service`: the host of the API, so that an operator of several services sees whose console this is. */
export function sendConsole(
  reply: FastifyReply,
  options: { hasOpenId: boolean; service: string },
  assets: WebAssets,
): FastifyReply {
  return sendStaffShell(reply, { ...options, app: "console", title: "Countersign console", wallets: [] }, assets);
}

type StaffShell = {
  app: "dashboard" | "console";
  title: string;
  wallets: string[];
  hasOpenId: boolean;
  service?: string;
};

function sendStaffShell(reply: FastifyReply, options: StaffShell, assets: WebAssets): FastifyReply {
  const { script, styles } = assets.apps[options.app];
  const wallets = options.wallets.join(" ");
  const csp = policy(
    `script-src 'self'; style-src 'self'; img-src 'self' ${wallets}; font-src 'self'; manifest-src 'self'; connect-src 'self'; frame-src ${wallets === "" ? "'none'" : wallets}; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'`,
  );
  const head = [
    options.hasOpenId && h("meta", { name: "openid", content: "on" }),
    options.service !== undefined && h("meta", { name: "service", content: options.service }),
    script !== null && moduleScript(script),
  ];
  return reply
    .headers(headersOf(csp))
    .header("x-frame-options", "DENY")
    .header(
      "permissions-policy",
      "publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), geolocation=()",
    )
    .send(skeleton({ language: "en", title: options.title, head, body: loading("en"), styles }, assets));
}

/** Sends the shell of the stage, which frames the wallet of its own origin. No page may frame it. `docs`: their address. */
export function sendStage(reply: FastifyReply, docs: string, assets: WebAssets): FastifyReply {
  const { script, styles } = assets.apps.demo;
  const csp = policy(
    "script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; manifest-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  );
  const head = [
    h("meta", { name: "docs", content: docs }),
    h("script", { defer: true, src: "/sdk.js" }),
    script !== null && moduleScript(script),
  ];
  const page = {
    language: "en" as const,
    title: "See a signup happen · Countersign",
    head,
    body: loading("en"),
    styles,
  };
  return reply.headers(headersOf(csp)).send(skeleton(page, assets));
}

/**
 * A page that keeps its opener may be in a brand's popup: with `same-origin`, the brand's page could never again reach
 * that window, not even when the window is back at the brand.
 */
function headersOf(csp: string, keepsOpener = false): Document["headers"] {
  return {
    "content-security-policy": csp,
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": keepsOpener ? "unsafe-none" : "same-origin",
    "content-type": "text/html; charset=utf-8",
  };
}

/** Where the first screen's parts will be (`packages/web/src/wallet/frame.tsx`). */
const waiting = h(
  "div",
  { class: "card", "aria-hidden": "true" },
  h("div", { class: "waiting" }, h("i", null), h("i", null), h("i", null)),
);

/** Shown until the application has loaded. */
function loading(language: Language, picture?: ComponentChildren): ComponentChildren {
  const { noScriptTitle, noScript } = words[language];
  const needsScript = h("noscript", null, h("h1", null, noScriptTitle), h("p", null, noScript));
  return h("div", { id: "app" }, h("main", { "data-step": "loading" }, needsScript, picture));
}

function htmlOf(page: HtmlPage, assets: WebAssets): string {
  const { language, title, step = "page", brand, look = "", mark, content, back, hasSwitch = true } = page;
  const say = words[language];
  const other = language === "en" ? "es" : "en";
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
          brand === undefined ? h("img", { src: markPath, alt: "", ...markSize }) : lockUp(brand),
          h(
            "span",
            { class: "naming" },
            h("span", null, brand?.name ?? say.product),
            brand?.site !== undefined && h("span", { class: "site" }, brand.site),
          ),
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
    h("footer", { class: "foot" }, explained(say), links),
  );
  const head = page.app === undefined ? null : headOf(page.app, assets);
  return skeleton({ language, title, brand, head, body }, assets);
}

/** The brand's logo or first letter, with our mark at its corner, as the applications draw it (`wallet/lock-up.tsx`). */
const lockUp = ({ name, logo }: BrandLook) =>
  h(
    "span",
    { class: "lock-up" },
    logo === undefined
      ? h("span", { class: "monogram", "aria-hidden": "true" }, firstLetter(name))
      : h("img", { src: logo, alt: "", ...logoSize }),
    h("img", { class: "by", src: markPath, alt: "", ...cornerSize }),
  );

/** Says in four sentences what the product is, without a script. */
const explained = ({ what, whatText }: (typeof words)[Language]) =>
  h(
    "details",
    { class: "what" },
    h("summary", { class: "secured" }, h("img", { src: markPath, alt: "", ...cornerSize }), what),
    h(
      "ul",
      { class: "ticked" },
      whatText.map((text) => h("li", null, text)),
    ),
  );

const logoSize = { width: 40, height: 40 };
const markSize = { width: 28, height: 28 };
const cornerSize = { width: 18, height: 18 };

function headOf({ name }: NonNullable<HtmlPage["app"]>, { apps }: WebAssets): ComponentChildren {
  const { script, styles } = apps[name];
  return [
    ...styles.map((one) => h("link", { rel: "stylesheet", href: `/assets/${one}` })),
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
  const { typeface } = apps.wallet;
  const theme = brand?.theme ?? defaultTheme;
  const html = h(
    "html",
    isTest ? { lang: language, "data-test-wallet": testWalletPath } : { lang: language },
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
      h("link", { rel: "apple-touch-icon", href: homeScreenIcon }),
      brand === undefined && h("link", { rel: "manifest", href: manifestPath }),
      typeface !== undefined &&
        theme.includes(`-${ownFont}-`) &&
        h("link", { rel: "preload", href: `/assets/${typeface}`, as: "font", type: "font/woff2", crossorigin: "" }),
      h("link", { rel: "stylesheet", href: theme, id: "theme" }),
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

/** The sandbox's test wallet, which holds state IDs of test people. */
export const testWalletPath = "/demo/state-id";

/** The style sheet of our own pages, and of brands without a styling. */
export const defaultTheme = `/theme/0B6E4F-B00020-6B7280-FFFFFF-center-${ownFont}-8-8.css`;
