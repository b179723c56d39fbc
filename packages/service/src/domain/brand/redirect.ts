import type { BrandSettings } from "@countersign/contract/brand";
import type { Problem } from "../failure.ts";

/** Characters that some reader of an address somewhere treats unlike the others: blanks, control characters, backslashes. */
const suspicious = /[\s\\\p{Cc}\p{Cf}]/u;

/**
 * An address as a redirect's target, if it is written plainly: https (http on this machine, where that is allowed), no
 * user, and spelled as it is understood. Whatever a parser would have to mend, another parser may mend differently.
 */
export function plainTarget(text: string, about: { loopback: boolean }): URL | null {
  if (suspicious.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return null;
  const local = url.hostname === "localhost" || url.hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(url.hostname);
  if (local ? !about.loopback || !/^https?:$/.test(url.protocol) : url.protocol !== "https:") return null;
  // No scheme left out, no slash missing, no capital or look-alike that becomes another host, no port that vanishes.
  const rest = text.startsWith(url.origin) ? text.slice(url.origin.length) : "-";
  return rest === "" || /^[/?#]/.test(rest) ? url : null;
}

/** The target that a request names, if the brand's settings allow it; null when they do not. */
export function allowedTarget(settings: BrandSettings, text: string, about: { loopback: boolean }): URL | null {
  const url = plainTarget(text, about);
  if (url === null) return null;
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
