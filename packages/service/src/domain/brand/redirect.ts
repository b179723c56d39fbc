import type { BrandSettings } from "@countersign/contract/brand";
import { isLoopbackHost } from "@countersign/contract/loopback";
import type { Policy } from "../deps.ts";
import { invalid, type Problem } from "../failure.ts";
import { originWords } from "../problem-words.ts";

/** Characters that URL parsers treat differently: whitespace, control characters, backslashes. */
const suspicious = /[\s\\\p{Cc}\p{Cf}]/u;

/**
 * A host name of letters, digits, dots and hyphens, or an IPv6 address. A URL parser also keeps `*` and `;`, which mean
 * every host and a new directive in a content security policy.
 */
const hasPlainHost = ({ hostname }: URL) => /^(\[[\da-f:]+\]|[\w.-]+)$/.test(hostname);

/** Names for this machine that are never targets: subdomains of `localhost`, unspecified addresses, IPv4 in IPv6. */
function isDisguisedLoopback({ hostname }: URL): boolean {
  return /(^|\.)localhost\.?$/.test(hostname) || hostname.startsWith("0.") || hostname.startsWith("[::");
}

const defaultPorts: Record<string, string> = { "http:": ":80", "https:": ":443" };

/**
 * Parses a redirect target: https, or also http on this machine if `loopback`, without a user name. Null for any text
 * that is not written exactly as parsed, because parsers may correct the same text differently.
 */
export function plainTarget(text: string, options: { loopback: boolean }): URL | null {
  if (suspicious.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return null;
  if (!hasPlainHost(url)) return null;
  const local = isLoopbackHost(url.hostname);
  if (!local && (url.protocol !== "https:" || isDisguisedLoopback(url))) return null;
  if (local && (!options.loopback || !/^https?:$/.test(url.protocol))) return null;
  // The parsed origin omits a default port. On this machine, the text may name one.
  const withPort = `${url.origin}${defaultPorts[url.protocol] ?? ""}`;
  const origin = local && text.startsWith(withPort) ? withPort : url.origin;
  // The text must start with the parsed origin. This rejects a missing scheme or slash, and letters that the parser
  // replaces.
  const rest = text.startsWith(origin) ? text.slice(origin.length) : "-";
  return rest === "" || /^[/?#]/.test(rest) ? url : null;
}

/** Whether an environment allows redirects to this machine without a setting. */
type Rules = Pick<Policy, "loopbackRedirects">;

/** The target of a request, if the environment or the brand's settings allow it; otherwise null. */
export function allowedTarget({ loopbackRedirects }: Rules, settings: BrandSettings, text: string): URL | null {
  const options = { loopback: loopbackRedirects };
  const url = plainTarget(text, options);
  if (url === null || isLoopbackHost(url.hostname)) return url;
  const named =
    settings.redirectUrl === null
      ? settings.allowedRedirectUrls
      : [settings.redirectUrl, ...settings.allowedRedirectUrls];
  const allowed = named.some((one) => {
    const entry = plainTarget(one, options);
    if (entry === null || entry.origin !== url.origin) return false;
    // An origin allows every path. A full URL allows its own path with any query, and `redirectUrl` counts as a full
    // URL.
    const isOrigin =
      one !== settings.redirectUrl && entry.pathname === "/" && entry.search === "" && !one.endsWith("/");
    return isOrigin || entry.pathname === url.pathname;
  });
  return allowed ? url : null;
}

/** Rejects a request whose `redirectUrl` is not allowed. */
export function requireAllowedTarget(rules: Rules, settings: BrandSettings, redirectUrl: string | undefined): void {
  if (redirectUrl === undefined || allowedTarget(rules, settings, redirectUrl) !== null) return;
  throw invalid([
    {
      path: "body.redirectUrl",
      message: "Use a URL that the brand's settings redirectUrl and allowedRedirectUrls allow.",
    },
  ]);
}

/** Warns a brand whose people stay on our last page, because neither its settings nor the request has a URL. */
export function redirectWarnings(settings: BrandSettings, redirectUrl: string | undefined): string[] {
  const urls = [redirectUrl, settings.redirectUrl, ...settings.allowedRedirectUrls];
  const hasNone = urls.every((url) => url === undefined || url === null);
  return hasNone
    ? ["No redirect URL: people stay on our last page. Set redirectUrl in the settings or the request"]
    : [];
}

/** Sets one query parameter of a target and keeps the others. */
export function withParameter(target: string, name: string, value: string): string {
  const url = new URL(target);
  url.searchParams.set(name, value);
  return url.toString();
}

/** Validates the redirect URLs of settings. */
export function redirectProblems(settings: BrandSettings, options: { loopback: boolean }): Problem[] {
  const named: [string, string][] = settings.allowedRedirectUrls.map((url, index) => [
    `settings.allowedRedirectUrls.${index}`,
    url,
  ]);
  named.push(
    ...settings.openid.redirectUris.map((url, at): [string, string] => [`settings.openid.redirectUris.${at}`, url]),
  );
  if (settings.redirectUrl !== null) named.unshift(["settings.redirectUrl", settings.redirectUrl]);
  const problems = named.flatMap(([path, url]) =>
    plainTarget(url, options) === null ? [{ path, message: schemeWords(options) }] : [],
  );
  // RFC 6749, section 3.1.2.
  const withFragment = settings.openid.redirectUris.flatMap((url, at) =>
    url.includes("#") ? [{ path: `settings.openid.redirectUris.${at}`, message: "Leave out the fragment (#…)." }] : [],
  );
  return [...problems, ...withFragment];
}

function originProblem(text: string, options: { loopback: boolean }): string {
  return plainTarget(text, options) === null ? schemeWords(options) : originWords;
}

const schemeWords = ({ loopback }: { loopback: boolean }) =>
  loopback ? "Use https://…, or http:// on localhost." : "Use https://…";

/**
 * Origins of the pages inside apps: Capacitor and Ionic on iPhones and on Android, and the custom scheme of Electron apps.
 * Any app can have them, so they keep out no other app. A frame still needs a session key of the brand's server.
 */
const appOrigin = /^(capacitor:\/\/localhost|ionic:\/\/localhost|https?:\/\/localhost|app:\/\/[a-z0-9.-]{1,100})$/;

/** The host of a site in `allowedOrigins`, which a text can name. Null for an app, which has no host of its own. */
export function siteHost(origin: string): string | null {
  const url = URL.parse(origin);
  return url === null || !/^https?:$/.test(url.protocol) ? null : url.hostname;
}

/** Validates the sites and apps that may frame the SDK. Each must be an origin without a path. */
export function originProblems(settings: BrandSettings, options: { loopback: boolean }): Problem[] {
  return settings.allowedOrigins.flatMap((text, index) =>
    appOrigin.test(text) || plainTarget(text, options)?.origin === text
      ? []
      : [{ path: `settings.allowedOrigins.${index}`, message: originProblem(text, options) }],
  );
}
