/** How the dashboard groups the settings, and which settings can be copied between environments. */
import type { BrandSettings } from "./brand.ts";

type Section = {
  id: string;
  members: readonly (keyof BrandSettings)[];
  /** Dotted paths that are not copied to the other environment, and why. */
  keeps?: readonly { path: string; why: string }[];
};

export const settingsSections = [
  { id: "general", members: ["externalName"], keeps: [] },
  {
    id: "redirects",
    members: ["redirectUrl", "allowedRedirectUrls", "redirectUserAfter", "allowedOrigins", "otpOrigin"],
    keeps: [],
  },
  { id: "openid", members: ["openid"], keeps: [] },
  { id: "requests", members: ["defaultCredentialRequests"], keeps: [] },
  { id: "formats", members: ["credentialFormats"], keeps: [] },
  { id: "challenges", members: ["challenges", "manualSignup"], keeps: [] },
  { id: "risk", members: ["riskSignals", "riskSignalAddOns"], keeps: [] },
  { id: "verification", members: ["phoneVerificationType", "channels"], keeps: [] },
  { id: "stateId", members: ["governmentId"], keeps: [] },
  { id: "health", members: ["health"], keeps: [] },
  { id: "networkRules", members: ["networkRules"], keeps: [] },
  {
    id: "v1",
    members: ["v1"],
    keeps: [
      { path: "v1.push", why: "Each environment has its own push URL and secret." },
      { path: "v1.sendsSmsItself", why: "In production, your server always sends the texts." },
      { path: "v1.trustedApproved", why: "Trusted access is granted separately for each environment." },
    ],
  },
  {
    id: "consent",
    members: ["consent"],
    keeps: [{ path: "consent.declared", why: "The declaration applies only to the environment where it was made." }],
  },
  {
    id: "styling",
    members: ["styling"],
    keeps: [{ path: "styling.logoUrl", why: "The logo is uploaded separately to each environment." }],
  },
] as const satisfies readonly Section[];
export type SectionId = (typeof settingsSections)[number]["id"];

/** Members that no section copies, and why. */
export const neverSynced = [
  { path: "integrationType", why: "Each environment has its own integration type, fixed once there is traffic." },
] as const;

/** The members of a section that can be copied, as a patch for the other environment's settings. */
export function syncedPatch(id: SectionId, from: BrandSettings): Record<string, unknown> {
  const section: Section | undefined = settingsSections.find((one) => one.id === id);
  const patch: Record<string, unknown> = {};
  for (const member of section?.members ?? []) patch[member] = withoutKept(from[member], member, section?.keeps ?? []);
  return patch;
}

function withoutKept(value: unknown, path: string, keeps: readonly { path: string }[]): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !keeps.some((one) => one.path === `${path}.${key}`));
  return Object.fromEntries(kept);
}
