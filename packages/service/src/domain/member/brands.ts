/** Changes that members make to brands. The change and its audit entry are in one transaction. */
import {
  approvals,
  type BrandSettings,
  type Environment,
  environments,
  type IntegrationType,
} from "@countersign/contract/brand";
import { type SectionId, settingsSections, syncedPatch } from "@countersign/contract/settings-sections";
import { type AccountActor, type MemberActor, recordChange } from "../audit/account-audit-rows.ts";
import { findOwnBrand, lockBrand } from "../brand/brand-rows.ts";
import { type NewLogo, putLogo, removeLogo } from "../brand/logo.ts";
import {
  type AdminDeps,
  assertVersion,
  changeSettings,
  createBrand,
  insertFirstSettings,
  settingsRules,
} from "../brand/manage.ts";
import { waitingNames } from "../brand/name-requests.ts";
import { defaultSettings, otpHost, patchSettings, withoutSecret } from "../brand/settings.ts";
import { recordWaiting } from "../brand/settings-audit.ts";
import type { AccountDeps, Brand } from "../deps.ts";
import { Failure, problemsOf, refuse } from "../failure.ts";
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
  admin: AdminDeps,
  by: MemberActor,
  input: { name: string; integrationType: IntegrationType; settings?: Record<string, unknown> },
): Promise<{ uuid: string; apiKey: string }> {
  const { uuid, apiKey } = await createBrand(admin, {
    customerUuid: by.member.customerUuid,
    name: input.name,
    settings: { ...input.settings, integrationType: input.integrationType },
    // The sandbox grants all approvals. A production brand starts with `beginProduction` and needs the operator's
    // approval.
    approvals,
    by,
    recorded: { subject: input.integrationType },
  });
  return { uuid, apiKey };
}

/** Creates a brand with another's settings, except the logo, which is stored per brand, and the v1 push's secret. */
export async function copyBrand(
  admin: AdminDeps,
  by: MemberActor,
  input: { from: Brand; name: string },
): Promise<{ uuid: string; apiKey: string }> {
  const settings = withoutSecret(input.from.settings);
  const styling = { ...settings.styling, logoUrl: null };
  const copied = { ...settings, externalName: input.name, otpOrigin: otpHost(settings), styling };
  return await makeBrand(admin, by, {
    name: input.name,
    integrationType: settings.integrationType,
    settings: copied,
  });
}

/** Replaces the logo, or removes it if `logo` is null. The version is checked as for other settings. */
export async function editLogo(
  admin: AdminDeps,
  by: MemberActor,
  input: { brand: Brand; version: number; logo: Omit<NewLogo, "brandUuid"> | null },
): Promise<void> {
  const { brand, version, logo } = input;
  const { uuid: brandUuid } = brand;
  const edit = { by, read: version };
  if (logo === null) return void (await removeLogo(admin, brandUuid, edit));
  await notingRefusal(admin, by, brandUuid, async () => {
    // Before the picture is decoded. `putLogo` checks the version again, under a lock.
    assertVersion(brand.settingsVersion, version);
    await putLogo(admin, { brandUuid, ...logo }, edit);
  });
}

/** Runs an upload of a logo. The audit log gets an entry also if it is refused, because checking it took work. */
export async function notingRefusal<Result>(
  deps: AdminDeps,
  by: AccountActor,
  brandUuid: string,
  upload: () => Promise<Result>,
): Promise<Result> {
  try {
    return await upload();
  } catch (error) {
    const subject = error instanceof Failure ? (problemsOf(error)[0]?.message ?? error.message) : undefined;
    const { home, environment } = deps;
    const entry = { action: "logo.refused" as const, brandUuid, environment, subject };
    if (subject !== undefined) await home.inTransaction((trx) => recordChange(deps, trx, by, entry));
    throw error;
  }
}

export async function syncSection(
  admins: Admins,
  by: MemberActor,
  input: { brandUuid: string; section: SectionId; to: Environment; sourceVersion: number; version: number },
): Promise<void> {
  const source = admins[environments.find((one) => one !== input.to) ?? "sandbox"];
  const target = admins[input.to];
  const from = await ownBrand(source, by, input.brandUuid);
  // A key of the sandbox may have changed the source since the member read it.
  assertVersion(from.settingsVersion, input.sourceVersion);
  const synced = `${input.section}, from version ${input.sourceVersion}`;
  const patch = syncedPatch(input.section, from.settings);
  await changeSettings(target, input.brandUuid, patch, { by, read: input.version, synced });
}

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
  const wanted = await productionSettings(production, { name, settings });
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
    await recordWaiting(production, trx, by, { brandUuid, settingsVersion: 1, ...first });
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
async function productionSettings(
  admin: AdminDeps,
  { name, settings }: Pick<Brand, "name" | "settings">,
): Promise<BrandSettings> {
  const rules = await settingsRules(admin);
  const from = { ...settings, otpOrigin: otpHost(settings) };
  const { integrationType } = settings;
  let result = defaultSettings({ name, integrationType, consentDeclared: admin.consentDeclared });
  for (const { id } of settingsSections) {
    const patched = patchSettings(result, syncedPatch(id, from), rules);
    if (patched.kind === "settings") result = patched.settings;
  }
  return result;
}
