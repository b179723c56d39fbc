/** The audit entries about a brand's settings and names. */
import type { BrandSettings } from "@countersign/contract/brand";
import type { HomeTrx } from "../../store/database.ts";
import { type AccountActor, type AccountEntry, recordChange } from "../audit/account-audit-rows.ts";
import { changesBetween } from "../audit/changes.ts";
import type { Deps } from "../deps.ts";
import { nameAt, type RequestedName } from "./name-requests.ts";

type Recording = Pick<Deps, "environment" | "clock" | "realClock">;

/** A settings change in progress. If nothing changes, `nextVersion` is `version`, and no version is stored. */
export type SettingsChange = {
  version: number;
  nextVersion: number;
  before: BrandSettings;
  after: BrandSettings;
  /** `requested`: names that now wait for the operator. `withdrawn`: names that no longer wait. */
  requested: RequestedName[];
  withdrawn: string[];
};

/** Records a change of settings. `synced`: what was copied from the other environment. */
export async function recordSettings(
  deps: Recording,
  trx: HomeTrx,
  by: AccountActor | undefined,
  { brandUuid, synced, change }: { brandUuid: string; synced: string | undefined; change: SettingsChange },
): Promise<void> {
  const { before, after, requested, withdrawn, nextVersion: settingsVersion } = change;
  const entry = { brandUuid, environment: deps.environment, settingsVersion };
  const action = synced === undefined ? "settings.changed" : "settings.synced";
  const changes = changesBetween(before, after);
  if (changes.length > 0) await recordChange(deps, trx, by, { ...entry, action, changes, subject: synced });
  await recordWaiting(deps, trx, by, { ...entry, before, requested });
  for (const path of withdrawn)
    await recordChange(deps, trx, by, { ...entry, action: "name.withdrawn", subject: path });
}

type Waiting = Pick<AccountEntry, "brandUuid" | "settingsVersion"> & Pick<SettingsChange, "before" | "requested">;

/** Records the names that now wait for the operator, if any, with the names in use. */
export async function recordWaiting(
  deps: Recording,
  trx: HomeTrx,
  by: AccountActor | undefined,
  { before, requested, ...entry }: Waiting,
): Promise<void> {
  if (requested.length === 0) return;
  const changes = requested.flatMap(({ path, value }) =>
    changesBetween({ [path]: nameAt(before, path) }, { [path]: value }),
  );
  const { environment } = deps;
  await recordChange(deps, trx, by, { ...entry, environment, action: "name.requested", changes });
}
