import { isDeepStrictEqual } from "node:util";
import { BrandSettings, type IntegrationType } from "@countersign/contract/brand";
import { patternProblems } from "../credential/format.ts";
import { toRequestTree } from "../credential/request.ts";
import type { Problem } from "../failure.ts";
import { isRecord } from "../is-record.ts";
import { isNpi, npiWords } from "../npi.ts";
import { compileCheck } from "../validate.ts";
import { defaultCredentialRequests } from "./default-requests.ts";
import { nameProblem } from "./name.ts";
import { namedRules, networkRuleProblems } from "./network-rules.ts";
import { originProblems, redirectProblems } from "./redirect.ts";

const check = compileCheck(BrandSettings, "settings");

/** The settings of a new brand. */
export function defaultSettings(options: {
  name: string;
  integrationType: IntegrationType;
  consentDeclared: boolean;
}): BrandSettings {
  return {
    integrationType: options.integrationType,
    externalName: options.name,
    redirectUrl: null,
    allowedRedirectUrls: [],
    redirectUserAfter: "phoneVerification",
    allowedOrigins: [],
    defaultCredentialRequests: defaultCredentialRequests(options.integrationType),
    credentialFormats: {
      birthDate: options.integrationType === "v1" ? "unixTimestamp" : "yyyy-MM-dd",
      state: "abbreviation",
      country: "abbreviation",
      fullName: "object",
      address: "object",
    },
    challenges: [],
    manualSignup: "useYourOwn",
    riskSignals: true,
    riskSignalAddOns: { reasonCodes: true, carrier: true, email: true, deviceIp: true },
    phoneVerificationType: "byService",
    channels: { autofill: true, silent: true, sms: true },
    v1: { sendsSmsItself: false, trustedApproved: false, push: null },
    health: {
      enabled: false,
      checkAfterAutofill: true,
      serviceTypeCodes: ["30"],
      coverageTypes: ["medical", "dental", "vision"],
      providers: [],
    },
    networkRules: [],
    // A brand with real users declares its consent language itself, before its first call.
    consent: { declared: options.consentDeclared, version: "2026-01", text: null, url: null },
    otpOrigin: null,
    openid: { redirectUris: [], signedUserInfo: false },
    styling: {
      primaryColor: "#0B6E4F",
      errorColor: "#B00020",
      mutedColor: "#6B7280",
      backgroundColor: "#FFFFFF",
      alignment: "center",
      fontFamily: "system",
      inputRadius: 8,
      buttonRadius: 8,
      oneClickWord: "Signup",
      logoUrl: null,
      successAnimation: "full",
    },
  };
}

/** The integration types that a brand with traffic may change to. */
const migrationPaths: Record<IntegrationType, readonly IntegrationType[]> = {
  v1: ["hosted", "semiHosted", "nonHosted"],
  hosted: ["sdk"],
  semiHosted: ["api"],
  nonHosted: ["api"],
  sdk: [],
  api: [],
};

type TypeChange = { from: IntegrationType; to: IntegrationType; hasTraffic: boolean };

export function mayBecome({ from, to, hasTraffic }: TypeChange): boolean {
  return from === to || !hasTraffic || migrationPaths[from].includes(to);
}

export type SettingsResult = { kind: "settings"; settings: BrandSettings } | { kind: "problems"; problems: Problem[] };

/** What an environment allows in settings: redirects to this machine, and 1-Click Health with a clearinghouse. */
export type SettingsRules = { loopback: boolean; health: boolean; uuid(): string };

/** Changes some members, at any depth. Lists are replaced completely, and all problems are reported at once. */
export function patchSettings(
  current: BrandSettings,
  patch: Record<string, unknown>,
  rules: SettingsRules,
): SettingsResult {
  const unknown: Problem[] = [];
  const merged = merge(current, patch, "settings", unknown);
  const problems = [...unknown, ...check(merged)];
  if (problems.length > 0 || !isSettings(merged)) return { kind: "problems", problems };
  const tree = toRequestTree(merged.defaultCredentialRequests, "settings.defaultCredentialRequests");
  const further = [
    ...redirectProblems(merged, rules),
    ...originProblems(merged, rules),
    ...nameProblems(current, merged),
    ...otpOriginProblems(current, merged),
    ...addressProblems(current, merged, rules),
    ...healthProblems(current, merged, rules),
    ...patternProblems(merged.credentialFormats, "settings.credentialFormats"),
    ...npiProblems(merged),
    ...pushProblems(current, merged, patch),
    ...(tree.kind === "problems" ? tree.problems : []),
    ...dateFormatProblems(merged),
    ...networkRuleProblems(merged.networkRules),
  ];
  if (further.length > 0) return { kind: "problems", problems: further };
  return { kind: "settings", settings: { ...merged, networkRules: namedRules(merged.networkRules, rules.uuid) } };
}

/** A letter that is there twice has two meanings, and a date could not be read back. */
function dateFormatProblems({ credentialFormats: { birthDate } }: BrandSettings): Problem[] {
  if (birthDate === "unixTimestamp") return [];
  const letters = (birthDate.match(/y+|M+|d+/g) ?? []).map((run) => run.charAt(0));
  if (letters.length > 0 && new Set(letters).size === letters.length) return [];
  return [
    {
      path: "settings.credentialFormats.birthDate",
      message: "Use each of y, M and d at most once, such as yyyy-MM-dd or MM/dd/yyyy.",
    },
  ];
}

/** An invalid name from before these rules may stay, so that other settings can still be changed. Texts omit it. */
function nameProblems(current: BrandSettings, next: BrandSettings): Problem[] {
  const message = next.externalName === current.externalName ? null : nameProblem(next.externalName);
  return message === null ? [] : [{ path: "settings.externalName", message }];
}

/** The host name that texts bind the code to; null if it is not an allowed origin. */
export function otpHost({ otpOrigin, allowedOrigins }: BrandSettings): string | null {
  const hosts = allowedOrigins.flatMap((origin) => (URL.canParse(origin) ? [new URL(origin).hostname] : []));
  return otpOrigin !== null && hosts.includes(otpOrigin) ? otpOrigin : null;
}

/** Validates the host whenever it or the allowed origins change. */
function otpOriginProblems(current: BrandSettings, next: BrandSettings): Problem[] {
  const isTouched =
    next.otpOrigin !== current.otpOrigin || !isDeepStrictEqual(next.allowedOrigins, current.allowedOrigins);
  if (!isTouched || next.otpOrigin === otpHost(next)) return [];
  return [
    {
      path: "settings.otpOrigin",
      message: "Enter the host name of one of your allowed origins, such as shop.example.",
    },
  ];
}

const addressesOf = ({ styling, v1, consent }: BrandSettings): Record<string, string | null> => ({
  "settings.styling.logoUrl": styling.logoUrl,
  "settings.v1.push.url": v1.push?.url ?? null,
  "settings.consent.url": consent.url,
});

/** Plain http is only allowed in the sandbox. An invalid URL from before these rules may stay. */
function addressProblems(current: BrandSettings, next: BrandSettings, { loopback }: SettingsRules): Problem[] {
  const before = addressesOf(current);
  return Object.entries(addressesOf(next)).flatMap(([path, url]) => {
    if (url === null || url === before[path]) return [];
    const protocol = URL.parse(url)?.protocol;
    if (protocol === "https:" || (loopback && protocol === "http:")) return [];
    return [{ path, message: "Enter an https URL." }];
  });
}

/** Health may stay on without a clearinghouse if it already is, so that other settings can still be changed. */
function healthProblems(current: BrandSettings, next: BrandSettings, { health }: SettingsRules): Problem[] {
  if (health || !next.health.enabled || current.health.enabled) return [];
  return [
    { path: "settings.health.enabled", message: "This cannot be turned on: this environment has no clearinghouse." },
  ];
}

/** Payers refuse every question for a provider whose NPI does not exist. */
function npiProblems({ health }: BrandSettings): Problem[] {
  return health.providers.flatMap(({ npi }, at) =>
    isNpi(npi) ? [] : [{ path: `settings.health.providers.${at}.npi`, message: npiWords }],
  );
}

/** The push's credentials are never sent to another origin, so a new origin needs new credentials. */
function pushProblems(current: BrandSettings, next: BrandSettings, patch: Record<string, unknown>): Problem[] {
  const [before, after] = [current.v1.push, next.v1.push];
  if (before?.authorization === undefined || after === null) return [];
  if (originOf(before.url) === originOf(after.url) || namesAuthorization(patch)) return [];
  return [{ path: pushAuthorization, message: "Enter it again, because the host has changed." }];
}

/** Null for a text that passes the schema's format check but is not a URL. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

function namesAuthorization({ v1 }: Record<string, unknown>): boolean {
  return isRecord(v1) && isRecord(v1.push) && Object.hasOwn(v1.push, "authorization");
}

/** Settings without the credentials of the v1 push, which are never read back. */
export function withoutSecret(settings: BrandSettings): BrandSettings {
  const { push } = settings.v1;
  return { ...settings, v1: { ...settings.v1, push: push === null ? null : { url: push.url } } };
}

export function hasPushAuthorization({ v1 }: BrandSettings): boolean {
  return v1.push?.authorization !== undefined;
}

function isSettings(value: unknown): value is BrandSettings {
  return check(value).length === 0;
}

const pushAuthorization = "settings.v1.push.authorization";
/** Members that a setting may lack. All other members exist by default. */
const optionalMembers = [pushAuthorization];

function merge(current: unknown, patch: unknown, path: string, unknown: Problem[]): unknown {
  if (!isRecord(current) || !isRecord(patch)) return patch;
  const result: Record<string, unknown> = { ...current };
  for (const [key, value] of Object.entries(patch)) {
    if (!Object.hasOwn(current, key) && !optionalMembers.includes(`${path}.${key}`))
      unknown.push({ path: `${path}.${key}`, message: "No such setting." });
    else result[key] = merge(current[key], value, `${path}.${key}`, unknown);
  }
  return result;
}
