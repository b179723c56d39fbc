/** Dashboard endpoints for a brand's settings, API keys and approvals. */

import type { Static } from "typebox";
import { Approval, BrandSettings, Environment, IntegrationType } from "../brand/brand.ts";
import { settingsSections } from "../brand/settings-sections.ts";
import { rulesBodyValuesMax } from "../endpoint.ts";
import { anyOf, Millis, stringEnum, t, Uuid } from "../primitives.ts";
import { Name } from "./account.ts";
import { checklist, rollOverlapHours } from "./choices.ts";
import {
  forDeveloper,
  forOwner,
  forViewer,
  NewName,
  Nothing,
  ofBrand,
  ofEnvironment,
  rulesBodyBytesMax,
  WaitingName,
} from "./shapes.ts";

const ofKey = t.Object({ brand: Uuid, environment: Environment, key: Uuid });
const Count = t.Integer({ minimum: 0 });
const Version = t.Integer({ minimum: 1, maximum: 2_147_483_647 });
const SettingsPatch = t.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true });

const BrandLine = t.Object({
  uuid: Uuid,
  name: t.String(),
  createdAt: Millis,
  /** The last call with one of the brand's keys, to the minute. Null before the first call. */
  lastUsedAt: anyOf(Millis, t.Null()),
  environments: t.Array(
    t.Object({
      environment: Environment,
      /** Whether the operator approved the brand here. In the sandbox every brand is. */
      isApproved: t.Boolean(),
      externalName: t.String(),
      integrationType: IntegrationType,
      version: Version,
      /** The operator can restrict the brand to reading, or stop it. */
      mode: stringEnum("active", "readOnly", "stopped"),
    }),
  ),
});
export type BrandLine = Static<typeof BrandLine>;

export const listBrands = forViewer("listBrands", "GET /api/brands", {
  summary: "The account's brands",
  reply: t.Object({ data: t.Array(BrandLine) }),
});

/** The most calls of a brand that are counted for the list of brands. */
export const brandCallsMax = 10_000;

export const listBrandCalls = forViewer("listBrandCalls", "GET /api/brands/calls", {
  summary: "How many calls each brand made in the last seven days, by environment",
  description: `Brands without calls are left out. Only a brand's newest ${brandCallsMax} calls in each database count.`,
  reply: t.Object({
    data: t.Array(t.Object({ uuid: Uuid, environment: Environment, all: Count, failed: Count })),
  }),
});

export const createBrand = forDeveloper("createBrand", "POST /api/brands", {
  summary: "Create a brand in the sandbox, and its first key",
  body: t.Object({ name: NewName, integrationType: IntegrationType }),
  reply: t.Object({ uuid: Uuid, apiKey: t.String() }),
  status: 201,
});

export const readBrand = forViewer("readBrand", "GET /api/brands/:brand", {
  summary: "A brand and its environments",
  params: ofBrand,
  reply: BrandLine,
  refusals: [404],
});

export const renameBrand = forDeveloper("renameBrand", "PATCH /api/brands/:brand", {
  summary: "Change the name that only members see",
  params: ofBrand,
  body: t.Object({ name: Name(100) }),
  reply: Nothing,
  refusals: [404],
});

export const duplicateBrand = forDeveloper("duplicateBrand", "POST /api/brands/:brand/duplicate", {
  summary: "Copy this brand's sandbox settings to a new brand with its own key",
  params: ofBrand,
  body: t.Object({ name: NewName }),
  reply: t.Object({ uuid: Uuid, apiKey: t.String() }),
  status: 201,
  refusals: [404],
});

export const createProduction = forDeveloper("createProduction", "POST /api/brands/:brand/production", {
  summary: "Create production settings from those sandbox settings that can be copied",
  params: ofBrand,
  /** The version of the sandbox's settings, as the member reviewed them. */
  body: t.Object({ sourceVersion: Version }),
  reply: t.Object({ version: Version }),
  status: 201,
  refusals: [404, 409],
});

/**
 * Settings as members read them. The secret of the v1 push is omitted; `hasPushAuthorization` reports whether it is
 * set.
 */
export const SettingsView = t.Object({
  version: Version,
  settings: BrandSettings,
  /** The settings of a new brand of this integration type. */
  defaults: BrandSettings,
  changedAt: Millis,
  /** The member who made this version. Absent for the operator, sandbox control and defaults. */
  changedBy: t.Optional(t.String()),
  hasPushAuthorization: t.Boolean(),
  hasTraffic: t.Boolean(),
  /** The integration types that the brand may change to. */
  mayBecome: t.Array(IntegrationType),
  waitingNames: t.Array(WaitingName),
});
export type SettingsView = Static<typeof SettingsView>;

export const readSettings = forViewer("readSettings", "GET /api/brands/:brand/:environment/settings", {
  summary: "A brand's settings, and their version",
  params: ofEnvironment,
  reply: SettingsView,
  refusals: [404],
});

export const patchSettings = forDeveloper("patchSettings", "PATCH /api/brands/:brand/:environment/settings", {
  summary:
    "Change some settings; 409 if they have changed since the version that was read. Names may wait for the operator's approval",
  params: ofEnvironment,
  body: t.Object({ version: Version, patch: SettingsPatch }),
  bodyLimit: rulesBodyBytesMax,
  bodyValues: rulesBodyValuesMax,
  reply: SettingsView,
  refusals: [404, 409],
});

const sectionIds = settingsSections.map(({ id }) => id);

export const syncSettings = forDeveloper("syncSettings", "POST /api/brands/:brand/sync", {
  summary: "Copy a section of the sandbox's settings to production, or back",
  params: ofBrand,
  body: t.Object({
    section: stringEnum(...sectionIds),
    to: Environment,
    /** The version of the settings that are copied, as the member reviewed them. */
    sourceVersion: Version,
    /** The version of the target environment's settings, which the call overwrites. */
    version: Version,
  }),
  reply: SettingsView,
  refusals: [404, 409],
});

const IpRanges = t.Array(t.String({ minLength: 1, maxLength: 50 }), { maxItems: 20 });
const KeyLine = t.Object({
  uuid: Uuid,
  name: t.String(),
  lastFour: t.String(),
  ipRanges: IpRanges,
  createdAt: Millis,
  /** The member who created the key. Null if nobody is recorded, as for a key that a command created. */
  createdBy: anyOf(t.String(), t.Null()),
  lastUsedAt: anyOf(Millis, t.Null()),
  /** When a rolled key stops working. */
  endsAt: anyOf(Millis, t.Null()),
  revokedAt: anyOf(Millis, t.Null()),
});
export type KeyLine = Static<typeof KeyLine>;

export const listKeys = forViewer("listKeys", "GET /api/brands/:brand/:environment/keys", {
  summary: "A brand's API keys, without the secret values",
  params: ofEnvironment,
  reply: t.Object({ data: t.Array(KeyLine), now: Millis }),
  refusals: [404],
});

const NewKey = t.Object({ uuid: Uuid, apiKey: t.String() });

export const createKey = forDeveloper("createKey", "POST /api/brands/:brand/:environment/keys", {
  summary: "Create a key; it is shown once",
  params: ofEnvironment,
  body: t.Object({ name: Name(60), ipRanges: IpRanges }),
  reply: NewKey,
  status: 201,
  refusals: [403, 404, 409],
});

export const patchKey = forDeveloper("patchKey", "PATCH /api/brands/:brand/:environment/keys/:key", {
  summary: "Change a key's name or allowed IP addresses",
  params: ofKey,
  body: t.Object({ name: Name(60), ipRanges: IpRanges }),
  reply: Nothing,
  refusals: [404],
});

export const rollKey = forDeveloper("rollKey", "POST /api/brands/:brand/:environment/keys/:key/roll", {
  summary: "Replace a key; the old key keeps working for a while",
  params: ofKey,
  body: t.Object({
    overlapHours: t.Unsafe<(typeof rollOverlapHours)[number]>({ type: "integer", enum: [...rollOverlapHours] }),
  }),
  reply: NewKey,
  status: 201,
  refusals: [404, 409],
});

export const revokeKey = forDeveloper("revokeKey", "DELETE /api/brands/:brand/:environment/keys/:key", {
  summary: "Revoke a key immediately",
  params: ofKey,
  reply: Nothing,
  refusals: [404],
});

const ApprovalsView = t.Object({
  granted: t.Array(t.Object({ approval: Approval, grantedAt: Millis })),
  /** The checklist items that settings, account and sandbox traffic already prove. */
  fulfilled: t.Array(stringEnum(...checklist.map(({ id }) => id))),
  /** The checklist items that do not apply, such as redirect URLs of a brand that has none. */
  unneeded: t.Array(stringEnum(...checklist.map(({ id }) => id))),
  request: t.Optional(
    t.Object({
      at: Millis,
      by: t.String(),
      note: t.String(),
      /** Set if the operator refused it. The brand can ask again. */
      refused: t.Optional(t.Object({ at: Millis, reason: t.String() })),
    }),
  ),
  waitingNames: t.Array(WaitingName),
});
export type ApprovalsView = Static<typeof ApprovalsView>;

export const readApprovals = forViewer("readApprovals", "GET /api/brands/:brand/:environment/approvals", {
  summary: "A brand's approvals from the operator",
  params: ofEnvironment,
  reply: ApprovalsView,
  refusals: [404],
});

export const requestApproval = forOwner("requestApproval", "POST /api/brands/:brand/approval-request", {
  summary: "Ask the operator for production, with the checklist confirmed",
  params: ofBrand,
  body: t.Object({
    confirmed: t.Array(stringEnum(...checklist.map(({ id }) => id)), { maxItems: checklist.length, uniqueItems: true }),
    note: t.String({ maxLength: 2000 }),
  }),
  reply: Nothing,
  status: 201,
  refusals: [404, 409],
});
