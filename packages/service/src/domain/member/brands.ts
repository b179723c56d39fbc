/** Changes that members make to brands. The change and its audit entry are in one transaction. */
import {
  approvals,
  type BrandSettings,
  type Environment,
  environments,
  type IntegrationType,
} from "@countersign/contract/brand";
import { type SectionId, settingsSections, syncedPatch } from "@countersign/contract/settings-sections";
import type { HomeTrx } from "../../store/database.ts";
import { findOwnBrand, lockBrand } from "../brand/brand-rows.ts";
import { type NewLogo, putLogo, removeLogo } from "../brand/logo.ts";
import {
  type AdminDeps,
  type Alongside,
  changeSettings,
  createBrand,
  type FirstSettings,
  insertFirstSettings,
  type SettingsChange,
  settingsRules,
} from "../brand/manage.ts";
import { nameAt, waitingNames } from "../brand/name-requests.ts";
import { defaultSettings, otpHost, patchSettings, withoutSecret } from "../brand/settings.ts";
import type { AccountDeps, Brand } from "../deps.ts";
import { Failure, problemsOf, refuse } from "../failure.ts";
import { type AccountActor, type AccountEntry, type MemberActor, recordChange } from "./account-audit-rows.ts";
import { changesBetween } from "./changes.ts";
import { readCustomer } from "./team.ts";

/** Administration dependencies of both environments, even if this process serves only one. */
export type Admins = Record<Environment, AdminDeps>;

/** A brand of the member's own customer in one environment; otherwise 404. */
export async function ownBrand(admin: AdminDeps, by: MemberActor, brandUuid: string): Promise<Brand> {
  const brand = await findOwnBrand(admin.home, admin.environment, by.member.customerUuid, brandUuid);
  if (brand === null) throw refuse(404, "No such brand.");
  return brand;
}

export async function makeBrand(
  deps: AccountDeps,
  admin: AdminDeps,
  by: MemberActor,
  input: { name: string; integrationType: IntegrationType; settings?: Record<string, unknown> },
): Promise<{ uuid: string; apiKey: string }> {
  const uuid = admin.random.uuid();
  const { apiKey } = await createBrand(
    admin,
    {
      uuid,
      customerUuid: by.member.customerUuid,
      name: input.name,
      settings: { ...input.settings, integrationType: input.integrationType },
      // The sandbox grants all approvals. A production brand starts with `beginProduction` and needs the operator's
      // approval.
      approvals,
      createdBy: by.member.uuid,
    },
    async (trx, first) => {
      await recordChange(deps, trx, by, { action: "brand.created", brandUuid: uuid, subject: input.integrationType });
      await noteWaiting(deps, trx, by, { ...first, brandUuid: uuid, environment: admin.environment });
    },
  );
  return { uuid, apiKey };
}

/** Creates a brand with another's settings, except the logo, which is stored per brand, and the v1 push's secret. */
export async function copyBrand(
  deps: AccountDeps,
  admin: AdminDeps,
  by: MemberActor,
  input: { from: Brand; name: string },
): Promise<{ uuid: string; apiKey: string }> {
  const settings = withoutSecret(input.from.settings);
  const styling = { ...settings.styling, logoUrl: null };
  const copied = { ...settings, externalName: input.name, otpOrigin: otpHost(settings), styling };
  return await makeBrand(deps, admin, by, {
    name: input.name,
    integrationType: settings.integrationType,
    settings: copied,
  });
}

/** Changes settings if they still have the version that the member read; otherwise 409. */
export async function editSettings(
  deps: AccountDeps,
  admin: AdminDeps,
  by: MemberActor,
  input: { brandUuid: string; version: number; patch: Record<string, unknown> },
): Promise<void> {
  await changeSettings(
    admin,
    input.brandUuid,
    input.patch,
    guarded(deps, admin, by, { ...input, action: "settings.changed" }),
  );
}

/** Replaces the logo, or removes it if `logo` is null. The version is checked as for other settings. */
export async function editLogo(
  deps: AccountDeps,
  admin: AdminDeps,
  by: MemberActor,
  input: { brand: Brand; version: number; logo: Omit<NewLogo, "brandUuid"> | null },
): Promise<void> {
  const { brand, version, logo } = input;
  const { uuid: brandUuid } = brand;
  const alongside = guarded(deps, admin, by, { brandUuid, version, action: "settings.changed" });
  if (logo === null) return void (await removeLogo(admin, brandUuid, alongside));
  const { environment } = admin;
  await notingRefusal(deps, by, { brandUuid, environment }, async () => {
    // Before the picture is decoded. `alongside` checks the version again, under a lock.
    assertVersion(brand.settingsVersion, version);
    await putLogo(admin, { brandUuid, ...logo }, alongside);
  });
}

/** Runs an upload of a logo. The audit log gets an entry also if it is refused, because checking it took work. */
export async function notingRefusal<Result>(
  deps: Pick<AccountDeps, "clock" | "home">,
  by: AccountActor,
  target: { brandUuid: string; environment: Environment },
  upload: () => Promise<Result>,
): Promise<Result> {
  try {
    return await upload();
  } catch (error) {
    const subject = error instanceof Failure ? (problemsOf(error)[0]?.message ?? error.message) : undefined;
    if (subject !== undefined)
      await deps.home.inTransaction((trx) =>
        recordChange(deps, trx, by, { ...target, action: "logo.refused", subject }),
      );
    throw error;
  }
}

export async function syncSection(
  deps: AccountDeps,
  admins: Admins,
  by: MemberActor,
  input: { brandUuid: string; section: SectionId; to: Environment; sourceVersion: number; version: number },
): Promise<void> {
  const source = admins[environments.find((one) => one !== input.to) ?? "sandbox"];
  const target = admins[input.to];
  const from = await ownBrand(source, by, input.brandUuid);
  // A key of the sandbox may have changed the source since the member read it.
  assertVersion(from.settingsVersion, input.sourceVersion);
  const { brandUuid, version } = input;
  const subject = `${input.section}, from version ${input.sourceVersion}`;
  await changeSettings(
    target,
    brandUuid,
    syncedPatch(input.section, from.settings),
    guarded(deps, target, by, { brandUuid, version, action: "settings.synced", subject }),
  );
}

type Guarded = {
  brandUuid: string;
  version: number;
  action: "settings.changed" | "settings.synced";
  subject?: string;
};

function guarded(
  deps: AccountDeps,
  { environment }: AdminDeps,
  by: MemberActor,
  input: Guarded,
): Alongside<SettingsChange> {
  const { version: read, ...recorded } = input;
  return async (trx, change) => {
    assertVersion(change.version, read);
    await recordSettings(deps, trx, by, { ...change, ...recorded, environment });
  };
}

function assertVersion(current: number, read: number): void {
  if (current !== read) throw refuse(409, "These settings have changed since you read them.");
}

/** Records a change of settings by an API key or the operator, who need no version. */
export function settingsNote(
  deps: Pick<AccountDeps, "clock">,
  by: AccountActor,
  target: { brandUuid: string; environment: Environment },
): Alongside<SettingsChange> {
  return async (trx, change) =>
    await recordSettings(deps, trx, by, { ...target, ...change, action: "settings.changed" });
}

/** Records the names of a new brand that wait for the operator. */
export async function noteWaiting(
  deps: Pick<AccountDeps, "clock">,
  trx: HomeTrx,
  by: AccountActor,
  { settings, requested, ...target }: FirstSettings & { brandUuid: string; environment: Environment },
): Promise<void> {
  if (requested.length > 0)
    await recordRequest(deps, trx, by, { ...target, settingsVersion: 1, before: settings, requested });
}

type Recorded = SettingsChange & {
  brandUuid: string;
  environment: Environment;
  action: "settings.changed" | "settings.synced";
  subject?: string;
};

async function recordSettings(
  deps: Pick<AccountDeps, "clock">,
  trx: HomeTrx,
  by: AccountActor,
  input: Recorded,
): Promise<void> {
  const { brandUuid, environment, action, subject, nextVersion, before, after, requested, withdrawn } = input;
  const entry = { brandUuid, environment, settingsVersion: nextVersion };
  const changes = changesBetween(before, after);
  if (changes.length > 0)
    await recordChange(deps, trx, by, { ...entry, action, changes, ...(subject === undefined ? {} : { subject }) });
  if (requested.length > 0) await recordRequest(deps, trx, by, { ...entry, before, requested });
  for (const path of withdrawn)
    await recordChange(deps, trx, by, { ...entry, action: "name.withdrawn", subject: path });
}

/** Records the names that now wait for the operator, with the names in use. */
async function recordRequest(
  deps: Pick<AccountDeps, "clock">,
  trx: HomeTrx,
  by: AccountActor,
  input: Pick<AccountEntry, "brandUuid" | "environment" | "settingsVersion"> & Requested,
): Promise<void> {
  const { before, requested, ...entry } = input;
  const changes = requested.flatMap(({ path, value }) =>
    changesBetween({ [path]: nameAt(before, path) }, { [path]: value }),
  );
  await recordChange(deps, trx, by, { ...entry, action: "name.requested", changes });
}
type Requested = { before: BrandSettings; requested: SettingsChange["requested"] };

/**
 * Creates production settings: the defaults, plus the sandbox settings that may be copied and are valid in production.
 * The account's name, which the operator has approved, is used until the operator approves the brand's own name.
 */
export async function beginProduction(
  deps: AccountDeps,
  admins: Admins,
  by: MemberActor,
  { brandUuid, sourceVersion }: { brandUuid: string; sourceVersion: number },
): Promise<void> {
  const { sandbox, production } = admins;
  const brand = await ownBrand(sandbox, by, brandUuid);
  assertVersion(brand.settingsVersion, sourceVersion);
  const { customerUuid } = by.member;
  const { name } = await readCustomer(deps, customerUuid);
  const settings = await settingsWithWaitingNames(deps, sandbox, brand);
  const wanted = productionSettings(production, { name, settings });
  const { environment } = production;
  await production.home.inTransaction(async (trx) => {
    if ((await lockBrand(trx, environment, brandUuid)) !== null)
      throw refuse(409, "This brand already has production settings.");
    const first = await insertFirstSettings(production, trx, { customerUuid, brandUuid, wanted });
    await recordChange(deps, trx, by, {
      brandUuid,
      environment,
      settingsVersion: 1,
      action: "environment.created",
      subject: `from version ${sourceVersion}`,
    });
    await noteWaiting(deps, trx, by, { ...first, brandUuid, environment });
  });
}

/** The settings with the names that wait in this environment, which then wait in the other one too. */
async function settingsWithWaitingNames(
  { home }: AccountDeps,
  { environment }: AdminDeps,
  { uuid: brandUuid, customerUuid, settings }: Brand,
): Promise<BrandSettings> {
  const waiting = await waitingNames(home, { customerUuid, brandUuid, environment }, settings);
  const requested = (path: string) => waiting.find((one) => one.path === path)?.requested;
  return {
    ...settings,
    externalName: requested("externalName") ?? settings.externalName,
    otpOrigin: requested("otpOrigin") ?? settings.otpOrigin,
  };
}

/** Sections that production rejects, such as one with a localhost URL, keep their defaults. */
function productionSettings(admin: AdminDeps, { name, settings }: Pick<Brand, "name" | "settings">): BrandSettings {
  const rules = settingsRules(admin);
  const from = { ...settings, otpOrigin: otpHost(settings) };
  const { integrationType } = settings;
  let result = defaultSettings({ name, integrationType, consentDeclared: admin.consentDeclared });
  for (const { id } of settingsSections) {
    const patched = patchSettings(result, syncedPatch(id, from), rules);
    if (patched.kind === "settings") result = patched.settings;
  }
  return result;
}
