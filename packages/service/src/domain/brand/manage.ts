import { isDeepStrictEqual } from "node:util";
import {
  type Approval,
  approvals,
  type BrandSettings,
  type Environment,
  type IntegrationType,
  integrationTypes,
} from "@countersign/contract/brand";
import type { KeyedStores } from "../../store/cells/keyed.ts";
import type { Database, Home, HomeTrx } from "../../store/database.ts";
import { type AccountActor, type AccountEntry, recordChange } from "../audit/account-audit-rows.ts";
import type { Brand, BrandMode } from "../deps.ts";
import { invalid, refuse } from "../failure.ts";
import type { Clock, Outbound, Random } from "../ports.ts";
import { makeApiKey } from "./api-key.ts";
import { insertKey } from "./api-key-rows.ts";
import {
  announceBrandChange,
  findBrand,
  grantApprovals,
  hasTraffic,
  insertBrand,
  lockBrand,
  revokeApproval,
  setBrandMode,
} from "./brand-rows.ts";
import { customerExists, insertCustomer, readCustomerName } from "./customer-rows.ts";
import { deleteLogo } from "./logo-rows.ts";
import { logoSetting, namesIn, type RequestedName, replaceRequest, separateNames } from "./name-requests.ts";
import { defaultSettings, mayBecome, patchSettings, type SettingsRules } from "./settings.ts";
import { recordSettings, recordWaiting, type SettingsChange } from "./settings-audit.ts";
import { insertSettings } from "./settings-rows.ts";

/** Dependencies of administration. The command line runs it without providers. */
export type AdminDeps = {
  environment: Environment;
  /** The databases of all cells, cell 0 first. */
  cells(): readonly Database[];
  home: Home;
  keyed: Pick<KeyedStores, "every">;
  clock: Clock;
  /** The machine's time, which the audit log has. */
  realClock: Clock;
  random: Random;
  /** Whether a new brand counts as having declared its users' consent. */
  consentDeclared: boolean;
  /** Whether redirects may lead to this machine. */
  loopbackRedirects: boolean;
  /** Whether a brand may switch on 1-Click Health, which needs a clearinghouse. */
  offersHealth: boolean;
  /** Whether an authority is trusted, without which a brand cannot require a state ID. */
  acceptsStateIds(): Promise<boolean>;
  /** Whether a changed name that people read waits for the operator's approval. */
  namesWait: boolean;
  /** Judges the addresses to which the service sends requests. */
  outbound: Pick<Outbound, "judge">;
  /** Called after a commit, so this process drops its cached brands before it answers. */
  changed(): void;
};

/** What this environment allows in settings. */
export async function settingsRules(deps: AdminDeps): Promise<SettingsRules> {
  const { loopbackRedirects, offersHealth, acceptsStateIds, outbound, random } = deps;
  const stateIds = await acceptsStateIds();
  return { loopback: loopbackRedirects, health: offersHealth, stateIds, judge: outbound.judge, uuid: random.uuid };
}

/** Extra writes in the transaction of a change. */
export type Alongside<What> = (trx: HomeTrx, input: What) => Promise<void>;

export async function createCustomer(
  deps: AdminDeps,
  input: { name: string; uuid?: string },
  alongside?: Alongside<string>,
): Promise<string> {
  const uuid = input.uuid ?? deps.random.uuid();
  await deps.home.inTransaction(async (trx) => {
    await insertCustomer(trx, { uuid, name: input.name, now: deps.clock.now() });
    await alongside?.(trx, uuid);
  });
  return uuid;
}

export type NewBrand = {
  customerUuid: string;
  name: string;
  settings: Record<string, unknown>;
  /** Approvals that the operator grants at once: all of them in the sandbox. */
  approvals: readonly Approval[];
  uuid?: string;
  apiKey?: string;
  /** Whether a brand that is created in production also gets sandbox settings. */
  withSandbox?: boolean;
  /** Who creates the brand and its first key, and what the audit log says besides the brand. */
  by?: AccountActor;
  recorded?: Pick<AccountEntry, "environment" | "subject">;
};

/** Creates a brand with its first settings and its first key. */
export async function createBrand(
  deps: AdminDeps,
  input: NewBrand,
): Promise<{ uuid: string; apiKey: string; settings: BrandSettings }> {
  const uuid = input.uuid ?? deps.random.uuid();
  const wanted = await firstSettings(deps, input);
  const apiKey = input.apiKey ?? makeApiKey(deps.random, deps.environment);
  const now = deps.clock.now();
  const owner = { brandUuid: uuid, environment: deps.environment };
  const { customerUuid, by } = input;
  const settings = await changeBrands(deps, async (trx) => {
    if (!(await customerExists(trx, customerUuid))) throw refuse(404, "No such customer.");
    await insertBrand(trx, { uuid, customerUuid, name: input.name, now });
    const first = await insertFirstSettings(deps, trx, { customerUuid, brandUuid: uuid, wanted });
    await Promise.all([
      grantApprovals(trx, { ...owner, granted: input.approvals, now }),
      insertKey(deps, trx, { brandUuid: uuid, apiKey, name: "first key", createdBy: by?.member.uuid ?? null }),
    ]);
    if (input.withSandbox === true) await addSandbox(deps, trx, { ...input, brandUuid: uuid });
    await recordChange(deps, trx, by, { action: "brand.created", brandUuid: uuid, ...input.recorded });
    await recordWaiting(deps, trx, by, { brandUuid: uuid, settingsVersion: 1, ...first });
    return first.before;
  });
  return { uuid, apiKey, settings };
}

/** Adds sandbox settings to a brand that the operator creates in production. Every brand has a sandbox. */
async function addSandbox(
  deps: AdminDeps,
  trx: HomeTrx,
  brand: Pick<NewBrand, "customerUuid" | "name" | "settings"> & { brandUuid: string },
): Promise<void> {
  const { customerUuid, brandUuid } = brand;
  const rules = { consentDeclared: true, loopbackRedirects: true, offersHealth: true, namesWait: false };
  const acceptsStateIds = async () => true;
  const sandbox: AdminDeps = { ...deps, ...rules, acceptsStateIds, environment: "sandbox" };
  await insertFirstSettings(sandbox, trx, { customerUuid, brandUuid, wanted: await firstSettings(sandbox, brand) });
  await grantApprovals(trx, { brandUuid, environment: "sandbox", granted: approvals, now: deps.clock.now() });
}

/** The first settings of a brand in an environment, and the names in them that wait for the operator. */
type FirstSettings = Pick<SettingsChange, "before" | "requested">;

/**
 * Stores the first settings. If names wait, the account's name, which the operator has approved, is used until the
 * operator approves the brand's own.
 */
export async function insertFirstSettings(
  { environment, namesWait, random, clock }: AdminDeps,
  trx: HomeTrx,
  { customerUuid, brandUuid, wanted }: { customerUuid: string; brandUuid: string; wanted: BrandSettings },
): Promise<FirstSettings> {
  const now = clock.now();
  const owner = { customerUuid, brandUuid, environment };
  const inUse = {
    externalName: await readCustomerName(trx, customerUuid),
    otpOrigin: null,
    styling: { logoUrl: null },
  };
  const { settings, requested } = namesWait ? separateNames(inUse, wanted) : { settings: wanted, requested: [] };
  await insertSettings(trx, { brandUuid, environment, version: 1, settings, now });
  for (const { path, value } of requested)
    await replaceRequest(trx, owner, { path, request: { uuid: random.uuid(), value, now } });
  return { before: settings, requested };
}

/** Changes brands in a transaction. On commit, every process drops its cached brands, this one before it answers. */
export async function changeBrands<Result>(
  { home, changed }: AdminDeps,
  change: (trx: HomeTrx) => Promise<Result>,
): Promise<Result> {
  const result = await home.inTransaction(async (trx) => {
    const answer = await change(trx);
    await announceBrandChange(trx);
    return answer;
  });
  changed();
  return result;
}

async function assertBrand(trx: HomeTrx, environment: Environment, brandUuid: string): Promise<void> {
  if ((await findBrand(trx, environment, brandUuid)) === null) throw refuse(404, "No such brand in this environment.");
}

export type SettingsEdit = {
  by?: AccountActor;
  /** The version that the member read. If it is absent, the change applies to any version. */
  read?: number;
  /** What is copied from the other environment. */
  synced?: string;
  alongside?: Alongside<SettingsChange>;
};

/**
 * Changes some members of a brand's settings, and records it. Returns the complete settings. A patch that changes
 * nothing stores nothing: each version is a complete copy, and every process reads its caches again.
 */
export async function changeSettings(
  deps: AdminDeps,
  brandUuid: string,
  patch: Record<string, unknown>,
  { by, read, synced, alongside }: SettingsEdit = {},
): Promise<BrandSettings> {
  const { environment } = deps;
  const isUsed = await hasTraffic(deps, environment, brandUuid);
  const rules = await settingsRules(deps);
  const { after, isChanged } = await deps.home.inTransaction(async (trx) => {
    const brand = await lockBrand(trx, environment, brandUuid);
    if (brand === null) throw refuse(404, "No such brand.");
    const { settings: before, settingsVersion: version } = brand;
    const patched = patchSettings(before, patch, rules);
    if (patched.kind === "problems") throw invalid(patched.problems);
    assertMayBecome(brand, patched.settings.integrationType, isUsed);
    if (read !== undefined) assertVersion(version, read);
    const { settings: after, requested } = deps.namesWait
      ? separateNames(before, patched.settings)
      : { settings: patched.settings, requested: [] };
    const withdrawn = deps.namesWait ? await requestNames(deps, trx, { brand, patch, requested }) : [];
    const isChanged = requested.length + withdrawn.length > 0 || !isDeepStrictEqual(after, before);
    const nextVersion = isChanged ? version + 1 : version;
    if (isChanged) await replaceVersion(deps, trx, brand, after);
    const change = { version, nextVersion, before, after, requested, withdrawn };
    await alongside?.(trx, change);
    await recordSettings(deps, trx, by, { brandUuid, synced, change });
    if (isChanged) await announceBrandChange(trx);
    return { after, isChanged };
  });
  if (isChanged) deps.changed();
  return after;
}

/** Throws 409 if settings have changed since a member read them. */
export function assertVersion(current: number, read: number): void {
  if (current !== read) throw refuse(409, "These settings have changed since you read them.");
}

function assertMayBecome({ settings: { integrationType: from } }: Brand, to: IntegrationType, isUsed: boolean): void {
  if (from === to || mayBecome({ from, to, hasTraffic: isUsed })) return;
  throw invalid([
    { path: "settings.integrationType", message: `The brand has traffic, so it cannot change from ${from} to ${to}.` },
  ]);
}

/** Stores the next version of a locked brand's settings. Deletes the stored logo if the settings have none. */
async function replaceVersion(
  { environment, clock }: AdminDeps,
  trx: HomeTrx,
  brand: Brand,
  settings: BrandSettings,
): Promise<void> {
  const owner = { brandUuid: brand.uuid, environment };
  await Promise.all([
    insertSettings(trx, { ...owner, version: brand.settingsVersion + 1, settings, now: clock.now() }),
    settings.styling.logoUrl === null ? deleteLogo(trx, { ...owner, isWaiting: false }) : undefined,
  ]);
}

/**
 * Stores the name requests of a patch. A patch that sets a name back to the current one withdraws its request; returns
 * the withdrawn paths.
 */
async function requestNames(
  { environment, random, clock }: AdminDeps,
  trx: HomeTrx,
  input: { brand: Brand; patch: Record<string, unknown>; requested: RequestedName[] },
): Promise<string[]> {
  const owner = { customerUuid: input.brand.customerUuid, brandUuid: input.brand.uuid, environment };
  const withdrawn: string[] = [];
  for (const path of namesIn(input.patch)) {
    const name = input.requested.find((one) => one.path === path);
    const request = name === undefined ? null : { uuid: random.uuid(), value: name.value, now: clock.now() };
    const wasWaiting = await replaceRequest(trx, owner, { path, request });
    if (path === logoSetting) await deleteLogo(trx, { ...owner, isWaiting: true });
    if (wasWaiting && request === null) withdrawn.push(path);
  }
  return withdrawn;
}

/** Replaces a brand's settings with those of a new brand: the defaults and `input.settings`. */
export async function replaceSettings(
  deps: AdminDeps,
  brandUuid: string,
  input: { name: string; settings: Record<string, unknown> },
): Promise<void> {
  const settings = await firstSettings(deps, input);
  await changeBrands(deps, async (trx) => {
    const brand = await lockBrand(trx, deps.environment, brandUuid);
    if (brand === null || isDeepStrictEqual(brand.settings, settings)) return;
    await replaceVersion(deps, trx, brand, settings);
  });
}

/** Grants or revokes an approval of a brand. `first` may refuse it. */
export async function changeApproval(
  deps: AdminDeps,
  { brandUuid, approval, granted }: { brandUuid: string; approval: Approval; granted: boolean },
  by?: AccountActor,
  first?: (trx: HomeTrx) => Promise<void>,
): Promise<void> {
  const { environment, clock } = deps;
  await changeBrands(deps, async (trx) => {
    await assertBrand(trx, environment, brandUuid);
    await first?.(trx);
    if (granted) await grantApprovals(trx, { brandUuid, environment, granted: [approval], now: clock.now() });
    else await revokeApproval(trx, { brandUuid, environment, approval });
    const action = granted ? "approval.granted" : "approval.revoked";
    await recordChange(deps, trx, by, { action, brandUuid, environment, subject: approval });
  });
}

/** Sets what the operator allows a brand to do. Nothing else about the brand changes. */
export async function setMode(
  deps: AdminDeps,
  { brandUuid, mode }: { brandUuid: string; mode: BrandMode },
  by?: AccountActor,
): Promise<void> {
  const { environment, clock } = deps;
  await changeBrands(deps, async (trx) => {
    await assertBrand(trx, environment, brandUuid);
    await setBrandMode(trx, { brandUuid, mode, environment, now: clock.now() });
    await recordChange(deps, trx, by, { action: "brand.limited", brandUuid, environment, subject: mode });
  });
}

async function firstSettings(deps: AdminDeps, input: Pick<NewBrand, "name" | "settings">): Promise<BrandSettings> {
  // An unknown type is treated as `api` here. `patchSettings` reports it together with all other problems.
  const integrationType = integrationTypes.find((one) => one === input.settings.integrationType) ?? "api";
  const defaults = defaultSettings({ name: input.name, integrationType, consentDeclared: deps.consentDeclared });
  // A name is validated only when it changes, so validate the default name as a change.
  const { externalName } = defaults;
  const given = { externalName, ...input.settings };
  const patched = patchSettings({ ...defaults, externalName: "" }, given, await settingsRules(deps));
  if (patched.kind === "problems") throw invalid(patched.problems);
  return patched.settings;
}
