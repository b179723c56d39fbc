import { BrandSettings, type IntegrationType } from "@countersign/contract/brand";
import { isLoopbackHost } from "@countersign/contract/loopback";
import { patternProblems } from "../credential/format.ts";
import { toRequestTree } from "../credential/request.ts";
import type { HomeDeps } from "../deps.ts";
import type { Problem } from "../failure.ts";
import { integrations } from "../journey.ts";
import { isNpi, npiWords } from "../npi.ts";
import { compileCheck, isRecord } from "../validate.ts";
import { defaultCredentialRequests } from "./default-requests.ts";
import { nameProblem } from "./name.ts";
import { namedRules, networkRuleProblems } from "./network-rules.ts";
import { originProblems, redirectProblems, siteHost } from "./redirect.ts";

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
      birthDate: integrations[options.integrationType].birthDate,
      state: "abbreviation",
      country: "abbreviation",
      fullName: "object",
      address: "object",
    },
    challenges: [],
    manualSignup: "useYourOwn",
    riskSignals: true,
    riskSignalAddOns: { reasonCodes: true, carrier: true, email: true, deviceIp: true },
    governmentId: { reported: false, required: false, onConflict: "preferSource" },
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

type TypeChange = { from: IntegrationType; to: IntegrationType; hasTraffic: boolean };

export function mayBecome({ from, to, hasTraffic }: TypeChange): boolean {
  return from === to || !hasTraffic || integrations[from].becomes.includes(to);
}

export type SettingsResult = { kind: "settings"; settings: BrandSettings } | { kind: "problems"; problems: Problem[] };

/**
 * What an environment allows in settings: redirects to this machine, 1-Click Health with a clearinghouse, and required
 * state IDs with authorities.
 */
export type SettingsRules = {
  loopback: boolean;
  health: boolean;
  stateIds: boolean;
  /** Why the service would send nothing to a URL. Null if it would. */
  judge(url: string): string | null;
  uuid(): string;
};

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
    ...nameProblems(merged),
    ...otpOriginProblems(merged),
    ...addressProblems(merged, rules),
    ...healthProblems(current, merged, rules),
    ...stateIdProblems(current, merged, rules),
    ...patternProblems(merged.credentialFormats, "settings.credentialFormats"),
    ...npiProblems(merged),
    ...receiverProblems(current, merged, rules),
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

function nameProblems({ externalName }: BrandSettings): Problem[] {
  const message = nameProblem(externalName);
  return message === null ? [] : [{ path: "settings.externalName", message }];
}

/** The host name that texts bind the code to; null if it is not an allowed origin. */
export function otpHost({ otpOrigin, allowedOrigins }: BrandSettings): string | null {
  const hosts = allowedOrigins.map(siteHost);
  return otpOrigin !== null && hosts.includes(otpOrigin) ? otpOrigin : null;
}

/**
 * The host of the first website in the settings to which the person may return, or that may frame the wallet. Where
 * names wait for the operator, only the host that the operator approved, because a brand can enter anybody's website.
 */
export function shownSite({ namesWait }: HomeDeps["policy"], settings: BrandSettings): string | undefined {
  return siteOf(namesWait, settings)?.replace(/^www\./, "");
}

function siteOf(namesWait: boolean, settings: BrandSettings): string | undefined {
  if (namesWait) return otpHost(settings) ?? undefined;
  const { redirectUrl, allowedRedirectUrls, allowedOrigins } = settings;
  const hosts = [redirectUrl, ...allowedRedirectUrls, ...allowedOrigins].map((one) =>
    one === null ? null : siteHost(one),
  );
  return hosts.find((host): host is string => host !== null && !isLoopbackHost(host));
}

function otpOriginProblems(next: BrandSettings): Problem[] {
  if (next.otpOrigin === otpHost(next)) return [];
  return [
    {
      path: "settings.otpOrigin",
      message: "Enter the host name of one of your allowed origins, such as shop.example.",
    },
  ];
}

/** Plain http is only allowed in the sandbox. */
function addressProblems({ styling, consent }: BrandSettings, { loopback }: SettingsRules): Problem[] {
  const addresses = { "settings.styling.logoUrl": styling.logoUrl, "settings.consent.url": consent.url };
  return Object.entries(addresses).flatMap(([path, url]) => {
    if (url === null) return [];
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

/** Without an authority, nobody could finish. Like health, it may stay on, so that other settings can still be changed. */
function stateIdProblems(current: BrandSettings, next: BrandSettings, { stateIds }: SettingsRules): Problem[] {
  if (stateIds || !next.governmentId.required || current.governmentId.required) return [];
  const message =
    "This cannot be turned on: this environment accepts no state IDs yet. Ask the operator to add an authority with `countersign issuers add`.";
  return [{ path: "settings.governmentId.required", message }];
}

/** Payers refuse every question for a provider whose NPI does not exist. */
function npiProblems({ health }: BrandSettings): Problem[] {
  return health.providers.flatMap(({ npi }, at) =>
    isNpi(npi) ? [] : [{ path: `settings.health.providers.${at}.npi`, message: npiWords }],
  );
}

/** The same check as for webhooks. The address is checked again before each request. */
function receiverProblems(current: BrandSettings, next: BrandSettings, { judge }: SettingsRules): Problem[] {
  const url = next.v1.push?.url;
  if (url === undefined || url === current.v1.push?.url) return [];
  const problem = judge(url);
  return problem === null ? [] : [{ path: "settings.v1.push.url", message: problem }];
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
