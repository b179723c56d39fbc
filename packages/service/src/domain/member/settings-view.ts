import { type BrandSettings, type IntegrationType, integrationTypes } from "@countersign/contract/brand";
import type { Ledger } from "../brand/manage.ts";
import { mayBecome } from "../brand/migration-paths.ts";
import { type WaitingName, waitingNames } from "../brand/name-requests.ts";
import { defaultSettings, hasPushAuthorization, withoutSecret } from "../brand/settings.ts";
import { hasTraffic } from "../brand/store.ts";
import type { Brand } from "../deps.ts";
import { nameOf } from "./audit.ts";
import type { AccountDeps } from "./deps.ts";
import { findMember } from "./member.ts";

export type SettingsView = {
  version: number;
  settings: BrandSettings;
  defaults: BrandSettings;
  changedAt: number;
  changedBy?: string;
  hasPushAuthorization: boolean;
  hasTraffic: boolean;
  mayBecome: IntegrationType[];
  waitingNames: WaitingName[];
};

/** A brand's settings as members see them. For secrets, they see only whether one is set. */
export async function viewSettings(deps: AccountDeps, ledger: Ledger, brand: Brand): Promise<SettingsView> {
  const { uuid, settings, settingsVersion: version } = brand;
  const { environment } = ledger;
  const row = await deps.db
    .selectFrom("brand_settings")
    .select("created_at")
    .where("brand_uuid", "=", uuid)
    .where("environment", "=", environment)
    .where("version", "=", version)
    .executeTakeFirstOrThrow();
  const last = await deps.db
    .selectFrom("account_audit")
    .select("member_uuid")
    .where("brand_uuid", "=", uuid)
    .where("environment", "=", environment)
    .where("settings_version", "=", version)
    .executeTakeFirst();
  const by = last?.member_uuid ?? null;
  const member = by === null ? null : await findMember(deps, deps.db, by);
  const used = await hasTraffic(deps.db, environment, uuid);
  const owner = { customerUuid: brand.customerUuid, brandUuid: uuid, environment };
  return {
    version,
    settings: withoutSecret(settings),
    defaults: defaultSettings({
      name: brand.name,
      integrationType: settings.integrationType,
      consentDeclared: ledger.consentDeclared,
    }),
    changedAt: row.created_at,
    ...(member === null ? {} : { changedBy: nameOf(member) }),
    hasPushAuthorization: hasPushAuthorization(settings),
    hasTraffic: used,
    mayBecome: integrationTypes.filter(
      (type) => type !== settings.integrationType && mayBecome(settings.integrationType, type, used),
    ),
    waitingNames: await waitingNames(deps.db, owner, settings),
  };
}
