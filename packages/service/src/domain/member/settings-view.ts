import { type BrandSettings, type IntegrationType, integrationTypes } from "@countersign/contract/brand";
import { maskedAddress } from "@countersign/contract/masked-address";
import { type MemberRole, mayAs } from "@countersign/contract/member";
import { findSettingsAuthor } from "../audit/account-audit-rows.ts";
import { hasTraffic } from "../brand/brand-rows.ts";
import type { AdminDeps } from "../brand/manage.ts";
import { type WaitingName, waitingNames } from "../brand/name-requests.ts";
import { defaultSettings, hasPushAuthorization, mayBecome, withoutSecret } from "../brand/settings.ts";
import { settingsStoredAt } from "../brand/settings-rows.ts";
import type { AccountDeps, Brand } from "../deps.ts";
import { memberName } from "./member.ts";
import { findMember } from "./member-rows.ts";

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

/**
 * A brand's settings for a member with this role. Of secrets, members see only whether they are set. The URL of the
 * push may contain a secret in its path or query, so only members who may change it see them.
 */
export async function viewSettings(
  deps: AccountDeps,
  admin: AdminDeps,
  { role }: { role: MemberRole },
  brand: Brand,
): Promise<SettingsView> {
  const { uuid, settings, settingsVersion: version } = brand;
  const { environment } = admin;
  const changedAt = await settingsStoredAt(deps.home, environment, { brandUuid: uuid, version });
  const author = await findSettingsAuthor(deps.home, environment, { brandUuid: uuid, version });
  const member = author === null ? null : await findMember(deps, deps.home, author);
  const used = await hasTraffic(admin, environment, uuid);
  const owner = { customerUuid: brand.customerUuid, brandUuid: uuid, environment };
  return {
    version,
    settings: mayAs(role, "developer") ? withoutSecret(settings) : withMaskedPush(withoutSecret(settings)),
    defaults: defaultSettings({
      name: brand.name,
      integrationType: settings.integrationType,
      consentDeclared: admin.consentDeclared,
    }),
    changedAt,
    ...(member === null ? {} : { changedBy: memberName(member) }),
    hasPushAuthorization: hasPushAuthorization(settings),
    hasTraffic: used,
    mayBecome: integrationTypes.filter(
      (to) => to !== settings.integrationType && mayBecome({ from: settings.integrationType, to, hasTraffic: used }),
    ),
    waitingNames: await waitingNames(deps.home, owner, settings),
  };
}

function withMaskedPush(settings: BrandSettings): BrandSettings {
  const { push } = settings.v1;
  if (push === null) return settings;
  return { ...settings, v1: { ...settings.v1, push: { ...push, url: maskedAddress(push.url) } } };
}
