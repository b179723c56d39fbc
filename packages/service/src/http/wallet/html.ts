/** The pages that need no script, and the shell of those that do. */
import type { BrandLook } from "@countersign/contract/wallet";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AppName, WebAssets } from "./assets.ts";
import { type Language, words } from "./words.ts";

/** A page's content. `html` is trusted: whatever came from outside went through `plain`. */
export type Page = {
  language: Language;
  title: string;
  step?: string;
  brand?: BrandLook;
  html: string;
  /** Origins that a form's redirect may lead to. */
  formTargets?: string[];
  /** An application of ours that it shows something with, and what is loaded before it. */
  app?: { name: AppName; before: string[] };
  /** The switch to the other language, where it is an address. */
  hasSwitch?: boolean;
  /** Who may frame it; nobody where nothing is said. */
  ancestors?: string;
};

/** The person's language: what they chose on the page, else what their browser asks for. */
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

/** Sends a page that works without a script; one that has an application may ask and frame us alone. */
export function sendPage(reply: FastifyReply, page: Page, assets: WebAssets): FastifyReply {
  const targets = ["'self'", ...(page.formTargets ?? [])].join(" ");
  const scripted = page.app === undefined ? "" : "; script-src 'self'; connect-src 'self'; frame-src 'self'";
  return headed(
    reply,
    policy(`form-action ${targets}; style-src 'self'; img-src 'self'; font-src 'self'${scripted}`, page.ancestors),
  ).send(documentOf(page, assets));
}

/** Sends the shell of the application: what it needs at once stands in it as data, which no browser runs. */
export function sendShell(
  reply: FastifyReply,
  page: {
    language: Language;
    brand?: BrandLook;
    data: Record<string, unknown>;
    /** Who may frame it, and whom besides us it may ask; nobody where nothing is said. */
    ancestors?: string;
    connect?: string[];
  },
  assets: WebAssets,
): FastifyReply {
  const { script } = assets.apps.wallet;
  const data = JSON.stringify(page.data).replaceAll("<", "\\u003c");
  const head =
    script === null
      ? ""
      : `<script type="module" src="/assets/${script}"></script>\n<script type="application/json" id="data">${data}</script>\n`;
  const say = words[page.language];
  const html = `<main data-step="loading"><noscript><h1>${say.noScriptTitle}</h1><p>${say.noScript}</p></noscript></main>`;
  const csp = policy(
    `script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src ${["'self'", ...(page.connect ?? [])].join(" ")}; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'`,
    page.ancestors,
  );
  return headed(reply, csp)
    .header("permissions-policy", "otp-credentials=(self), camera=(), microphone=(), geolocation=()")
    .send(skeleton({ ...page, title: say.product, head, body: `<div id="app">${html}</div>` }, assets));
}

/** Sends the shell of the dashboard: nobody frames it, and it shows pictures and pages of our wallets alone. */
export function sendDashboard(reply: FastifyReply, about: { wallets: string[] }, assets: WebAssets): FastifyReply {
  const { script, styles } = assets.apps.dashboard;
  const wallets = about.wallets.join(" ");
  const csp = policy(
    `script-src 'self'; style-src 'self'; img-src 'self' ${wallets}; font-src 'self'; connect-src 'self'; frame-src ${wallets}; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'`,
  );
  const say = words.en;
  const body = `<div id="app"><main data-step="loading"><noscript><h1>${say.noScriptTitle}</h1><p>${say.noScript}</p></noscript></main></div>`;
  const head = script === null ? "" : `<script type="module" src="/assets/${script}"></script>\n`;
  return headed(reply, csp)
    .header("x-frame-options", "DENY")
    .header(
      "permissions-policy",
      "publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), geolocation=()",
    )
    .send(skeleton({ language: "en", title: "Countersign", head, body, styles }, assets));
}

function headed(reply: FastifyReply, csp: string): FastifyReply {
  return reply
    .header("content-security-policy", csp)
    .header("referrer-policy", "no-referrer")
    .header("cross-origin-opener-policy", "same-origin")
    .type("text/html; charset=utf-8");
}

function documentOf(page: Page, assets: WebAssets): string {
  const { language, title, step, brand, html, hasSwitch = true } = page;
  const say = words[language];
  const other = language === "en" ? "es" : "en";
  const logo = brand?.logo === undefined ? "" : `<img src="${plain(brand.logo)}" alt="" width="40" height="40">`;
  const header = brand === undefined ? say.product : `${logo}<span>${plain(brand.name)}</span>`;
  const choice = hasSwitch
    ? `<a href="?lang=${other}" lang="${other}" hreflang="${other}">${say.otherLanguage}</a>`
    : "";
  const body = `<div class="card">
<header class="brand">${header}</header>
<main data-step="${step ?? "page"}">
<h1>${plain(title)}</h1>
${html}
</main>
<footer class="foot"><span>${say.secured}</span><nav><a href="/terms">${say.terms}</a> <a href="/privacy">${say.privacy}</a> ${choice}</nav></footer>
</div>`;
  const head = page.app === undefined ? "" : headOf(page.app, assets);
  return skeleton({ language, title: plain(title), brand, head, body }, assets);
}

function headOf({ name, before }: NonNullable<Page["app"]>, { apps }: WebAssets): string {
  const { script, styles } = apps[name];
  const links = styles.map((one) => `<link rel="stylesheet" href="/assets/${one}">\n`);
  const scripts = before.map((one) => `<script defer src="${one}"></script>\n`);
  const own = script === null ? "" : `<script type="module" src="/assets/${script}"></script>\n`;
  return [...links, ...scripts, own].join("");
}

type Skeleton = {
  language: Language;
  title: string;
  brand?: BrandLook;
  head: string;
  body: string;
  /** The wallet's where none are named. */
  styles?: string[];
};

function skeleton({ language, title, brand, head, body, styles }: Skeleton, { apps }: WebAssets): string {
  const theme = brand?.theme ?? defaultTheme;
  const sheets = [theme, ...(styles ?? apps.wallet.styles).map((one) => `/assets/${one}`)];
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${sheets.map((one, index) => `<link rel="stylesheet" href="${one}"${index === 0 ? ' id="theme"' : ""}>`).join("\n")}
${head}</head>
<body>
${body}
</body>
</html>
`;
}

const defaultTheme = "/theme/0B6E4F-B00020-6B7280-FFFFFF-center-system-8-8.css";
const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text as HTML. */
export function plain(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
