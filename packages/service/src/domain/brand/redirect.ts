import type { BrandSettings } from "@countersign/contract/brand";
import type { Deps } from "../deps.ts";
import { invalid, type Problem } from "../failure.ts";

/** Characters that some reader of an address somewhere treats unlike the others: blanks, control characters, backslashes. */
const suspicious = /[\s\\\p{Cc}\p{Cf}]/u;

/** The names of this machine that may be targets in the sandbox. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Other names that lead to this machine: below `localhost`, unspecified addresses, an IPv4 inside an IPv6. Never a target. */
function isDisguisedLoopback({ hostname }: URL): boolean {
  return /(^|\.)localhost\.?$/.test(hostname) || hostname.startsWith("0.") || hostname.startsWith("[::");
}

const defaultPorts: Record<string, string> = { "http:": ":80", "https:": ":443" };

/**
 * Parses a redirect target that is spelled as it is understood: https, or http or https on this machine where that is
 * allowed, and no user. Null for any other text: what one parser has to mend, another may mend differently.
 */
export function plainTarget(text: string, about: { loopback: boolean }): URL | null {
  if (suspicious.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return null;
  const local = isLoopback(url);
  if (!local && (url.protocol !== "https:" || isDisguisedLoopback(url))) return null;
  if (local && (!about.loopback || !/^https?:$/.test(url.protocol))) return null;
  // A spelled-out default port vanishes from the origin; on this machine any port may be named.
  const withPort = `${url.origin}${defaultPorts[url.protocol] ?? ""}`;
  const origin = local && text.startsWith(withPort) ? withPort : url.origin;
  // No scheme left out, no slash missing, no capital or look-alike that becomes another host.
  const rest = text.startsWith(origin) ? text.slice(origin.length) : "-";
  return rest === "" || /^[/?#]/.test(rest) ? url : null;
}

/** Which redirects an environment allows without a setting: those to this machine, or none. */
type Rules = Pick<Deps, "loopbackRedirects">;

/** The target that a request names, if the environment or the brand's settings allow it; otherwise null. */
export function allowedTarget({ loopbackRedirects }: Rules, settings: BrandSettings, text: string): URL | null {
  const about = { loopback: loopbackRedirects };
  const url = plainTarget(text, about);
  if (url === null || isLoopback(url)) return url;
  const named =
    settings.redirectUrl === null
      ? settings.allowedRedirectUrls
      : [settings.redirectUrl, ...settings.allowedRedirectUrls];
  const allowed = named.some((one) => {
    const entry = plainTarget(one, about);
    if (entry === null || entry.origin !== url.origin) return false;
    // An origin allows every path, a full URL that path with any query. The default URL is a full one.
    const isOrigin =
      one !== settings.redirectUrl && entry.pathname === "/" && entry.search === "" && !one.endsWith("/");
    return isOrigin || entry.pathname === url.pathname;
  });
  return allowed ? url : null;
}

/** Refuses a request whose `redirectUrl` is not allowed. */
export function requireAllowedTarget(rules: Rules, settings: BrandSettings, redirectUrl: string | undefined): void {
  if (redirectUrl === undefined || allowedTarget(rules, settings, redirectUrl) !== null) return;
  throw invalid([
    { path: "body.redirectUrl", message: "is not allowed by the brand's settings redirectUrl and allowedRedirectUrls" },
  ]);
}

/** A target with one parameter added; those it had stay. */
export function withParameter(target: string, name: string, value: string): string {
  const url = new URL(target);
  url.searchParams.set(name, value);
  return url.toString();
}

/** What is wrong with the addresses of settings. */
export function redirectProblems(settings: BrandSettings, about: { loopback: boolean }): Problem[] {
  const named: [string, string][] = settings.allowedRedirectUrls.map((url, index) => [
    `settings.allowedRedirectUrls.${index}`,
    url,
  ]);
  if (settings.redirectUrl !== null) named.unshift(["settings.redirectUrl", settings.redirectUrl]);
  return named.flatMap(([path, url]) =>
    plainTarget(url, about) === null
      ? [
          {
            path,
            message: about.loopback
              ? "must be a plain https address, or http on localhost"
              : "must be a plain https address",
          },
        ]
      : [],
  );
}

/** What is wrong with the sites that may frame the SDK: each is an origin, with nothing after it. */
export function originProblems(settings: BrandSettings, about: { loopback: boolean }): Problem[] {
  return settings.allowedOrigins.flatMap((text, index) =>
    plainTarget(text, about)?.origin === text
      ? []
      : [{ path: `settings.allowedOrigins.${index}`, message: "must be an origin, such as https://shop.example" }],
  );
}
